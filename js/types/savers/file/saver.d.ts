// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

/** Which folder; it is made when something is saved. */
export interface FileSaverOptions {
  /**
   * The folder; several processes may share it. With `multitaskStrategy: "enqueue"` their runs of
   * one thread wait for each other.
   */
  path: string;
  /** Which checkpoints stay; default: all. */
  keep?: KeepOptions;
}

/** Threads in a folder, for Node, Deno and Bun. */
export declare class FileSaver extends WeftSaver {
  constructor(options: FileSaverOptions);
}
