// SPDX-License-Identifier: MIT
// Reads the frames of a log as records: checkpoints, writes and decisions, with their values.
import { CHECKPOINT, LIST_SNAPSHOT, TRIM, WRITES } from "./frames.js";
import { Patch, ListSnapshot } from "./patch.js";
import { WholeFrames } from "./unpack.js";
import { Body } from "./record-body.js";

/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {(string | Patch)[] | ListSnapshot} Values of a record */
/** @typedef {import("./record.js").Token} Token */
/** @typedef {import("./record.js").SendToken} SendToken */
/** @typedef {import("./record.js").WriteRecord} WriteRecord */
/** @typedef {import("./record.js").TaskKey} TaskKey */
/** @typedef {import("./record.js").TaskRecord} TaskRecord */
/** @typedef {import("./record.js").Place} Place */
/** @typedef {import("./record.js").Change} Change */
/** @typedef {import("./record.js").Seen} Seen */
/** @typedef {import("./record.js").LogRecord} LogRecord */
/** @typedef {import("./record.js").DecisionRecord} DecisionRecord */

/**
 * Values of other records, by number, for references to them.
 * @typedef {{ get: (seq: number) => Values | undefined }} Texts
 */

/** Reads the fields of a checkpoint or of writes that an index needs. @param {Frame} frame */
export function headOf(frame) {
  return new Body(frame).head(frame.kind === CHECKPOINT);
}

/**
 * Reads a checkpoint or writes.
 * @param {Frame} frame
 * @param {Texts} earlier
 * @returns {LogRecord}
 */
export function recordOf(frame, earlier) {
  return new Body(frame, earlier).record(frame.kind === CHECKPOINT);
}

/**
 * Lists the inline values of a record of any kind, to which later records may refer.
 * @param {Frame} frame
 * @param {Texts} bases
 * @returns {Values}
 */
export function textsOf(frame, bases) {
  const body = new Body(frame, frame.kind === LIST_SNAPSHOT ? bases : undefined, bases);
  if (frame.kind === LIST_SNAPSHOT) return body.listSnapshot();
  if (frame.kind === CHECKPOINT || frame.kind === WRITES) body.record(frame.kind === CHECKPOINT);
  else if (frame.kind < TRIM) body.ledger();
  return body.texts;
}

/** Reads a DECISION. @param {Frame} frame @param {Texts} earlier */
export function decisionOf(frame, earlier) {
  return new Body(frame, earlier).ledger();
}

/** Reads frames batch after batch. Keeps all values, as later records may refer to them. */
export class LogReader {
  /** Inline values by the number of their record. @type {Map<number, Values>} */
  #texts = new Map();
  #frames = new WholeFrames();

  /**
   * Yields the checkpoints and writes of a batch.
   * @param {Uint8Array} bytes
   * @returns {Generator<LogRecord, void, void>}
   */
  *read(bytes) {
    for (const frame of this.#frames.of(bytes)) {
      const { kind, seq } = frame;
      const body = new Body(frame, this.#texts);
      this.#texts.set(seq, body.texts);
      if (kind === CHECKPOINT || kind === WRITES) yield body.record(kind === CHECKPOINT);
      else if (kind === LIST_SNAPSHOT) this.#texts.set(seq, body.listSnapshot());
      else if (kind < TRIM) body.ledger();
    }
  }
}
