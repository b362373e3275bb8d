// SPDX-License-Identifier: MIT
// What makes a checkpoint of channels, and fields of a StateSchema whose reducer takes a step's
// writes at once.
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { BaseChannel, DeltaReducer, Messages, SerializableSchema } from "./state.js";

/** The channels as a checkpoint has them. */
export function empty<Channels extends Record<string, BaseChannel<any, any>>>(
  channels: Channels,
  checkpoint: { channel_values: Record<string, any> },
): Channels;
/** The same, in a promise. */
export function channelsFromCheckpoint<Channels extends Record<string, BaseChannel<any, any>>>(
  channels: Channels,
  checkpoint: { channel_values: Record<string, any> },
): Promise<Channels>;
/**
 * The checkpoint that follows `checkpoint`, with what the channels hold; without channels with the
 * old values.
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
/** The DeltaChannels that are due to be saved whole, by their counters of updates and steps. */
export function deltaChannelsToSnapshot(
  channels: Record<string, BaseChannel<any, any>> | null | undefined,
  counters: Record<string, [updates: number, supersteps: number]>,
  versions?: Record<string, number | string>,
): Set<string>;
/**
 * The DeltaChannels to which writes hang on a checkpoint: a branch from there stores them whole.
 */
export function deltaChannelsWithPendingWrites(
  channels: Record<string, BaseChannel<any, any>>,
  pendingWrites: ReadonlyArray<[string, string, unknown]> | undefined,
): Set<string>;
/**
 * The id under which the writes of a DeltaChannel are saved at the end of a run of durability
 * `exit`.
 */
export function exitDeltaTaskId(step: number, taskId: string): string;
/** The same for writes of a later step: it sorts behind all tasks' ids. */
export function exitDeltaLateTaskId(step: number, taskId: string): string;

interface FoldedDeltaInit<Value, Update> {
  /** What is written, when that is not what is kept. */
  inputSchema: SerializableSchema<unknown, Update>;
  /** Gets all writes of a step at once. */
  reducer: DeltaReducer<Value, Update>;
  /** Every so many updates the value is saved whole; default 1000. */
  snapshotFrequency?: number;
  /** Added to the field's JSON Schema. */
  jsonSchemaExtra?: Record<string, unknown>;
}
/** The reducer of a DeltaValue, and the schema of what is written if that is another one. */
export type DeltaValueInit<Value = unknown, Update = Value> =
  | FoldedDeltaInit<Value, Update>
  | Omit<FoldedDeltaInit<Value, Value>, "inputSchema">;
/** A field of a StateSchema with a reducer of a step's writes. */
export class DeltaValue<Value = any, Update = Value> {
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
  static isInstance(value: unknown): value is DeltaValue;
}
/** Messages whose reducer takes a whole step (messagesDeltaReducer). */
export const MessagesDeltaValue: DeltaValue<BaseMessage[], Messages>;
