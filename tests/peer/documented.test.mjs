// SPDX-License-Identifier: MIT
// The programs of tests/peer/documented, in the manner of LangGraph.js's documentation and of
// questions about it: run with both packages. tests/types/same.test.mjs compiles them with both.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { LIBRARIES, compare } from "./harness.mjs";

const here = fileURLToPath(new URL("documented/", import.meta.url));
const built = fileURLToPath(new URL("../../build/documented/", import.meta.url));
const files = readdirSync(here).filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));

mkdirSync(built, { recursive: true });
copyFileSync(new URL("scripted-model.mjs", import.meta.url), `${built}scripted-model.mjs`);
for (const [library, name] of [
  ["weft", "weftgraph"],
  ["langgraph", "@langchain/langgraph"],
]) {
  mkdirSync(`${built}${library}`, { recursive: true });
  for (const file of files) {
    const source = readFileSync(here + file, "utf8").replace(
      / from "weftgraph([^"]*)"/g,
      ` from "${name}$1"`,
    );
    writeFileSync(
      `${built}${library}/${file.replace(/\.ts$/, ".js")}`,
      transformSync(source, { loader: "ts", format: "esm" }).code,
    );
  }
}

for (const file of files.filter((name) => name !== "models.ts")) {
  const [ours, theirs] = await Promise.all(
    ["weft", "langgraph"].map(
      (library) => import(`${built}${library}/${file.replace(/\.ts$/, ".js")}`),
    ),
  );
  for (const title of Object.keys(ours.programs)) {
    test(`${file.slice(0, -3)}: ${title}`, async () => {
      const found = await compare((lib, t) => {
        t.triggers = undefined; // the ids of questions are compared, not made anew
        return (lib === LIBRARIES.langgraph ? theirs : ours).programs[title](t);
      });
      if (found !== undefined) assert.fail(`Weft (+) differs from LangGraph.js (-):\n${found}`);
    });
  }
}
