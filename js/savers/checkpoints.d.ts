// SPDX-License-Identifier: MIT
import type { RunnableConfig } from "../pregel/words.js";
import type { ChannelVersion, Checkpoint, ReadonlyCheckpoint } from "./base-saver.js";

/** The value of a DeltaChannel in a checkpoint that needs none before it. */
export declare class DeltaSnapshot<Value = unknown> {
  lg_name: "DeltaSnapshot";
  value: Value;
  constructor(value: Value);
}
/** By its `lg_name`. */
export declare function isDeltaSnapshot<Value = unknown>(value: unknown): value is DeltaSnapshot<Value>;
export declare function emptyCheckpoint(): Checkpoint;
/** Shares the values with the original. */
export declare function copyCheckpoint(checkpoint: ReadonlyCheckpoint): Checkpoint;
export declare function deepCopy<T>(value: T): T;
export declare function compareChannelVersions(a: ChannelVersion, b: ChannelVersion): number;
export declare function maxChannelVersion(...versions: ChannelVersion[]): ChannelVersion;
export declare function getCheckpointId(config: RunnableConfig): string;
export declare const WRITES_IDX_MAP: Record<string, number>;
export declare const EXCLUDED_METADATA_KEYS: ReadonlySet<string>;
/** `sequence`: the step that the id is for. */
export declare function uuid6(sequence: number): string;
