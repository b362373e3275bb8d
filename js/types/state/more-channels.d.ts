// SPDX-License-Identifier: MIT
// Declares conversions between channels and checkpoints, and fields of a StateSchema whose reducer
// receives all writes of a step.
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { BaseChannel, DeltaReducer, Messages, SerializableSchema } from "./state.js";

/**
 * Restores the channels from a checkpoint.
 * @param channels channels by name
 * @param checkpoint values to begin with; a channel without one begins as it does in a new thread
 * @param checkpoint.channel_values saved values by the channel's name
 * @returns new channels with the checkpoint's values, by the same names
 * @throws BAD_ARGUMENT for what are no channels or no checkpoint
 * @example
 * ```ts
 * import { LastValue, channelsFromCheckpoint, empty } from "weftgraph/channels";
 *
 * const checkpoint = { channel_values: { count: 1 } };
 * const channels = { count: new LastValue<number>() };
 * console.log(empty(channels, checkpoint).count.get());
 * console.log((await channelsFromCheckpoint(channels, checkpoint)).count.get());
 * ```
 * ```text
 * 1
 * 1
 * ```
 */
export function empty<Channels extends Record<string, BaseChannel<any, any>>>(
  channels: Channels,
  checkpoint: { channel_values: Record<string, any> },
): Channels;
/**
 * Restores the channels from a checkpoint, as a promise.
 * @param channels empty channels by name; stay unchanged
 * @param checkpoint values to begin with; a channel without one begins as it does in a new thread
 * @param checkpoint.channel_values saved values by the channel's name
 * @returns new channels with the checkpoint's values, by the same names
 * @throws BAD_ARGUMENT for what are no channels or no checkpoint
 */
export function channelsFromCheckpoint<Channels extends Record<string, BaseChannel<any, any>>>(
  channels: Channels,
  checkpoint: { channel_values: Record<string, any> },
): Promise<Channels>;
/**
 * Creates the checkpoint after `checkpoint` from the channels' values; without channels from the
 * old values.
 * @param checkpoint the previous checkpoint
 * @param channels current channels by name; empty ones are left out. undefined: the values of
 *   `checkpoint`
 * @param step its superstep
 * @param options `id` of the checkpoint; `channelsToSnapshot`: DeltaChannels to save whole
 * @param options.id a UUID; default: a new one that sorts behind earlier ones
 * @param options.channelsToSnapshot names of DeltaChannels whose whole value is saved; default:
 *   none
 * @throws BAD_ARGUMENT for arguments of another form
 */
export function createCheckpoint<Value>(
  checkpoint: any,
  channels: Record<string, BaseChannel<Value, any>> | undefined,
  step: number,
  options?: { id?: string; channelsToSnapshot?: Set<string> },
): {
  v: number;
  id: string;
  ts: string;
  channel_values: Record<string, any>;
  channel_versions: Record<string, any>;
  versions_seen: Record<string, Record<string, any>>;
};
/**
 * Lists the DeltaChannels that need a snapshot, by their counters of updates and steps.
 * @param channels channels by name; null and undefined: none
 * @param counters updates and steps since the last snapshot, by name; default `[0, 0]`
 * @param versions of the branch: a channel without one was never written there
 * @returns their names, for `channelsToSnapshot` of createCheckpoint
 * @throws TypeError for counters that are no pairs
 * @example
 * ```ts
 * import {
 *   DeltaChannel,
 *   deltaChannelsToSnapshot,
 *   deltaChannelsWithPendingWrites,
 * } from "weftgraph/channels";
 *
 * const sum = (state: number, writes: number[]) => writes.reduce((a, b) => a + b, state);
 * const channels = { total: new DeltaChannel(sum, { snapshotFrequency: 10 }) };
 * console.log(deltaChannelsToSnapshot(channels, { total: [10, 1] }));
 * console.log(deltaChannelsWithPendingWrites(channels, [["task", "total", 1]]));
 * ```
 * ```text
 * Set(1) { 'total' }
 * Set(1) { 'total' }
 * ```
 */
export function deltaChannelsToSnapshot(
  channels: Record<string, BaseChannel<any, any>> | null | undefined,
  counters: Record<string, [updates: number, supersteps: number]>,
  versions?: Record<string, number | string>,
): Set<string>;
/**
 * Lists the DeltaChannels with pending writes on a checkpoint: a branch from there stores them
 * whole.
 * @param channels channels by name; others than DeltaChannels are ignored
 * @param pendingWrites task, channel and value of each write; undefined: none
 * @returns their names, for `channelsToSnapshot` of createCheckpoint
 * @throws TypeError for writes that are no list of lists
 */
export function deltaChannelsWithPendingWrites(
  channels: Record<string, BaseChannel<any, any>>,
  pendingWrites: ReadonlyArray<[string, string, unknown]> | undefined,
): Set<string>;
/**
 * Makes the id under which the writes of a DeltaChannel are saved at the end of a run with
 * durability `exit`.
 * @param step number of the superstep; in eight digits it replaces the first part of the id
 * @param taskId UUID of the task that wrote; its end stays
 * @returns a text in the form of a UUID that begins with the step
 * @throws TypeError if taskId does not begin as a UUID does; BAD_ARGUMENT if it cannot be shown
 * @example
 * ```ts
 * import { exitDeltaLateTaskId, exitDeltaTaskId } from "weftgraph/channels";
 *
 * const task = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
 * console.log(exitDeltaTaskId(1, task));
 * console.log(exitDeltaTaskId(1, task) < exitDeltaLateTaskId(1, task));
 * ```
 * ```text
 * 00000001-9dad-11d1-80b4-00c04fd430c8
 * true
 * ```
 */
export function exitDeltaTaskId(step: number, taskId: string): string;
/**
 * Makes the id for writes of a later step, which sorts after all tasks' ids.
 * @param step number of the superstep, from 0; ids of later steps sort behind
 * @param taskId UUID of the task that wrote; its end stays
 * @returns a text in the form of a UUID that begins with `ffffffff`
 * @throws TypeError if taskId does not begin as a UUID does; BAD_ARGUMENT if it cannot be shown
 */
export function exitDeltaLateTaskId(step: number, taskId: string): string;

interface FoldedDeltaInit<Value, Update> {
  /** Schema of the writes, if it differs from the value's. */
  inputSchema: SerializableSchema<unknown, Update>;
  /** Receives all writes of a step at once. */
  reducer: DeltaReducer<Value, Update>;
  /** Number of updates after which the value is saved whole; default 100. */
  snapshotFrequency?: number;
  /** Added to the field's JSON Schema. */
  jsonSchemaExtra?: Record<string, unknown>;
}
/** Reducer of a DeltaValue, and the schema of its writes if that differs. */
export type DeltaValueInit<Value = unknown, Update = Value> =
  | FoldedDeltaInit<Value, Update>
  | Omit<FoldedDeltaInit<Value, Value>, "inputSchema">;
/**
 * A field of a StateSchema whose reducer receives all writes of a step.
 * @example
 * ```ts
 * import { DeltaValue, MessagesDeltaValue, START, StateGraph, StateSchema } from "weftgraph";
 * import { z } from "zod/v4";
 *
 * const total = new DeltaValue(z.number().default(0), {
 *   reducer: (state: number, writes: number[]) => writes.reduce((a, b) => a + b, state),
 * });
 * const graph = new StateGraph(new StateSchema({ total, messages: MessagesDeltaValue }))
 *   .addNode("one", () => ({ total: 1, messages: [{ role: "assistant", content: "Hi" }] }))
 *   .addNode("two", () => ({ total: 2 }))
 *   .addEdge(START, "one")
 *   .addEdge(START, "two")
 *   .compile();
 * const state = await graph.invoke({ total: 10 });
 * console.log(state.total, state.messages.length);
 * ```
 * ```text
 * 13 1
 * ```
 */
export class DeltaValue<Value = any, Update = Value> {
  /**
   * @param valueSchema schema of the value; its default is the first value, without one it is `[]`
   * @param init the reducer, which gets the value and a list of writes, and the schema of one write
   *   if it differs
   * @throws BAD_ARGUMENT if init is no object
   */
  constructor(
    valueSchema: SerializableSchema<unknown, Value>,
    init: FoldedDeltaInit<Value, Update>,
  );
  constructor(
    valueSchema: SerializableSchema<Update, Value>,
    init: Omit<FoldedDeltaInit<Value, Value>, "inputSchema">,
  );
  valueSchema: SerializableSchema<unknown, Value>;
  inputSchema: SerializableSchema<unknown, Update | Value>;
  reducer: DeltaReducer<Value, Update>;
  snapshotFrequency?: number;
  readonly jsonSchemaExtra?: Record<string, unknown>;
  ValueType: Value;
  InputType: Update;
  /** @param value any value; one of LangGraph.js counts too */
  static isInstance(value: unknown): value is DeltaValue;
}
/** A field of messages whose reducer receives a whole step (messagesDeltaReducer). */
export const MessagesDeltaValue: DeltaValue<BaseMessage[], Messages>;
