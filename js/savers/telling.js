// SPDX-License-Identifier: MIT
// Witnesses on their way: one that came after its thread was dropped would speak of a thread that is gone. Knows no store.

export class Telling {
  /** Threads that were dropped and not begun anew. @type {Set<string>} */
  #gone = new Set();
  /** @type {Map<string, Promise<unknown>>} */
  #under = new Map();

  /** @param {string} id @param {() => any} put */
  async tell(id, put) {
    if (this.#gone.has(id)) return;
    const told = (async () => put())();
    this.#under.set(id, told);
    await told.finally(() => this.#under.get(id) === told && this.#under.delete(id));
  }

  /** Before a thread is dropped. @param {string} id */
  async end(id) {
    if (this.#gone.size >= 4096) this.#gone.clear();
    this.#gone.add(id);
    await this.#under.get(id)?.catch(() => {});
  }

  /** Something is appended. @param {string} id */
  begin(id) {
    this.#gone.delete(id);
  }
}
