// SPDX-License-Identifier: MIT
import type { WeftSaver } from "../weft-saver.js";

// Only what says so is exported.
export {};

/** A CryptoKey, also where no declarations of Web Crypto are loaded. */
type SealKey = typeof globalThis extends { CryptoKey: { prototype: infer Key } } ? Key : object;

/** With which key records are sealed: `key`, or `keys`. */
export interface SealOptions {
  /**
   * HMAC with SHA-256: records are signed; AES-GCM: encrypted (and so signed too). From Web Crypto;
   * need not be extractable.
   */
  key?: SealKey;
  /** Several keys by name, so that old records stay readable when the key is changed. */
  keys?: Record<string, SealKey>;
  /** The one of `keys` that new records get. Default: the last. */
  current?: string;
  /**
   * Default true: a record without a seal is refused (UNSEALED). false: it is read where it stands
   * before all seals of its thread, as long as old threads have such.
   */
  mandatory?: boolean;
  /**
   * Default false: seals of format 1, which earlier versions wrote, are refused (UNSEALED): whoever
   * may choose a thread id and write to the storage could move them to another thread. true: they
   * are read where they stand before all others, until resealThreads was called.
   */
  acceptOldSeals?: boolean;
  /**
   * Names what is sealed here, where one key is used for several stores: records of another domain
   * are refused. Default: "".
   */
  domain?: string;
}

/**
 * From now on the saver's records are sealed before its store gets them, each for its thread and
 * the record before it. A broken, foreign or missing seal is UNSEALED, and nothing of the thread is
 * read. Thread ids and sizes are not hidden.
 * @returns the saver
 */
export function sealSaver<Saver extends WeftSaver>(saver: Saver, options: SealOptions): Saver;

/**
 * Gives all threads of a sealed saver, or one, the seals that they would get today: of the current
 * key and format. The logs of SaverStores on it count as threads. Then a key that is no longer
 * current can go, and so can `acceptOldSeals` and `mandatory: false`. Threads may be in use
 * meanwhile; a crash on the way leaves each readable as before. What goes wrong with one thread is
 * told to `onError` (`threadId` undefined: its very id is damaged); without it, the first such
 * error is thrown when the others are done.
 * @returns how many threads there are, and of how many something had another seal
 */
export function resealThreads(
  saver: WeftSaver,
  options?: { threadId?: string; onError?: (error: unknown, threadId?: string) => void },
): Promise<{ threads: number; resealed: number }>;
