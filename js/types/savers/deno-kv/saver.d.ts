// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

/** Which database, and which part of it. */
export interface DenoKvSaverOptions {
  /** What `await Deno.openKv()` answers. */
  kv: unknown;
  /** First part of every key; "weft" by default. */
  prefix?: string;
  /** Which checkpoints stay; default: all. */
  keep?: KeepOptions;
}

/** Threads in Deno KV. */
export declare class DenoKvSaver extends WeftSaver {
  constructor(options: DenoKvSaverOptions);
}
