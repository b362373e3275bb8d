// SPDX-License-Identifier: MIT
// Defines the bytes of a seal (docs/sealed-format.md). Does not depend on keys or stores.
//
//   0  "WFSL"   4  u8 form (2)   5  u8 kind (1 signed, 2 encrypted)   6  u16 length of the key's
//   name   8  u32 length of the body
//   12 f64 first seq   20 f64 seq   28 u32 crc   32 link of the previous commit (16 bytes)
//   48 own link (16 bytes, random)   64 nonce (12 bytes)
//   76 key name, body, [MAC, 32 bytes]
//
// Form 1, of older versions, has no links (nonce at 32, name at 44), and its signed bytes are
// ambiguous.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { crcOf, framesOf } from "../../log/frames.js";
import { concat } from "../../log/concat.js";

/**
 * A sealed commit, or records without a seal (form 0). `previous`: link of the previous commit, if
 * the form has one.
 * @typedef {{ form: number, firstSeq: number, seq: number, crc: number, previous: Uint8Array |
 *   undefined, link: Uint8Array, key: string, bytes: Uint8Array }} Opened
 */
/**
 * A part of a batch: bytes with or without a seal.
 * @typedef {{ sealed?: Uint8Array, bytes?: Uint8Array, fault?: string }} Part
 */

export const FORM = 2;
/** Bytes before the key's name, and offset of the nonce, by form. */
export const HEADS = [0, 44, 76];
export const NONCES = [0, 32, 64];
export const NONCE_BYTES = 12;
export const PREVIOUS = 32;
export const LINK = 48;
export const LINK_BYTES = 16;
export const MAC_BYTES = 32;
export const SIGNED = 1;
export const ENCRYPTED = 2;
export const MARK = [0x57, 0x46, 0x53, 0x4c];
/** Label in the signed bytes, so that a signature is valid as a seal only. */
export const LABEL = "weftgraph seal 2";
/** Link before a thread's first commit, and of records without a seal. */
export const NO_LINK = /* @__PURE__ */ new Uint8Array(LINK_BYTES);
const encoder = new TextEncoder();

/** @param {string} what */
export function wrong(what) {
  return makeError(ERR_ARGUMENT, [what]);
}

/**
 * Joins parts unambiguously: their count, then each part after its length.
 * @param {(string | Uint8Array)[]} parts
 */
export function framed(parts) {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  return concat([counted(bytes.length), ...bytes.flatMap((part) => [counted(part.length), part])]);
}

/** @param {number} count */
export function counted(count) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, count, true);
  return bytes;
}

/**
 * Returns the bytes that form 1 signs beside the body.
 * @param {string} threadId
 * @param {Uint8Array} head
 * @param {Uint8Array} name
 */
export function oldContext(threadId, head, name) {
  return concat([encoder.encode(threadId), new Uint8Array(1), head, name]);
}

/** @param {CryptoKey} key */
export function kindOf(key) {
  const { name, hash } = /** @type {{ name?: string, hash?: { name?: string } }} */ (
    key?.algorithm ?? {}
  );
  if (name === "HMAC" && hash?.name === "SHA-256") return SIGNED;
  if (name === "AES-GCM") return ENCRYPTED;
  throw wrong(
    "a seal's key is a CryptoKey for HMAC with SHA-256 (sign, verify) or AES-GCM (encrypt, decrypt)",
  );
}

/** @param {CryptoKey} key @param {boolean} isCurrent */
export function checkKey(key, isCurrent) {
  const isSigned = kindOf(key) === SIGNED;
  const wanted = isCurrent
    ? isSigned
      ? ["sign", "verify"]
      : ["encrypt", "decrypt"]
    : [isSigned ? "verify" : "decrypt"];
  if (!wanted.every((usage) => key.usages.includes(/** @type {KeyUsage} */ (usage))))
    throw wrong(`a seal's key is to be used for ${wanted.join(" and ")}`);
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export const same = (a, b) => a.every((byte, i) => byte === b[i]);

/** @param {Uint8Array} bytes */
export const isSeal = (bytes) => MARK.every((byte, i) => bytes[i] === byte);

/**
 * Returns the frames before the next seal, with torn bytes if there is none.
 * @param {Uint8Array} rest
 */
export function unsealed(rest) {
  let length = 0;
  for (const frame of framesOf(rest)) length = frame.at + frame.length + 4;
  return length > 0 && isSeal(rest.subarray(length)) ? rest.subarray(0, length) : rest;
}

/**
 * Splits batches into parts, as far as their lengths are readable.
 * @param {Uint8Array[]} batches
 * @returns {Part[]}
 */
export function partsOf(batches) {
  /** @type {Part[]} */
  const parts = [];
  for (const batch of batches) {
    for (let at = 0; at < batch.length; ) {
      const rest = batch.subarray(at);
      const bytes = isSeal(rest) ? undefined : unsealed(rest);
      const length = bytes?.length ?? sealLength(rest);
      if (typeof length === "string") return [...parts, { fault: length }];
      parts.push(bytes === undefined ? { sealed: rest.subarray(0, length) } : { bytes });
      at += length;
    }
  }
  return parts;
}

/**
 * Returns the length of a seal.
 * @param {Uint8Array} bytes begin with a seal
 * @returns {number | string} or why the length is unreadable
 */
export function sealLength(bytes) {
  const head = HEADS[bytes[4]];
  if (!head || (bytes[5] !== SIGNED && bytes[5] !== ENCRYPTED)) return "its seal cannot be read";
  if (bytes.length < head) return "its seal is cut off";
  const view = new DataView(bytes.buffer, bytes.byteOffset, head);
  const length =
    head +
    view.getUint16(6, true) +
    view.getUint32(8, true) +
    (bytes[5] === SIGNED ? MAC_BYTES : 0);
  return bytes.length < length ? "its seal is cut off" : length;
}

/**
 * Reads records without a seal, as far as they contain their position.
 * @param {Uint8Array} bytes
 * @returns {Opened}
 */
export function unsealedOf(bytes) {
  const frames = [...framesOf(bytes)];
  const last = frames.at(-1);
  return {
    form: 0,
    firstSeq: frames[0]?.seq ?? 0,
    seq: last?.seq ?? 0,
    crc: last === undefined ? 0 : crcOf(last),
    previous: undefined,
    link: NO_LINK,
    key: "",
    bytes,
  };
}
