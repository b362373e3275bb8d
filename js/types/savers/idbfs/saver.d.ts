// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver, type Witness } from "../weft-saver.js";

// Only what says so is exported.
export {};

/** An IndexedDB, also where no declarations of the DOM are loaded. */
type Databases = typeof globalThis extends { IDBFactory: { prototype: infer Factory } }
  ? Factory
  : object;

/** What is used of a page's localStorage. */
export interface WitnessStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Which threads of this origin; all of it may be left out. */
export interface IdbfsSaverOptions {
  /**
   * Names the set of threads among those of this origin: letters, digits, "-" and "_"; "weft" by
   * default.
   */
  prefix?: string;
  /** Threads kept mounted at once; 32 by default. */
  maxOpen?: number;
  /** Which checkpoints stay; default: all. */
  keep?: KeepOptions;
  /** Another one than the global. */
  indexedDB?: Databases;
  /**
   * Where each thread's head is noted besides, to tell a lost database from a new thread; default:
   * the page's, if it may be used.
   */
  localStorage?: WitnessStorage;
  /**
   * A witness outside this origin: then also an origin that was evicted whole is DATA_LOSS, and not
   * a new thread.
   */
  witness?: Witness;
}

/** Threads in the browser's IndexedDB, for pages and workers. */
export declare class IdbfsSaver extends WeftSaver {
  constructor(options?: IdbfsSaverOptions);
  /** Whether the browser may evict this origin's storage; with `ask` it is asked not to. */
  persistence(options?: { ask?: boolean }): Promise<"persistent" | "best-effort" | "unknown">;
  /**
   * Bytes that this origin uses and may use, as far as the browser tells, and whether it may evict
   * them.
   */
  quota(): Promise<{
    usage: number | undefined;
    quota: number | undefined;
    persistence: "persistent" | "best-effort" | "unknown";
  }>;
}
