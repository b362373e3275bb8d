// SPDX-License-Identifier: MIT
// Owns whether the server answers, as the last request tells. Must not know: what was asked for.

/** How long after a request that was not answered the server is asked again, in ms. */
export const RETRY_MS = 2000;

/**
 * `refused`: the server does not know who asks.
 * @typedef {"open" | "down" | "refused"} LineState
 */

export class Line {
  /** @type {LineState} */
  state = "open";
  /** Is called each time the state becomes another one. */
  changed = () => {};
  #url;

  /** @param {string} url of the server */
  constructor(url) {
    this.#url = url;
  }

  /** @param {LineState} state */
  become(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed();
  }

  /** What a person is told; undefined: the server answers. @returns {string | undefined} */
  get trouble() {
    if (this.state === "down")
      return `The server does not answer: ${this.#url}. Is it running, and may this page ask it? It is asked again every ${RETRY_MS / 1000} seconds, and the page goes on when it is back.`;
    if (this.state === "refused")
      return "The server does not know this page: its token is missing, or has changed since. Open the address that the command prints, which has the token, or give the page's headers the new one.";
    return undefined;
  }
}
