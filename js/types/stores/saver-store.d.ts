// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../savers/weft-saver.js";
import { InMemoryStore } from "./stores.js";
import type { IndexConfig } from "./stores.js";

/**
 * A store that lasts: its items, and their vectors, stand in a log of their own in the storage of
 * one of our savers, where no thread's id leads. Several processes may share it; of two writers of
 * a key the later one wins. The log is written anew when it is twice as long as what counts of it.
 * Rejects with what the saver's store throws.
 */
export declare class SaverStore extends InMemoryStore {
  /**
   * `name`: a saver may keep several stores. BAD_ARGUMENT: no saver of Weft's, or one over a store
   * without `partition`.
   */
  constructor(saver: WeftSaver, options?: { index?: IndexConfig; name?: string });
  /** All items, with their times and vectors, as a file: the same for every saver. */
  exportItems(): Promise<Uint8Array>;
  /**
   * Puts the items of such a file over what is there, all or none; answers how many. CORRUPT_LOG:
   * it is none, or was changed. At most 16 MiB unless `maxBytes` says more.
   */
  importItems(file: Uint8Array, options?: { maxBytes?: number }): Promise<number>;
}
