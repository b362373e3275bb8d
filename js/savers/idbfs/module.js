// SPDX-License-Identifier: MIT
// Owns the shared instance of idbfs.wasm in this realm, created at first use, with IDBFS's
// reconcile replaced by Weft's.
import { createReconcile } from "./reconcile.js";
import createModule from "../../engine/generated/idbfs-glue.js";
import text from "../../engine/generated/idbfs-text.js";
import { decodeBytes } from "../../engine/load/wasm-text.js";
import { ERR_TRAPPED } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { markUnknown } from "../../log/log-store.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {Value} IdbfsModule Emscripten's module: FS, IDBFS, HEAPU8 and the functions of
 *   wasm/idbfs/port.c; `trapped`: must not be used any more
 */

/** @type {IdbfsModule} */
let shared;

/** @type {Uint8Array<ArrayBuffer>} */
let wasm;

/** Creates an instance. Stores share one; tests create their own. @returns {IdbfsModule} */
export function createInstance() {
  wasm ??= decodeBytes(text);
  const module = createModule({ wasm });
  module.IDBFS.reconcile = createReconcile(module.FS, module.IDBFS.DB_STORE_NAME);
  return module;
}

/** Returns this realm's instance; a new one after a trap. @returns {IdbfsModule} */
export function sharedInstance() {
  if (shared?.trapped) shared = undefined;
  return (shared ??= createInstance());
}

/**
 * Converts an error of a call. A trap leaves the instance in an unknown state, and what the call
 * wrote may be stored.
 * @param {IdbfsModule} module @param {unknown} error
 */
export function trapped(module, error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  module.trapped = true;
  return markUnknown(makeError(ERR_TRAPPED, [], { cause: error }));
}
