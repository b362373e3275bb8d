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
  /** @param value the channel's value, kept as it is */
  constructor(value: Value);
}
/**
 * Checks for a DeltaSnapshot by its `lg_name`.
 * @param value any value; LangGraph's snapshots pass too
 */
export declare function isDeltaSnapshot<Value = unknown>(
  value: unknown,
): value is DeltaSnapshot<Value>;
/**
 * Creates an empty checkpoint with a new id.
 * @returns a checkpoint of version 4 without values, with the time of now
 */
export declare function emptyCheckpoint(): Checkpoint;
/**
 * Copies a checkpoint; shares the values with the original.
 * @param checkpoint stays unchanged; its maps of values and versions are copied
 * @returns a copy that can be changed without the original, but for the values in it
 * @throws TypeError if checkpoint is null or undefined
 * @throws RangeError if its `versions_seen` contains itself
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
/**
 * Copies arrays and objects by their own keys: instances of classes become plain objects.
 * @param value plain data; functions and symbols are returned as they are
 * @returns a copy; all but objects and lists is returned as it is
 * @throws RangeError for a value that contains itself
 */
export declare function deepCopy<T>(value: T): T;
/**
 * Compares two versions for sorting: below 0, 0 or above 0.
 * @param a a version; numbers compare as numbers, all else as texts
 * @param b the other version
 * @returns a negative number if `a` is older, 0 if both are the same, else a positive one
 * @throws TypeError for an object that cannot become a text
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
/**
 * Returns the newest of the versions.
 * @param versions at least one; of equal ones the first is returned
 * @throws TypeError without a version
 */
export declare function maxChannelVersion(...versions: ChannelVersion[]): ChannelVersion;
/**
 * Position of a write among those of its superstep: by its task's path, the task's id, its own
 * position.
 */
export type WritesSortKey = readonly [taskPath: string, taskId: string, idx: number];
/**
 * Makes the key that compareWritesSortKeys compares.
 * @param taskPath the task's path as the saver stored it; sorts first
 * @param taskId sorts writes of one path; default ""
 * @param idx position among the task's writes, from 0; default 0
 * @returns path, id and position, with their defaults
 * @throws nothing
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
/**
 * Compares two keys: strings by code point, then positions.
 * @param a a key of writesSortKey
 * @param b the other key
 * @returns a negative number if `a` comes first, 0 if both are the same, else a positive one
 * @throws TypeError for null, undefined and what is no list
 */
export declare function compareWritesSortKeys(a: WritesSortKey, b: WritesSortKey): number;
/**
 * Returns the config's `checkpoint_id`, or its older `thread_ts`; "" without one.
 * @param config config of a call; without `configurable` the result is ""
 * @throws TypeError if config is null or undefined
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
 * @param sequence the step that the id is for; the id holds its last 15 bits
 * @returns the id in lower case, with hyphens
 * @throws TypeError for what cannot become a number, as a symbol or a bigint
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
