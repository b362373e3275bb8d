// SPDX-License-Identifier: MIT
// LangGraph's checkpointers: their data, and the class to extend for one of your own.
import type { CheckpointMetadata, RunnableConfig } from "../pregel/words.js";

/** Greater ones are newer. */
export type ChannelVersion = number | string;
export type ChannelVersions = Record<string, ChannelVersion>;

/** A state of a graph as LangGraph keeps it. */
export interface Checkpoint<N extends string = string, C extends string = string> {
  /** Of the format: 4. */
  v: number;
  /** A UUID of version 6: later ones are greater. */
  id: string;
  /** ISO time. */
  ts: string;
  channel_values: Record<C, unknown>;
  channel_versions: Record<C, ChannelVersion>;
  versions_seen: Record<N, Record<C, ChannelVersion>>;
}
export type ReadonlyCheckpoint = Readonly<Checkpoint>;

export type PendingWriteValue = unknown;
export type PendingWrite<Channel = string> = [Channel, unknown];
export type CheckpointPendingWrite<TaskId = string> = [TaskId, ...PendingWrite<string>];

/** A checkpoint where it was found; `config` names it, `parentConfig` the one before. */
export interface CheckpointTuple {
  config: RunnableConfig;
  checkpoint: Checkpoint;
  metadata?: CheckpointMetadata;
  parentConfig?: RunnableConfig;
  pendingWrites?: CheckpointPendingWrite[];
}

/** Which checkpoints `list` gives; the newest come first. */
export type CheckpointListOptions = {
  limit?: number;
  /** Only checkpoints older than this one. */
  before?: RunnableConfig;
  /** Members of the metadata, compared with ===. */
  filter?: Record<string, any>;
};

/** How values become bytes: the text names the form of the bytes. */
export interface SerializerProtocol {
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

/** JSON with LangGraph's records for Set, Map, RegExp, Error, Uint8Array, undefined and messages; nothing else is revived. */
export declare class JsonPlusSerializer implements SerializerProtocol {
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

/** What a DeltaChannel is made of: writes since `seed`, the value that was saved whole. */
export type DeltaChannelHistory = { writes: CheckpointPendingWrite[]; seed?: unknown };

/**
 * Extend it for a checkpointer of your own; any of LangGraph.js serves as well. A config names thread, namespace and
 * checkpoint in `configurable`.
 */
export declare abstract class BaseCheckpointSaver<V extends string | number = number> {
  serde: SerializerProtocol;
  constructor(serde?: SerializerProtocol);
  toJSON(): string;
  get(config: RunnableConfig): Promise<Checkpoint | undefined>;
  abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  abstract list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>;
  abstract put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, newVersions: ChannelVersions): Promise<RunnableConfig>;
  /** Writes of a task that hang on a checkpoint until its step is over. */
  abstract putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void>;
  abstract deleteThread(threadId: string): Promise<void>;
  /** Per channel what ancestors of a checkpoint wrote, the oldest first, and the nearest stored value above them. */
  getDeltaChannelHistory(options: { config: RunnableConfig; channels: string[] }): Promise<Record<string, DeltaChannelHistory>>;
  /** The version behind `current`; rising numbers, or strings that sort as they rise. */
  getNextVersion(current: V | undefined): V;
}
