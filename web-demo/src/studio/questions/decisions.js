// SPDX-License-Identifier: MIT
// Keeps the record of what people decided about calls of a thread, as the thread's log has it: it
// outlives the page. Must not know: where it is asked for, how it is shown.

/**
 * A decision, as the server tells it.
 * @typedef {{ type: string, by?: string, tool_call_id: string, answer: any }} Decision
 */

/** Keeps the records of threads, and reads them again when a thread has changed. */
export class Decided {
  /** @type {Map<string, { version: string | undefined, list: Decision[] }>} */
  #threads = new Map();
  #read;
  #changed;

  /** @param {(thread: string) => Promise<Decision[]>} read @param {() => void} changed */
  constructor(read, changed) {
    this.#read = read;
    this.#changed = changed;
  }

  /**
   * @param {string} thread
   * @param {string | undefined} version of the thread: for another one it is read again; undefined:
   *   it changes, and is read later
   * @returns {Decision[]} as far as it was read
   */
  of(thread, version) {
    const known = this.#threads.get(thread);
    if (known !== undefined && version === undefined) known.version = undefined;
    if (thread === "" || known?.version === version) return known?.list ?? [];
    const record = { version, list: known?.list ?? [] };
    this.#threads.set(thread, record);
    this.#read(thread).then(
      (list) => {
        record.list = list;
        this.#changed();
      },
      // A server of another make has no record.
      () => {},
    );
    return record.list;
  }
}
