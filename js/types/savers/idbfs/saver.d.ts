// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver, type Witness } from "../weft-saver.js";

// Exports only the declarations marked so.
export {};

/** An IndexedDB, also without declarations of the DOM. */
type Databases = typeof globalThis extends { IDBFactory: { prototype: infer Factory } }
  ? Factory
  : object;

/** The used part of a page's localStorage. */
export interface WitnessStorage {
  /** @param key contains the thread's id */
  getItem(key: string): string | null;
  /**
   * @param key contains the thread's id
   * @param value number and CRC of the thread's last record
   */
  setItem(key: string, value: string): void;
  /** @param key contains the thread's id */
  removeItem(key: string): void;
}

/** Options of an IdbfsSaver; all may be omitted. */
export interface IdbfsSaverOptions {
  /**
   * Distinguishes sets of threads in this origin: letters, digits, "-" and "_"; "weft" by default.
   */
  prefix?: string;
  /** Maximum number of threads mounted at once; 32 by default. */
  maxOpen?: number;
  /** Which checkpoints are kept; default: all. */
  keep?: KeepOptions;
  /** Replaces the global IndexedDB. */
  indexedDB?: Databases;
  /**
   * Second place of each thread's head, to distinguish a lost database from a new thread; default:
   * the page's localStorage if it is usable.
   */
  localStorage?: WitnessStorage;
  /**
   * A witness outside of this origin: then the eviction of a whole origin is DATA_LOSS instead of a
   * new thread.
   */
  witness?: Witness;
}

/** Stores threads in the browser's IndexedDB, for pages and workers. */
export declare class IdbfsSaver extends WeftSaver {
  /**
   * @param options the database's prefix, and which checkpoints are kept
   * @throws BAD_ARGUMENT for options of another form
   */
  constructor(options?: IdbfsSaverOptions);
  /**
   * Returns whether the browser may evict this origin's storage; `ask` requests persistence first.
   * @param options whether the browser is asked
   * @param options.ask requests persistence before; a browser may ask the user. Default false
   */
  persistence(options?: { ask?: boolean }): Promise<"persistent" | "best-effort" | "unknown">;
  /**
   * Returns the bytes that this origin uses and may use, if the browser reports them, and whether
   * it may evict them.
   */
  quota(): Promise<{
    usage: number | undefined;
    quota: number | undefined;
    persistence: "persistent" | "best-effort" | "unknown";
  }>;
}
