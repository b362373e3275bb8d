// SPDX-License-Identifier: MIT
// A module bundled as for a page, and a Worker as wrangler bundles it: one ES module, with each
// imported .wasm file as a compiled module beside it.
import * as fs from "node:fs/promises";
import { basename, resolve } from "node:path";
import { build } from "esbuild";

/**
 * The text of a module with all that it imports, for pages, Deno, Bun and Node.
 * @param {string} entry
 */
export async function bundleModule(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    conditions: ["browser"],
    external: ["node:*"],
    write: false,
    logLevel: "error",
  });
  return outputFiles[0].text;
}

/**
 * Miniflare's modules of a Worker.
 * @param {string} entry
 * @param {string[]} [nodePaths] where packages are looked for besides
 * @returns {Promise<({ type: "ESModule", path: string, contents: string } | { type: "CompiledWasm",
 *   path: string, contents: Buffer })[]>}
 */
export async function bundleWorker(entry, nodePaths) {
  /** @type {Map<string, string>} */
  const compiled = new Map();
  const keepWasm = {
    name: "wasm",
    setup(bundler) {
      bundler.onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
        compiled.set(basename(path), resolve(resolveDir, path));
        return { path: `./${basename(path)}`, external: true };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:workers"],
    nodePaths,
    plugins: [keepWasm],
  });
  const wasm = await Promise.all(
    [...compiled].map(async ([path, file]) => ({
      type: "CompiledWasm",
      path,
      contents: await fs.readFile(file),
    })),
  );
  return [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text }, ...wasm];
}

/** The workerd processes that this process started. */
export async function workerdIds() {
  const ids = [];
  for (const id of (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((file) =>
        fs.readFile(`/proc/${id}/${file}`, "latin1").catch(() => ""),
      ),
    );
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (parent === process.pid && /\/workerd\0/.test(command)) ids.push(Number(id));
  }
  return ids;
}
