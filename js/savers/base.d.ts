// SPDX-License-Identifier: MIT
import type { LogStore } from "./contract.js";

/** What all of Weft's savers share. */
export declare class WeftSaver<Store extends LogStore = LogStore> {
  constructor(store: Store);
  readonly store: Store;
  /** Bytes stored of a thread, or of all. */
  byteLength(threadId?: string): Promise<number>;
  deleteThread(threadId: string): Promise<void>;
  /** Thread ids, in the store's own, fixed order. */
  listThreads(options?: { limit?: number; after?: string }): Promise<string[]>;
}
