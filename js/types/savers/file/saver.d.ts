// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

/** Options of a FileSaver. */
export interface FileSaverOptions {
  /**
   * Path of the folder, which is created by the first save; several processes may share it:
   * their runs of one thread queue.
   */
  path: string;
  /** Which checkpoints are kept; default: all. */
  keep?: KeepOptions;
}

/** Stores threads in a folder, for Node, Deno and Bun. */
export declare class FileSaver extends WeftSaver {
  /**
   * @param options the folder, and which checkpoints are kept
   * @throws BAD_ARGUMENT without the path of a folder
   */
  constructor(options: FileSaverOptions);
}
