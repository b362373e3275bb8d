// SPDX-License-Identifier: MIT
// Threads in a Durable Object's SQLite: new DurableObjectSaver({ storage: ctx.storage }).
import { WeftSaver } from "./base.js";
import { DurableObjectStore } from "./durable-object-store.js";
import { holdAt } from "./hold.js";

/** @extends {WeftSaver<DurableObjectStore>} */
export class DurableObjectSaver extends WeftSaver {
  /** @param {{ storage: import("./durable-object-store.js").SqlStorage, keep?: import("./keep.js").KeepOptions }} options */
  constructor(options) {
    super(Object.assign(new DurableObjectStore(options), { hold: holdAt(options.storage) }), undefined, options.keep);
  }
}
