// SPDX-License-Identifier: MIT
// Tells that something has changed, and why what was asked for failed. Must not know: what is
// asked.
import { RequestError } from "./server/client.js";

export class Asking extends EventTarget {
  /** Why the last thing that was asked for failed. @type {string | undefined} */
  problem = undefined;
  #isTold = false;
  #client;

  /** @param {import("./server/client.js").Client} client */
  constructor(client) {
    super();
    this.#client = client;
  }

  /** Why the server cannot be asked; undefined: it answers. */
  get trouble() {
    return this.#client.line.trouble;
  }

  /** @param {() => Promise<unknown>} work whose failure is shown */
  async attempt(work) {
    try {
      this.problem = undefined;
      await work();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.problem = await this.explain(error).catch(() => error.message);
    }
    this.tell();
  }

  /**
   * @param {RequestError} error
   * @returns {Promise<string | undefined>} what a person is told; nothing: it is told elsewhere
   */
  async explain({ message }) {
    return message;
  }

  /** Events come faster than anybody can see. */
  tell() {
    if (this.#isTold) return;
    this.#isTold = true;
    queueMicrotask(() => {
      this.#isTold = false;
      this.dispatchEvent(new Event("change"));
    });
  }
}
