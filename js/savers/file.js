// SPDX-License-Identifier: MIT
// Threads in a folder, for Node, Deno and Bun: new FileSaver({ path }).
import { WeftSaver } from "./base.js";
import { FileStore } from "./file-store.js";
import { holdAt } from "./hold.js";

/** @extends {WeftSaver<FileStore>} */
export class FileSaver extends WeftSaver {
  /** @param {{ path: string, keep?: import("./keep.js").KeepOptions }} options */
  constructor(options) {
    super(Object.assign(new FileStore(options), { hold: holdAt(options.path) }), undefined, options.keep);
  }
}
