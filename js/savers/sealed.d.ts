// SPDX-License-Identifier: MIT
import type { WeftSaver } from "./base.js";

// Only what says so is exported.
export {};

/** A CryptoKey, also where no declarations of Web Crypto are loaded. */
type SealKey = typeof globalThis extends { CryptoKey: { prototype: infer Key } } ? Key : object;

/** With which key records are sealed: `key`, or `keys`. */
export interface SealOptions {
  /** HMAC: records are signed; AES-GCM: encrypted (and so signed too). From Web Crypto; need not be extractable. */
  key?: SealKey;
  /** Several keys by name, so that old records stay readable when the key is changed. */
  keys?: Record<string, SealKey>;
  /** The one of `keys` that new records get. Default: the last. */
  current?: string;
  /** Default true: a record without a seal is refused (UNSEALED). false: it is read, as long as old threads have such. */
  mandatory?: boolean;
}

/**
 * From now on the saver's records are sealed before its store gets them, each for its thread and place. A broken, foreign
 * or missing seal is UNSEALED, and nothing of the thread is read. Thread ids and sizes are not hidden.
 * @returns the saver
 */
export function sealSaver<Saver extends WeftSaver>(saver: Saver, options: SealOptions): Saver;
