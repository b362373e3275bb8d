// SPDX-License-Identifier: MIT
// Interrupts as values of the engine: it keeps an id and one value for each. What says more (the
// schema of its answer, an id of another kind) travels whole, under a mark. Owns nothing.
import { GraphInterrupt } from "../../base/errors.js";

/** @typedef {import("../../base/callable.js").Value} Value */

const WHOLE = "__weft_interrupt__";
const ID = /^[0-9a-f]{32}$/;

/** @typedef {{ id?: string, value?: unknown, response_schema?: unknown }} Interrupt */

/** @param {Interrupt} interrupt @returns {unknown} the value that stands for it beside its id */
export function packInterrupt(interrupt) {
  const isPlain = Object.keys(interrupt).every(
    (key) => key === "value" || (key === "id" && ID.test(/** @type {Value} */ (interrupt.id))),
  );
  return isPlain ? interrupt.value : { [WHOLE]: interrupt };
}

/**
 * @param {string} id hex; zeros when there is none
 * @param {unknown} value
 * @returns {Value} the interrupt
 */
export function unpackInterrupt(id, value) {
  if (typeof value === "object" && value !== null && WHOLE in value) return value[WHOLE];
  return /^0+$/.test(id) ? { value } : { id, value };
}

/** Inside a task a question is the task's. @param {import("../start.js").RunResult} result */
export function throwQuestions(result) {
  if (result.interrupted) throw new GraphInterrupt(result.interrupts);
  return result;
}
