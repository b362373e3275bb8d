// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../savers/base.js";
import { InMemoryStore } from "./stores.js";
import type { IndexConfig } from "./stores.js";

/**
 * A store that lasts: its items, and their vectors, stand in a log of their own beside the threads of one of our savers.
 * Several processes may share it; of two writers of a key the later one wins. Rejects with what the saver's store throws.
 */
export declare class SaverStore extends InMemoryStore {
  /** `name`: a saver may keep several stores. */
  constructor(saver: WeftSaver, options?: { index?: IndexConfig; name?: string });
}
