// SPDX-License-Identifier: MIT
// Defines channels that wait: for a set of names, or for the end of the run. Does not depend on
// graphs or runs.
import { EmptyChannelError, InvalidUpdateError } from "../base/errors.js";
import { BaseChannel } from "./channels.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** Becomes available when every name was written; after it was consumed it waits again. */
export class NamedBarrierValue extends BaseChannel {
  lc_graph_name = "NamedBarrierValue";
  /** @type {Set<Value>} */
  seen = new Set();

  /** @param {Set<Value>} names */
  constructor(names) {
    super();
    this.names = names;
  }

  /** @param {Value} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new NamedBarrierValue(this.names);
    if (checkpoint !== undefined) restored.seen = new Set(checkpoint);
    return restored;
  }

  /** @param {unknown[]} values */
  update(values) {
    const { size } = this.seen;
    for (const name of values) {
      if (!this.names.has(name))
        throw new InvalidUpdateError(
          `Value ${JSON.stringify(name)} not in names ${JSON.stringify(this.names)}`,
        );
      this.seen.add(name);
    }
    return this.seen.size > size;
  }

  get hasAll() {
    return this.seen.size === this.names.size;
  }

  get() {
    if (!this.isAvailable()) throw new EmptyChannelError();
    return undefined;
  }

  /** @returns {unknown} */
  checkpoint() {
    return [...this.seen];
  }

  consume() {
    if (!this.isAvailable()) return false;
    this.seen = new Set();
    return true;
  }

  isAvailable() {
    return this.hasAll;
  }
}

/** Becomes available only at the end of the run, if every name was written. */
export class NamedBarrierValueAfterFinish extends NamedBarrierValue {
  lc_graph_name = "NamedBarrierValueAfterFinish";
  finished = false;

  /** @param {Value} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new NamedBarrierValueAfterFinish(this.names);
    if (checkpoint === undefined) return restored;
    const [seen, finished] = checkpoint;
    restored.seen = new Set(seen);
    restored.finished = finished;
    return restored;
  }

  /** @returns {unknown} */
  checkpoint() {
    return [[...this.seen], this.finished];
  }

  consume() {
    const consumed = super.consume();
    if (consumed) this.finished = false;
    return consumed;
  }

  finish() {
    const finishes = !this.finished && this.hasAll;
    this.finished ||= finishes;
    return finishes;
  }

  isAvailable() {
    return this.finished && this.hasAll;
  }
}

/** Becomes available at the end of the run, with the last value. */
export class LastValueAfterFinish extends BaseChannel {
  lc_graph_name = "LastValueAfterFinish";
  /** @type {Value[]} empty, or one value */
  value = [];
  finished = false;

  /** @returns {import("./channels.js").ChannelKind} */
  get kind() {
    return "finish";
  }

  /** @param {Value} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new LastValueAfterFinish();
    if (checkpoint === undefined) return restored;
    const [value, finished] = checkpoint;
    restored.value = [value];
    restored.finished = finished;
    return restored;
  }

  /** @param {unknown[]} values */
  update(values) {
    if (values.length === 0) return false;
    this.finished = false;
    this.value = values.slice(-1);
    return true;
  }

  get() {
    if (!this.isAvailable()) throw new EmptyChannelError();
    return this.value[0];
  }

  /** @returns {Value} */
  checkpoint() {
    return this.value.length === 0 ? undefined : [this.value[0], this.finished];
  }

  consume() {
    if (!this.finished) return false;
    this.finished = false;
    this.value = [];
    return true;
  }

  finish() {
    if (this.finished || this.value.length === 0) return false;
    this.finished = true;
    return true;
  }

  isAvailable() {
    return this.finished && this.value.length > 0;
  }
}

/** Waits for the names that a write `{ __names }` lists; earlier names do not count. */
export class DynamicBarrierValue extends BaseChannel {
  lc_graph_name = "DynamicBarrierValue";
  /** @type {Set<Value> | undefined} */
  names = undefined;
  /** @type {Set<Value>} */
  seen = new Set();

  /** @param {Value} [checkpoint] */
  fromCheckpoint(checkpoint) {
    const restored = new DynamicBarrierValue();
    if (checkpoint === undefined) return restored;
    restored.names = new Set(checkpoint[0]);
    restored.seen = new Set(checkpoint[1]);
    return restored;
  }

  /** @param {Value[]} values */
  update(values) {
    const waits = values.filter((value) => value.__names !== undefined);
    if (waits.length > 1)
      throw new InvalidUpdateError("Received multiple WaitForNames updates in the same step.");
    if (waits.length === 1) {
      this.names = new Set(waits[0].__names);
      return true;
    }
    if (this.names === undefined) return false;
    const { size } = this.seen;
    for (const name of values) if (this.names.has(name)) this.seen.add(name);
    return this.seen.size > size;
  }

  get() {
    if (!this.isAvailable()) throw new EmptyChannelError();
    return undefined;
  }

  /** @returns {unknown} */
  checkpoint() {
    return [this.names === undefined ? undefined : [...this.names], [...this.seen]];
  }

  consume() {
    if (!this.isAvailable()) return false;
    this.names = undefined;
    this.seen = new Set();
    return true;
  }

  isAvailable() {
    return this.names !== undefined && this.seen.size === this.names.size;
  }
}
