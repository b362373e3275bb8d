// SPDX-License-Identifier: MIT
// Threads in Deno KV: new DenoKvSaver({ kv: await Deno.openKv() }).
import { WeftSaver } from "./base.js";
import { DenoKvStore } from "./deno-kv-store.js";
import { holdAt } from "./hold.js";

/** @extends {WeftSaver<DenoKvStore>} */
export class DenoKvSaver extends WeftSaver {
  /** @param {{ kv: any, prefix?: string, keep?: import("./keep.js").KeepOptions }} options */
  constructor(options) {
    super(Object.assign(new DenoKvStore(options), { hold: holdAt(options.kv) }), undefined, options.keep);
  }
}
