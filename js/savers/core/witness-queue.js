// SPDX-License-Identifier: MIT
// Witnesses on their way: one that came after its thread was dropped would speak of a thread that
// is gone. Knows no store.

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */

/** Threads that were dropped: what is told of one late comes soon. */
const MOST_GONE = 4096;

export class Telling {
  /**
   * The threads that were dropped last; true: something was appended since.
   * @type {Map<string, boolean>}
   */
  #gone = new Map();
  /** @type {Map<string, Promise<unknown>>} */
  #under = new Map();

  /**
   * @param {string} id
   * @param {LogHead} head what is to be told
   * @param {() => Promise<LogHead | undefined>} read the log's head now
   * @param {() => unknown} put
   */
  async tell(id, head, read, put) {
    const isBegun = this.#gone.get(id);
    if (isBegun === false) return;
    const told = (async () => {
      // The log that was dropped may have had more records than the one that was begun since.
      if (isBegun && ((await read())?.seq ?? 0) < head.seq) return;
      await put();
    })();
    this.#under.set(id, told);
    await told.finally(() => this.#under.get(id) === told && this.#under.delete(id));
  }

  /** Before a thread is dropped. @param {string} id */
  async end(id) {
    this.#gone.delete(id);
    this.#gone.set(id, false);
    if (this.#gone.size > MOST_GONE)
      this.#gone.delete(/** @type {string} */ (this.#gone.keys().next().value));
    await this.#under.get(id)?.catch(() => {});
  }

  /** Something is appended. @param {string} id */
  begin(id) {
    if (this.#gone.has(id)) this.#gone.set(id, true);
  }
}
