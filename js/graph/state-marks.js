// SPDX-License-Identifier: MIT
// Knows: by which marks a StateSchema and its fields are recognised, whichever copy of which package made them, and what
// fields with a reducer have in common. Must not know: schemas, channels.

export const STATE_SCHEMA = Symbol.for("langgraph.state.state_schema");
export const UNTRACKED = Symbol.for("langgraph.state.untracked_value");

/** @typedef {import("./standard-schema.js").StandardSchema} StandardSchema */

/** @param {any} value @param {symbol} mark */
export function isMarked(value, mark) {
  return typeof value === "object" && value !== null && value[mark] === true;
}

/** @param {object} target @param {symbol} mark */
export function setMark(target, mark) {
  Object.defineProperty(target, mark, { value: true });
}

/** @param {any} value @returns {value is import("./state-schema.js").UntrackedValue} */
export function isUntracked(value) {
  return isMarked(value, UNTRACKED);
}

/** @param {any} value @returns {value is import("./state-schema.js").StateSchema} */
export function isStateSchema(value) {
  return isMarked(value, STATE_SCHEMA);
}

/**
 * A field with a reducer of any kind: what is kept has one schema, what is written may have another. A subclass says
 * which channel it is.
 */
export class FoldedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: any, right: any) => any, inputSchema?: StandardSchema, jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    const { reducer, inputSchema, jsonSchemaExtra } = init;
    this.valueSchema = valueSchema;
    this.inputSchema = inputSchema ?? valueSchema;
    this.reducer = reducer;
    this.jsonSchemaExtra = jsonSchemaExtra;
  }

  /** @returns {import("./channels.js").BaseChannel} */
  get channel() {
    throw new TypeError("no channel");
  }
}
