// SPDX-License-Identifier: MIT
// Defines the kinds of channels that declare a state, and how each behaves outside a graph. In a
// graph they are declarations only: the engine stores the values and applies the rules. Does not
// depend on graphs or runs.
import { isOverwrite, overwriteValue } from "../base/constants.js";
import { EmptyChannelError, InvalidUpdateError } from "../base/errors.js";
import { badArgument } from "../base/check-arguments.js";

/** @typedef {import("../base/callable.js").Value} Value */

const CONCURRENT = { lc_error_code: "INVALID_CONCURRENT_GRAPH_UPDATE" };

/** @typedef {import("../types/state/state.js").ChannelKind} ChannelKind */

/** Base of all channels. A user's subclass defines how it is updated, read and saved. */
export class BaseChannel {
  /** For types only. @type {Value} */
  ValueType;
  /** @type {Value} */
  UpdateType;
  lg_is_channel = true;
  lc_graph_name = "BaseChannel";
  /** @type {(() => Value) | undefined} */
  initialValueFactory;

  /** @returns {ChannelKind} the engine's name of it */
  get kind() {
    return "host";
  }

  /** Options for the engine besides the kind. @returns {Record<string, unknown>} */
  get options() {
    return {};
  }

  /** May two schemas declare the same key with these? @param {unknown} other @returns {boolean} */
  equals(other) {
    return this === other;
  }

  /** @returns {Value} */
  get() {
    throw new EmptyChannelError();
  }

  /** @returns {boolean} does it have a value? */
  isAvailable() {
    try {
      this.get();
      return true;
    } catch (error) {
      if (error instanceof Error && error.name === EmptyChannelError.unminifiable_name)
        return false;
      throw error;
    }
  }

  /** @returns {Value} its saved form */
  checkpoint() {
    return this.get();
  }

  /** Called when a task that it triggered was applied. @returns {boolean} did that change it? */
  consume() {
    return false;
  }

  /** Called when the run is about to end. @returns {boolean} did that change it? */
  finish() {
    return false;
  }
}

/** A channel with one value or none. */
class OneValue extends BaseChannel {
  /** @type {Value[]} empty, or one value */
  value = [];

  /** @returns {Value} an empty channel of the same kind */
  _fresh() {
    return new /** @type {any} */ (this.constructor)();
  }

  /**
   * @param {unknown} [checkpoint]
   * @returns {Value} a channel of the same kind with the saved value
   */
  fromCheckpoint(checkpoint) {
    const restored = this._fresh();
    if (checkpoint !== undefined) restored.value = [checkpoint];
    return restored;
  }

  /** @param {unknown[]} values of one step @returns {boolean} did that change it? */
  _take(values) {
    this.value = values.slice(-1);
    return true;
  }

  /** Empties it after a step without writes. @returns {boolean} */
  _pass() {
    const held = this.value.length > 0;
    this.value = [];
    return held;
  }

  get() {
    if (this.value.length === 0) throw new EmptyChannelError();
    return this.value[0];
  }

  isAvailable() {
    return this.value.length > 0;
  }
}

/** @param {string} what @param {unknown} value */
export function checkFunction(what, value) {
  if (typeof value !== "function") throw badArgument(`${what} must be a function`);
}

/** Keeps the last value; two writes in one step are an error. */
export class LastValue extends OneValue {
  lc_graph_name = "LastValue";

  /** @param {() => Value} [initialValueFactory] */
  constructor(initialValueFactory) {
    super();
    if (initialValueFactory !== undefined)
      checkFunction("initialValueFactory of a channel", initialValueFactory);
    this.initialValueFactory = initialValueFactory;
    if (initialValueFactory !== undefined) this.value = [initialValueFactory()];
  }

  _fresh() {
    return new LastValue(this.initialValueFactory);
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "last";
  }

  /** @param {unknown[]} values */
  update(values) {
    if (values.length === 0) return false;
    if (values.length > 1)
      throw new InvalidUpdateError("LastValue can only receive one value per step.", CONCURRENT);
    return this._take(values);
  }
}

/** Folds all writes by a reducer. */
export class BinaryOperatorAggregate extends BaseChannel {
  lc_graph_name = "BinaryOperatorAggregate";

  /**
   * @param {(left: Value, right: Value) => Value} operator
   * @param {() => Value} [initialValueFactory]
   */
  constructor(operator, initialValueFactory) {
    super();
    checkFunction("reducer of a channel", operator);
    if (initialValueFactory !== undefined && initialValueFactory !== null)
      checkFunction("default of a channel", initialValueFactory);
    this.operator = operator;
    this.initialValueFactory = initialValueFactory;
    /** @type {Value} */
    this.value = initialValueFactory?.();
  }

  /** @param {unknown} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new BinaryOperatorAggregate(this.operator, this.initialValueFactory);
    if (checkpoint !== undefined) restored.value = checkpoint;
    return restored;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "binop";
  }

  /** @param {Value} other */
  equals(other) {
    return other?.lc_graph_name === this.lc_graph_name && other.operator === this.operator;
  }

  /** Folds writes; an empty channel takes the first value as it is. @param {unknown[]} values */
  update(values) {
    const isEmpty = this.value === undefined && values.length > 0;
    if (isEmpty) this.value = isOverwrite(values[0]) ? overwriteValue(values[0]) : values[0];
    let overwritten = false;
    for (const value of isEmpty ? values.slice(1) : values) {
      if (isOverwrite(value)) {
        if (overwritten)
          throw new InvalidUpdateError("Can receive only one Overwrite value per step.");
        overwritten = true;
        this.value = overwriteValue(value);
      } else if (!overwritten) {
        this.value = this.operator(this.value, value);
      }
    }
    return values.length > 0;
  }

  get() {
    if (this.value === undefined) throw new EmptyChannelError();
    return this.value;
  }

  isAvailable() {
    return this.value !== undefined;
  }
}

/** Keeps a value for one step. */
export class EphemeralValue extends OneValue {
  lc_graph_name = "EphemeralValue";

  /** @param {boolean} [guard] are two writes in one step an error? */
  constructor(guard = true) {
    super();
    this.guard = guard;
  }

  _fresh() {
    return new EphemeralValue(this.guard);
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "ephemeral";
  }

  get options() {
    return { guard: this.guard };
  }

  /** @param {unknown[]} values */
  update(values) {
    if (values.length === 0) return this._pass();
    if (values.length > 1 && this.guard)
      throw new InvalidUpdateError("EphemeralValue can only receive one value per step.");
    return this._take(values);
  }
}

/** Keeps the last of any number of writes; empty after a step without one. */
export class AnyValue extends OneValue {
  lc_graph_name = "AnyValue";

  /** @returns {ChannelKind} */
  get kind() {
    return "any";
  }

  /** @param {unknown[]} values */
  update(values) {
    return values.length === 0 ? this._pass() : this._take(values);
  }
}

/** Lists the writes of this step or (`accumulate`) of all; `unique`: each value once. */
export class Topic extends BaseChannel {
  lc_graph_name = "Topic";
  /** @type {Set<unknown>} */
  seen = new Set();
  /** @type {unknown[]} */
  values = [];

  /** @param {{ unique?: boolean, accumulate?: boolean }} [fields] */
  constructor(fields) {
    super();
    this.unique = fields?.unique ?? false;
    this.accumulate = fields?.accumulate ?? false;
  }

  /** @param {Value} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new Topic(this);
    if (checkpoint === undefined) return restored;
    const [...saved] = checkpoint;
    // A list of values may also have been saved by a Topic that was not unique.
    const [seen, values] =
      this.unique && saved.length === 2 && saved.every(Array.isArray) ? saved : [saved, saved];
    restored.values = [...values];
    if (this.unique) restored.seen = new Set(seen);
    return restored;
  }

  /** Only the host can compare values, so `unique` needs it. @returns {ChannelKind} */
  get kind() {
    return this.unique ? "host" : "topic";
  }

  get options() {
    return { accumulate: this.accumulate };
  }

  /** @param {unknown[]} values */
  update(values) {
    let changed = !this.accumulate && this.values.length > 0;
    if (!this.accumulate) this.values = [];
    const added = values
      .flat()
      .filter((value) => !this.unique || (!this.seen.has(value) && this.seen.add(value)));
    changed ||= added.length > 0;
    this.values = [...this.values, ...added];
    return changed;
  }

  get() {
    if (this.values.length === 0) throw new EmptyChannelError();
    return this.values;
  }

  checkpoint() {
    return this.unique ? [[...this.seen], this.values] : this.values;
  }

  isAvailable() {
    return this.values.length > 0;
  }
}

/** Keeps a value that is never saved. */
export class UntrackedValueChannel extends OneValue {
  lc_graph_name = "UntrackedValue";

  /** @param {{ guard?: boolean, initialValueFactory?: () => Value }} [fields] */
  constructor(fields) {
    super();
    this.guard = fields?.guard ?? true;
    this.initialValueFactory = fields?.initialValueFactory;
    if (this.initialValueFactory !== undefined) this.value = [this.initialValueFactory()];
  }

  fromCheckpoint() {
    return new UntrackedValueChannel(this);
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "untracked";
  }

  get options() {
    return { guard: this.guard };
  }

  /** @param {unknown[]} values */
  update(values) {
    if (values.length === 0) return false;
    if (values.length > 1 && this.guard) {
      throw new InvalidUpdateError(
        "UntrackedValue(guard=true) can receive only one value per step. Use guard=false if you want to store any one of multiple values.",
        CONCURRENT,
      );
    }
    return this._take(values);
  }

  checkpoint() {
    return undefined;
  }
}

/** @param {Value} value @returns {value is BaseChannel} */
export function isChannel(value) {
  return typeof value === "object" && value !== null && value.lg_is_channel === true;
}
