// SPDX-License-Identifier: MIT
// Evaluates the agent: node --test. With Vitest, import { afterAll as after, test } from "vitest".
import { readFile, writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { evalTests, matches, trajectory } from "weftgraph/testing";
import { agent } from "./agent.js";

const evals = await evalTests({ test }, agent, {
  name: "orders",
  cases: await readFile(new URL("cases.jsonl", import.meta.url), "utf8"),
  scorers: [matches(), trajectory()],
});
after(() => writeFile("junit.xml", evals.report().toJUnit()));
