// SPDX-License-Identifier: MIT
// Stores threads in Deno KV: new DenoKvSaver({ kv: await Deno.openKv() }).
import { WeftSaver } from "../weft-saver.js";
import { DenoKvStore } from "./store.js";

/** @extends {WeftSaver<DenoKvStore>} */
export class DenoKvSaver extends WeftSaver {
  /**
   * @param {{ kv: unknown, prefix?: string, keep?: import("../core/keep.js").KeepOptions }} options
   */
  constructor(options) {
    super(new DenoKvStore(options), undefined, options.keep);
  }
}
