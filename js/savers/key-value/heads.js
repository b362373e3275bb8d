// SPDX-License-Identifier: MIT
// Reads and replaces the heads of threads in a key-value storage whose reads may be stale. Never
// returns a head older than this store's last commit. Owns the heads that it wrote last.
import { checkHead, corruptLog, markUnknown } from "../../log/log-store.js";
import { MOST_KEYS, pause } from "./storage.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/** @typedef {import("./pieces.js").Piece} Piece */
/** @typedef {{ seq: number, crc: number, pieces: Piece[] }} Head */
/** @typedef {{ raw: Uint8Array | undefined, head: Head | undefined }} Found */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Heads {
  #kv;
  #keys;
  /**
   * Heads that this store wrote last, by their threads' key prefix; `names`: of the pieces in them
   * and before.
   * @type {Map<string, { raw: Uint8Array, head: Head, names: Set<string> }>}
   */
  #own = new Map();
  /**
   * Sequence numbers that a witness reported as stored, by key prefix: a lower head is stale,
   * unless the records are lost (`isLost`).
   * @type {Map<string, { seq: number, isLost: boolean }>}
   */
  #least = new Map();

  /** @param {import("./storage.js").Storage} kv @param {import("./keys.js").Keys} keys */
  constructor(kv, keys) {
    this.#kv = kv;
    this.#keys = keys;
  }

  /**
   * @param {string} place
   * @returns {{ raw: Uint8Array, head: Head } | undefined} head that this store wrote last
   */
  last(place) {
    return this.#own.get(place);
  }

  /** Forgets a dropped thread. @param {string} place */
  forget(place) {
    this.#own.delete(place);
    this.#least.delete(place);
  }

  /**
   * Reads the head, never one older than this store's last commit or than a witness reported,
   * however stale reads are. If no head or another log's head is read, the thread may be dropped or
   * truncated: then the result after some retries counts.
   * @param {string} place @returns {Promise<Found>}
   */
  async newest(place) {
    const own = this.#own.get(place);
    const told = this.#least.get(place);
    const least = Math.max(own?.head.seq ?? 0, told === undefined || told.isLost ? 0 : told.seq);
    for (let tries = 0; ; tries++) {
      const found = await this.#find(place);
      if ((found.head?.seq ?? 0) >= least) return found;
      if (own?.head.seq === least && own.names.has(found.head?.pieces.at(-1)?.name ?? ""))
        return own;
      if (!(await pause(tries))) {
        this.#own.delete(place);
        if (told !== undefined) told.isLost = true;
        return found;
      }
    }
  }

  /**
   * Notes that a witness reported this much as stored: a lower head is stale.
   * @param {string} place
   * @param {number} seq
   */
  expect(place, seq) {
    // A retry has waited for it before.
    if (this.#least.get(place)?.seq === seq) return;
    if (this.#least.size >= MOST_KEYS) this.#least.clear();
    this.#least.set(place, { seq, isLost: false });
  }

  /**
   * Reads the head, never one older than the expected head of a commit.
   * @param {string} place
   * @param {LogHead | undefined} expected
   * @param {number} tries
   * @returns {Promise<Found>}
   */
  async behind(place, expected, tries) {
    for (;;) {
      const found = await this.newest(place);
      if (
        found.head === undefined ||
        found.head.seq >= (expected?.seq ?? 0) ||
        !(await pause(tries++))
      )
        return found;
    }
  }

  /** @param {string} place @returns {Promise<Found>} */
  async #find(place) {
    const raw = await this.#kv.get(`${place}head`);
    if (raw === undefined) return { raw, head: undefined };
    try {
      const { seq, crc, pieces } = JSON.parse(decoder.decode(raw));
      checkHead({ seq, crc });
      return {
        raw,
        head: {
          seq,
          crc,
          pieces: pieces.map((/** @type {unknown[]} */ [firstSeq, lastSeq, name, size]) => ({
            firstSeq,
            lastSeq,
            name,
            size,
          })),
        },
      };
    } catch {
      throw corruptLog(this.#keys.threadOf(place) ?? "", 0, "its head cannot be read");
    }
  }

  /**
   * Replaces the head `raw` by one with a new piece. Returns whether it did.
   * @param {string} place
   * @param {Uint8Array | undefined} raw
   * @param {Head} head
   * @param {Piece} piece
   * @returns {Promise<boolean>}
   */
  async commit(place, raw, head, piece) {
    const { seq, crc, pieces } = head;
    const value = encoder.encode(
      JSON.stringify({
        seq,
        crc,
        pieces: pieces.map(({ firstSeq, lastSeq, name, size }) => [firstSeq, lastSeq, name, size]),
      }),
    );
    try {
      if (await this.#kv.cas(`${place}head`, raw, value)) this.#remember(place, value, head);
      else {
        const found = await this.#find(place);
        if (found.head?.pieces.every(({ name }) => name !== piece.name) ?? true) return false;
        this.#remember(
          place,
          /** @type {Uint8Array} */ (found.raw),
          /** @type {Head} */ (found.head),
        );
      }
      return true;
    } catch (error) {
      throw markUnknown(error);
    }
  }

  /** @param {string} place @param {Uint8Array} raw @param {Head} head */
  #remember(place, raw, head) {
    const before = this.#own.get(place)?.head.pieces ?? [];
    if (this.#own.size >= MOST_KEYS) this.#own.clear();
    this.#own.set(place, {
      raw,
      head,
      names: new Set([...before, ...head.pieces].map(({ name }) => name)),
    });
  }
}
