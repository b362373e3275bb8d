// SPDX-License-Identifier: MIT
// The demo's build joins what its worker's start loads (web-demo/join-parts.mjs): one file, in
// which each module is there once, and whose name changes with what it says.
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { init, parse } from "es-module-lexer";
import { buildJoined } from "../../web-demo/join-parts.mjs";

const SOURCES = {
  "shared.js": "export class Shared { static made = 0; }",
  "both.js": 'import { Shared } from "./shared.js"; export const both = () => ++Shared.made;',
  "start.js": `import { both } from "./both.js"; import { Shared } from "./shared.js";
    both(); export { Shared }; export const later = () => import("./later.js");`,
  "other.js": 'import { both } from "./both.js"; export const other = both;',
  "later.js": `import { Shared } from "./shared.js"; import { log } from "./log.js";
    export { Shared, log };`,
  "log.js": "export const log = [];",
};
const folders = [];

after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** @param {Record<string, string>} [changed] @param {object} [options] */
async function built(changed, options) {
  const folder = await mkdtemp(join(tmpdir(), "weft-join-"));
  folders.push(folder);
  await mkdir(join(folder, "src"));
  for (const [name, text] of Object.entries({ ...SOURCES, ...changed }))
    await writeFile(join(folder, "src", name), text);
  const outputs = await buildJoined(
    {
      absWorkingDir: folder,
      entryPoints: ["src/start.js", "src/other.js"],
      bundle: true,
      format: "esm",
      sourcemap: true,
      minify: true,
      outdir: join(folder, "out"),
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      ...options,
    },
    { name: "whole", startsWith: (source) => /start|other/.test(source) },
  );
  const names = (await readdir(join(folder, "out"))).filter((name) => name.endsWith(".js"));
  const file = (name) =>
    join(
      folder,
      "out",
      names.find((one) => one.startsWith(`${name}-`)),
    );
  return { file, names, outputs };
}

for (const minify of [true, false])
  test(`a start is its entries and one file, modules are there once; minified: ${minify}`, async () => {
    const { file, names, outputs } = await built({}, { minify });
    assert.deepEqual(names.map((name) => name.split("-")[0]).sort(), [
      "later",
      "other",
      "start",
      "whole",
    ]);
    assert.deepEqual(
      Object.keys(outputs)
        .filter((path) => path.endsWith(".js"))
        .sort(),
      names.map((name) => `out/${name}`).sort(),
    );
    const start = await import(pathToFileURL(file("start")).href);
    const other = await import(pathToFileURL(file("other")).href);
    const later = await start.later();
    assert.equal(other.other(), 2);
    assert.equal(later.Shared, start.Shared);
    assert.deepEqual(later.log, []);
  });

test("what is said of the files is what they import", async () => {
  const { file, names, outputs } = await built();
  await init;
  for (const name of names) {
    const [imports] = parse(await readFile(file(name.split("-")[0]), "utf8"));
    const said = outputs[`out/${name}`].imports.map(({ path }) => path.replace(/^out\//, "./"));
    assert.deepEqual(
      [...new Set(said)].sort(),
      [...new Set(imports.map(({ specifier }) => specifier))].sort(),
    );
  }
});

test("licences of what is joined lie beside the whole, and links to them lead somewhere", async () => {
  const { file, names } = await built(
    {
      "both.js": `/*! @license One */ ${SOURCES["both.js"]}`,
      "log.js": `/*! @license Two */ ${SOURCES["log.js"]}`,
    },
    { legalComments: "linked" },
  );
  assert.match(await readFile(`${file("whole")}.LEGAL.txt`, "utf8"), /@license One/);
  assert.match(await readFile(`${file("later")}.LEGAL.txt`, "utf8"), /@license Two/);
  for (const name of names) {
    const text = await readFile(file(name.split("-")[0]), "utf8");
    const [, linked] = /license information please see (\S+)/.exec(text) ?? [];
    if (linked !== undefined) assert.equal(linked, `${name}.LEGAL.txt`);
  }
});

test("a file whose text changes has another name, also where only the whole has changed", async () => {
  const first = await built();
  // Another part: what is loaded later says nothing of it.
  const next = await built({
    "added.js": "export let added = 0; export const add = () => ++added;",
    "both.js": `import { Shared } from "./shared.js"; import { add } from "./added.js";
      export const both = () => add() && ++Shared.made;`,
    "start.js": `${SOURCES["start.js"]} export { added } from "./added.js";`,
  });
  for (const name of ["later", "start", "other", "whole"]) {
    const [before, after] = await Promise.all(
      [first, next].map(async (made) => readFile(made.file(name), "utf8")),
    );
    const names = [first, next].map(({ file }) => file(name).split("/").at(-1));
    assert.equal(names[0] === names[1], before === after, name);
  }
  const again = await built();
  assert.deepEqual(again.names.sort(), first.names.sort());
});
