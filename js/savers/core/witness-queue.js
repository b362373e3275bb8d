// SPDX-License-Identifier: MIT
// Orders witness writes against drops: a write after its thread was dropped would report a deleted
// thread. Does not depend on stores.

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */

/** Maximum number of dropped threads to remember: a late witness write arrives soon after. */
const MOST_GONE = 4096;

export class Telling {
  /**
   * Recently dropped threads; true: records were appended since.
   * @type {Map<string, boolean>}
   */
  #gone = new Map();
  /** @type {Map<string, Promise<unknown>>} */
  #under = new Map();

  /**
   * Writes a witness unless its thread was dropped.
   * @param {string} id
   * @param {LogHead} head to be written
   * @param {() => Promise<LogHead | undefined>} read reads the log's current head
   * @param {() => unknown} put writes the witness
   */
  async tell(id, head, read, put) {
    const isBegun = this.#gone.get(id);
    if (isBegun === false) return;
    const told = (async () => {
      // The dropped log may have had more records than the new one.
      if (isBegun && ((await read())?.seq ?? 0) < head.seq) return;
      await put();
    })();
    this.#under.set(id, told);
    await told.finally(() => this.#under.get(id) === told && this.#under.delete(id));
  }

  /** Marks a thread before it is dropped and waits for its pending write. @param {string} id */
  async end(id) {
    this.#gone.delete(id);
    this.#gone.set(id, false);
    if (this.#gone.size > MOST_GONE)
      this.#gone.delete(/** @type {string} */ (this.#gone.keys().next().value));
    await this.#under.get(id)?.catch(() => {});
  }

  /** Notes that records are appended. @param {string} id */
  begin(id) {
    if (this.#gone.has(id)) this.#gone.set(id, true);
  }
}
