// SPDX-License-Identifier: MIT
// LangGraph's checkpointers: their data, and the class to extend for one of your own.
import type { CheckpointMetadata, RunnableConfig } from "../base/common-types.js";

/** Greater ones are newer. */
export type ChannelVersion = number | string;
/** The version of each channel. */
export type ChannelVersions = Record<string, ChannelVersion>;

/** A state of a graph as LangGraph keeps it. */
export interface Checkpoint<N extends string = string, C extends string = string> {
  /** Of the format: 4. */
  v: number;
  /** A UUID of version 6: later ones are greater. */
  id: string;
  /** ISO time. */
  ts: string;
  /** What channels hold; those that hold nothing are left out. */
  channel_values: Record<C, unknown>;
  /** Rises when a channel changes. */
  channel_versions: Record<C, ChannelVersion>;
  /** What each node has seen of the channels that wake it. */
  versions_seen: Record<N, Record<C, ChannelVersion>>;
}
/** A checkpoint that is only read. */
export type ReadonlyCheckpoint = Readonly<Checkpoint>;

/** What a task wrote. */
export type PendingWriteValue = unknown;
/** One write of a task: the channel and the value. */
export type PendingWrite<Channel = string> = [Channel, unknown];
/** The same with the task's id before it. */
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
  /** At most so many. */
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

/**
 * JSON with LangGraph's records for Set, Map, RegExp, Error, Uint8Array, undefined and messages;
 * nothing else is revived.
 */
export declare class JsonPlusSerializer implements SerializerProtocol {
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

/** What a DeltaChannel is made of: writes since `seed`, the value that was saved whole. */
export type DeltaChannelHistory = { writes: CheckpointPendingWrite[]; seed?: unknown };

/**
 * Extend it for a checkpointer of your own; any of LangGraph.js serves as well. A config names
 * thread, namespace and checkpoint in `configurable`.
 */
export declare abstract class BaseCheckpointSaver<V extends string | number = number> {
  serde: SerializerProtocol;
  constructor(serde?: SerializerProtocol);
  toJSON(): string;
  /** The checkpoint of `getTuple`. */
  get(config: RunnableConfig): Promise<Checkpoint | undefined>;
  /**
   * The checkpoint that the config names, else the thread's newest; undefined where there is none.
   */
  abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  /** The checkpoints of a thread, the newest first; of all threads without a `thread_id`. */
  abstract list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple>;
  /** Stores a checkpoint behind the one that the config names. @returns the config that names it */
  abstract put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig>;
  /**
   * Writes of a task that hang on a checkpoint until its step is over. `getTuple` and `list` give
   * them in the order of `writesSortKey`: by the task's path, its id, the place of the write; those
   * of a saver that keeps no path, by the id.
   */
  abstract putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void>;
  /** Forgets all checkpoints and writes of a thread, in all namespaces. */
  abstract deleteThread(threadId: string): Promise<void>;
  /**
   * Per channel what ancestors of a checkpoint wrote, the oldest first, and the nearest stored
   * value above them.
   */
  getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>>;
  /** The version behind `current`; rising numbers, or strings that sort as they rise. */
  getNextVersion(current: V | undefined): V;
}
