// SPDX-License-Identifier: MIT
// Stores threads in the browser's IndexedDB by the IDBFS store: new IdbfsSaver({ prefix }).
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
   * Returns whether the browser may evict this origin's storage; `ask` requests persistence first.
   * @param {{ ask?: boolean }} [options]
   */
  persistence(options) {
    return this.store.persistence(options);
  }

  /**
   * Returns the bytes that this origin uses and may use, if the browser reports them, and whether
   * it may evict them.
   */
  quota() {
    return this.store.quota();
  }
}
