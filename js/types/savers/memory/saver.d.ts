// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";
import type { SerializerProtocol } from "../base-checkpoint-saver.js";

/**
 * Keeps threads in this process's memory. `storage` and `writes` are those of LangGraph's
 * MemorySaver; once one is read, a checkpoint is put or a method is overridden, threads are kept in
 * them instead of logs.
 */
export declare class MemorySaver extends WeftSaver {
  /**
   * @param serde serializes values; default: Weft's own form
   * @param options `keep`: which checkpoints are kept
   * @param options.keep which checkpoints of a thread are kept; default: all
   * @throws BAD_ARGUMENT for a serializer of another form
   */
  constructor(serde?: SerializerProtocol, options?: { keep?: KeepOptions });
  storage: Record<
    string,
    Record<string, Record<string, [Uint8Array, Uint8Array, string | undefined]>>
  >;
  writes: Record<string, Record<string, [string, string, Uint8Array]>>;
}
