// SPDX-License-Identifier: MIT
// Owns the history of the open thread, and which of its checkpoints is looked at. Must not know:
// runs, other threads.
import { Asking } from "../asking.js";
import { newestBelow } from "./branches.js";
import { History } from "./history.js";

/** @typedef {import("../server/client.js").Client} Client */
/** @typedef {import("./branches.js").Mark} Mark */

export class Looking extends Asking {
  /** The checkpoint that is looked at; none: the newest one. @type {string | undefined} */
  selected = undefined;
  /** @type {History} */
  history;

  /** @param {Client} client */
  constructor(client) {
    super(client);
    this.history = new History(client, "");
  }

  /** Checkpoints of the open thread, the oldest first. */
  get marks() {
    return this.history.marks;
  }

  /** The checkpoint that is shown. @returns {Mark | undefined} */
  get shown() {
    return this.history.find(this.selected) ?? this.marks.at(-1);
  }

  /** The one before the shown one, in its branch. @returns {Mark | undefined} */
  get before() {
    return this.history.find(this.shown?.parent);
  }

  /** The shown checkpoint, for a request; nothing: the newest one is meant. */
  get here() {
    return this.selected === undefined ? {} : { checkpoint_id: this.selected };
  }

  /** @param {string | undefined} checkpoint */
  select(checkpoint) {
    this.selected = checkpoint === this.marks.at(-1)?.id ? undefined : checkpoint;
    this.tell();
  }

  /** Shows the newest checkpoint that came of one. @param {string} checkpoint */
  selectBranch(checkpoint) {
    this.select(newestBelow(this.marks, checkpoint));
  }

  /** Shows the checkpoint that is so many before (or after) the shown one. @param {number} by */
  move(by) {
    const at = this.marks.findIndex(({ id }) => id === this.shown?.id);
    const mark = this.marks[Math.max(0, Math.min(this.marks.length - 1, at + by))];
    if (mark !== undefined) this.select(mark.id);
  }

  /** Reads more of the history. */
  older() {
    return this.attempt(() => this.history.older());
  }
}
