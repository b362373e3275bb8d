// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

/** Options of a DenoKvSaver. */
export interface DenoKvSaverOptions {
  /** Result of `await Deno.openKv()`. */
  kv: unknown;
  /** First part of every key; "weft" by default. */
  prefix?: string;
  /** Which checkpoints are kept; default: all. */
  keep?: KeepOptions;
}

/** Stores threads in Deno KV. */
export declare class DenoKvSaver extends WeftSaver {
  /**
   * @param options the opened `kv`, and which checkpoints are kept
   * @throws BAD_ARGUMENT without `kv`
   */
  constructor(options: DenoKvSaverOptions);
}
