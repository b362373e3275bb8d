// SPDX-License-Identifier: MIT
// Defines the common base of a StateSchema's reduced fields, and the mark of an unsaved field. Does
// not depend on schemas.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { isMarked } from "./state-marks.js";

export const UNTRACKED = Symbol.for("langgraph.state.untracked_value");

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./standard-schema.js").StandardSchema} StandardSchema */

/** @param {unknown} value @returns {value is import("./state-schema.js").UntrackedValue} */
export function isUntracked(value) {
  return isMarked(value, UNTRACKED);
}

/**
 * A field with a reducer of any kind: stored values have one schema, writes may have another. A
 * subclass defines its channel.
 */
export class FoldedValue {
  /**
   * @param {StandardSchema} valueSchema
   * @param {{ reducer: (left: unknown, right: Value) => unknown, inputSchema?: StandardSchema,
   *   jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    checkArgument(isObject(init), "a field with a reducer: init must be an object, as { reducer }");
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
