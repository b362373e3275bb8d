// SPDX-License-Identifier: MIT
// Listens to a thread: owns what its run does now. Must not know: what was committed before, what
// is shown.
import { RequestError } from "./client.js";
import { LiveTasks, messageOf } from "../graph/live-tasks.js";
import { Speech } from "../talk/speech.js";

/** @typedef {import("./client.js").Client} Client */
/**
 * `id`: counts them.
 * @typedef {{ id: number, at: number, event: string, data: unknown }} LoggedEvent
 */
/**
 * `committed`: there is something new to read. `missing`: the server knows no such thread, or no
 * streams of threads.
 * @typedef {{ changed: () => void, committed: () => void, missing: () => Promise<void> }} Told
 */

/** Events that are kept: the newest. */
const MAX_EVENTS = 1000;
/** How long after a stream broke it is opened again, in ms; longer each time. */
const RETRY_MS = [500, 1000, 2000, 5000];

export class Watch {
  live = new LiveTasks();
  /** The run that goes on. @type {string | undefined} */
  run = undefined;
  /** @type {LoggedEvent[]} */
  events = [];
  speech = new Speech();
  /** Why the last run failed. @type {string | undefined} */
  failure = undefined;
  /** The last run that ended: its end may be told before its start is answered. */
  #ended = "";
  #count = 0;
  /** The last run that began: it may go on although nobody knows of it. */
  #begun = "";
  /** Its first event. */
  #first = 0;
  /** Ends the pause before the stream is opened again. */
  #hurry = () => {};
  #closing = new AbortController();
  #client;
  #thread;
  #told;

  /** @param {Client} client @param {string} thread none: `""` @param {Told} told */
  constructor(client, thread, told) {
    this.#client = client;
    this.#thread = thread;
    this.#told = told;
  }

  /** Listens until it is closed; opens a stream that broke again. */
  async follow() {
    const { signal } = this.#closing;
    // What happened while no stream was open is read: a run may end before the first one is.
    const opened = () => this.#readMissed(signal);
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#client.follow(
          this.#thread,
          (event) => {
            failures = 0;
            if (!signal.aborted) this.#hear(event);
          },
          signal,
          opened,
        );
      } catch (error) {
        // A thread that does not answer is told of by what is asked next.
        const isMissing = error instanceof RequestError && error.status === 404;
        if (isMissing && !signal.aborted) await this.#told.missing();
      }
      if (signal.aborted) return;
      const ms = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#hurry = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
      });
    }
  }

  /** The server answers again: a stream that waits is opened at once. */
  hurry() {
    this.#hurry();
  }

  close() {
    this.#closing.abort();
  }

  /** A run was started from here: it may be over before that is answered. @param {string} run */
  start(run) {
    this.begin(run);
    // What fails here is told by what is asked next.
    this.look().catch(() => {});
  }

  /** @param {string} run */
  begin(run) {
    if (this.run === run || this.#ended === run) return;
    this.run = run;
    if (this.#begun !== run) this.#first = this.#count;
    this.#begun = run;
    this.forget();
  }

  /**
   * A stream tells a run from its start, also one that another stream began to tell.
   * @param {string} run
   */
  #hearStart(run) {
    if (run !== this.#begun || run === this.#ended) return this.begin(run);
    this.run = run;
    this.events = this.events.filter(({ id }) => id < this.#first);
    this.forget();
  }

  /** Asks whether the run still goes on: a server that was replaced does not tell of its end. */
  async look() {
    const run = this.#begun;
    if (run === this.#ended) return;
    const { status } = await this.#client.thread(this.#thread);
    const isLast = run === this.#begun && run !== this.#ended;
    if (isLast && status !== "busy") this.#end(run, status !== "idle");
  }

  /** @param {AbortSignal} signal */
  #readMissed(signal) {
    // A server that fails here tells it by its stream's end.
    this.look().catch(() => {});
    if (!signal.aborted) this.#told.committed();
  }

  /**
   * The server is out of reach: nobody knows whether the run goes on. If it does, the next stream
   * tells of it from its start.
   */
  lose() {
    this.run = undefined;
    this.live.end();
  }

  /** What is shown of a run belongs to another branch, or is told anew. */
  forget() {
    this.live = new LiveTasks();
    this.speech = new Speech();
    this.failure = undefined;
  }

  /** @param {import("./read-events.js").ServerEvent} event */
  #hear({ event, data }) {
    if (event === "metadata") {
      if (data?.status === "run_done")
        this.#end(data.run_id, data.run_status !== "success" && data.run_status !== "interrupted");
      else if (typeof data?.run_id === "string") this.#hearStart(data.run_id);
    } else if (event === "state_update") this.#told.committed();
    else this.#hearRun(event, data);
    this.#told.changed();
  }

  /** @param {string} event @param {any} data */
  #hearRun(event, data) {
    this.events.push({ id: this.#count++, at: Date.now(), event, data });
    if (this.events.length > MAX_EVENTS) this.events.splice(0, this.events.length - MAX_EVENTS);
    this.live.take(event, data, performance.now());
    const [mode] = event.split("|");
    if (mode === "messages") this.speech.hear(data);
    if (mode === "error") this.failure = messageOf(data ?? "");
    if (event === "checkpoints") this.#told.committed();
  }

  /** @param {string} run @param {boolean} hasFailed */
  #end(run, hasFailed) {
    this.#ended = run;
    this.run = undefined;
    this.live.end();
    this.speech.end(hasFailed);
    this.#told.committed();
  }
}
