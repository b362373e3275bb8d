// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

// Exports only the declarations marked so.
export {};

type Answer<T> = T | Promise<T>;

/**
 * A storage as five functions; their errors and wrong results are reported to the caller as STORE.
 */
export interface KvSaverOptions {
  /**
   * Returns the value's bytes; undefined or null without one.
   * @param key begins with `prefix`
   */
  get(key: string): Answer<Uint8Array | ArrayBuffer | undefined | null>;
  /**
   * Stores a value.
   * @param key begins with `prefix`
   * @param value at most `maxValueBytes` long; replaces one that is there
   */
  put(key: string, value: Uint8Array): Answer<unknown>;
  /**
   * Returns all keys that begin with `prefix`, in any order. With `page`, an ordered storage
   * returns the first `limit` keys after `after`, so that listing threads reads only its page;
   * other storages return all.
   * @param prefix beginning of the wanted keys
   * @param page which of them; undefined: all
   * @param page.after keys up to this text are left out; it need not be a key itself
   * @param page.limit most keys that are needed
   */
  list(
    prefix: string,
    page?: { after: string; limit: number },
  ): Answer<Iterable<string> | AsyncIterable<string>>;
  /**
   * Deletes a key.
   * @param key begins with `prefix`; one that is not there is no error
   */
  delete(key: string): Answer<unknown>;
  /**
   * Replaces the value atomically if it is exactly `expected` (undefined: none); returns whether it
   * did.
   * @param key begins with `prefix`
   * @param expected bytes that must be stored; undefined: the key must not exist
   * @param value what replaces them
   */
  cas(key: string, expected: Uint8Array | undefined, value: Uint8Array): Answer<boolean>;
  /**
   * Prefix of all keys, which contain no empty, "." or ".." parts between slashes after it. Default
   * "weft/".
   */
  prefix?: string;
  /**
   * Maximum bytes of a value in the storage, at least 1,024. Default 1 MiB; a thread's list of
   * pieces is one value too.
   */
  maxValueBytes?: number;
  /** Which checkpoints are kept; default: all. */
  keep?: KeepOptions;
}

/**
 * Stores threads in any key-value storage with compare-and-set. Throws BAD_ARGUMENT when a function
 * is missing.
 */
export declare class KvSaver extends WeftSaver {
  /**
   * @param options functions of the storage, and which checkpoints are kept
   * @throws BAD_ARGUMENT if a function of the storage is missing
   */
  constructor(options: KvSaverOptions);
}
