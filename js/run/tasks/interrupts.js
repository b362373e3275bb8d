// SPDX-License-Identifier: MIT
// Converts interrupts to the engine's form, an id and one value, and back. An interrupt with more
// fields (a response schema, an id of another kind) becomes a value as a whole, under a mark.
import { GraphInterrupt } from "../../base/errors.js";

const WHOLE = "__weft_interrupt__";
const ID = /^[0-9a-f]{32}$/;

/** @typedef {{ id?: string, value?: unknown, response_schema?: Record<string,
 *   any> }} Interrupt */

/** @param {Interrupt} interrupt @returns {unknown} the value stored beside its id */
export function packInterrupt(interrupt) {
  const isPlain = Object.keys(interrupt).every(
    (key) => key === "value" || (key === "id" && ID.test(String(interrupt.id))),
  );
  return isPlain ? interrupt.value : { [WHOLE]: interrupt };
}

/**
 * @param {string} id hex; zeros if there is none
 * @param {unknown} value
 * @returns {Interrupt}
 */
export function unpackInterrupt(id, value) {
  if (typeof value === "object" && value !== null && WHOLE in value)
    return /** @type {Interrupt} */ (value[WHOLE]);
  return /^0+$/.test(id) ? { value } : { id, value };
}

/**
 * Throws a subgraph's interrupts as the parent task's.
 * @param {import("../start.js").RunResult} result
 */
export function throwQuestions(result) {
  if (result.interrupted) throw new GraphInterrupt(result.interrupts);
  return result;
}
