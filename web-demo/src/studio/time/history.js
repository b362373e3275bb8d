// SPDX-License-Identifier: MIT
// Owns the checkpoints of a thread as far as they were read. Must not know: what is done with them.
import { marksOf } from "./branches.js";

/** @typedef {import("../server/client.js").Client} Client */
/** @typedef {import("../server/client.js").ThreadState} ThreadState */
/** @typedef {import("./branches.js").Mark} Mark */

/** Checkpoints of one reading. */
const PAGE = 200;
/** What is read at first, when only the newest can be new. */
const FRESH = 12;
/** Checkpoints that are read without being asked for. */
const ENOUGH = 1000;

export class History {
  /** The oldest first. @type {Mark[]} */
  marks = [];
  hasOlder = false;
  /** The newest first. @type {ThreadState[]} */
  #states = [];
  /** @type {Map<string, Mark>} */
  #byId = new Map();
  #client;
  #thread;

  /** @param {Client} client @param {string} thread none: `""` */
  constructor(client, thread) {
    this.#client = client;
    this.#thread = thread;
  }

  /** @param {string | undefined} id @returns {Mark | undefined} */
  find(id) {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Reads what is new; what waits or fails at known checkpoints, too. */
  async refresh() {
    if (this.#states.length > 0 && (await this.#readNewest(FRESH))) return;
    await this.#readNewest(PAGE);
  }

  /** Reads the rest, as far as nobody has to ask for it. @param {() => boolean} isWanted */
  async complete(isWanted) {
    while (this.hasOlder && this.#states.length < ENOUGH && isWanted()) await this.older();
  }

  /** Reads more of what was before. */
  async older() {
    const before = this.#states.at(-1)?.checkpoint.checkpoint_id;
    const older = await this.#client.history(this.#thread, PAGE, before);
    this.hasOlder = older.length === PAGE;
    this.#keep([...this.#states, ...older]);
  }

  /** @param {number} limit @returns {Promise<boolean>} whether nothing new is missing */
  async #readNewest(limit) {
    const read = await this.#client.history(this.#thread, limit);
    const last = read.at(-1)?.checkpoint.checkpoint_id;
    const at = this.#states.findIndex(({ checkpoint }) => checkpoint.checkpoint_id === last);
    const isAll = read.length < limit;
    if (!isAll && at < 0 && limit < PAGE) return false;
    if (isAll || at < 0) this.hasOlder = !isAll;
    this.#keep(isAll || at < 0 ? read : [...read, ...this.#states.slice(at + 1)]);
    return true;
  }

  /** @param {ThreadState[]} states */
  #keep(states) {
    this.#states = states;
    this.marks = marksOf(states);
    this.#byId = new Map(this.marks.map((mark) => [mark.id, mark]));
  }
}
