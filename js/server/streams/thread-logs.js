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
  /** `starts`: where each run begins. @type {Map<string, { log: EventLog, starts: number[] }>} */
  #logs = new Map();
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
    if (known !== undefined) return known.log;
    for (const id of this.#logs.keys()) {
      if (this.#logs.size < MOST_THREADS) break;
      this.delete(id);
    }
    const log = new EventLog(MOST_OF_ONE_RUN * this.#limit, (thread?.seq ?? 0) + 1);
    this.#logs.set(threadId, { log, starts: [] });
    // After a restart a new reader gets the open questions, too.
    for (const { id, value } of Object.values(thread?.interrupts ?? {}).flat()) {
      const data = { interrupt_id: id, payload: value };
      appendEvent(log, `synth:${id}:requested`, "input.requested", [], data);
    }
    return log;
  }

  /**
   * A run begins: runs that ended go, the oldest first, while there are too many events.
   * @param {string} threadId
   */
  beginRun(threadId) {
    const found = this.#logs.get(threadId);
    if (found === undefined) return;
    const { log, starts } = found;
    starts.push(log.next);
    while (starts.length > 1 && log.next - log.first > this.#limit) {
      starts.shift();
      log.dropBefore(starts[0]);
    }
  }

  /** @param {string} threadId */
  delete(threadId) {
    this.#logs.get(threadId)?.log.close();
    this.#logs.delete(threadId);
  }

  /** Ends the streams of all threads. */
  close() {
    for (const id of [...this.#logs.keys()]) this.delete(id);
  }
}
