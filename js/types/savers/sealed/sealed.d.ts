// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

// Exports only the declarations marked so.
export {};

/** A CryptoKey, also without declarations of Web Crypto. */
type SealKey = typeof globalThis extends { CryptoKey: { prototype: infer Key } } ? Key : object;

/** Options of sealing: `key` or `keys` is required. */
export interface SealOptions {
  /**
   * HMAC with SHA-256: records are signed; AES-GCM: encrypted (and thereby authenticated). From Web
   * Crypto; need not be extractable.
   */
  key?: SealKey;
  /** Several keys by name, so that old records stay readable after a key change. */
  keys?: Record<string, SealKey>;
  /** Name of the key in `keys` for new records. Default: the last. */
  current?: string;
  /**
   * Whether records without a seal are refused (UNSEALED). Default true. false: they are read
   * before all seals of their thread, while old threads have such records.
   */
  mandatory?: boolean;
  /**
   * Whether seals of format 1, written by earlier versions, are read before all others, until
   * resealThreads was called. Default false: they are refused (UNSEALED), since anyone who can
   * choose a thread id and write to the storage could move them to another thread.
   */
  acceptOldSeals?: boolean;
  /**
   * Distinguishes stores that share one key: records of another domain are refused. Default: "".
   */
  domain?: string;
}

/**
 * Seals the saver's records from now on, each for its thread and the record before it. A broken,
 * foreign or missing seal is UNSEALED, and nothing of the thread is read. Thread ids and sizes are
 * not hidden.
 * @param saver one of Weft's; its `store` is wrapped
 * @param options the keys
 * @returns the saver
 * @throws BAD_ARGUMENT for an invalid key or option
 */
export function sealSaver<Saver extends WeftSaver>(saver: Saver, options: SealOptions): Saver;

/**
 * Renews the seals of one or all threads of a sealed saver with the current key and format. The
 * logs of SaverStores on it count as threads. Afterwards old keys, `acceptOldSeals` and `mandatory:
 * false` can be removed. Threads may be in use meanwhile; after a crash each stays readable.
 * `onError` receives the errors of threads (`threadId` undefined: the id is damaged); without it,
 * the first error is thrown at the end.
 * @param saver result of sealSaver
 * @param options which threads, and what happens with unreadable ones
 * @param options.threadId only this thread; default: all, with the logs of SaverStores
 * @param options.onError called with the error of a thread and its id, while the others go on;
 *   without it the first error is thrown at the end
 * @returns number of threads, and of those with renewed seals
 * @throws BAD_ARGUMENT for a saver without keys, and the saver's errors
 */
export function resealThreads(
  saver: WeftSaver,
  options?: { threadId?: string; onError?: (error: unknown, threadId?: string) => void },
): Promise<{ threads: number; resealed: number }>;
