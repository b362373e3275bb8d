// SPDX-License-Identifier: MIT
// Threads in this process's memory: new MemorySaver().
import { WeftSaver } from "./base.js";
import { MemoryStore } from "./memory-store.js";

/** @extends {WeftSaver<MemoryStore>} */
export class MemorySaver extends WeftSaver {
  constructor() {
    super(new MemoryStore());
  }
}
