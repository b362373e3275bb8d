// SPDX-License-Identifier: MIT
// Bundles what examples run with: the worker, and a file for each package entry that the documents
// import, with what they share in further files. `weftgraph` is this checkout.
import { build } from "esbuild";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOf } from "./packages.js";
import { manifest, programs, top } from "../programs.mjs";

/** Entries that only a runtime other than a page has. */
const ELSEWHERE = /^weftgraph\/(engine\.wasm|package\.json|studio|savers\/file|server\/node)$/;

/** Every entry that a program may import: all of weftgraph's, of other packages those in use. */
export function packagesOfSite() {
  const own = Object.keys(manifest.exports).map((entry) => `weftgraph${entry.slice(1)}`);
  const others = programs().flatMap(({ imports }) =>
    imports.filter((name) => !/^(node:|weftgraph)/.test(name)),
  );
  return [
    ...own.filter((name) => !ELSEWHERE.test(name)),
    ...new Set(others),
    "fake-indexeddb/auto",
  ];
}

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
  for (const name of packages)
    await writeFile(
      join(sources, `${fileOf(name)}.js`),
      `export * from ${JSON.stringify(name)};\n`,
    );
  await build({
    ...shared,
    entryPoints: packages.map((name) => join(sources, `${fileOf(name)}.js`)),
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
