// SPDX-License-Identifier: MIT
// As much of node:crypto as file savers need. The page's own SHA-256 answers later, Node's at once.
import { Bytes, bytesOf } from "./bytes.js";

/** @param {number} size @returns {Bytes} */
export const randomBytes = (size) => crypto.getRandomValues(new Bytes(size));

const PRIMES = primes(64);
/** The first 32 bits behind the point of a root of each prime. */
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n++)
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** @param {number} value */
function fraction(value) {
  return Math.floor((value % 1) * 2 ** 32);
}

/** @param {number} word @param {number} count */
const turn = (word, count) => (word >>> count) | (word << (32 - count));

/** FIPS 180-4. @param {Uint8Array} text @returns {Bytes} */
function sha256(text) {
  const padded = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
  padded.set(text);
  padded[text.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(text.length) * 8n);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at++) {
      if (at < 16) {
        words[at] = view.getUint32(block + 4 * at);
        continue;
      }
      const [early, late] = [words[at - 15], words[at - 2]];
      words[at] =
        words[at - 16] +
        (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
        words[at - 7] +
        (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[at] + words[at];
      const most = (a & b) ^ (a & c) ^ (b & c);
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most;
      [a, b, c, d, e, f, g, h] = [one + two, a, b, c, d + one, e, f, g].map((word) => word | 0);
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] += word;
  }
  const digest = new Bytes(32);
  for (const [at, word] of hash.entries()) new DataView(digest.buffer).setUint32(4 * at, word);
  return digest;
}

/** @param {string} name */
export function createHash(name) {
  if (name !== "sha256") throw new Error(`"${name}" is not on this site: it has sha256.`);
  /** @type {Bytes[]} */
  const parts = [];
  const hash = {
    /** @param {string | Uint8Array} data */
    update(data) {
      parts.push(bytesOf(data));
      return hash;
    },
    /** @param {"hex"} [encoding] */
    digest(encoding) {
      const digest = sha256(joined(parts));
      return encoding === undefined ? digest : digest.toString(encoding);
    },
  };
  return hash;
}

/** @param {Uint8Array[]} parts */
export function joined(parts) {
  const all = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
