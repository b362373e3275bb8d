// SPDX-License-Identifier: MIT
// Presents a checkpointer made for LangGraph.js as a run's thread. Owns the thread's handle, which
// only runs of the same call share.
import { CHILD_ROOT } from "../../base/codes.js";
import { Adapter } from "./adapter.js";

/**
 * A run's thread: its log is made from the saver's tuples, and its records become calls of the
 * saver's methods.
 */
export class PortThread {
  /** No mirror is kept between runs: the next run reads the saver again. */
  mirror = undefined;

  /**
   * @param {import("../../engine/engine.js").Engine} engine
   * @param {string} id
   * @param {import("../../run/run.js").Run} run
   * @param {import("../foreign-saver.js").SaverPort} asked
   */
  constructor(engine, id, run, asked) {
    this.engine = engine;
    this.run = run;
    const { parent, threadId, childFlags = 0 } = run.request;
    /**
     * Thread of the parent run: both write one log, so that records can refer to either's values.
     * @type {PortThread | undefined}
     */
    const above = /** @type {PortThread | undefined} */ (
      /** @type {unknown} */ (parent?.run.thread)
    );
    // The root graph of another thread has its own log.
    const isApart = (childFlags & CHILD_ROOT) !== 0 && threadId !== parent?.run.request.threadId;
    this.shared = (isApart ? undefined : above?.shared) ?? {
      handle: engine.open("weft_thread_open", id.slice(0, 250) || "?"),
      users: 0,
    };
    this.shared.users++;
    this.handle = this.shared.handle;
    const adapter = (this.adapter = new Adapter(run, asked, above?.adapter, isApart));
    run.request.sink = { turn: () => adapter.turn(), ...run.request.sink };
  }

  load() {
    return this.adapter.load();
  }

  /** @param {unknown} commit @param {Uint8Array} bytes */
  append(commit, bytes) {
    this.run.streamed = true;
    return this.adapter.append(bytes);
  }

  /** Stores a value and returns the text that represents it in the log. @param {unknown} value */
  encode = (value) => this.adapter.keep(value);

  /** @param {string | undefined} text */
  decode(text) {
    return this.adapter.open(text);
  }

  /** Returns the saver's tuple of a checkpoint. @param {string} id */
  saved(id) {
    return this.adapter.tuples.get(id);
  }

  release() {
    if (--this.shared.users === 0) this.engine.afterwards("weft_thread_free", this.handle);
  }
}
