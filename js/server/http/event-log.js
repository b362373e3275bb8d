// SPDX-License-Identifier: MIT
// Keeps the events of a run or a thread for those who read them now, late or again, up to a number;
// wakes waiting readers. A reader that is too slow misses the events that were dropped.

/**
 * `id` counts up; `data`: JSON; `key`: what a reader knows the event by, if not by its number;
 * `about`: what filters look at.
 * @typedef {{ id: number, event: string, data: string, key?: string, about?: About }} RunEvent
 * @typedef {{ method: string, params: { namespace: string[], data?: unknown } }} About
 */

export class EventLog {
  /** @type {RunEvent[]} */
  #events = [];
  /** @type {Set<() => void>} */
  #waiting = new Set();
  isClosed = false;

  /** @param {number} limit events that are kept @param {number} [start] the first one's id */
  constructor(limit, start = 0) {
    this.limit = limit;
    this.next = start;
  }

  /** The id of the oldest event that is kept. */
  get first() {
    return this.next - this.#events.length;
  }

  /**
   * @param {string} event
   * @param {string} data
   * @param {{ key?: string, about?: About }} [more]
   */
  append(event, data, more) {
    this.#events.push({ id: this.next++, event, data, ...more });
    // Half of them at a time, so that not each event moves all others.
    if (this.#events.length > this.limit * 2)
      this.#events.splice(0, this.#events.length - this.limit);
    this.#wake();
  }

  /**
   * Appends an event of another log, under its number there if that is not used here.
   * @param {RunEvent} event
   */
  copy({ id, event, data, key, about }) {
    if (id > this.next) {
      this.#events = [];
      this.next = id;
    }
    this.append(event, data, { key, about });
  }

  /** Lets older events go, but for those from `id` on. @param {number} id */
  dropBefore(id) {
    if (id > this.first) this.#events.splice(0, id - this.first);
  }

  close() {
    this.isClosed = true;
    this.#wake();
  }

  /** @param {number} id @returns {RunEvent | undefined} the event, or the oldest behind it */
  at(id) {
    return this.#events[Math.max(id - this.first, 0)];
  }

  /** @param {number} id @returns {RunEvent[]} what is kept of it and of those behind it */
  from(id) {
    return this.#events.slice(Math.max(id - this.first, 0));
  }

  /**
   * Waits until there is an event of this id, or a newer one, the log is closed, or the signal is
   * aborted.
   * @param {number} id
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  wait(id, signal) {
    // Of a log that begins with a higher number none may be there yet.
    const isThere = Math.max(id, this.first) < this.next;
    if (isThere || this.isClosed || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.forget(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.onNext(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  /** Calls once when there is a new event, or the log is closed. @param {() => void} call */
  onNext(call) {
    this.#waiting.add(call);
  }

  /** @param {() => void} call that is not to come any more */
  forget(call) {
    this.#waiting.delete(call);
  }

  #wake() {
    // Mostly nobody waits: a reader takes all events of a turn at once.
    if (this.#waiting.size === 0) return;
    const calls = [...this.#waiting];
    this.#waiting.clear();
    for (const call of calls) call();
  }
}
