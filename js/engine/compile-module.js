// SPDX-License-Identifier: MIT
// Compiles the engine's module, and makes the error if it does not compile or cannot be fetched.
// Does not depend on where the package keeps its own module (load/).
import { WeftError, makeError } from "../base/errors.js";
import { ERR_NOT_READY } from "../base/codes.js";

/** @param {WebAssembly.Module | Uint8Array<ArrayBuffer>} source */
export function compileNow(source) {
  return ArrayBuffer.isView(source)
    ? new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (source))
    : source;
}

/**
 * @param {unknown} error
 * @param {unknown} [source] the compiled bytes: if damaged, a page's policy is not blamed
 * @returns {Error}
 */
export function notReady(error, source) {
  if (error instanceof WeftError) return error;
  if (ArrayBuffer.isView(source) && !WebAssembly.validate(/** @type {BufferSource} */ (source)))
    return new WeftError("ENGINE_NOT_READY", "The engine's bytes are damaged", { cause: error });
  return makeError(ERR_NOT_READY, [error instanceof Error ? error.message : String(error)], {
    cause: error,
  });
}

/**
 * @param {WebAssembly.Module | BufferSource | URL | string | Response} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) return compile(await fetch(source));
  if (typeof Response === "undefined" || !(source instanceof Response))
    return WebAssembly.compile(/** @type {BufferSource} */ (source));
  if (!source.ok) throw makeError(ERR_NOT_READY, [`${source.url} answered ${source.status}`]);
  // Browsers cache modules compiled by streaming, which requires this content type.
  if (
    source.headers.get("content-type")?.startsWith("application/wasm") &&
    WebAssembly.compileStreaming
  )
    return WebAssembly.compileStreaming(source);
  // Awaited first: Next.js's development server moves the call into a function that cannot await.
  const bytes = await source.arrayBuffer();
  return WebAssembly.compile(bytes);
}
