// SPDX-License-Identifier: MIT
// Converts a set of channels to a checkpoint and back, outside of a graph. Does not depend on runs.
import { checkArgument, hasText, isObject } from "../../base/check-arguments.js";
import { uuid6 } from "../core/checkpoints.js";
import { DeltaSnapshot } from "./delta-snapshot.js";
import { isDeltaChannel } from "../../state/delta.js";

/** @typedef {import("../../state/channels.js").BaseChannel} BaseChannel */
/** @typedef {import("../../state/delta.js").DeltaChannel} DeltaChannel */
/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */

const MAX_STEPS = 5000;

/** @typedef {Pick<BaseChannel, "checkpoint" | "get" | "isAvailable">} ChannelLike */
/** @typedef {ChannelLike & { fromCheckpoint(value: unknown): ChannelLike }} Restorable */

/** @param {unknown} channels */
function checkChannels(channels) {
  checkArgument(
    isObject(channels) &&
      Object.values(
        /** @type {Record<string, { fromCheckpoint?: unknown } | undefined>} */ (channels),
      ).every((channel) => typeof channel?.fromCheckpoint === "function"),
    "channels must be an object of channels by name",
  );
}

/**
 * Restores the channels from a checkpoint.
 * @template {Record<string, ChannelLike>} Channels
 * @param {Channels} channels
 * @param {{ channel_values: Record<string, unknown> }} checkpoint
 * @returns {Channels}
 */
export function empty(channels, checkpoint) {
  checkChannels(channels);
  checkArgument(
    isObject(checkpoint?.channel_values),
    "checkpoint must be a checkpoint, with channel_values",
  );
  return /** @type {Channels} */ (
    Object.fromEntries(
      Object.entries(channels).map(([name, channel]) => [
        name,
        /** @type {Restorable} */ (channel).fromCheckpoint(checkpoint.channel_values[name]),
      ]),
    )
  );
}

/**
 * Restores the channels asynchronously, as LangGraph's function does.
 * @param {Record<string, ChannelLike>} channels
 * @param {Checkpoint} checkpoint
 */
export async function channelsFromCheckpoint(channels, checkpoint) {
  return empty(channels, checkpoint);
}

/** @param {ChannelLike} channel @returns {unknown} undefined when it is empty */
function savedOf(channel) {
  try {
    return channel.checkpoint();
  } catch (error) {
    if (/** @type {Record<PropertyKey, unknown>} */ (error)?.name === "EmptyChannelError")
      return undefined;
    throw error;
  }
}

/**
 * Creates a checkpoint from the channels' current values.
 * @param {Checkpoint} checkpoint the previous checkpoint
 * @param {Record<string, ChannelLike> | undefined} channels
 * @param {number} step
 * @param {{ id?: string, channelsToSnapshot?: Set<string> }} [options]
 */
export function createCheckpoint(checkpoint, channels, step, options) {
  checkArgument(
    isObject(checkpoint),
    "createCheckpoint(checkpoint): checkpoint must be a checkpoint",
  );
  checkArgument(
    typeof step === "number",
    "createCheckpoint(checkpoint, channels, step): step must be a number",
  );
  let { channel_values } = checkpoint;
  if (channels !== undefined) {
    checkChannels(channels);
    const saved = Object.entries(channels).map(([name, channel]) => {
      const isSnapshot =
        isDeltaChannel(channel) && options?.channelsToSnapshot?.has(name) && channel.isAvailable();
      return [name, isSnapshot ? new DeltaSnapshot(channel.get()) : savedOf(channel)];
    });
    channel_values = Object.fromEntries(saved.filter(([, value]) => value !== undefined));
  }
  const { channel_versions, versions_seen } = checkpoint;
  return {
    v: 4,
    id: options?.id ?? uuid6(step),
    ts: new Date().toISOString(),
    channel_values,
    channel_versions,
    versions_seen,
  };
}

/** Returns the maximum number of supersteps without a snapshot. */
function maxSteps() {
  const set = Number(
    /** @type {{ process?: { env?: Record<string, string> } }} */ (globalThis).process?.env
      ?.LANGGRAPH_DELTA_MAX_SUPERSTEPS_SINCE_SNAPSHOT,
  );
  return Number.isInteger(set) && set > 0 ? set : MAX_STEPS;
}

/**
 * Lists the DeltaChannels that need a snapshot, by their counters [updates, supersteps] since the
 * last one.
 * @param {Record<string, ChannelLike> | null | undefined} channels
 * @param {Record<string, [number, number]>} counters
 * @param {Record<string, unknown>} [versions] of the branch: a channel without one was never
 *   written there
 * @returns {Set<string>}
 */
export function deltaChannelsToSnapshot(channels, counters, versions) {
  const limit = maxSteps();
  const due = Object.entries(channels ?? {}).filter(([name, channel]) => {
    const [updates, steps] = counters[name] ?? [0, 0];
    return (
      isDeltaChannel(channel) &&
      (versions === undefined || versions[name] !== undefined) &&
      (updates >= /** @type {DeltaChannel} */ (channel).snapshotFrequency || steps >= limit)
    );
  });
  return new Set(due.map(([name]) => name));
}

/**
 * Lists the DeltaChannels with pending writes on a checkpoint: a branch from there stores them
 * whole.
 * @param {Record<string, unknown>} channels
 * @param {ReadonlyArray<[string, string, unknown]>} [pendingWrites]
 * @returns {Set<string>}
 */
export function deltaChannelsWithPendingWrites(channels, pendingWrites) {
  const written = new Set((pendingWrites ?? []).map(([, name]) => name));
  return new Set(
    Object.entries(channels ?? {})
      .filter(([name, channel]) => written.has(name) && isDeltaChannel(channel))
      .map(([name]) => name),
  );
}

/**
 * Makes the id for writes of a later step, which sorts after all of the checkpoint's own tasks.
 * @param {number} step
 * @param {string} taskId
 */
export function exitDeltaLateTaskId(step, taskId) {
  exitDeltaTaskId(step, taskId);
  const hex = (/** @type {number} */ part) => part.toString(16).padStart(4, "0");
  return `ffffffff-${hex(Math.floor(step / 65536))}-${hex(step & 0xffff)}${taskId.slice(18)}`;
}

/**
 * Makes the id under which a step's writes are stored when only the end of a run is saved.
 * @param {number} step
 * @param {string} taskId
 */
export function exitDeltaTaskId(step, taskId) {
  checkArgument(hasText(taskId), "exitDeltaTaskId(step, taskId): taskId must be a text");
  if (!/^[0-9a-f]{8}-/i.test(taskId))
    throw new TypeError(`Invalid task id for exit delta: ${taskId}`);
  return `${String(step).padStart(8, "0")}${taskId.slice(8)}`;
}
