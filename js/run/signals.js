// SPDX-License-Identifier: MIT
// The two signals of a run: the caller's, which gives it up, and the one that its nodes see. Owns the latter's controller.
// Must not know the engine.
import { abortError } from "./failures.js";

export class Signalled {
  /** @type {AbortController | undefined} */
  #controller;
  /** Why it was aborted, for its nodes. @type {unknown} */
  #reason;
  /** @type {(() => void) | undefined} */
  #onAbort;
  isCancelled = false;
  /** The error that belongs to no task. @type {unknown} */
  hostError;

  /** Aborted when the step is given up. */
  get signal() {
    this.#controller ??= new AbortController();
    if (this.isCancelled) this.cancel();
    return this.#controller.signal;
  }

  /** Tells the tasks that still run that nobody waits for them. */
  cancel() {
    this.isCancelled = true;
    this.#controller?.abort(this.#reason ?? this.hostError);
  }

  /** @param {AbortSignal} signal the caller's @param {(error: unknown) => void} abort */
  watch(signal, abort) {
    this.#onAbort = () => {
      this.#reason = signal.reason;
      abort(abortError(signal.reason));
    };
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** @param {AbortSignal | undefined} signal the caller's, if it has one */
  unwatch(signal) {
    signal?.removeEventListener("abort", /** @type {() => void} */ (this.#onAbort));
  }
}
