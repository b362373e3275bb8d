// SPDX-License-Identifier: MIT
// Defines the field of a StateSchema whose reducer takes all writes of a step at once, and that of
// a conversation.
import { DeltaChannel, messagesDeltaReducer } from "./delta.js";
import { FoldedValue } from "./state-fields.js";
import { MESSAGES_FIELD } from "./state-schema.js";
import { schemaDefault } from "./standard-schema.js";

/** @typedef {import("../base/callable.js").Value} Value */

const DELTA = Symbol.for("langgraph.state.delta_value");

export class DeltaValue extends FoldedValue {
  /**
   * @param {Value} valueSchema
   * @param {{ reducer: (value: Value, writes: unknown[]) => unknown, inputSchema?: Value,
   *   snapshotFrequency?: number, jsonSchemaExtra?: Record<string, unknown> }} init
   */
  constructor(valueSchema, init) {
    super(valueSchema, init);
    this.snapshotFrequency = init.snapshotFrequency;
    Object.defineProperty(this, DELTA, { value: true });
  }

  get channel() {
    return new DeltaChannel(this.reducer, {
      snapshotFrequency: this.snapshotFrequency,
      initialValueFactory: schemaDefault(this.valueSchema),
    });
  }

  /** @param {Value} value @returns {value is DeltaValue} */
  static isInstance(value) {
    return typeof value === "object" && value !== null && value[DELTA] === true;
  }
}

/** Field of a conversation, as a DeltaValue. */
export const MessagesDeltaValue = /* @__PURE__ */ new DeltaValue(MESSAGES_FIELD.valueSchema, {
  ...MESSAGES_FIELD,
  reducer: messagesDeltaReducer,
});
