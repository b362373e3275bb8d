// SPDX-License-Identifier: MIT
// DeltaChannels on a checkpointer made for LangGraph.js: a checkpoint holds a snapshot now and then
// and counts between, and a value is made of the snapshot before and the writes since. Must not
// know the log, records or the engine.
import { deltaChannelsToSnapshot } from "./channel-sets.js";
import { DeltaSnapshot } from "./delta-snapshot.js";
import { isOverwrite } from "../../base/constants.js";
import { deltaHistory } from "./delta-history.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {{ tasks: Set<string>, isOverwritten: boolean }} Writes the writes to one channel that
 *   hang on one checkpoint
 */

/** What runs on one thread share: by checkpoint id. */
export class DeltaNotes {
  /**
   * Updates and checkpoints since the last snapshot, by channel.
   * @type {Map<string, Record<string, [number, number]>>}
   */
  counters = new Map();
  /** @type {Map<string, Map<string, Writes>>} */
  writes = new Map();
}

export class Deltas {
  #channels;
  #notes;

  /**
   * @param {import("../../run/graph.js").EngineGraph} graph
   * @param {DeltaNotes} notes
   * @returns {Deltas | undefined} nothing for a graph without such channels
   */
  static of(graph, notes) {
    const channels = graph.parts.channels.flatMap(({ delta }, at) =>
      delta === undefined ? [] : [/** @type {[string, Value]} */ ([graph.names[at], delta])],
    );
    return channels.length === 0 ? undefined : new Deltas(channels, notes);
  }

  /** @param {[string, Value][]} channels @param {DeltaNotes} notes */
  constructor(channels, notes) {
    this.#channels = new Map(channels);
    this.#notes = notes;
  }

  /**
   * A saver's tuple with whole values.
   * @param {Value} saver
   * @param {Value} tuple
   */
  async whole(saver, tuple) {
    const { checkpoint, config } = tuple;
    const values = { ...checkpoint.channel_values };
    const written = [...this.#channels].filter(
      ([name]) =>
        Object.hasOwn(values, name) || Object.hasOwn(checkpoint.channel_versions ?? {}, name),
    );
    const missing = written.map(([name]) => name).filter((name) => !Object.hasOwn(values, name));
    const asked = { config, channels: missing };
    const history =
      missing.length === 0
        ? {}
        : await (saver.getDeltaChannelHistory?.(asked) ?? deltaHistory(saver, asked));
    for (const [name, channel] of written) {
      const found = history[name];
      const live = channel.fromCheckpoint(found === undefined ? values[name] : found.seed);
      if (found !== undefined) live.replayWrites(found.writes);
      values[name] = live.get();
    }
    return { ...tuple, checkpoint: { ...checkpoint, channel_values: values } };
  }

  /** @param {Value} tuple that the saver gave */
  note({ checkpoint, metadata, pendingWrites }) {
    this.#notes.counters.set(checkpoint.id, metadata?.counters_since_delta_snapshot ?? {});
    for (const [task, channel, value] of pendingWrites ?? [])
      this.noteWrites(checkpoint.id, [[channel, value]], task);
  }

  /**
   * What of a task's writes is stored for a checkpoint. An edit of the past would reach all that
   * followed it, so it is in its own checkpoint only.
   * @param {string} id
   * @param {[string, Value][]} pairs
   * @param {string} task
   * @param {boolean} editsPast
   */
  kept(id, pairs, task, editsPast) {
    if (editsPast) return pairs.filter(([name]) => !this.#channels.has(name));
    this.noteWrites(id, pairs, task);
    return pairs;
  }

  /**
   * @param {string} id of the checkpoint
   * @param {[string, Value][]} pairs that are stored for it
   * @param {string} task
   */
  noteWrites(id, pairs, task) {
    for (const [name, value] of pairs) {
      if (!this.#channels.has(name)) continue;
      let byName = this.#notes.writes.get(id);
      if (byName === undefined) this.#notes.writes.set(id, (byName = new Map()));
      const known = byName.get(name) ?? { tasks: new Set(), isOverwritten: false };
      byName.set(name, {
        tasks: known.tasks.add(task),
        isOverwritten: known.isOverwritten || isOverwrite(value),
      });
    }
  }

  /**
   * Makes of a checkpoint's whole values what LangGraph stores of them.
   * @param {string} id
   * @param {string | undefined} parent
   * @param {Record<string, Value>} values changed in place
   * @param {(name: string) => boolean} isUpdated since the parent
   * @param {boolean} isApart are the parent's writes not, or not only, those that led here?
   * @returns {{ counters: Record<string, [number, number]>, snapshots: string[] }}
   */
  store(id, parent, values, isUpdated, isApart) {
    const before = this.#notes.counters.get(parent ?? "") ?? {};
    /** @type {Record<string, [number, number]>} */
    const counters = {};
    const snapshots = [];
    for (const [name, channel] of this.#channels) {
      const [updates, steps] = before[name] ?? [0, 0];
      const updated = isUpdated(name);
      counters[name] = [updates + (updated ? 1 : 0), steps + 1];
      const written = this.#notes.writes.get(parent ?? "")?.get(name);
      // Of several tasks' writes LangGraph keeps no order.
      const follows = updated
        ? written?.tasks.size === 1 && !written.isOverwritten && !isApart
        : written === undefined;
      const isDue =
        !follows || (updated && deltaChannelsToSnapshot({ [name]: channel }, counters).has(name));
      if (isDue && Object.hasOwn(values, name)) {
        values[name] = new DeltaSnapshot(values[name]);
        snapshots.push(name);
        delete counters[name];
      } else {
        delete values[name];
      }
    }
    this.#notes.counters.set(id, counters);
    return { counters, snapshots };
  }
}
