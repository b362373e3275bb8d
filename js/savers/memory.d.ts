// SPDX-License-Identifier: MIT
import { WeftSaver } from "./base.js";

/** Threads in this process's memory. */
export declare class MemorySaver extends WeftSaver {
  constructor();
}
