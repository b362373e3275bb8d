// SPDX-License-Identifier: MIT
// Makes ids of hashes, as the log has them.
import { HASH_SHA1, HASH_SHA256, HASH_XXH3 } from "../base/codes.js";
import { hexOf, uuidOf } from "../base/uuid.js";
import { hashOf } from "./hash.js";

const encoder = new TextEncoder();

/**
 * Returns the hash of a thread's id that every frame of the thread has.
 * @param {string} threadId
 */
export function threadHash(threadId) {
  return hashOf(HASH_SHA256, encoder.encode(threadId)).subarray(0, 16);
}

/** Returns the 128-bit XXH3 of a text as hex. @param {string} text */
export function xxh3(text) {
  return hexOf(hashOf(HASH_XXH3, encoder.encode(text)));
}

/** @param {string} uuid @returns {Uint8Array | undefined} its 16 bytes */
export function uuidBytes(uuid) {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) return undefined;
  const hex = uuid.replaceAll("-", "");
  return Uint8Array.from({ length: 16 }, (_, i) => parseInt(hex.slice(i * 2, i * 2 + 2), 16));
}

/**
 * Makes a UUID of version 5.
 * @param {string} name
 * @param {Uint8Array} namespace a UUID's bytes
 */
export function uuid5(name, namespace) {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(16 + text.length);
  bytes.set(namespace);
  bytes.set(text, 16);
  const digest = hashOf(HASH_SHA1, bytes).subarray(0, 16);
  digest[6] = (digest[6] & 0x0f) | 0x50;
  digest[8] = (digest[8] & 0x3f) | 0x80;
  return uuidOf(digest);
}
