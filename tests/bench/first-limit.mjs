// SPDX-License-Identifier: MIT
// The least that a first answer of this package could take: a program that starts the engine and
// parses the agent's JavaScript, but runs none of it.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { AGENT, importsOf } from "./first-agent.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
const START = `import { loadEngine } from "#load";
const source = loadEngine();
const { exports: engine } = new WebAssembly.Instance(
  ArrayBuffer.isView(source) ? new WebAssembly.Module(source) : source, {});
engine._initialize();
engine.weft_init(2 ** 26);`;

/** Leaves out the engine's bytes, which the start has, and what is imported later. */
const WITHOUT = {
  name: "without",
  setup(bundler) {
    bundler.onLoad({ filter: /generated\/engine-(text|base64)\.js$/ }, () => ({
      contents: 'export default "";',
    }));
    bundler.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "dynamic-import" || path.endsWith(".wasm")
        ? { path, namespace: "empty" }
        : undefined,
    );
    bundler.onLoad({ filter: /./, namespace: "empty" }, () => ({ contents: "export default 0;" }));
  },
};

/**
 * @param {{ platform: "node" | "browser" | "neutral", conditions?: string[], minify?: boolean }}
 *   options as the agent's own bundle has them
 * @returns {Promise<string>} a module, still to be bundled
 */
export async function limitOf(options) {
  const { outputFiles } = await build({
    ...options,
    stdin: {
      contents: `${importsOf("").weft}${AGENT}globalThis.answer = answer;`,
      resolveDir: top,
    },
    bundle: true,
    format: "iife",
    write: false,
    logLevel: "error",
    plugins: [WITHOUT],
  });
  return `${START}\nglobalThis.unused = () => {\n${outputFiles[0].text}\n};\n`;
}
