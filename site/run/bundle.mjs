// SPDX-License-Identifier: MIT
// Bundles what examples run with: the worker, and a file for each package entry that a program may
// import. What most programs need is one file behind them, so that a run asks for few; what the
// others share is in further files. `weftgraph` is this checkout.
import { build } from "esbuild";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { STAND_INS } from "./node/modules.js";
import { fileOf } from "./packages.js";
import { examples, manifest, programs, top } from "../programs.mjs";

/** Entries that no program of the page imports: files, and a front end of its own. */
const ELSEWHERE = /^weftgraph\/(engine\.wasm|package\.json|studio)$/;

/** An entry that so many programs import is part of the file that all load. */
const COMMON_FROM = 2;
/** The worker draws every program's graphs; what savers load later is behind retention, too. */
const ALWAYS = ["weftgraph/svg", "weftgraph/savers/retention"];
/** What files are kept with: one file, which few programs load. */
const FILES = ["weftgraph/savers/file", ...Object.keys(STAND_INS)];
/** What of other packages is one file. */
const ONE_FILE = /^@langchain\//;

/** All that a program may import: entries of weftgraph and of packages in use, Node's stand-ins. */
export function packagesOfSite() {
  const own = Object.keys(manifest.exports).map((entry) => `weftgraph${entry.slice(1)}`);
  const others = [...programs(), ...examples()].flatMap(({ imports }) =>
    imports.filter((name) => !/^(node:|weftgraph)/.test(name)),
  );
  return [
    ...own.filter((name) => !ELSEWHERE.test(name)),
    ...Object.keys(STAND_INS),
    ...new Set(others),
    "fake-indexeddb/auto",
  ];
}

/** @param {string[]} packages @returns {string[]} entries of weftgraph whose files become one */
function commonOf(packages) {
  const all = programs();
  const isCommon = (name) =>
    !FILES.includes(name) &&
    all.filter(({ imports }) => imports.includes(name)).length >= COMMON_FROM;
  return packages.filter((name) => isOwn(name) && (ALWAYS.includes(name) || isCommon(name)));
}

const isOwn = (name) => name.startsWith("weftgraph");

/**
 * Lets the files behind a group of entries become one file: the bundler puts into one what the same
 * entries reach, so each entry reaches the whole group, and so does what is loaded later.
 * @param {string} sources
 * @param {string[]} packages
 * @param {{ name: string, entries: string[], has: (entry: string) => boolean }[]} groups
 */
async function writeEntries(sources, packages, groups) {
  const load = (name) => `import ${JSON.stringify(name)};\n`;
  for (const { name, entries } of groups)
    await writeFile(join(sources, `${name}.js`), entries.map(load).join(""));
  for (const name of packages) {
    const group = groups.find(({ has }) => has(name));
    const text = `export * from ${JSON.stringify(name)};\n`;
    await writeFile(
      join(sources, `${fileOf(name)}.js`),
      group === undefined ? text : load(`./${group.name}.js`) + text,
    );
  }
}

/** @param {string} common file of the group @returns {import("esbuild").Plugin} */
const loadedLater = (common) => ({
  name: "loaded-later",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, async ({ kind, path, importer, resolveDir }) => {
      if (kind !== "dynamic-import" || !importer.startsWith(join(top, "js/"))) return undefined;
      const found = await build.resolve(path, { kind: "import-statement", importer, resolveDir });
      return { path: found.path, namespace: "later" };
    });
    build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({
      contents: `import ${JSON.stringify(common)};\nexport * from ${JSON.stringify(path)};\n`,
      resolveDir: top,
    }));
  },
});

/** @type {import("esbuild").Plugin} */
export const standIns = {
  name: "stand-ins",
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) =>
      path in STAND_INS ? { path: join(top, "site/run/node", STAND_INS[path]) } : undefined,
    );
  },
};

/**
 * @param {string} out folder for the files
 * @returns {Promise<string[]>} the entries
 */
export async function bundleRunner(out) {
  const packages = packagesOfSite();
  // Inside the checkout, whose own name is `weftgraph` there.
  const sources = join(top, "build/site/packages");
  await mkdir(sources, { recursive: true });
  const shared = {
    bundle: true,
    format: /** @type {const} */ ("esm"),
    target: "es2022",
    platform: /** @type {const} */ ("browser"),
    minify: true,
    logLevel: /** @type {const} */ ("error"),
    legalComments: /** @type {const} */ ("linked"),
  };
  const langchain = packages.filter((name) => ONE_FILE.test(name));
  const groups = [
    // Beside what all load: else what both need were a file more for all.
    { name: "files", entries: ["./common.js", ...FILES], has: (name) => FILES.includes(name) },
    { name: "common", entries: commonOf(packages), has: isOwn },
    { name: "langchain", entries: langchain, has: (name) => langchain.includes(name) },
  ];
  await writeEntries(sources, packages, groups);
  const files = [...packages.map(fileOf), ...groups.map(({ name }) => name)];
  await build({
    ...shared,
    entryPoints: files.map((name) => join(sources, `${name}.js`)),
    plugins: [standIns, loadedLater(join(sources, "common.js"))],
    outdir: join(out, "packages"),
    chunkNames: "shared-[hash]",
    splitting: true,
    // Names of classes and functions are part of what programs print.
    keepNames: true,
  });
  await build({
    ...shared,
    entryPoints: [join(top, "site/run/worker.js")],
    outdir: out,
    define: { SITE_PACKAGES: JSON.stringify(packages) },
  });
  return packages;
}
