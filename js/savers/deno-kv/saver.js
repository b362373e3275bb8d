// SPDX-License-Identifier: MIT
// Stores threads in Deno KV: new DenoKvSaver({ kv: await Deno.openKv() }).
import { WeftSaver } from "../weft-saver.js";
import { DenoKvStore } from "./store.js";
import { holdAt } from "../core/lock.js";

/** @extends {WeftSaver<DenoKvStore>} */
export class DenoKvSaver extends WeftSaver {
  /**
   * @param {{ kv: unknown, prefix?: string, keep?: import("../core/keep.js").KeepOptions }} options
   */
  constructor(options) {
    super(
      Object.assign(new DenoKvStore(options), { hold: holdAt(options.kv) }),
      undefined,
      options.keep,
    );
  }
}
