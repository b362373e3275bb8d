// SPDX-License-Identifier: MIT
// Stores threads in a folder, for Node, Deno and Bun: new FileSaver({ path }).
import { WeftSaver } from "../weft-saver.js";
import { FileStore } from "./store.js";

/** @extends {WeftSaver<FileStore>} */
export class FileSaver extends WeftSaver {
  /** @param {{ path: string, keep?: import("../core/keep.js").KeepOptions }} options */
  constructor(options) {
    super(new FileStore(options), undefined, options.keep);
  }
}
