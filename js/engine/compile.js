// SPDX-License-Identifier: MIT
// Compiles the engine's module, and makes the error of one that does not compile or cannot be
// fetched. Must not know where the package keeps its own (load/).
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
 * @param {unknown} [source] what was compiled: of damaged bytes no policy of a page is at fault
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
  // Browsers keep what they compile so. It takes no other content type.
  if (
    source.headers.get("content-type")?.startsWith("application/wasm") &&
    WebAssembly.compileStreaming
  )
    return WebAssembly.compileStreaming(source);
  // The development server of Next.js moves such calls into functions that cannot await.
  const bytes = await source.arrayBuffer();
  return WebAssembly.compile(bytes);
}
