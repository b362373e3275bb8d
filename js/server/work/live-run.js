// SPDX-License-Identifier: MIT
// Holds one run: its record, its events and how it ends.
import { EventLog } from "../http/event-log.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../run-input.js").RunRequest} RunRequest */
/** @typedef {import("../runs.js").RunRecord} RunRecord */

/** One run of this server, from its creation until nobody joins it any more. */
export class LiveRun {
  controller = new AbortController();
  isOver = false;
  /** Is it at work in another tab? */
  isRemote = false;
  /** Does it wait for the next server, since this one is closed? */
  isLeft = false;
  /** The state that it ended with, and its questions. @type {Json | undefined} */
  values;
  /** The checkpoint with which its thread came to an end, if that is known. */
  last = /** @type {string | undefined} */ (undefined);
  /** @type {Json | undefined} */
  error;
  /** Did its thread refuse the answer? Then the question waits as before. */
  isRefused = false;
  /** Where its thread ended before it. @type {import("../thread-work.js").Mark | undefined} */
  mark;
  /** Was it cancelled with all that it stored? */
  isUnwanted = false;
  /** Settled when that is taken back. @type {Promise<void> | undefined} */
  forgotten;
  /** Gives the thread's lock among the tabs back. @type {(() => void) | undefined} */
  unlock;
  /** Its end, whatever it is. @type {Promise<void>} */
  done = Promise.resolve();

  /** @param {RunRecord} record @param {RunRequest} request @param {number} limit of its events */
  constructor(record, request, limit) {
    this.record = record;
    this.isProtocol = record.how.isProtocol;
    this.answered = record.how.answered;
    this.request = request;
    this.log = new EventLog(limit);
  }

  /**
   * @param {string} reason
   * @param {"interrupt" | "rollback"} [action] `rollback`: what it stored is taken back, too
   */
  cancel(reason, action) {
    if (this.isOver) return;
    this.isUnwanted ||= action === "rollback";
    this.controller.abort(new DOMException(reason, "AbortError"));
  }
}
