// SPDX-License-Identifier: MIT
// Lets a caller ask a run to stop. Does not depend on runs, which read the request between steps.

/**
 * Requests one run to stop before its next step, so that it can resume from its checkpoint later.
 */
export class RunControl {
  #requested = false;
  /** @type {string | undefined} */
  #reason;

  /** @param {string} [reason] for the GraphDrained error that ends the run */
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
