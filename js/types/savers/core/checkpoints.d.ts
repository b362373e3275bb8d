// SPDX-License-Identifier: MIT
import type { RunnableConfig } from "../../base/common-types.js";
import type { ChannelVersion, Checkpoint, ReadonlyCheckpoint } from "../base-checkpoint-saver.js";

/** The value of a DeltaChannel in a checkpoint that needs none before it. */
export declare class DeltaSnapshot<Value = unknown> {
  lg_name: "DeltaSnapshot";
  value: Value;
  constructor(value: Value);
}
/** By its `lg_name`. */
export declare function isDeltaSnapshot<Value = unknown>(
  value: unknown,
): value is DeltaSnapshot<Value>;
/** A new one, with an id of now. */
export declare function emptyCheckpoint(): Checkpoint;
/** Shares the values with the original. */
export declare function copyCheckpoint(checkpoint: ReadonlyCheckpoint): Checkpoint;
/** Copies arrays and objects by their own keys: instances of classes become plain objects. */
export declare function deepCopy<T>(value: T): T;
/** Below 0, 0 or above 0, as for sort. */
export declare function compareChannelVersions(a: ChannelVersion, b: ChannelVersion): number;
/** The newest of them. */
export declare function maxChannelVersion(...versions: ChannelVersion[]): ChannelVersion;
/**
 * Where a write stands among those of its superstep: by its task's path, the task's id, its own
 * place.
 */
export type WritesSortKey = readonly [taskPath: string, taskId: string, idx: number];
/** What compareWritesSortKeys puts in order. */
export declare function writesSortKey(
  taskPath: string,
  taskId?: string,
  idx?: number,
): WritesSortKey;
/** Texts by code point, then by place. */
export declare function compareWritesSortKeys(a: WritesSortKey, b: WritesSortKey): number;
/** The config's `checkpoint_id`, or its older `thread_ts`; "" without one. */
export declare function getCheckpointId(config: RunnableConfig): string;
/** The fixed places of writes that are no values, by channel. */
export declare const WRITES_IDX_MAP: Record<string, number>;
/** Keys of `configurable` that do not go into the metadata of a checkpoint. */
export declare const EXCLUDED_METADATA_KEYS: ReadonlySet<string>;
/** `sequence`: the step that the id is for. */
export declare function uuid6(sequence: number): string;
