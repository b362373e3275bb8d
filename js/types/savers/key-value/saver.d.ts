// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

// Only what says so is exported.
export {};

type Answer<T> = T | Promise<T>;

/**
 * A storage as five functions; what they throw, or answer amiss, is told to the caller as STORE.
 */
export interface KvSaverOptions {
  /** The value's bytes; undefined or null where there is none. */
  get(key: string): Answer<Uint8Array | ArrayBuffer | undefined | null>;
  put(key: string, value: Uint8Array): Answer<unknown>;
  /**
   * All keys that begin with `prefix`, in any order. Asked for a page, a storage that keeps its
   * keys in order gives the first `limit` behind `after` of them: a list of threads then reads its
   * page only. One that knows no pages gives all.
   */
  list(
    prefix: string,
    page?: { after: string; limit: number },
  ): Answer<Iterable<string> | AsyncIterable<string>>;
  delete(key: string): Answer<unknown>;
  /**
   * Sets the value if the key holds exactly `expected` (undefined: nothing), in one step; answers
   * whether it did.
   */
  cas(key: string, expected: Uint8Array | undefined, value: Uint8Array): Answer<boolean>;
  /**
   * Of all keys, which have no empty parts between slashes behind it, and none that are "." or
   * "..". Default "weft/".
   */
  prefix?: string;
  /**
   * The largest value that the storage takes, at least 1,024. Default 1 MiB; a thread's list of
   * pieces is one value too.
   */
  maxValueBytes?: number;
  /** Which checkpoints stay; default: all. */
  keep?: KeepOptions;
}

/**
 * Threads in any key-value storage that can compare and set. BAD_ARGUMENT when a function is
 * missing.
 */
export declare class KvSaver extends WeftSaver {
  constructor(options: KvSaverOptions);
}
