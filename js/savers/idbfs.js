// SPDX-License-Identifier: MIT
// Threads in the browser's IndexedDB, kept by the IDBFS store: new IdbfsSaver({ prefix }).
import { WeftSaver } from "./base.js";
import { IdbfsStore } from "./idbfs-store.js";

/** @extends {WeftSaver<IdbfsStore>} */
export class IdbfsSaver extends WeftSaver {
  /** @param {import("./idbfs-store.js").IdbfsOptions} [options] */
  constructor(options) {
    super(new IdbfsStore(options));
  }

  /**
   * Whether the browser may evict this origin's storage; with `ask` it is asked not to.
   * @param {{ ask?: boolean }} [options]
   */
  persistence(options) {
    return this.store.persistence(options);
  }
}
