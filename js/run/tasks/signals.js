// SPDX-License-Identifier: MIT
// Connects a run's two signals: the caller's, which gives up the run, and the one of its nodes.
// Owns the latter's controller. Does not depend on the engine.
import { abortError } from "./failures.js";

export class Signalled {
  /** @type {AbortController | undefined} */
  #controller;
  /** The caller's signal. @type {AbortSignal | undefined} */
  #given;
  /** @type {() => void} */
  #onAbort = /** @type {never} */ (undefined);
  isCancelled = false;
  /** An error that belongs to no task. @type {unknown} */
  hostError;

  /** The nodes' signal: aborted when the step is given up, and together with the caller's. */
  get signal() {
    this.#controller ??= new AbortController();
    if (this.isCancelled || this.#given?.aborted) this.#tell();
    return this.#controller.signal;
  }

  #tell() {
    this.#controller?.abort(this.#given?.aborted ? this.#given.reason : this.hostError);
  }

  /** Notifies running tasks that their results are no longer needed. */
  cancel() {
    this.isCancelled = true;
    this.#tell();
  }

  /** @param {AbortSignal} signal the caller's @param {(error: unknown) => void} abort */
  watch(signal, abort) {
    this.#given = signal;
    this.#onAbort = () => {
      this.#tell();
      abort(abortError(signal.reason));
    };
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener("abort", this.#onAbort);
  }

  unwatch() {
    this.#given?.removeEventListener("abort", this.#onAbort);
  }
}
