// SPDX-License-Identifier: MIT
// Declares LangGraph's checkpointers: their data, and the base class for your own.
import type { CheckpointMetadata, RunnableConfig } from "../base/common-types.js";

/** Version of a channel: greater is newer. */
export type ChannelVersion = number | string;
/** Version of each channel. */
export type ChannelVersions = Record<string, ChannelVersion>;

/** A state of a graph in LangGraph's format. */
export interface Checkpoint<N extends string = string, C extends string = string> {
  /** Version of the format: 4. */
  v: number;
  /** A UUID of version 6: later ones are greater. */
  id: string;
  /** Time of creation, in ISO format. */
  ts: string;
  /** Values of the non-empty channels. */
  channel_values: Record<C, unknown>;
  /** Versions of the channels; increase with each change. */
  channel_versions: Record<C, ChannelVersion>;
  /** Versions of the triggering channels that each node has seen. */
  versions_seen: Record<N, Record<C, ChannelVersion>>;
}
/** A checkpoint that is only read. */
export type ReadonlyCheckpoint = Readonly<Checkpoint>;

/** Value that a task wrote. */
export type PendingWriteValue = unknown;
/** One write of a task: channel and value. */
export type PendingWrite<Channel = string> = [Channel, unknown];
/** One write with the task's id. */
export type CheckpointPendingWrite<TaskId = string> = [TaskId, ...PendingWrite<string>];

/** A checkpoint with its context; `config` names it, `parentConfig` its parent. */
export interface CheckpointTuple {
  config: RunnableConfig;
  checkpoint: Checkpoint;
  metadata?: CheckpointMetadata;
  parentConfig?: RunnableConfig;
  pendingWrites?: CheckpointPendingWrite[];
}

/** Options of `list`, which yields the newest checkpoints first. */
export type CheckpointListOptions = {
  /** Maximum number of checkpoints. */
  limit?: number;
  /** Only checkpoints older than this one. */
  before?: RunnableConfig;
  /** Required values in the metadata, compared with ===. */
  filter?: Record<string, any>;
};

/** Converts values to bytes and back: the string names the format of the bytes. */
export interface SerializerProtocol {
  /** @param data what is stored: a checkpoint, its metadata, a write */
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  /**
   * @param type name of the format that `dumpsTyped` returned
   * @param data bytes that it returned, or their text
   */
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

/**
 * Serializes as JSON with LangGraph's records for Set, Map, RegExp, Error, Uint8Array, undefined
 * and messages; nothing else is revived.
 * @example
 * ```ts
 * import { JsonPlusSerializer } from "weftgraph/checkpoint";
 *
 * const serializer = new JsonPlusSerializer();
 * const [type, bytes] = await serializer.dumpsTyped({ tags: new Set(["tea"]) });
 * console.log(type, await serializer.loadsTyped(type, bytes));
 * ```
 * ```text
 * json { tags: Set(1) { 'tea' } }
 * ```
 */
export declare class JsonPlusSerializer implements SerializerProtocol {
  /**
   * Converts a value to bytes, and names their format.
   * @param data any value; bytes stay as they are, all else becomes JSON
   */
  dumpsTyped(data: any): Promise<[string, Uint8Array]>;
  /**
   * Restores a value; rejects with an Error for an unknown format.
   * @param type "json" or "bytes"
   * @param data what `dumpsTyped` gave, bytes or text
   */
  loadsTyped(type: string, data: Uint8Array | string): Promise<any>;
}

/** History of a DeltaChannel: writes since `seed`, the last whole value. */
export type DeltaChannelHistory = { writes: CheckpointPendingWrite[]; seed?: unknown };

/**
 * Base of your own checkpointers; those for LangGraph.js work too. A config names thread, namespace
 * and checkpoint in `configurable`.
 */
export declare abstract class BaseCheckpointSaver<V extends string | number = number> {
  serde: SerializerProtocol;
  /**
   * @param serde turns values into bytes and back; default: JSON with marks for dates, maps and
   *   classes, as LangGraph writes it
   * @throws BAD_ARGUMENT for a serializer of another form
   */
  constructor(serde?: SerializerProtocol);
  toJSON(): string;
  /**
   * Returns the checkpoint of `getTuple`.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   */
  get(config: RunnableConfig): Promise<Checkpoint | undefined>;
  /**
   * Returns the checkpoint that the config names, else the thread's newest; undefined without one.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   */
  abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  /**
   * Yields the checkpoints of a thread, the newest first; of all threads without a `thread_id`.
   * @param config names the thread, else all are listed; `checkpoint_ns` narrows it to one
   *   namespace
   * @param options how many (`limit`), older than which (`before`), with which metadata (`filter`)
   */
  abstract list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple>;
  /**
   * Stores a checkpoint whose parent the config names.
   * @param config names the thread and the parent (`checkpoint_id`); without one it has none
   * @param checkpoint with an `id` of its own, a UUID
   * @param metadata source, step and what a run adds
   * @param newVersions versions of the channels that changed since the parent
   * @returns the config that names it
   */
  abstract put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig>;
  /**
   * Stores writes of a task with a checkpoint until its step has ended. `getTuple` and `list`
   * return them in the order of `writesSortKey`: by the task's path, its id, the write's position;
   * without stored paths, by the id.
   * @param config names the thread and the checkpoint that the task started from
   * @param writes pairs of channel and value, in order
   * @param taskId UUID of the task
   * @param taskPath sorts the writes among those of other tasks; default ""
   */
  abstract putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void>;
  /**
   * Deletes all checkpoints and writes of a thread, in all namespaces.
   * @param threadId id of the thread; one that does not exist is no error
   */
  abstract deleteThread(threadId: string): Promise<void>;
  /**
   * Returns per channel the writes of a checkpoint's ancestors, the oldest first, and the nearest
   * stored value before them.
   * @param options from where, and of which channels
   * @param options.config names the thread and the checkpoint whose ancestors are read
   * @param options.channels names of DeltaChannels
   */
  getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>>;
  /**
   * Returns the version after `current`: increasing numbers, or strings that sort in increasing
   * order.
   * @param current newest version so far; undefined: there is none
   */
  getNextVersion(current: V | undefined): V;
}
