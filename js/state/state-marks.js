// SPDX-License-Identifier: MIT
// Knows: by which marks a StateSchema and its fields are recognised, whichever copy of which
// package made them. Must not know: schemas, channels.

/** @typedef {import("../base/callable.js").Value} Value */

export const STATE_SCHEMA = Symbol.for("langgraph.state.state_schema");

/** @param {Value} value @param {symbol} mark */
export function isMarked(value, mark) {
  return typeof value === "object" && value !== null && value[mark] === true;
}

/** @param {object} target @param {symbol} mark */
export function setMark(target, mark) {
  Object.defineProperty(target, mark, { value: true });
}

/** @param {unknown} value @returns {value is import("./state-schema.js").StateSchema} */
export function isStateSchema(value) {
  return isMarked(value, STATE_SCHEMA);
}
