// SPDX-License-Identifier: MIT
// Threads in the browser's IndexedDB, kept by the IDBFS store: new IdbfsSaver({ prefix }).
import { WeftSaver } from "../weft-saver.js";
import { checkObject } from "../../log/log-store.js";
import { IdbfsStore } from "./store.js";

/** @extends {WeftSaver<IdbfsStore>} */
export class IdbfsSaver extends WeftSaver {
  /**
   * @param {import("./store.js").IdbfsOptions & { witness?: import("../core/witness.js").Witness,
   *   keep?: import("../core/keep.js").KeepOptions }} [options]
   */
  constructor(options = {}) {
    checkObject(options, "what an IdbfsSaver is given");
    const { witness, keep, ...rest } = options;
    super(new IdbfsStore(rest), undefined, keep);
    if (witness !== undefined) this.witness = witness;
  }

  /**
   * Whether the browser may evict this origin's storage; with `ask` it is asked not to.
   * @param {{ ask?: boolean }} [options]
   */
  persistence(options) {
    return this.store.persistence(options);
  }

  /**
   * Bytes that this origin uses and may use, as far as the browser tells, and whether it may evict
   * them.
   */
  quota() {
    return this.store.quota();
  }
}
