// SPDX-License-Identifier: MIT
// A checkpointer made for LangGraph.js, as a run's thread. What it takes to speak to one is loaded when a run meets one,
// so that a program without one does not carry it. Owns the thread's handle, which no other run shares.

import { Mirror } from "./mirror.js";

/** @typedef {import("./pump.js").Run} Run */

export class SaverPort {
  /** @param {any} saver @param {any} config of the call */
  constructor(saver, config) {
    this.saver = saver;
    this.config = config;
    this.options = undefined;
  }

  /** What a history is asked for. @param {any} options */
  query(options) {
    this.options = options;
  }

  /**
   * @param {import("../engine/engine.js").Engine} engine
   * @param {string} id
   * @param {Run} run
   * @returns {any} what the pump takes for the run's thread
   */
  openThread(engine, id, run) {
    return new PortThread(engine, id, run, this);
  }
}

class PortThread {
  /** @type {any} */
  port;
  /** A run's mirror is not kept: the next one reads the saver again. */
  mirror = undefined;

  /** @param {import("../engine/engine.js").Engine} engine @param {string} id @param {Run} run @param {SaverPort} asked */
  constructor(engine, id, run, asked) {
    this.engine = engine;
    this.run = run;
    this.asked = asked;
    /** The thread of the run around this one: both write one log, so that either's values can be referred to. @type {PortThread | undefined} */
    this.above = /** @type {any} */ (run.request.parent?.run.thread);
    this.shared = this.above?.shared ?? { handle: engine.open("weft_thread_open", id.slice(0, 250) || "?"), users: 0 };
    this.shared.users++;
    this.handle = this.shared.handle;
  }

  async check() {
    const { Port } = await import("../savers/foreign.js");
    const port = (this.port = new Port(this.run, this.asked, this.above?.port));
    this.run.request.sink = { turn: () => port.turn(), ...this.run.request.sink };
  }

  load() {
    return this.port.load();
  }

  /** @param {any} commit @param {Uint8Array} bytes */
  append(commit, bytes) {
    this.run.streamed = true;
    return this.port.append(bytes);
  }

  /** The text under which a value crosses; it stays as it is. @param {any} value */
  encode = (value) => this.port.keep(value);

  /** @param {string | undefined} text */
  decode(text) {
    return this.port.open(text);
  }

  /** What the saver said of a checkpoint. @param {string} id */
  saved(id) {
    return this.port.tuples.get(id);
  }

  release() {
    if (--this.shared.users === 0) this.engine.afterwards("weft_thread_free", this.handle);
  }
}

/**
 * A run whose thread's log holds a channel in a form that its graph does not have begins anew on the saver's methods: they
 * know both forms. Nothing has happened in it yet.
 * @param {Run} run
 * @param {any} error what it would be lost by
 */
export function beginsAnew(run, error) {
  const { request, engine, graph, thread } = run;
  if (error?.code !== "OTHER_SHAPE" || request.otherwise?.saver.leaveStore === undefined || request.parent !== undefined) return false;
  const { saver, config } = request.otherwise;
  saver.leaveStore();
  engine.blocks.push(run.block);
  engine.afterwards("weft_run_free", run.handle);
  run.handle = 0;
  thread?.release(run);
  run.request = { ...request, store: /** @type {any} */ (new SaverPort(saver, config)), otherwise: undefined };
  run.mirror = new Mirror(graph);
  run.answers.length = 0;
  run.open();
  return true;
}
