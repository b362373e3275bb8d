// SPDX-License-Identifier: MIT
import { WeftSaver } from "./base.js";

export interface IdbfsSaverOptions {
  /** Names the set of threads among those of this origin: letters, digits, "-" and "_"; "weft" by default. */
  prefix?: string;
  /** Threads kept mounted at once; 32 by default. */
  maxOpen?: number;
  indexedDB?: IDBFactory;
  localStorage?: Storage;
}

/** Threads in the browser's IndexedDB, for pages and workers. */
export declare class IdbfsSaver extends WeftSaver {
  constructor(options?: IdbfsSaverOptions);
  /** Whether the browser may evict this origin's storage; with `ask` it is asked not to. */
  persistence(options?: { ask?: boolean }): Promise<"persistent" | "best-effort" | "unknown">;
}
