// SPDX-License-Identifier: MIT
// Defines a channel whose reducer takes all writes of a step at once, and the messages reducer in
// that form. Does not depend on graphs or runs.
import { coerceMessageLikeToMessage, wholeMessage } from "../messages/coerce.js";
import { REMOVE_ALL_MESSAGES } from "../messages/index.js";
import { isOverwrite, overwriteValue } from "../base/constants.js";
import { EmptyChannelError, InvalidUpdateError } from "../base/errors.js";
import { checkArgument } from "../base/check-arguments.js";
import { BaseChannel, checkFunction } from "./channels.js";

/** @typedef {import("../base/callable.js").Value} Value */

const SNAPSHOT_FREQUENCY = 100;

/** Folds all writes of a step at once. */
export class DeltaChannel extends BaseChannel {
  lc_graph_name = "DeltaChannel";
  /** @type {Value} */
  value = undefined;

  /**
   * @param {(state: Value, writes: Value[]) => Value} reducer
   * @param {{ snapshotFrequency?: number, initialValueFactory?: () => Value }} [options]
   */
  constructor(reducer, options) {
    super();
    const { snapshotFrequency = SNAPSHOT_FREQUENCY, initialValueFactory = () => [] } =
      options ?? {};
    checkFunction("the reducer of a DeltaChannel", reducer);
    checkFunction("initialValueFactory of a DeltaChannel", initialValueFactory);
    if (!Number.isInteger(snapshotFrequency) || snapshotFrequency <= 0) {
      throw new Error(`snapshotFrequency must be a positive integer, got ${snapshotFrequency}`);
    }
    this.reducer = reducer;
    this.snapshotFrequency = snapshotFrequency;
    this.initialValueFactory = initialValueFactory;
  }

  /** @returns {import("./channels.js").ChannelKind} */
  get kind() {
    return "binop";
  }

  /** Folds a single write. */
  get operator() {
    return (/** @type {unknown} */ left, /** @type {unknown} */ right) =>
      this.reducer(left, [right]);
  }

  /** Folds all writes of a step. */
  get fold() {
    return this.reducer;
  }

  /** @param {Value} other */
  equals(other) {
    return (
      other?.lc_graph_name === this.lc_graph_name &&
      other.reducer === this.reducer &&
      other.snapshotFrequency === this.snapshotFrequency
    );
  }

  /** @param {Value} [checkpoint] a value, or a snapshot of one */
  fromCheckpoint(checkpoint) {
    const restored = new DeltaChannel(this.reducer, this);
    restored.value =
      checkpoint === undefined
        ? this.initialValueFactory()
        : checkpoint?.lg_name === "DeltaSnapshot"
          ? checkpoint.value
          : checkpoint;
    return restored;
  }

  /** @param {Value} value an Overwrite */
  #replaced(value) {
    return overwriteValue(value) ?? this.initialValueFactory();
  }

  /**
   * Applies the writes after a checkpoint, from the last Overwrite on.
   * @param {Array<[string, string, unknown]>} writes task, channel, value
   */
  replayWrites(writes) {
    const values = writes.map(([, , value]) => value);
    const last = values.findLastIndex(isOverwrite);
    if (last >= 0) this.value = this.#replaced(values[last]);
    const rest = values.slice(last + 1);
    if (rest.length > 0) this.value = this.reducer(this.value, rest);
  }

  /** @param {unknown[]} values */
  update(values) {
    if (values.length === 0) return false;
    const overwrites = values.filter(isOverwrite);
    if (overwrites.length > 1)
      throw new InvalidUpdateError("Can receive only one Overwrite value per step.");
    if (overwrites.length === 1) this.value = this.#replaced(overwrites[0]);
    else
      this.value = this.reducer(
        this.value === undefined ? this.initialValueFactory() : this.value,
        values,
      );
    return true;
  }

  get() {
    if (this.value === undefined) throw new EmptyChannelError();
    return this.value;
  }

  checkpoint() {
    return undefined;
  }

  isAvailable() {
    return this.value !== undefined;
  }
}

/** @param {Value} channel @returns {boolean} */
export function isDeltaChannel(channel) {
  return channel?.lc_graph_name === "DeltaChannel";
}

/**
 * Joins messages at once: replaces by id, removes by RemoveMessage (an unknown id is no error),
 * else appends.
 * @param {Value[]} state
 * @param {Value[]} writes messages or lists of them
 * @returns {Value[]}
 */
export function messagesDeltaReducer(state, writes) {
  checkArgument(
    Array.isArray(state) && Array.isArray(writes),
    "messagesDeltaReducer(state, writes): both must be lists",
  );
  /** @type {unknown[]} */
  const joined = [];
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const message of [
    ...state.map(coerceMessageLikeToMessage),
    ...writes.flat().map(wholeMessage),
  ]) {
    const { id } = message;
    const place = id === undefined || id === null ? undefined : places.get(id);
    const isRemoval = (message.type ?? message.getType?.()) === "remove";
    if (isRemoval && id === REMOVE_ALL_MESSAGES) {
      joined.length = 0;
      places.clear();
    } else if (isRemoval) {
      if (place !== undefined) joined[place] = undefined;
      places.delete(/** @type {string} */ (id));
    } else if (place !== undefined) {
      joined[place] = message;
    } else {
      const at = joined.push(message) - 1;
      if (id !== undefined && id !== null) places.set(id, at);
    }
  }
  return joined.filter((message) => message !== undefined);
}
