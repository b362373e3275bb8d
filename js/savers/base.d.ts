// SPDX-License-Identifier: MIT
import type { LogStore } from "./contract.js";

/** What all of Weft's savers share. */
export declare class WeftSaver<Store extends LogStore = LogStore> {
  constructor(store: Store);
  readonly store: Store;
  /** A value that cannot be stored as what it is fails the run, instead of a warning and a copy of its data. */
  strict?: boolean;
  /** Every run reads its thread from the store, so that it sees nothing that an earlier run changed in place. */
  isolate?: boolean;
  /** Bytes stored of a thread, or of all. */
  byteLength(threadId?: string): Promise<number>;
  deleteThread(threadId: string): Promise<void>;
  /** Thread ids, in the store's own, fixed order. */
  listThreads(options?: { limit?: number; after?: string }): Promise<string[]>;
}
