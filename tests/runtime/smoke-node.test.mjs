// SPDX-License-Identifier: MIT
// The smoke set in Node, over the memory and the file saver.
import { test } from "node:test";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSaver } from "weftgraph/savers/file";
import { runSmoke } from "./smoke-entry.mjs";
import { report } from "./smoke-report.mjs";

test("the smoke set in Node, over the memory saver", async (t) =>
  report(t, await runSmoke({ als: true })));

test("the smoke set in Node, over the file saver", async (t) => {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-smoke-"));
  t.after(() => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }));
  await report(t, await runSmoke({ als: true, saver: new FileSaver({ path }) }));
});
