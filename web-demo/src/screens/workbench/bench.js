// SPDX-License-Identifier: MIT
// Owns what happens to the engine under an open thread: its plug, what a restart found, limits and
// meters. Must not know: how it is shown.
import { Client, RequestError } from "../../studio/server/client.js";
import { Ledger } from "./ledger.js";
import { PRICE, kindOf, raised } from "./limits.js";
import { Restart } from "./restart.js";

/** @typedef {import("../../worker/engine.js").Engine} Engine */
/** @typedef {import("./limits.js").Limits} Limits */
/**
 * Of the open thread: how long its runs took, and the bytes of its log.
 * @typedef {import("../../worker/took.js").Took & { bytes: number }} Meters
 */
/** @typedef {import("../../studio/time/history.js").History["spent"]} Spent */

const LOCAL = "http://weft.local";
/** How long after a stream ended it is opened again, in ms. */
const AGAIN_MS = 100;
/** How often meters are read while a run goes on, in ms. */
const METER_MS = 400;
const NOTHING = { engineMs: 0, waitMs: 0, bytes: 0 };
const UNREAD = { thread: "", steps: 0, tokens: 0, isWhole: true };

export class Bench extends EventTarget {
  graph = "";
  thread = "";
  ledger = new Ledger();
  /** @type {Meters} */
  meters = NOTHING;
  /** Of nodes that were retried, by name. @type {Record<string, number>} */
  attempts = {};
  /** @type {Limits} */
  limits = {};
  /** Of the thread that the studio shows. @type {Spent} */
  #spent = UNREAD;
  /** Bytes that each step stored, by checkpoint. @type {ReadonlyMap<string, number>} */
  #steps = new Map();
  /** The checkpoint that is looked at. @type {string | undefined} */
  #checkpoint = undefined;
  /** What the last restart found. @type {Restart | undefined} */
  restart = undefined;
  /** Why the last thing that was asked for failed. @type {string | undefined} */
  problem = undefined;
  #engine;
  #client;
  #following = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #meterDue;
  #changed = () => this.#tell();

  /** @param {Engine} engine */
  constructor(engine) {
    super();
    this.#engine = engine;
    this.#client = new Client({ fetch: engine.server.fetch, url: LOCAL });
    engine.addEventListener("state", this.#changed);
  }

  get state() {
    return this.#engine.state;
  }

  /** Threads outlive the engine. */
  get isKept() {
    return this.#engine.isKept;
  }

  /** Why the engine did not start. */
  get engineProblem() {
    return this.#engine.problem;
  }

  /** The limit that ended the newest run. */
  get reached() {
    const { failure, run } = this.ledger;
    return failure === undefined || run !== undefined ? undefined : kindOf(failure.name);
  }

  /** Bytes by which the step to the checkpoint that is looked at grew the thread's log. */
  get stepBytes() {
    return this.#steps.get(this.#checkpoint ?? "");
  }

  /** Steps and tokens of the open thread. */
  get spent() {
    return this.#spent.thread === this.thread ? this.#spent : UNREAD;
  }

  /** @param {Spent} spent as the studio tells it */
  count(spent) {
    this.#spent = spent;
    this.#tell();
  }

  /** @param {string | undefined} checkpoint that is looked at */
  look(checkpoint) {
    this.#checkpoint = checkpoint;
    if (checkpoint !== undefined && this.stepBytes === undefined) this.#readMeters();
    this.#tell();
  }

  /** @param {string} graph @param {string} thread none: nothing is followed */
  open(graph, thread) {
    this.graph = graph;
    if (thread === this.thread) return;
    this.thread = thread;
    this.ledger = new Ledger();
    this.meters = NOTHING;
    this.attempts = {};
    this.#steps = new Map();
    this.restart = undefined;
    this.#following.abort();
    this.#following = new AbortController();
    if (thread !== "") this.#follow(thread, this.#following.signal);
    this.#readMeters();
    this.#tell();
  }

  /** Ends the engine in the middle of what it does. */
  pull() {
    const { stored, done, running, run } = this.ledger;
    const cut = {
      stored: [...stored],
      done: [...done],
      running: [...running.values()],
      isRunning: run !== undefined,
    };
    this.restart = new Restart(this.#engine, this.#client, this.thread, this.graph, cut);
    this.#engine.pull();
    this.ledger.end();
    this.#tell();
  }

  /** Starts the engine, and goes on with what was cut; tells `restart` then. */
  async startAgain() {
    const { restart } = this;
    await this.#attempt(async () => {
      await Promise.all([restart?.begin(), this.#sendLimits()]);
      await restart?.goOn();
      await restart?.countLost();
    });
    this.dispatchEvent(new Event("restart"));
  }

  /** Puts what the restart found out of sight. */
  dismiss() {
    this.restart = undefined;
    this.#tell();
  }

  /** @param {Limits} limits of the runs that begin from now on */
  async setLimits(limits) {
    this.limits = limits;
    await this.#attempt(() => this.#sendLimits());
  }

  /** Goes on with what a limit stopped, with a higher one. */
  async goOn() {
    const kind = this.reached;
    if (kind === undefined) return;
    await this.#attempt(async () => {
      this.limits = raised(kind, this.limits);
      await this.#sendLimits();
      await this.#client.startRun(this.thread, { assistant_id: this.graph, input: null });
    });
  }

  /** Leaves the engine as others want it: there. */
  close() {
    this.#following.abort();
    clearTimeout(this.#meterDue);
    this.#engine.removeEventListener("state", this.#changed);
    this.#engine.start().catch(() => {});
  }

  #sendLimits() {
    return this.#engine.ask("limits", { ...this.limits, price: PRICE });
  }

  /** @param {string} thread @param {AbortSignal} signal */
  async #follow(thread, signal) {
    while (!signal.aborted) {
      try {
        await this.#client.follow(thread, (event) => this.#hear(event), signal);
      } catch (error) {
        // The studio says that the thread is not there; without an engine the next answer waits.
        if (error instanceof RequestError && error.status === 404) return;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** @param {import("../../studio/server/client.js").ServerEvent} event */
  #hear(event) {
    const { run } = this.ledger;
    this.ledger.take(event);
    this.restart?.take(event, performance.now());
    if (this.ledger.run !== undefined && run === undefined) this.#readMetersSoon();
    if (this.ledger.run === undefined && run !== undefined) this.#readMeters();
    this.#tell();
  }

  #readMetersSoon() {
    this.#meterDue ??= setTimeout(async () => {
      this.#meterDue = undefined;
      await this.#readMeters();
      if (this.ledger.run !== undefined) this.#readMetersSoon();
    }, METER_MS);
  }

  async #readMeters() {
    if (this.#engine.state === "gone") return;
    try {
      const { thread } = this;
      const { engineMs, waitMs, ran, attempts, bytes } = await this.#engine.ask("meters", thread);
      if (thread !== this.thread) return;
      this.meters = { engineMs, waitMs, bytes };
      this.attempts = attempts;
      this.restart?.count(ran);
      const isKnown = this.#checkpoint === undefined || this.stepBytes !== undefined;
      // The whole log is read for it: not while it grows.
      if (isKnown || thread === "" || this.ledger.run !== undefined) return this.#tell();
      const grown = await this.#engine.ask("step bytes", thread);
      if (thread === this.thread) this.#steps = grown;
    } catch {
      // The engine is gone: what was measured stays.
    }
    this.#tell();
  }

  /** @param {() => Promise<unknown>} work whose failure is shown */
  async #attempt(work) {
    this.problem = undefined;
    try {
      await work();
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
