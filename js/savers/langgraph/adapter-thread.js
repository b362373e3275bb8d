// SPDX-License-Identifier: MIT
// A checkpointer made for LangGraph.js, as a run's thread. Owns the thread's handle, which no other
// run shares.
import { CHILD_ROOT } from "../../base/codes.js";
import { Adapter } from "./adapter.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * A run's thread whose log is made from what a saver has, and whose records become calls of its
 * methods.
 */
export class PortThread {
  /** A run's mirror is not kept: the next one reads the saver again. */
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
     * The thread of the run around this one: both write one log, so that either's values can be
     * referred to.
     * @type {PortThread | undefined}
     */
    const above = /** @type {Value} */ (parent?.run.thread);
    // The root of another thread has a log of its own.
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

  /** The text under which a value crosses; it stays as it is. @param {unknown} value */
  encode = (value) => this.adapter.keep(value);

  /** @param {string | undefined} text */
  decode(text) {
    return this.adapter.open(text);
  }

  /** What the saver said of a checkpoint. @param {string} id */
  saved(id) {
    return this.adapter.tuples.get(id);
  }

  release() {
    if (--this.shared.users === 0) this.engine.afterwards("weft_thread_free", this.handle);
  }
}
