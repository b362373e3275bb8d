// SPDX-License-Identifier: MIT
// Owns the events of threads in protocol v2: one log for all runs of a thread, so that clients can
// open, widen and reopen their streams.
import { EventLog } from "../http/event-log.js";
import { appendEvent } from "./protocol-run.js";

/** @typedef {import("../threads.js").ThreadRecord} ThreadRecord */

/** Threads whose events are kept. */
const MOST_THREADS = 1000;
/** A run that makes more events than so many times the limit loses its oldest ones. */
const MOST_OF_ONE_RUN = 10;

export class ThreadLogs {
  /** @type {Map<string, EventLog>} */
  #logs = new Map();
  /** Where each run of a thread begins in its log. @type {Map<string, number[]>} */
  #starts = new Map();
  #limit;

  /** @param {number} limit events of a thread that are kept, beside those of its last run */
  constructor(limit) {
    this.#limit = limit;
  }

  /** @param {string} threadId @returns {boolean} */
  has(threadId) {
    return this.#logs.has(threadId);
  }

  /**
   * @param {string} threadId
   * @param {ThreadRecord} [thread] its record, if there is one
   * @returns {EventLog}
   */
  open(threadId, thread) {
    const known = this.#logs.get(threadId);
    if (known !== undefined) return known;
    for (const id of this.#logs.keys()) {
      if (this.#logs.size < MOST_THREADS) break;
      this.delete(id);
    }
    const log = new EventLog(MOST_OF_ONE_RUN * this.#limit, (thread?.seq ?? 0) + 1);
    this.#logs.set(threadId, log);
    this.#starts.set(threadId, []);
    // After a restart a new reader gets the open questions, too.
    for (const [, questions] of Object.entries(thread?.interrupts ?? {}))
      for (const { id, value } of questions)
        appendEvent(log, `synth:${id}:requested`, "input.requested", [], {
          interrupt_id: id,
          payload: value,
        });
    return log;
  }

  /**
   * A run begins: runs that ended go, the oldest first, while there are too many events.
   * @param {string} threadId
   */
  beginRun(threadId) {
    const log = this.#logs.get(threadId);
    const starts = this.#starts.get(threadId);
    if (log === undefined || starts === undefined) return;
    starts.push(log.next);
    while (starts.length > 1 && log.next - log.first > this.#limit) {
      starts.shift();
      log.dropBefore(starts[0]);
    }
  }

  /** @param {string} threadId */
  delete(threadId) {
    this.#logs.get(threadId)?.close();
    this.#logs.delete(threadId);
    this.#starts.delete(threadId);
  }

  /** Ends the streams of all threads. */
  close() {
    for (const id of [...this.#logs.keys()]) this.delete(id);
  }
}
