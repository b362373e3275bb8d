// SPDX-License-Identifier: MIT
import { WeftSaver } from "./base.js";

export interface DenoKvSaverOptions {
  /** What `await Deno.openKv()` answers. */
  kv: unknown;
  /** First part of every key; "weft" by default. */
  prefix?: string;
}

/** Threads in Deno KV. */
export declare class DenoKvSaver extends WeftSaver {
  constructor(options: DenoKvSaverOptions);
}
