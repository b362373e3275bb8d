// SPDX-License-Identifier: MIT
// The two signals of a run: the caller's, which gives it up, and the one that its nodes see. Owns
// the latter's controller. Must not know the engine.
import { abortError } from "./failures.js";

/** @typedef {import("../../base/callable.js").Value} Value */

export class Signalled {
  /** @type {AbortController | undefined} */
  #controller;
  /** The caller's. @type {AbortSignal | undefined} */
  #given;
  /** @type {Value} */
  #onAbort;
  isCancelled = false;
  /** The error that belongs to no task. @type {unknown} */
  hostError;

  /** Aborted when the step is given up, and at once with the caller's. */
  get signal() {
    this.#controller ??= new AbortController();
    if (this.isCancelled || this.#given?.aborted) this.#tell();
    return this.#controller.signal;
  }

  #tell() {
    this.#controller?.abort(this.#given?.aborted ? this.#given.reason : this.hostError);
  }

  /** Tells the tasks that still run that nobody waits for them. */
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
