// SPDX-License-Identifier: MIT
// Adapts a checkpointer made for LangGraph.js to a run's store. The adapter is loaded when a run
// meets such a checkpointer, so that programs without one do not contain it.
import { METHODS } from "./lazy.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../run/run.js").Run} Run */

export class SaverPort {
  /** Query of a history request. @type {unknown} */
  options = undefined;

  /** @param {SaverLike} saver @param {Config} config of the call */
  constructor(saver, config) {
    this.saver = saver;
    this.config = config;
  }

  /**
   * Opens a thread.
   * @param {import("../engine/engine.js").Engine} engine
   * @param {string} id
   * @param {Run} run
   * @returns {import("../run/thread.js").Thread} a placeholder of the run's thread; its check
   *   replaces it by the loaded thread
   */
  openThread(engine, id, run) {
    const placeholder = {
      check: async () => {
        const { PortThread } = await METHODS.load();
        if (!run.over && !run.request.parent?.run.over)
          run.thread = /** @type {Run["thread"]} */ (
            /** @type {unknown} */ (new PortThread(engine, id, run, this))
          );
      },
      release() {},
    };
    return /** @type {NonNullable<Run["thread"]>} */ (/** @type {unknown} */ (placeholder));
  }
}
