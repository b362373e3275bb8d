// SPDX-License-Identifier: MIT
// Knows: the kinds of channel a state is declared with. They only declare: values live in the engine.
// Must not know: graphs, runs.
import { InvalidUpdateError } from "../errors.js";

/** @typedef {"last" | "binop" | "ephemeral" | "any" | "topic" | "untracked"} ChannelKind */

/** What every declared channel has. */
export class BaseChannel {
  lg_is_channel = true;
  lc_graph_name = "BaseChannel";
  /** @type {(() => any) | undefined} */
  initialValueFactory;

  /** @returns {ChannelKind} how the engine calls it */
  get kind() {
    throw new InvalidUpdateError(`${this.lc_graph_name} does not say which kind of channel it is.`);
  }

  /** What the engine must know beside the kind. @returns {Record<string, unknown>} */
  get options() {
    return {};
  }

  /** Can the same key be declared by both? @param {any} other @returns {boolean} */
  equals(other) {
    return this === other;
  }
}

/** The last value; two writes in one step are an error. */
export class LastValue extends BaseChannel {
  lc_graph_name = "LastValue";

  /** @param {() => any} [initialValueFactory] */
  constructor(initialValueFactory) {
    super();
    this.initialValueFactory = initialValueFactory;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "last";
  }
}

/** The fold of all writes by a reducer. */
export class BinaryOperatorAggregate extends BaseChannel {
  lc_graph_name = "BinaryOperatorAggregate";

  /**
   * @param {(left: any, right: any) => any} operator
   * @param {() => any} [initialValueFactory]
   */
  constructor(operator, initialValueFactory) {
    super();
    this.operator = operator;
    this.initialValueFactory = initialValueFactory;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "binop";
  }

  /** @param {any} other */
  equals(other) {
    return other?.lc_graph_name === this.lc_graph_name && other.operator === this.operator;
  }
}

/** A value that lives for one step. */
export class EphemeralValue extends BaseChannel {
  lc_graph_name = "EphemeralValue";

  /** @param {boolean} [guard] are two writes in one step an error? */
  constructor(guard = true) {
    super();
    this.guard = guard;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "ephemeral";
  }

  get options() {
    return { guard: this.guard };
  }
}

/** The last of any number of writes; empty after a step without one. */
export class AnyValue extends BaseChannel {
  lc_graph_name = "AnyValue";

  /** @returns {ChannelKind} */
  get kind() {
    return "any";
  }
}

/** A list of what was written, of this step or (`accumulate`) of all. */
export class Topic extends BaseChannel {
  lc_graph_name = "Topic";

  /** @param {{ unique?: boolean, accumulate?: boolean }} [fields] */
  constructor(fields) {
    super();
    this.unique = fields?.unique ?? false;
    this.accumulate = fields?.accumulate ?? false;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "topic";
  }

  get options() {
    return { unique: this.unique, accumulate: this.accumulate };
  }
}

/** A value that is never saved. */
export class UntrackedValueChannel extends BaseChannel {
  lc_graph_name = "UntrackedValue";

  /** @param {{ guard?: boolean, initialValueFactory?: () => any }} [fields] */
  constructor(fields) {
    super();
    this.guard = fields?.guard ?? true;
    this.initialValueFactory = fields?.initialValueFactory;
  }

  /** @returns {ChannelKind} */
  get kind() {
    return "untracked";
  }

  get options() {
    return { guard: this.guard };
  }
}

/** @param {any} value @returns {value is BaseChannel} */
export function isChannel(value) {
  return typeof value === "object" && value !== null && value.lg_is_channel === true;
}
