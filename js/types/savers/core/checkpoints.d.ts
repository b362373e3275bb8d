// SPDX-License-Identifier: MIT
// Declares functions for checkpoints as data.
import type { RunnableConfig } from "../../base/common-types.js";
import type { ChannelVersion, Checkpoint, ReadonlyCheckpoint } from "../base-checkpoint-saver.js";

/** The whole value of a DeltaChannel in a checkpoint, which needs no earlier one. */
export declare class DeltaSnapshot<Value = unknown> {
  lg_name: "DeltaSnapshot";
  value: Value;
  constructor(value: Value);
}
/** Checks for a DeltaSnapshot by its `lg_name`. */
export declare function isDeltaSnapshot<Value = unknown>(
  value: unknown,
): value is DeltaSnapshot<Value>;
/** Creates an empty checkpoint with a new id. */
export declare function emptyCheckpoint(): Checkpoint;
/** Copies a checkpoint; shares the values with the original. */
export declare function copyCheckpoint(checkpoint: ReadonlyCheckpoint): Checkpoint;
/** Copies arrays and objects by their own keys: instances of classes become plain objects. */
export declare function deepCopy<T>(value: T): T;
/** Compares two versions for sorting: below 0, 0 or above 0. */
export declare function compareChannelVersions(a: ChannelVersion, b: ChannelVersion): number;
/** Returns the newest of the versions. */
export declare function maxChannelVersion(...versions: ChannelVersion[]): ChannelVersion;
/**
 * Position of a write among those of its superstep: by its task's path, the task's id, its own
 * position.
 */
export type WritesSortKey = readonly [taskPath: string, taskId: string, idx: number];
/** Makes the key that compareWritesSortKeys compares. */
export declare function writesSortKey(
  taskPath: string,
  taskId?: string,
  idx?: number,
): WritesSortKey;
/** Compares two keys: strings by code point, then positions. */
export declare function compareWritesSortKeys(a: WritesSortKey, b: WritesSortKey): number;
/** Returns the config's `checkpoint_id`, or its older `thread_ts`; "" without one. */
export declare function getCheckpointId(config: RunnableConfig): string;
/** Fixed positions of special writes, by channel. */
export declare const WRITES_IDX_MAP: Record<string, number>;
/** Keys of `configurable` that are not copied into a checkpoint's metadata. */
export declare const EXCLUDED_METADATA_KEYS: ReadonlySet<string>;
/**
 * Makes a UUID of version 6 for a checkpoint; later ones are greater.
 * @param sequence the step that the id is for
 */
export declare function uuid6(sequence: number): string;
