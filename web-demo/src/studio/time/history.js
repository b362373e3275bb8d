// SPDX-License-Identifier: MIT
// Owns the checkpoints of a thread as far as they were read. Must not know: what is done with them.
import { marksOf } from "./branches.js";
import { Spent } from "./spent.js";

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
  #spent = new Spent();
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

  /**
   * What the thread has cost, as far as it was read; `isWhole`: there is no more to read.
   * @returns {{ thread: string, steps: number, tokens: number, isWhole: boolean }}
   */
  get spent() {
    const { steps, tokens } = this.#spent;
    return { thread: this.#thread, steps, tokens, isWhole: !this.hasOlder };
  }

  /** Reads what is new; what waits or fails at known checkpoints, too. */
  async refresh() {
    /** @type {ThreadState[]} */
    const read = [];
    for (let limit = this.#states.length > 0 ? FRESH : PAGE; ; limit = PAGE) {
      const page = await this.#client.history(this.#thread, limit, idOf(read.at(-1)));
      read.push(...page);
      const isAll = page.length < limit;
      const last = idOf(read.at(-1));
      const at = this.#states.findIndex((state) => idOf(state) === last);
      const isKnown = at >= 0 && !isAll;
      // More is missing between what is new and what is known.
      if (!isKnown && !isAll && this.#states.length > 0 && read.length < ENOUGH) continue;
      if (!isKnown) this.hasOlder = !isAll;
      return this.#keep(isKnown ? [...read, ...this.#states.slice(at + 1)] : read);
    }
  }

  /** Reads the rest, as far as nobody has to ask for it. @param {() => boolean} isWanted */
  async complete(isWanted) {
    while (this.hasOlder && this.#states.length < ENOUGH && isWanted()) await this.older();
  }

  /** Reads more of what was before. */
  async older() {
    const older = await this.#client.history(this.#thread, PAGE, idOf(this.#states.at(-1)));
    this.hasOlder = older.length === PAGE;
    this.#keep([...this.#states, ...older]);
  }

  /** @param {ThreadState[]} states */
  #keep(states) {
    this.#states = states;
    this.marks = marksOf(states);
    this.#byId = new Map(this.marks.map((mark) => [mark.id, mark]));
    this.#spent.count(this.#byId);
  }
}

/** @param {ThreadState | undefined} state */
const idOf = (state) => state?.checkpoint.checkpoint_id;
