// SPDX-License-Identifier: MIT
// The smoke set as Vercel's edge and the edge runtime of Next.js run it: one script in a realm with Web names only, where neither
// eval nor WebAssembly may be compiled; the bundler hands over the engine's module when it is asked for `.wasm?module`.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { report } from "./smoke-report.mjs";

const WEB = ["AbortController", "AbortSignal", "Blob", "DOMException", "DecompressionStream", "Event", "EventTarget", "Headers", "ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder",
  "TransformStream", "URL", "URLSearchParams", "WritableStream", "atob", "btoa", "clearInterval", "clearTimeout", "console", "crypto", "fetch", "performance", "queueMicrotask",
  "setInterval", "setTimeout", "structuredClone"];

test("the smoke set at Vercel's edge", { timeout: 600_000 }, async (t) => {
  const modules = [];
  const giveModule = {
    name: "wasm",
    setup(bundler) {
      bundler.onResolve({ filter: /\.wasm(\?.*)?$/ }, ({ path, resolveDir }) => ({ path: resolve(resolveDir, path), namespace: "wasm" }));
      bundler.onLoad({ filter: /.*/, namespace: "wasm" }, ({ path }) => {
        modules.push(path);
        return { contents: path.endsWith("?module") ? "export default globalThis.engineModule" : "" };
      });
    },
  };
  const { outputFiles } = await build({
    stdin: { contents: 'import { runSmoke } from "./smoke-entry.mjs"; globalThis.runSmoke = runSmoke;', resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true, format: "iife", target: "es2022", write: false, conditions: ["edge-light", "worker", "browser"], plugins: [giveModule],
  });
  assert.equal(modules.length, 1);
  const realm = createContext(Object.fromEntries(WEB.map((name) => [name, globalThis[name]])), { codeGeneration: { strings: false, wasm: false } });
  realm.self = realm;
  realm.engineModule = await WebAssembly.compile(readFileSync(modules[0].replace("?module", "")));
  assert.throws(() => runInContext("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))", realm), { name: "CompileError" });
  runInContext(outputFiles[0].text, realm);
  await report(t, await realm.runSmoke({ als: false }));
});
