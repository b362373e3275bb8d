// SPDX-License-Identifier: MIT
// Declares functions for checkpoints as data.
import type { RunnableConfig } from "../../base/common-types.js";
import type { ChannelVersion, Checkpoint, ReadonlyCheckpoint } from "../base-checkpoint-saver.js";

/**
 * The whole value of a DeltaChannel in a checkpoint, which needs no earlier one.
 * @example
 * ```ts
 * import { DeltaSnapshot, isDeltaSnapshot } from "weftgraph/checkpoint";
 *
 * const snapshot = new DeltaSnapshot([1, 2]);
 * console.log(isDeltaSnapshot(snapshot), snapshot.value);
 * ```
 * ```text
 * true [ 1, 2 ]
 * ```
 */
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
/**
 * Copies a checkpoint; shares the values with the original.
 * @example
 * ```ts
 * import { copyCheckpoint, deepCopy, emptyCheckpoint } from "weftgraph/checkpoint";
 *
 * const checkpoint = { ...emptyCheckpoint(), channel_values: { count: 1 } };
 * console.log(copyCheckpoint(checkpoint).channel_values, deepCopy({ list: [1] }));
 * ```
 * ```text
 * { count: 1 } { list: [ 1 ] }
 * ```
 */
export declare function copyCheckpoint(checkpoint: ReadonlyCheckpoint): Checkpoint;
/** Copies arrays and objects by their own keys: instances of classes become plain objects. */
export declare function deepCopy<T>(value: T): T;
/**
 * Compares two versions for sorting: below 0, 0 or above 0.
 * @example
 * ```ts
 * import { compareChannelVersions, maxChannelVersion } from "weftgraph/checkpoint";
 *
 * console.log(compareChannelVersions(1, 2) < 0, maxChannelVersion(3, 1, 2));
 * ```
 * ```text
 * true 3
 * ```
 */
export declare function compareChannelVersions(a: ChannelVersion, b: ChannelVersion): number;
/** Returns the newest of the versions. */
export declare function maxChannelVersion(...versions: ChannelVersion[]): ChannelVersion;
/**
 * Position of a write among those of its superstep: by its task's path, the task's id, its own
 * position.
 */
export type WritesSortKey = readonly [taskPath: string, taskId: string, idx: number];
/**
 * Makes the key that compareWritesSortKeys compares.
 * @example
 * ```ts
 * import { WRITES_IDX_MAP, compareWritesSortKeys, writesSortKey } from "weftgraph/checkpoint";
 *
 * const keys = [writesSortKey("b", "2", 0), writesSortKey("a", "1", 1)];
 * console.log(keys.sort(compareWritesSortKeys).map(String), WRITES_IDX_MAP.__error__);
 * ```
 * ```text
 * [ 'a,1,1', 'b,2,0' ] -1
 * ```
 */
export declare function writesSortKey(
  taskPath: string,
  taskId?: string,
  idx?: number,
): WritesSortKey;
/** Compares two keys: strings by code point, then positions. */
export declare function compareWritesSortKeys(a: WritesSortKey, b: WritesSortKey): number;
/**
 * Returns the config's `checkpoint_id`, or its older `thread_ts`; "" without one.
 * @example
 * ```ts
 * import { EXCLUDED_METADATA_KEYS, getCheckpointId } from "weftgraph/checkpoint";
 *
 * console.log(getCheckpointId({ configurable: { thread_id: "1", checkpoint_id: "1f0" } }));
 * console.log(EXCLUDED_METADATA_KEYS.has("thread_id"));
 * ```
 * ```text
 * 1f0
 * true
 * ```
 */
export declare function getCheckpointId(config: RunnableConfig): string;
/** Fixed positions of special writes, by channel. */
export declare const WRITES_IDX_MAP: Record<string, number>;
/** Keys of `configurable` that are not copied into a checkpoint's metadata. */
export declare const EXCLUDED_METADATA_KEYS: ReadonlySet<string>;
/**
 * Makes a UUID of version 6 for a checkpoint; later ones are greater.
 * @param sequence the step that the id is for
 * @example
 * ```ts
 * import { uuid5, uuid6 } from "weftgraph/checkpoint";
 *
 * console.log(uuid6(1) < uuid6(2), uuid6(1).length);
 * console.log(uuid5("weft", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
 * ```
 * ```text
 * true 36
 * f4f3c99a-29be-57d4-8776-c87eed5f81d0
 * ```
 */
export declare function uuid6(sequence: number): string;
