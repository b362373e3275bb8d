// SPDX-License-Identifier: MIT
// What the runs of one thread share while the adapter writes one log for them: what it has said and
// what it knows of the checkpoints in it.
import { LogReader } from "../../log/reader.js";
import { DeltaNotes } from "./adapter-delta.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("../../log/state.js").LogState} LogState */
/** @typedef {import("./adapter-versions.js").Versions} Versions */

/**
 * Savers list by id, and two programs that write one thread within a millisecond may give a
 * checkpoint a lower id than its parent has; in a log a parent stands first.
 * @param {Value[]} tuples
 */
export function parentsFirst(tuples) {
  const left = new Map(tuples.map((tuple) => [tuple.checkpoint.id, tuple]));
  return tuples.flatMap((tuple) => {
    const line = [];
    for (
      let next = tuple;
      next !== undefined;
      next = left.get(next.parentConfig?.configurable?.checkpoint_id)
    ) {
      if (!left.delete(next.checkpoint.id)) break;
      line.unshift(next);
    }
    return line;
  });
}

/** What a run shares with those inside its tasks: they write one log. */
export class Shared {
  reader = new LogReader();
  /** The whole log, for runs that begin later. @type {Uint8Array[]} */
  pieces = [];
  /**
   * What the engine knows of checkpoints; `called`: nodes that Sends called behind them.
   * @type {Map<string, { step: number, state: LogState, called: Set<string> }>}
   */
  known = new Map();
  /** Ids that the log names. @type {Set<string>} */
  told = new Set();
  /** By namespace. @type {Map<string, Versions>} */
  versions = new Map();
  deltas = new DeltaNotes();

  /** @param {Value[]} values by the number that stands for them in the log */
  constructor(values) {
    this.values = values;
  }
}
