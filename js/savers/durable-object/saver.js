// SPDX-License-Identifier: MIT
// Stores threads in a Durable Object's SQLite: new DurableObjectSaver({ storage: ctx.storage }).
import { WeftSaver } from "../weft-saver.js";
import { DurableObjectStore } from "./store.js";
import { holdAt } from "../core/lock.js";

/** @extends {WeftSaver<DurableObjectStore>} */
export class DurableObjectSaver extends WeftSaver {
  /**
   * @param {{ storage: import("./store.js").SqlStorage, keep?:
   *   import("../core/keep.js").KeepOptions }} options
   */
  constructor(options) {
    super(
      Object.assign(new DurableObjectStore(options), { hold: holdAt(options.storage) }),
      undefined,
      options.keep,
    );
  }
}
