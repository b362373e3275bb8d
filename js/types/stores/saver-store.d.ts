// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../savers/weft-saver.js";
import { InMemoryStore } from "./stores.js";
import type { IndexConfig } from "./stores.js";

/**
 * A durable store: its items and their vectors are in a log of their own in the storage of one of
 * Weft's savers, which no thread id reaches. Several processes may share it; of two writers of a
 * key the later one wins. The log is rewritten when it is twice as long as its current data.
 * Rejects with the errors of the saver's store.
 */
export declare class SaverStore extends InMemoryStore {
  /**
   * Creates a store. `name`: distinguishes several stores of a saver. Throws BAD_ARGUMENT for a
   * saver that is not Weft's, or whose store has no `partition`.
   * @param saver that keeps the items
   * @param options `index` for the search by meaning, `name` of one of several stores
   * @param options.index how texts become vectors; without it a search with `query` goes by the
   *   filter only
   * @param options.name tells several stores of a saver apart, at most 256 characters; default ""
   * @throws BAD_ARGUMENT for what is no saver of Weft, or unknown options
   */
  constructor(saver: WeftSaver, options?: { index?: IndexConfig; name?: string });
  /** Exports all items, with their times and vectors, as a file: the same for every saver. */
  exportItems(): Promise<Uint8Array>;
  /**
   * Imports the items of such a file, all or none, overwriting existing ones; resolves with their
   * number. Rejects with CORRUPT_LOG for an invalid or changed file. Accepts at most 16 MiB unless
   * `maxBytes` allows more.
   * @param file result of `exportItems`, of any store
   * @param options how long the file may be
   * @param options.maxBytes maximum bytes; default 16 MiB
   */
  importItems(file: Uint8Array, options?: { maxBytes?: number }): Promise<number>;
}
