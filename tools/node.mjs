// SPDX-License-Identifier: MIT
// The package for `import` in Node and what is like it, where to find and link a file takes as long
// as to read 20 kB of it: below js/node an entry is few files, all of them built together, so that
// they share one engine and one set of classes. In the tarball, that is: in the checkout they lead
// to the sources, so that what is changed is what runs. Usage: node tools/node.mjs [--sources]
// [folder]
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const isBuilt = process.argv[2] !== "--sources";
const folder = resolve(process.argv[isBuilt ? 2 : 3] ?? join(top, "js/node"));
const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
/** The source behind each file. @type {Record<string, string>} */
const entries = Object.fromEntries(
  Object.values(exports).flatMap(({ node, default: source }) =>
    node === undefined
      ? []
      : [[node.default.slice("./js/node/".length, -".js".length), join(top, source)]],
  ),
);

/**
 * What a file imports statically, and what that does.
 * @param {string} entry
 * @returns {Promise<Set<string>>}
 */
async function firstLoad(entry) {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: top,
    bundle: true,
    format: "esm",
    platform: "node",
    // Without "module", by which bundles include what is imported later here.
    conditions: [],
    write: false,
    metafile: true,
  });
  /** @type {Set<string>} */
  const reached = new Set();
  const visit = (/** @type {string} */ path) => {
    if (reached.has(join(top, path)) || metafile.inputs[path] === undefined) return;
    reached.add(join(top, path));
    for (const { path: next, kind } of metafile.inputs[path].imports)
      if (kind === "import-statement") visit(next);
  };
  visit(relative(top, entry));
  return reached;
}

async function bundle() {
  const { rolldown } = await import("rolldown");
  const [graphs, agents] = await Promise.all([
    firstLoad(entries.index),
    firstLoad(entries.prebuilt),
  ]);
  const made = await rolldown({
    input: entries,
    cwd: top,
    platform: "node",
    resolve: { conditionNames: ["node", "import", "default"] },
    external: /^zod(\/|$)/,
    preserveEntrySignatures: "strict",
  });
  // Names and lines stay: stack traces show them, and nobody waits for the bytes.
  const { output } = await made.generate({
    format: "esm",
    chunkFileNames: "[name].js",
    keepNames: true,
    comments: { legal: false, annotation: true, jsdoc: false },
    codeSplitting: {
      groups: [
        { name: "graphs", test: (id) => graphs.has(id) },
        { name: "agents", test: (id) => agents.has(id) && !graphs.has(id) },
      ],
    },
  });
  return output.map(
    ({ fileName, code }) => /** @type {[string, string]} */ ([fileName, asciiOf(code)]),
  );
}

/**
 * With one other character in it, a source takes V8 twice the memory and a tenth longer to read.
 * @param {string} code
 */
const asciiOf = (code) =>
  code.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const files = new Map(
  isBuilt
    ? await bundle()
    : Object.entries(entries).map(
        ([name, source]) =>
          /** @type {[string, string]} */ ([
            `${name}.js`,
            `export * from ${JSON.stringify(relative(folder, source))};\n`,
          ]),
      ),
);
mkdirSync(folder, { recursive: true });
for (const [name, text] of files)
  writeFileSync(join(folder, name), `// SPDX-License-Identifier: MIT\n${text}`);
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(join(folder, name));
