// SPDX-License-Identifier: MIT
// Shows a run that is at work in another tab: its events and its end come from there, and what is
// asked of it goes there. Copies events from log to log.
import { LiveRun } from "../work/live-run.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../http/event-log.js").EventLog} EventLog */
/** @typedef {import("../http/event-log.js").RunEvent} RunEvent */
/** @typedef {import("../runs.js").RunRecord} RunRecord */

export class RemoteRun extends LiveRun {
  isRemote = true;
  #ask;
  /** It is over, and its queue knows. @type {(value?: unknown) => void} */
  finish = () => {};

  /**
   * @param {RunRecord} record
   * @param {string} tab where it is at work
   * @param {number} limit of its events
   * @param {(action: "interrupt" | "rollback") => void} ask the tab to end it
   */
  constructor(record, tab, limit, ask) {
    super(record, /** @type {import("../run-input.js").RunRequest} */ ({}), limit);
    this.tab = tab;
    this.#ask = ask;
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  /**
   * Asks the tab to end it, too.
   * @param {string} reason
   * @param {"interrupt" | "rollback"} [action]
   */
  cancel(reason, action = "interrupt") {
    super.cancel(reason, action);
    if (!this.isOver) this.#ask(action);
  }
}

/**
 * Appends events of another tab's log, under the numbers that they have there.
 * @param {EventLog} log
 * @param {RunEvent[]} events
 */
export function appendAll(log, events) {
  for (const event of events) if (event.id >= log.next) log.copy(event);
}

/**
 * Passes a log's events on, several at a time, until the log is closed or the signal is aborted.
 * @param {EventLog} log
 * @param {number} start
 * @param {AbortSignal} signal
 * @param {(events: RunEvent[]) => void} send
 */
export async function copyEvents(log, start, signal, send) {
  for (let at = start; ; ) {
    const events = log.from(at);
    at = log.next;
    if (events.length > 0) send(events);
    if (log.isClosed || signal.aborted) return;
    await log.wait(at, signal);
  }
}
