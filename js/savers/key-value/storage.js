// SPDX-License-Identifier: MIT
// Calls a user's key-value storage and checks its results: a wrong result is a TypeError that names
// the call. Does not depend on threads.
import { badArgument } from "../../log/log-store.js";

/**
 * @typedef {object} KeyValue All methods may return a value or a promise.
 * @property {(key: string) => unknown} get returns the value's bytes; undefined or null without one
 * @property {(key: string, value: Uint8Array) => unknown} put
 * @property {(prefix: string, page?: { after: string, limit: number }) => unknown} list returns all
 *   keys with this prefix: an iterable or async iterable. With `page`, an ordered storage may
 *   return only the first `limit` keys after `after`
 * @property {(key: string) => unknown} delete
 * @property {(key: string, expected: Uint8Array | undefined, value: Uint8Array) => unknown} cas
 *   replaces the value atomically if it is exactly `expected` (undefined: none); returns whether it
 *   did
 */

/** Maximum number of keys per request, and of remembered heads. */
export const MOST_KEYS = 1000;

const VERBS = /** @type {const} */ (["get", "put", "list", "delete", "cas"]);
/** Waits in ms before a stale read is retried. */
const PAUSES = [10, 20, 40, 80, 160];

export class Storage {
  #kv;

  /** @param {KeyValue} kv */
  constructor(kv) {
    for (const verb of VERBS)
      if (typeof kv?.[verb] !== "function")
        throw badArgument(`a KvSaver needs the function ${verb}`);
    this.#kv = kv;
  }

  /** @param {string} key @returns {Promise<Uint8Array | undefined>} */
  async get(key) {
    const value = await this.#kv.get(key);
    if (value === undefined || value === null || value instanceof Uint8Array)
      return value ?? undefined;
    if (ArrayBuffer.isView(value))
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    // A buffer of another realm is no instance of this realm's class.
    if (/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value)))
      return new Uint8Array(/** @type {ArrayBuffer} */ (value));
    throw new TypeError(
      `get(${JSON.stringify(key)}) answered ${kindOf(value)} where bytes are wanted, or nothing`,
    );
  }

  /** @param {string} prefix @returns {Promise<string[]>} */
  async keys(prefix) {
    return (await this.list(prefix)).filter((key) => key.startsWith(prefix));
  }

  /**
   * @param {string} prefix
   * @param {{ after: string, limit: number }} [page]
   * @returns {Promise<string[]>}
   */
  async list(prefix, page) {
    const answer = /** @type {Partial<AsyncIterable<unknown> & Iterable<unknown>> | null} */ (
      await this.#kv.list(prefix, page)
    );
    if (
      typeof answer !== "object" ||
      (answer?.[Symbol.asyncIterator] ?? answer?.[Symbol.iterator]) === undefined
    ) {
      throw new TypeError(
        `list(${JSON.stringify(prefix)}) answered ${kindOf(answer)} where keys to go through are wanted`,
      );
    }
    const keys = [];
    for await (const key of /** @type {AsyncIterable<unknown>} */ (answer)) {
      if (typeof key !== "string")
        throw new TypeError(
          `list(${JSON.stringify(prefix)}) gave ${kindOf(key)} where keys are wanted, which are strings`,
        );
      keys.push(key);
    }
    return keys;
  }

  /**
   * Replaces a value if it is as expected. Returns whether it did.
   * @param {string} key
   * @param {Uint8Array | undefined} expected
   * @param {Uint8Array} value
   * @returns {Promise<boolean>}
   */
  async cas(key, expected, value) {
    const answer = await this.#kv.cas(key, expected, value);
    if (answer === true || answer === 1) return true;
    if (answer === false || answer === 0 || answer === undefined || answer === null) return false;
    throw new TypeError(
      `cas(${JSON.stringify(key)}) answered ${kindOf(answer)} where true or false is wanted`,
    );
  }

  /** @param {string} key @param {Uint8Array} value */
  async put(key, value) {
    await this.#kv.put(key, value);
  }

  /** @param {string} key */
  async delete(key) {
    await this.#kv.delete(key);
  }
}

/** @param {unknown} value */
function kindOf(value) {
  return value === null
    ? "null"
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : `a value of type ${typeof value}`;
}

/**
 * Waits longer with each try; returns false after the last.
 * @param {number} tries
 * @returns {Promise<boolean>}
 */
export async function pause(tries) {
  if (tries === PAUSES.length) return false;
  await new Promise((resolve) => setTimeout(resolve, PAUSES[tries]));
  return true;
}

/**
 * Retries while reads miss a value that exists.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function patient(work) {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(/** @type {{ gone?: boolean }} */ (error).gone) || !(await pause(tries))) throw error;
    }
  }
}
