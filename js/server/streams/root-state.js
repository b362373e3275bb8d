// SPDX-License-Identifier: MIT
// Keeps what the thread's own graph has come to in a run: its state, and the questions that it
// stopped at. Does not depend on events.
import { isRecord } from "../../base/check-arguments.js";
import { INTERRUPT } from "../../base/constants.js";
import { PartialMessages } from "./partial-messages.js";

/** @typedef {import("../http/fields.js").Json} Json */

export class RootState {
  /** Without questions. @type {Json | undefined} */
  values;
  /** With all questions; what a workflow returns may be anything. @type {Json | undefined} */
  result;
  partial = new PartialMessages();
  /** Empty at a breakpoint. @type {unknown[] | undefined} */
  #asked;

  /**
   * @param {unknown} payload of the stream mode `values`
   * @returns {unknown} what its readers see of it
   */
  take(payload) {
    if (!isRecord(payload)) return (this.result = /** @type {Json} */ (payload));
    const { [INTERRUPT]: questions, ...own } = payload;
    // The question comes without the state that it waits in.
    if (questions === undefined || Object.keys(own).length > 0) this.values = own;
    this.partial.settle(own);
    // Each task that asks is told of alone, and the state of the others may come behind.
    if (questions !== undefined) this.#asked = [this.#asked ?? [], questions].flat();
    this.result = this.#asked ? { ...this.values, [INTERRUPT]: this.#asked } : own;
    return questions === undefined ? own : this.result;
  }
}
