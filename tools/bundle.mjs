// SPDX-License-Identifier: MIT
// What a page loads at first of a module that it bundles: the entry and what it imports, without
// the parts that are imported when they are needed, as Vite, Rollup and webpack lay them out too.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * @param {string} contents of the module
 * @param {{ whole?: boolean, edge?: boolean }} [options] `whole`: everything in one file, as
 *   bundlers that do not split do it; `edge`: as for a Worker, with the .wasm file beside it
 * @returns {Promise<{ bytes: Uint8Array, text: string, files: string[] }>} `files` in the order in
 *   which they stand
 */
export async function firstLoad(contents, { whole = false, edge = false } = {}) {
  const made = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    conditions: edge ? ["workerd", "worker", "browser"] : ["browser"],
    splitting: !whole,
    outdir: "out",
    write: false,
    metafile: true,
    logLevel: "error",
    external: edge ? ["node:*", "*.wasm"] : ["node:*"],
  });
  const { outputs } = made.metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === "<stdin>");
  const reached = new Set();
  const visit = (path) => {
    if (reached.has(path) || outputs[path] === undefined) return;
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === "import-statement") visit(next);
    reached.add(path);
  };
  visit(entry);
  const parts = [...reached].map((path) =>
    made.outputFiles.find((file) => file.path.endsWith(path)),
  );
  const files = [...reached]
    .flatMap((path) => Object.entries(outputs[path].inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    bytes: Buffer.concat(parts.map(({ contents: part }) => part)),
    text: parts.map((part) => part.text).join(""),
    files: files.map(([path]) => path),
  };
}

/** What a browser app with an agent and graphs of its own imports. */
export const AGENT =
  'export { StateGraph, Annotation, interrupt, Command } from "weftgraph"; export { createReactAgent } from "weftgraph/prebuilt";';
/** The same with its saver. */
export const AGENT_IDBFS = `${AGENT} export { IdbfsSaver } from "weftgraph/savers/idbfs";`;
