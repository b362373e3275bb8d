// SPDX-License-Identifier: MIT
// Defines the marks that identify a StateSchema and its fields, from any copy of any package. Does
// not depend on schemas or channels.

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
