// SPDX-License-Identifier: MIT
// Reads a request's progress from the streams of its runs: what tools and nodes report themselves,
// else the nodes of a graph that have ended. Progress only grows, as MCP wants it.
import { isRecord } from "../../base/check-arguments.js";

/** @typedef {{ progress: number, total?: number, message?: string }} Progress */

export class Steps {
  #onProgress;
  #last = -Infinity;
  #ended = 0;
  #isReported = false;

  /** @param {((progress: Progress) => void) | undefined} onProgress */
  constructor(onProgress) {
    this.#onProgress = onProgress;
  }

  /** @param {unknown} chunk `[namespace, mode, data]` */
  see(chunk) {
    if (this.#onProgress === undefined) return;
    const [namespace, mode, data] = /** @type {[string[], string, unknown]} */ (chunk);
    if (mode === "updates") return this.#end(namespace, data);
    const event = mode === "tools" && isRecord(data) ? data.data : data;
    if (!isRecord(event) || typeof event.progress !== "number") return;
    this.#isReported = true;
    const { progress, total, message } = event;
    this.#tell({
      progress,
      ...(Number.isFinite(total) ? { total: Number(total) } : undefined),
      ...(typeof message === "string" ? { message } : undefined),
    });
  }

  /** @param {string[]} namespace empty: the node that runs the tool @param {unknown} data */
  #end(namespace, data) {
    if (this.#isReported || namespace.length === 0 || !isRecord(data)) return;
    for (const node of Object.keys(data))
      if (!node.startsWith("__")) this.#tell({ progress: ++this.#ended, message: node });
  }

  /** @param {Progress} progress */
  #tell(progress) {
    if (!(progress.progress > this.#last) || !Number.isFinite(progress.progress)) return;
    this.#last = progress.progress;
    this.#onProgress?.(progress);
  }
}
