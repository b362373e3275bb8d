// SPDX-License-Identifier: MIT
// Stores threads in any key-value storage with compare-and-set: new KvSaver({ get, put, list,
// delete, cas }).
import { WeftSaver } from "../weft-saver.js";
import { KvStore } from "./store.js";

/** @extends {WeftSaver<KvStore>} */
export class KvSaver extends WeftSaver {
  /**
   * @param {import("./store.js").KeyValue & { prefix?: string, maxValueBytes?: number, keep?:
   *   import("../core/keep.js").KeepOptions }} options
   */
  constructor(options) {
    super(new KvStore(options), undefined, options.keep);
  }
}
