// SPDX-License-Identifier: MIT
// A checkpointer made for LangGraph.js in the place of a run's store. What it takes to speak to one
// is loaded when a run meets one, so that a program without one does not carry it. Owns nothing.
import { METHODS } from "./lazy.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../run/run.js").Run} Run */

export class SaverPort {
  /** What a history is asked for. @type {unknown} */
  options = undefined;

  /** @param {SaverLike} saver @param {Config} config of the call */
  constructor(saver, config) {
    this.saver = saver;
    this.config = config;
  }

  /**
   * @param {import("../engine/engine.js").Engine} engine
   * @param {string} id
   * @param {Run} run
   * @returns {Value} what the pump takes for the run's thread; when that has been checked, the
   *   thread itself stands there
   */
  openThread(engine, id, run) {
    return {
      check: async () => {
        const { PortThread } = await METHODS.load();
        if (!run.over && !run.request.parent?.run.over)
          run.thread = /** @type {Value} */ (new PortThread(engine, id, run, this));
      },
      release() {},
    };
  }
}
