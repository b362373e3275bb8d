// SPDX-License-Identifier: MIT
// Serves: the matrix of model adapters (models-matrix/cases.mjs) in Node, each case of each column
// a test, and the case with a fresh process. The same in other runtimes:
// tests/runtime/models-matrix.test.mjs.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FileSaver } from "weftgraph/savers/file";
import { FRESH, TITLES, faultsOf, runCase } from "./models-matrix/cases.mjs";
import { columns } from "./models-matrix/columns.mjs";
import { checkTurn, firstTurn } from "./models-matrix/history.mjs";

const program = fileURLToPath(new URL("models-matrix/next-turn.mjs", import.meta.url));
const run = promisify(execFile);

/** A column whose model answers a request with an empty stream. */
const broken = { ...columns[0], name: "broken", stream: () => [] };

async function inFreshProcess(t, column) {
  for (const how of ["stream", "whole"]) {
    const path = await mkdtemp(join(tmpdir(), "weft-matrix-"));
    t.after(() => rm(path, { recursive: true, force: true }));
    await firstTurn(column, new FileSaver({ path }), how === "stream");
    const { stdout } = await run(process.execPath, [program, column.name, path, how]);
    checkTurn(JSON.parse(stdout));
  }
}

for (const column of columns) {
  const { name, holes = {} } = column;
  for (const title of TITLES)
    test(`${name}: ${title}`, { skip: holes[title] ?? false }, () => runCase(column, title));
  test(`${name}: ${FRESH}`, { skip: holes[FRESH] ?? false }, (t) => inFreshProcess(t, column));
}

test("each hole has the title of a case and a reason", (t) => {
  assert.deepEqual(columns.flatMap(faultsOf), []);
  const holes = columns.flatMap(({ name, holes = {} }) =>
    Object.entries(holes).map(([title, reason]) => `${name}: ${title}: ${reason}`),
  );
  const count = columns.length * (TITLES.length + 1);
  t.diagnostic(`${count - holes.length} of ${count} hold, ${holes.length} are named holes`);
  for (const hole of holes) t.diagnostic(hole);
});

test("a column that lacks something fails, and so does a hole without a case or a reason", async () => {
  for (const title of [
    "text",
    "an error in the answer, up to its end",
    "usage equals the service's",
  ])
    await assert.rejects(runCase(broken, title), title);
  const { request, ...rest } = columns[0];
  await assert.rejects(
    runCase({ ...rest, request: { ...request, images: undefined } }, "an image"),
  );
  assert.deepEqual(faultsOf({ name: "x", holes: { text: "no", colour: "it is grey" } }), [
    'x: there is no case "colour"',
    'x: the hole "text" has no reason',
  ]);
});

test("every adapter of the package has a column", async () => {
  const { exports } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url)));
  const own = ["demo", "scripted"];
  const entries = Object.keys(exports)
    .filter((entry) => entry.startsWith("./models/"))
    .map((entry) => entry.slice("./models/".length))
    .filter((entry) => !own.includes(entry));
  assert.deepEqual(columns.map(({ name }) => name).sort(), entries.sort());
  const files = await readdir(new URL("models-matrix/", import.meta.url));
  for (const { name } of columns) assert.ok(files.includes(`${name}.mjs`), name);
});
