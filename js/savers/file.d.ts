// SPDX-License-Identifier: MIT
import { WeftSaver } from "./base.js";

export interface FileSaverOptions {
  /** The folder; several processes may share it. */
  path: string;
}

/** Threads in a folder, for Node, Deno and Bun. */
export declare class FileSaver extends WeftSaver {
  constructor(options: FileSaverOptions);
}
