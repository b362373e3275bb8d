// SPDX-License-Identifier: MIT
// Holds the data shared by the runs of one thread while the adapter writes one log for them: its
// records and the checkpoints known from it.
import { LogReader } from "../../log/reader.js";
import { DeltaNotes } from "./adapter-delta.js";

/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../../log/state.js").LogState} LogState */
/** @typedef {import("./adapter-versions.js").Versions} Versions */

/**
 * Sorts tuples so that parents come first, as in a log. Savers list by id, and two programs writing
 * one thread within a millisecond may give a checkpoint a lower id than its parent's.
 * @param {CheckpointTuple[]} tuples
 */
export function parentsFirst(tuples) {
  const left = new Map(tuples.map((tuple) => [tuple.checkpoint.id, tuple]));
  return tuples.flatMap((tuple) => {
    const line = [];
    for (
      let next = /** @type {CheckpointTuple | undefined} */ (tuple);
      next !== undefined;
      next = left.get(next.parentConfig?.configurable?.checkpoint_id)
    ) {
      if (!left.delete(next.checkpoint.id)) break;
      line.unshift(next);
    }
    return line;
  });
}

/** Data shared by a run and its child runs, which write one log. */
export class Shared {
  reader = new LogReader();
  /** The whole log, for runs that begin later. @type {Uint8Array[]} */
  pieces = [];
  /**
   * Known checkpoints; `called`: nodes that Sends called after them.
   * @type {Map<string, { step: number, state: LogState, called: Set<string> }>}
   */
  known = new Map();
  /** Ids in the log. @type {Set<string>} */
  told = new Set();
  /** Versions by namespace. @type {Map<string, Versions>} */
  versions = new Map();
  deltas = new DeltaNotes();

  /** @param {unknown[]} values by their index in the log */
  constructor(values) {
    this.values = values;
  }
}
