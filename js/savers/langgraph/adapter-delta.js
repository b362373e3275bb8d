// SPDX-License-Identifier: MIT
// Handles DeltaChannels on a checkpointer made for LangGraph.js: a checkpoint has a snapshot now
// and then and counters in between; a value is restored from the last snapshot and the writes
// since. Does not depend on the log, records or the engine.
import { deltaChannelsToSnapshot } from "./channel-sets.js";
import { DeltaSnapshot } from "./delta-snapshot.js";
import { isOverwrite } from "../../base/constants.js";
import { deltaHistory } from "./delta-history.js";

/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../../state/delta.js").DeltaChannel} DeltaChannel */
/**
 * @typedef {{ tasks: Set<string>, isOverwritten: boolean }} Writes the writes to one channel that
 *   are stored on one checkpoint
 */

/** Data shared by the runs on one thread, by checkpoint id. */
export class DeltaNotes {
  /**
   * Number of updates and checkpoints since the last snapshot, by channel.
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
   * Creates the handler.
   * @param {import("../../run/graph.js").EngineGraph} graph
   * @param {DeltaNotes} notes
   * @returns {Deltas | undefined} undefined for a graph without such channels
   */
  static of(graph, notes) {
    const channels = graph.parts.channels.flatMap(({ delta }, at) =>
      delta === undefined ? [] : [/** @type {[string, DeltaChannel]} */ ([graph.names[at], delta])],
    );
    return channels.length === 0 ? undefined : new Deltas(channels, notes);
  }

  /** @param {[string, DeltaChannel][]} channels @param {DeltaNotes} notes */
  constructor(channels, notes) {
    this.#channels = new Map(channels);
    this.#notes = notes;
  }

  /**
   * Restores the whole values in a saver's tuple.
   * @param {SaverLike} saver
   * @param {CheckpointTuple} tuple
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

  /** Notes a tuple's counters and writes. @param {CheckpointTuple} tuple that the saver gave */
  note({ checkpoint, metadata, pendingWrites }) {
    this.#notes.counters.set(
      checkpoint.id,
      /** @type {Record<string, [number, number]>} */ (
        metadata?.counters_since_delta_snapshot ?? {}
      ),
    );
    for (const [task, channel, value] of pendingWrites ?? [])
      this.noteWrites(checkpoint.id, [[channel, value]], task);
  }

  /**
   * Selects a task's writes to store on a checkpoint. An edit of an old checkpoint would reach all
   * its followers, so its writes are stored in the new checkpoint only.
   * @param {string} id
   * @param {[string, unknown][]} pairs
   * @param {string} task
   * @param {boolean} editsPast
   */
  kept(id, pairs, task, editsPast) {
    if (editsPast) return pairs.filter(([name]) => !this.#channels.has(name));
    this.noteWrites(id, pairs, task);
    return pairs;
  }

  /**
   * Notes writes to DeltaChannels.
   * @param {string} id of the checkpoint
   * @param {[string, unknown][]} pairs writes that are stored on it
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
   * Replaces the whole values of a checkpoint by the form that LangGraph stores.
   * @param {string} id
   * @param {string | undefined} parent
   * @param {Record<string, unknown>} values changed in place
   * @param {(name: string) => boolean} isUpdated whether the channel changed since the parent
   * @param {boolean} isApart whether the writes stored on the parent may differ from those that led
   *   here
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
      // LangGraph does not keep the order of several tasks' writes.
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
