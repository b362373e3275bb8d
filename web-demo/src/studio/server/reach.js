// SPDX-License-Identifier: MIT
// Keeps what is known of a server fresh while the page is looked at: asks again and again, sooner
// where it does not answer. Must not know: what is asked.
import { RETRY_MS } from "./line.js";

/** Between two looks at a server that answers, in ms. */
const LOOK_MS = 4000;

/**
 * `lost`: the server does not answer any more; `back`: it answers again; `look`: asks it.
 * @typedef {{ lost: () => void, back: () => void, look: () => Promise<unknown> }} Told
 */

export class Reach {
  #line;
  #told;
  #closing = new AbortController();

  /** @param {import("./line.js").Line} line @param {Told} told */
  constructor(line, told) {
    this.#line = line;
    this.#told = told;
    line.changed = () => {
      if (this.#closing.signal.aborted) return;
      if (line.state === "open") told.back();
      else told.lost();
    };
  }

  /** Asks until it is closed. */
  async begin() {
    const { signal } = this.#closing;
    for (;;) {
      const ms = this.#line.state === "open" ? LOOK_MS : RETRY_MS;
      await new Promise((resolve) => setTimeout(resolve, ms));
      await untilSeen(signal);
      if (signal.aborted) return;
      await this.#told.look();
    }
  }

  close() {
    this.#closing.abort();
  }
}

/** @param {AbortSignal} signal @returns {Promise<void>} the page is in front, or it was aborted */
async function untilSeen(signal) {
  while (document.visibilityState === "hidden" && !signal.aborted)
    await new Promise((resolve) => {
      const heard = new AbortController();
      const go = () => {
        heard.abort();
        resolve(undefined);
      };
      document.addEventListener("visibilitychange", go, heard);
      signal.addEventListener("abort", go, heard);
    });
}
