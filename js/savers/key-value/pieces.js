// SPDX-License-Identifier: MIT
// Writes, reads and deletes the pieces of threads' logs in a key-value storage, each in values of
// limited size. Owns the set of folded pieces that may still get into a head.
import { corruptLog } from "../../log/log-store.js";
import { concat } from "../../log/concat.js";
import { MOST_KEYS } from "./storage.js";

/**
 * @typedef {{ firstSeq: number, lastSeq: number, name: string, size: number }} Piece `name`: prefix
 *   of its keys, followed by chunk numbers
 */

/** Separates a folded piece's first seq from its random part. */
export const FOLDED = "_";

export class Pieces {
  #kv;
  #keys;
  #limit;
  /**
   * Folded pieces in no head at the last sweep of their thread, by key prefix.
   * @type {Map<string, Set<string>>}
   */
  #doubtful = new Map();

  /**
   * @param {import("./storage.js").Storage} kv
   * @param {import("./keys.js").Keys} keys
   * @param {number} limit maximum bytes of a value
   */
  constructor(kv, keys, limit) {
    this.#kv = kv;
    this.#keys = keys;
    this.#limit = limit;
  }

  /** @param {number} size */
  #chunks(size) {
    return Array.from({ length: Math.ceil(size / this.#limit) }, (_, i) => i);
  }

  /**
   * Writes the bytes as a new piece.
   * @param {string} place
   * @param {number} firstSeq
   * @param {number} lastSeq
   * @param {Uint8Array} bytes
   * @param {string} [kind]
   * @returns {Promise<Piece>}
   */
  async write(place, firstSeq, lastSeq, bytes, kind = "-") {
    const name = `${String(firstSeq).padStart(16, "0")}${kind}${crypto.randomUUID()}`;
    const put = async (/** @type {number} */ i) =>
      this.#kv.put(`${place}p/${name}.${i}`, bytes.slice(i * this.#limit, (i + 1) * this.#limit));
    await Promise.all(this.#chunks(bytes.length).map(put));
    return { firstSeq, lastSeq, name, size: bytes.length };
  }

  /** @param {string} place @param {Piece} piece */
  async read(place, { firstSeq, name, size }) {
    const get = (/** @type {number} */ i) => this.#kv.get(`${place}p/${name}.${i}`);
    const first = await get(0);
    // The piece may have been written with another limit.
    const count = Math.ceil(size / (first?.length || size));
    const values = [
      first,
      ...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => get(i + 1)))),
    ];
    const bytes = concat(values.filter((value) => value !== undefined));
    if (bytes.length !== size)
      throw Object.assign(
        corruptLog(
          this.#keys.threadOf(place) ?? "",
          firstSeq - 1,
          `a value of ${place}p/${name} is gone`,
        ),
        { gone: true },
      );
    return bytes;
  }

  /** @param {string} place @param {Piece[]} pieces */
  async discard(place, pieces) {
    await Promise.all(
      pieces.flatMap(({ name, size }) =>
        this.#chunks(size).map((i) => this.#kv.delete(`${place}p/${name}.${i}`)),
      ),
    );
  }

  /**
   * Deletes the pieces of commits that lost. A piece that begins after the head may still win. So
   * may a folded piece whose head was read a moment ago: it lost if it was in no head at the last
   * sweep and the head has changed since.
   * @param {string} place @param {number} seq @param {Piece[]} pieces
   */
  async sweep(place, seq, pieces) {
    const held = new Set(pieces.map(({ name }) => name));
    const keys = await this.#kv.keys(`${place}p/`);
    const before = this.#doubtful.get(place);
    /** @type {Set<string>} */
    const doubtful = new Set();
    const isLost = (/** @type {string} */ key) => {
      const name = key.slice(place.length + 2, key.lastIndexOf("."));
      if (held.has(name) || Number(name.slice(0, 16)) > seq) return false;
      if (name[16] !== FOLDED || before?.has(name)) return true;
      doubtful.add(name);
      return false;
    };
    if (this.#doubtful.size >= MOST_KEYS) this.#doubtful.clear();
    this.#doubtful.delete(place);
    await Promise.all(keys.filter(isLost).map((key) => this.#kv.delete(key)));
    if (doubtful.size > 0) this.#doubtful.set(place, doubtful);
  }
}
