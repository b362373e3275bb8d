// SPDX-License-Identifier: MIT
// Commits signed (HMAC) or encrypted (AES-GCM) by Web Crypto before a store gets them. The engine never sees a key, the store
// never a record. A seal stands around one commit and says which: who moves it elsewhere breaks it.
//
//   0  "WFSL"   4  u8 form (1)   5  u8 kind (1 signed, 2 encrypted)   6  u16 bytes of the key's name   8  u32 bytes of the body
//   12 f64 first seq   20 f64 seq   28 u32 crc   32 nonce (12 bytes)   44 the key's name, the body, [MAC, 32 bytes]
import { ERR_ARGUMENT, ERR_LOG_CORRUPT } from "../engine/codes.js";
import { ERR_UNSEALED } from "../engine/rare-codes.js";
import { makeError } from "../errors.js";
import { makeRareError } from "../rare-errors.js";
import { framesOf } from "../log/frames.js";
import { checkAppend, checkThreadId } from "./log-port.js";
import { checkFold } from "./port-checks.js";
import { concat } from "./concat.js";

/** @typedef {import("./log-port.js").LogStore} LogStore */
/** @typedef {import("./log-port.js").LogCommit} LogCommit */
/** @typedef {{ key?: CryptoKey, keys?: Record<string, CryptoKey>, current?: string, mandatory?: boolean }} SealOptions */

const HEAD = 44;
const MAC_BYTES = 32;
const FORM = 1;
const SIGNED = 1;
const ENCRYPTED = 2;
const MARK = [0x57, 0x46, 0x53, 0x4c];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param {string} what */
function wrong(what) {
  return makeError(ERR_ARGUMENT, [what]);
}

/** What must not change about a commit. @param {string} threadId @param {Uint8Array} head @param {Uint8Array} name */
function contextOf(threadId, head, name) {
  const id = encoder.encode(threadId);
  const context = new Uint8Array(id.length + 1 + head.length + name.length);
  context.set(id);
  context.set(head, id.length + 1);
  context.set(name, id.length + 1 + head.length);
  return context;
}

/** @param {CryptoKey} key */
function kindOf(key) {
  const name = key?.algorithm?.name;
  if (name === "HMAC") return SIGNED;
  if (name === "AES-GCM") return ENCRYPTED;
  throw wrong("a seal's key is a CryptoKey for HMAC (sign, verify) or AES-GCM (encrypt, decrypt)");
}

/** The frames before the next seal; what is torn goes with them. @param {Uint8Array} rest */
function unsealed(rest) {
  let length = 0;
  for (const frame of framesOf(rest)) length = frame.at + frame.length + 4;
  const isWhole = MARK.every((byte, index) => rest[length + index] === byte);
  const bytes = length > 0 && isWhole ? rest.subarray(0, length) : rest;
  return { bytes, length: bytes.length };
}

/** @implements {LogStore} */
class SealedStore {
  #inner;
  /** @type {Map<string, CryptoKey>} */
  #keys;
  #current;
  #mandatory;

  /** @param {LogStore} inner @param {SealOptions} options */
  constructor(inner, { key, keys, current, mandatory = true }) {
    this.#inner = inner;
    this.#keys = new Map(Object.entries(keys ?? (key === undefined ? {} : { "": key })));
    this.#current = current ?? (key === undefined ? [...this.#keys.keys()].at(-1) : "");
    this.#mandatory = mandatory;
    for (const one of this.#keys.values()) kindOf(one);
    if (!this.#keys.has(this.#current ?? "")) throw wrong("a seal needs `key`, or `keys` by name with the `current` one among them");
    this.foldable = inner.foldable;
    this.channel = inner.channel;
    this.tidy = inner.tidy?.bind(inner);
    this.close = inner.close?.bind(inner);
    this.hold = inner.hold?.bind(inner);
  }

  /** @param {string} threadId */
  head(threadId) {
    return this.#inner.head(threadId);
  }

  /** @param {string} threadId @param {{ from?: number }} [options] */
  async read(threadId, options) {
    checkThreadId(threadId);
    const batches = await this.#inner.read(threadId, options);
    return (await Promise.all(batches.map((bytes) => this.#open(threadId, bytes)))).flat();
  }

  /** @param {string} threadId @param {LogCommit} commit @param {Uint8Array} bytes @param {import("./log-port.js").LogHead | undefined} expected */
  async append(threadId, commit, bytes, expected) {
    checkAppend(threadId, commit, bytes, expected);
    return this.#inner.append(threadId, commit, await this.#seal(threadId, commit, bytes), expected);
  }

  /** @param {string} threadId @param {import("./log-port.js").LogRange} range @param {Uint8Array} bytes */
  async fold(threadId, range, bytes) {
    checkFold(threadId, range, bytes);
    const commit = { firstSeq: range.firstSeq, seq: range.lastSeq, crc: 0 };
    return this.#inner.fold(threadId, range, await this.#seal(threadId, commit, bytes));
  }

  /** @param {{ limit?: number, after?: string }} [options] */
  list(options) {
    return this.#inner.list(options);
  }

  /** @param {string} threadId */
  drop(threadId) {
    return this.#inner.drop(threadId);
  }

  /** @param {string} threadId @param {import("./log-port.js").LogHead} [head] */
  witness(threadId, head) {
    return this.#inner.witness(threadId, head);
  }

  /** @param {string} [threadId] */
  byteLength(threadId) {
    return this.#inner.byteLength(threadId);
  }

  /** @param {string} threadId @param {LogCommit} commit @param {Uint8Array} bytes */
  async #seal(threadId, { firstSeq, seq, crc }, bytes) {
    const current = /** @type {string} */ (this.#current);
    const key = /** @type {CryptoKey} */ (this.#keys.get(current));
    const kind = kindOf(key);
    const name = encoder.encode(current);
    const head = new Uint8Array(HEAD);
    const view = new DataView(head.buffer);
    head.set([...MARK, FORM, kind]);
    view.setUint16(6, name.length, true);
    view.setUint32(8, bytes.length + (kind === ENCRYPTED ? 16 : 0), true);
    view.setFloat64(12, firstSeq, true);
    view.setFloat64(20, seq, true);
    view.setUint32(28, crc, true);
    crypto.getRandomValues(head.subarray(32));
    const context = contextOf(threadId, head, name);
    if (kind === SIGNED) return concat([head, name, bytes, new Uint8Array(await crypto.subtle.sign("HMAC", key, concat([context, bytes])))]);
    const body = await crypto.subtle.encrypt({ name: "AES-GCM", iv: head.slice(32), additionalData: context }, key, bytes.slice());
    return concat([head, name, new Uint8Array(body)]);
  }

  /** The commits in what a store gives back: it may have put several together. @param {string} threadId @param {Uint8Array} batch */
  async #open(threadId, batch) {
    const parts = [];
    for (let at = 0; at < batch.length; ) {
      const rest = batch.subarray(at);
      const isSealed = MARK.every((byte, index) => rest[index] === byte);
      if (!isSealed && this.#mandatory) throw makeRareError(ERR_UNSEALED, [threadId, "a record has no seal"]);
      const { bytes, length } = isSealed ? await this.#openOne(threadId, rest) : unsealed(rest);
      parts.push(bytes);
      at += length;
    }
    return parts;
  }

  /** @param {string} threadId @param {Uint8Array} sealed @returns {Promise<{ bytes: Uint8Array, length: number }>} */
  async #openOne(threadId, sealed) {
    if (sealed.length < HEAD) throw makeError(ERR_LOG_CORRUPT, [threadId, 0, "a seal is cut off"]);
    const view = new DataView(sealed.buffer, sealed.byteOffset, HEAD);
    const head = sealed.subarray(0, HEAD);
    const kind = sealed[5];
    const start = HEAD + view.getUint16(6, true);
    const end = start + view.getUint32(8, true);
    const length = end + (kind === SIGNED ? MAC_BYTES : 0);
    if (sealed[4] !== FORM || (kind !== SIGNED && kind !== ENCRYPTED) || sealed.length < length) throw makeError(ERR_LOG_CORRUPT, [threadId, 0, "a seal cannot be read"]);
    const name = sealed.subarray(HEAD, start);
    const key = this.#keys.get(decoder.decode(name));
    if (key === undefined || kindOf(key) !== kind) throw makeRareError(ERR_UNSEALED, [threadId, `there is no key ${JSON.stringify(decoder.decode(name))} for a record`]);
    const context = contextOf(threadId, head, name);
    const body = sealed.slice(start, end);
    const broken = () => makeRareError(ERR_UNSEALED, [threadId, "the seal of a record is broken"]);
    if (kind === SIGNED) {
      if (!(await crypto.subtle.verify("HMAC", key, sealed.slice(end, length), concat([context, body])))) throw broken();
      return { bytes: body, length };
    }
    try {
      return { bytes: new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: head.slice(32), additionalData: context }, key, body)), length };
    } catch {
      throw broken();
    }
  }
}

/**
 * From now on the saver's commits are sealed.
 * @template {import("./base.js").WeftSaver} Saver
 * @param {Saver} saver
 * @param {SealOptions} options
 * @returns {Saver}
 */
export function sealSaver(saver, options) {
  if (typeof saver?.store?.append !== "function") throw wrong("a seal is for Weft's own savers");
  /** @type {any} */ (saver).store = new SealedStore(saver.store, options ?? {});
  return saver;
}
