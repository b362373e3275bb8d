// SPDX-License-Identifier: MIT
// Knows: how a run is asked to give way. Must not know: runs, which look at it between their steps.

/**
 * Of one run: a request to stop before its next step, so that it can go on later from its
 * checkpoint.
 */
export class RunControl {
  #requested = false;
  /** @type {string | undefined} */
  #reason;

  /** @param {string} [reason] for the GraphDrained that the run ends with */
  requestDrain(reason = "shutdown") {
    this.#requested = true;
    this.#reason = reason;
  }

  get drainRequested() {
    return this.#requested;
  }

  get drainReason() {
    return this.#reason;
  }
}
