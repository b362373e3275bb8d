// SPDX-License-Identifier: MIT
// The one instance of idbfs.wasm of this realm, made at first use, with IDBFS's reconcile replaced by ours.
import createModule from "../../engine/idbfs-glue.js";
import hex from "../../engine/idbfs-bytes.js";
import { createReconcile } from "./reconcile.js";

/** @typedef {any} IdbfsModule Emscripten's module: FS, IDBFS, HEAPU8 and the functions of wasm/idbfs/port.c */

/** @type {IdbfsModule} */
let shared;

/** A new instance. Stores share one; tests take their own. @returns {IdbfsModule} */
export function createInstance() {
  const wasmBinary = new Uint8Array(hex.length / 2);
  for (let i = 0; i < wasmBinary.length; i++) wasmBinary[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  const module = createModule({ wasmBinary });
  module.IDBFS.reconcile = createReconcile(module.FS, module.IDBFS.DB_STORE_NAME);
  return module;
}

/** @returns {IdbfsModule} */
export function sharedInstance() {
  return (shared ??= createInstance());
}
