// SPDX-License-Identifier: MIT
import type { RunnableConfig } from "../pregel/words.js";
import type { ChannelVersion, Checkpoint, ReadonlyCheckpoint } from "./base-saver.js";

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
