// SPDX-License-Identifier: MIT
// The one instance of idbfs.wasm of this realm, made at first use, with IDBFS's reconcile replaced by ours.
import { createReconcile } from "./reconcile.js";
import engine from "../../engine/bytes.js";
import createModule from "../../engine/idbfs-glue.js";
import text from "../../engine/idbfs-bytes.js";
import { unpack } from "../../engine/unpack.js";

/** @typedef {any} IdbfsModule Emscripten's module: FS, IDBFS, HEAPU8 and the functions of wasm/idbfs/port.c */

/** @type {IdbfsModule} */
let shared;

/** @type {Uint8Array<ArrayBuffer>} */
let wasm;

/** A new instance. Stores share one; tests take their own. @returns {IdbfsModule} */
export function createInstance() {
  wasm ??= unpack(text, engine);
  const module = createModule({ wasm });
  module.IDBFS.reconcile = createReconcile(module.FS, module.IDBFS.DB_STORE_NAME);
  return module;
}

/** @returns {IdbfsModule} */
export function sharedInstance() {
  return (shared ??= createInstance());
}
