// SPDX-License-Identifier: MIT
// Signs (HMAC) or encrypts (AES-GCM) commits by Web Crypto before a store gets them. The engine
// never sees a key, the store never a record. A seal covers one commit and names its thread and its
// previous commit: docs/sealed-format.md.
import { isObject } from "../../base/check-arguments.js";
import { ERR_UNSEALED } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { allThreads, failuresOf } from "../core/all-threads.js";
import {
  badArgument,
  checkAppend,
  checkThreadId,
  corruptLog,
  fenced,
} from "../../log/log-store.js";
import { ITEMS, checkFold } from "../core/saver-arguments.js";
import { concat } from "../../log/concat.js";
import { FORM, LINK_BYTES, NO_LINK, partsOf, same, wrong } from "./format.js";
import { Sealer } from "./sealer.js";

/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {import("../../log/log-store.js").LogCommit} LogCommit */
/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/**
 * @typedef {{ key?: CryptoKey, keys?: Record<string, CryptoKey>, current?: string, mandatory?:
 *   boolean, acceptOldSeals?: boolean, domain?: string }} SealOptions
 */
/** @typedef {import("./format.js").Opened} Opened */
/** @typedef {import("./format.js").Part} Part */

const KNOWN_ENDS = 4096;
/** Maximum number of seals opened at once, and of batches resealed in one fold. */
const AT_ONCE = 64;
const RESEALED = 256;
const TRIES = 3;

/** @implements {LogStore} */
class SealedStore {
  #inner;
  #sealer;
  /**
   * Newest commits of threads that were read or written.
   * @type {Map<string, LogHead & { link: Uint8Array }>}
   */
  #ends = new Map();

  /** @param {LogStore} inner @param {SealOptions} options @param {string[]} [partitions] */
  constructor(inner, options, partitions = []) {
    this.#inner = inner;
    this.#sealer = new Sealer(options, partitions);
    this.foldable = inner.foldable;
    this.channel = inner.channel;
    this.tidy = inner.tidy?.bind(inner);
    this.close = inner.close?.bind(inner);
    this.hold = inner.hold?.bind(inner);
    this.expect = inner.expect?.bind(inner);
    const { partition } = inner;
    this.partition =
      partition &&
      ((/** @type {string} */ name) =>
        new SealedStore(partition.call(inner, name), options, [...partitions, name]));
  }

  /** @param {string} threadId */
  head(threadId) {
    return this.#inner.head(threadId);
  }

  /** @param {string} threadId @param {{ from?: number, damaged?: boolean }} [options] */
  async read(threadId, options) {
    checkThreadId(threadId);
    const commits = await this.#open(threadId, await this.#inner.read(threadId, options), options);
    const last = commits.at(-1);
    if (last !== undefined && !options?.damaged) this.#remember(threadId, last, last.link);
    return commits.map(({ bytes }) => bytes);
  }

  /**
   * @param {string} threadId
   * @param {LogCommit} commit
   * @param {Uint8Array} bytes
   * @param {LogHead | undefined} expected
   */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    const previous = expected === undefined ? NO_LINK : await this.#linkOf(threadId, expected);
    const link = crypto.getRandomValues(new Uint8Array(LINK_BYTES));
    await this.#inner.append(
      threadId,
      commit,
      await this.#sealer.seal(threadId, { ...commit, previous, link }, bytes),
      expected,
    );
    this.#remember(threadId, commit, link);
  }

  /**
   * Folds commits, keeping the links at both ends.
   * @param {string} threadId
   * @param {import("../../log/log-store.js").LogRange} range
   * @param {Uint8Array} bytes
   */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    const { firstSeq, lastSeq } = range;
    const commits = await this.#open(
      threadId,
      await this.#inner.read(threadId, { from: firstSeq - 1 }),
      { from: firstSeq - 1 },
    );
    const start = commits.findIndex((one) => one.firstSeq === firstSeq);
    const last = commits.find((one) => one.seq === lastSeq);
    if (start < 0 || last === undefined)
      throw badArgument("the range is not whole commits of the thread");
    const previous = commits[start].previous ?? commits[start - 1]?.link ?? NO_LINK;
    return this.#inner.fold(
      threadId,
      range,
      await this.#sealer.seal(
        threadId,
        { firstSeq, seq: lastSeq, crc: last.crc, previous, link: last.link },
        bytes,
      ),
    );
  }

  /** @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} [options] */
  list(options) {
    return this.#inner.list(options);
  }

  /** @param {string} threadId */
  drop(threadId) {
    this.#ends.delete(threadId);
    return this.#inner.drop(threadId);
  }

  /** @param {string} threadId @param {LogHead} [head] */
  witness(threadId, head) {
    return this.#inner.witness(threadId, head);
  }

  /** @param {string} [threadId] */
  byteLength(threadId) {
    return this.#inner.byteLength(threadId);
  }

  /**
   * Renews the seals of a thread. Returns whether any changed.
   * @param {string} threadId
   * @returns {Promise<boolean>}
   */
  async reseal(threadId) {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#resealAll(threadId);
      } catch (error) {
        // A writer or a compaction folded commits meanwhile.
        const { code } = /** @type {{ code?: unknown }} */ (error);
        if ((code !== "BAD_ARGUMENT" && code !== "FENCED") || tries === TRIES) throw error;
      }
    }
  }

  /** @param {string} threadId */
  async #resealAll(threadId) {
    const batches = await this.#inner.read(threadId);
    let isChanged = false;
    await this.#open(threadId, batches);
    // Goes from the end: a crash leaves old seals before new ones, which is a valid order.
    for (let at = Math.floor((batches.length - 1) / RESEALED) * RESEALED; at >= 0; at -= RESEALED) {
      const commits = await this.#open(threadId, batches.slice(at, at + RESEALED), { from: 2 });
      if (commits.every(({ form, key }) => form === FORM && key === this.#sealer.current)) continue;
      const range = { firstSeq: commits[0].firstSeq, lastSeq: commits[commits.length - 1].seq };
      await this.fold(threadId, range, concat(commits.map(({ bytes }) => bytes)));
      isChanged = true;
    }
    return isChanged;
  }

  /** @param {string} threadId @param {LogHead} end @param {Uint8Array} link */
  #remember(threadId, { seq, crc }, link) {
    if (this.#ends.size >= KNOWN_ENDS) this.#ends.clear();
    this.#ends.set(threadId, { seq, crc, link });
  }

  /**
   * Finds the link of the commit to continue.
   * @param {string} threadId
   * @param {LogHead} expected
   */
  async #linkOf(threadId, expected) {
    const known = this.#ends.get(threadId);
    if (known?.seq === expected.seq && known.crc === expected.crc) return known.link;
    const from = { from: expected.seq };
    const found = (await this.#open(threadId, await this.#inner.read(threadId, from), from)).find(
      ({ seq }) => seq === expected.seq,
    );
    // Form 1 lost the CRC when commits were folded. The store compares it too.
    if (found === undefined || (found.form === FORM && found.crc !== expected.crc))
      throw fenced(threadId);
    return found.link;
  }

  /**
   * Opens the commits in a store's batches and checks that each follows the commit it names.
   * @param {string} threadId @param {Uint8Array[]} batches
   * @param {{ from?: number, damaged?: boolean }} [options] `damaged`: the commits before the first
   *   invalid one are enough
   * @returns {Promise<Opened[]>}
   */
  async #open(threadId, batches, { from = 0, damaged = false } = {}) {
    const parts = partsOf(batches);
    /** @type {Opened[]} */
    const commits = [];
    try {
      for (let at = 0; at < parts.length; at += AT_ONCE) {
        const some = await Promise.allSettled(
          parts.slice(at, at + AT_ONCE).map((part) => this.#sealer.open(threadId, part)),
        );
        for (const one of some) {
          const before = commits.at(-1);
          const where = before === undefined ? "a record" : `record ${before.seq + 1}`;
          if (one.status === "rejected") throw one.reason;
          if (typeof one.value === "string")
            throw makeError(ERR_UNSEALED, [threadId, `${where} ${one.value}`]);
          if (one.value.fault !== undefined)
            throw corruptLog(threadId, before?.seq ?? 0, one.value.fault);
          this.#checkPlace(threadId, before, one.value, from <= 1, where);
          commits.push(one.value);
        }
      }
    } catch (error) {
      if (!damaged) throw error;
    }
    return commits;
  }

  /**
   * Checks that a seal is after the commit its writer saw. An older form after a newer one was
   * inserted later.
   * @param {string} threadId
   * @param {Opened | undefined} before
   * @param {Opened} commit
   * @param {boolean} isStart whether the first commit is the log's first
   * @param {string} where
   */
  #checkPlace(threadId, before, { form, firstSeq, previous }, isStart, where) {
    const isOld = form < (before?.form ?? 0);
    const isPart = before === undefined && !isStart;
    const follows =
      form < FORM ||
      isPart ||
      (same(/** @type {Uint8Array} */ (previous), before?.link ?? NO_LINK) &&
        firstSeq === (before?.seq ?? 0) + 1);
    if (isOld)
      throw makeError(ERR_UNSEALED, [
        threadId,
        form === 0
          ? `${where} has no seal, and stands behind one that has`
          : `${where} has a seal of format 1, and stands behind one of format 2`,
      ]);
    if (!follows)
      throw makeError(ERR_UNSEALED, [threadId, `the seal of ${where} is for another place`]);
  }
}

/**
 * Seals the saver's commits from now on.
 * @template {import("../weft-saver.js").WeftSaver} Saver
 * @param {Saver} saver
 * @param {SealOptions} options
 * @returns {Saver}
 */
export function sealSaver(saver, options) {
  if (typeof saver?.store?.append !== "function") throw wrong("a seal is for Weft's own savers");
  /** @type {{ store: unknown }} */ (saver).store = new SealedStore(saver.store, options ?? {});
  return saver;
}

/**
 * Renews the seals of stored threads with the current key and form.
 * @param {import("../weft-saver.js").WeftSaver} saver
 * @param {{ threadId?: string, onError?: import("../core/all-threads.js").OnError }} [options]
 * @returns {Promise<{ threads: number, resealed: number }>}
 */
export async function resealThreads(saver, options = {}) {
  if (!isObject(options)) throw wrong("resealThreads(saver, options): options must be an object");
  const { threadId, onError } = options;
  const store = /** @type {unknown} */ (saver?.store);
  if (!(store instanceof SealedStore))
    throw wrong("resealThreads is for a saver that sealSaver was given");
  const told = { threads: 0, resealed: 0 };
  const { tell, end } = failuresOf(onError);
  /** @type {SealedStore[]} */
  const stores =
    threadId === undefined && store.partition !== undefined
      ? [store, store.partition(ITEMS)]
      : [store];
  for (const one of stores) {
    for await (const id of threadId === undefined ? allThreads(one, tell) : [threadId]) {
      try {
        if (await one.reseal(id)) told.resealed++;
        told.threads++;
      } catch (error) {
        tell(error, id);
      }
    }
  }
  end();
  return told;
}
