// SPDX-License-Identifier: MIT
// The one instance of idbfs.wasm of this realm, made at first use, with IDBFS's reconcile replaced
// by ours.
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
 *   wasm/idbfs/port.c; `trapped`: not to be used any more
 */

/** @type {IdbfsModule} */
let shared;

/** @type {Uint8Array<ArrayBuffer>} */
let wasm;

/** A new instance. Stores share one; tests take their own. @returns {IdbfsModule} */
export function createInstance() {
  wasm ??= decodeBytes(text);
  const module = createModule({ wasm });
  module.IDBFS.reconcile = createReconcile(module.FS, module.IDBFS.DB_STORE_NAME);
  return module;
}

/** The one of this realm; another one when it trapped. @returns {IdbfsModule} */
export function sharedInstance() {
  if (shared?.trapped) shared = undefined;
  return (shared ??= createInstance());
}

/**
 * What a call of an instance failed with. A trap ends the instance, which is in no known state;
 * what it was about may be stored.
 * @param {IdbfsModule} module @param {unknown} error
 */
export function trapped(module, error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return error;
  module.trapped = true;
  return markUnknown(makeError(ERR_TRAPPED, [], { cause: error }));
}
