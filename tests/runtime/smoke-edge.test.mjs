// SPDX-License-Identifier: MIT
// The smoke set as Vercel's edge and the edge runtime of Next.js run it: one script in a realm with
// Web names only, where neither eval nor WebAssembly may be compiled; the bundler hands over the
// engine's module when it is asked for `.wasm?module`.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { report } from "./smoke-report.mjs";

const WEB = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "DOMException",
  "DecompressionStream",
  "Event",
  "EventTarget",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WritableStream",
  "atob",
  "btoa",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "performance",
  "queueMicrotask",
  "setInterval",
  "setTimeout",
  "structuredClone",
];
/** Names that the edge runtime of Next.js has and that throw when they are called. */
const THROWING = [
  "clearImmediate",
  "setImmediate",
  "BroadcastChannel",
  "ByteLengthQueuingStrategy",
  "CompressionStream",
  "CountQueuingStrategy",
  "DomException",
  "MessageChannel",
  "MessageEvent",
  "MessagePort",
  "ReadableByteStreamController",
  "ReadableStreamBYOBRequest",
  "ReadableStreamDefaultController",
  "TransformStreamDefaultController",
  "WritableStreamDefaultController",
];

/**
 * What the development server of Next.js moves into functions of their own that are not
 * asynchronous.
 * @param {string} text
 */
function callsOfWebAssembly(text) {
  const calls = [...text.matchAll(/WebAssembly\.(?:compile|instantiate)\(/g)].map(
    ({ index, 0: { length } }) => {
      let end = index + length;
      for (let open = 1; open > 0; end++)
        open += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
      return text.slice(index, end);
    },
  );
  assert.ok(calls.length > 2);
  return calls;
}

test("the smoke set at Vercel's edge", { timeout: 600_000 }, async (t) => {
  const modules = [];
  const giveModule = {
    name: "wasm",
    setup(bundler) {
      bundler.onResolve({ filter: /\.wasm(\?.*)?$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        namespace: "wasm",
      }));
      bundler.onLoad({ filter: /.*/, namespace: "wasm" }, ({ path }) => {
        modules.push(path);
        return {
          contents: path.endsWith("?module") ? "export default globalThis.engineModule" : "",
        };
      });
    },
  };
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { runSmoke } from "./smoke-entry.mjs"; globalThis.runSmoke = runSmoke;',
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    format: "iife",
    target: "es2022",
    write: false,
    conditions: ["edge-light", "worker", "browser"],
    plugins: [giveModule],
  });
  assert.equal(modules.length, 1);
  for (const call of callsOfWebAssembly(outputFiles[0].text))
    assert.doesNotThrow(
      () => new Function(call),
      `as in the development server of Next.js: ${call}`,
    );
  const realm = createContext(Object.fromEntries(WEB.map((name) => [name, globalThis[name]])), {
    codeGeneration: { strings: false, wasm: false },
  });
  realm.self = realm;
  for (const name of THROWING) {
    const get = () =>
      function () {
        throw new Error(
          `A Node.js API is used (${name}) which is not supported in the Edge Runtime.`,
        );
      };
    Object.defineProperty(realm, name, { get, enumerable: false });
  }
  realm.engineModule = await WebAssembly.compile(readFileSync(modules[0].replace("?module", "")));
  assert.throws(
    () =>
      runInContext("new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))", realm),
    { name: "CompileError" },
  );
  runInContext(outputFiles[0].text, realm);
  await report(t, await realm.runSmoke({ als: false }));
});
