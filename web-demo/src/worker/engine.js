// SPDX-License-Identifier: MIT
// Runs the engine in a module worker. The page keeps the asking end: requests to the Agent Server
// in it, and commands of the demo's own. Must not know: graphs, screens.
import { serveFrom } from "weftgraph/server/service-worker";
import { openWorker } from "./open-worker.js";

/** @typedef {"starting" | "ready" | "gone"} EngineState */
/** @typedef {{ fetch: (input: string, init?: RequestInit) => Promise<Response> }} AskedServer */
/**
 * What answers: one worker, from its start to its end.
 * @typedef {{ worker: Worker, fetch: AskedServer["fetch"], over: AbortController }} Life
 */

const STOPPED = "The engine was stopped in the middle of this.";

/**
 * @template Value
 * @typedef {{ promise: Promise<Value>, resolve: (value: Value) => void, reject: (error: unknown) =>
 *   void }} Pending
 */

/** The engine did not answer: it was stopped, it did not start, or a command of it failed. */
export class EngineError extends Error {
  /** @param {string} message @param {string} [code] */
  constructor(message, code = "ENGINE_GONE") {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/** Tells `state` each time it changes, or the storage is emptied. */
export class Engine extends EventTarget {
  /** @type {EngineState} */
  state = "gone";
  /** How long the last start took, from the click to the first answer, in ms. */
  started = { ms: 0 };
  /** Threads outlive the worker: the browser gives the page a storage. */
  isKept = true;
  /** The browser's storage was emptied under the engine: what it knows is not stored any more. */
  isEmptied = false;
  /** Why the last start failed. @type {string | undefined} */
  problem = undefined;
  /** @type {Life | undefined} */
  #life;
  /**
   * After the plug: a worker that loads its code, and does nothing else.
   * @type {Worker | undefined}
   */
  #spare;
  /** The life that requests wait for. */
  #next = /** @type {Pending<Life>} */ (pending());
  #begun = 0;
  #asked = 0;
  /** @type {Map<number, Pending<any>>} */
  #answers = new Map();
  #open;

  /** @param {() => Worker} [open] makes the worker */
  constructor(open = () => openWorker("engine")) {
    super();
    this.#open = open;
    this.start().catch(() => {});
  }

  /** The Agent Server in the worker. While there is no worker, requests wait for the next one. */
  server = {
    fetch: (/** @type {string} */ input, /** @type {RequestInit} */ init = {}) =>
      this.#fetch(input, init),
  };

  /**
   * Starts the engine, unless it is there.
   * @returns {Promise<void>} it answers
   * @throws EngineError with ENGINE_START
   */
  async start() {
    if (this.state === "gone") this.#begin();
    await this.#next.promise;
  }

  /** Ends the worker at once, in the middle of whatever it does. */
  pull() {
    if (this.#life === undefined) return;
    this.#end(new EngineError(STOPPED));
    const spare = this.#open();
    this.#spare = spare;
    spare.addEventListener("error", () => {
      if (this.#spare === spare) this.#spare = undefined;
    });
  }

  /**
   * Asks for one of the commands in commands.js.
   * @param {string} name
   * @param {unknown} [value] that can be posted
   * @returns {Promise<any>}
   * @throws EngineError
   */
  async ask(name, value) {
    if (this.problem !== undefined) throw new EngineError(this.problem, "ENGINE_START");
    const { worker } = await this.#next.promise;
    if (worker !== this.#life?.worker) throw new EngineError(STOPPED);
    const id = ++this.#asked;
    const answer = pending();
    this.#answers.set(id, answer);
    worker.postMessage({ ask: id, name, value });
    return answer.promise;
  }

  /** @param {string} input @param {RequestInit} init */
  async #fetch(input, init) {
    if (this.problem !== undefined) throw new EngineError(this.problem, "ENGINE_START");
    const { signal } = init;
    const { fetch, over } = await unlessAborted(this.#next.promise, signal);
    const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
    return fetch(input, { ...init, signal: either });
  }

  #begin() {
    this.#begun = performance.now();
    this.problem = undefined;
    this.isEmptied = false;
    const worker = this.#spare ?? this.#open();
    this.#spare = undefined;
    const over = new AbortController();
    const { signal } = over;
    const life = { worker, over, fetch: serveFrom(worker).fetch };
    this.#life = life;
    worker.addEventListener("message", ({ data }) => this.#hear(life, data), { signal });
    worker.addEventListener("error", () => this.#fail("The engine's worker did not load."), {
      signal,
    });
    worker.postMessage({ begin: true });
    this.#become("starting");
  }

  /** @param {Life} life that says it @param {any} message or one of the server's */
  #hear(life, message) {
    if (message?.ready === true) {
      this.started = { ms: performance.now() - this.#begun };
      this.isKept = message.isKept !== false;
      this.#next.resolve(life);
      this.#become("ready");
    } else if (message?.emptied === true) {
      this.isEmptied = true;
      this.#become(this.state);
    } else if (typeof message?.failed === "string") this.#fail(message.failed);
    else if (typeof message?.answer === "number") {
      const answer = this.#answers.get(message.answer);
      this.#answers.delete(message.answer);
      if (message.error === undefined) answer?.resolve(message.value);
      else answer?.reject(new EngineError(message.error.message, message.error.code));
    }
  }

  /** An error after the start ends nothing: the worker goes on. @param {string} problem */
  #fail(problem) {
    if (this.state !== "starting") return;
    this.problem = problem;
    this.#end(new EngineError(problem, "ENGINE_START"));
  }

  /** @param {EngineError} error that who waits for an answer gets */
  #end(error) {
    if (this.#life === undefined) return;
    const { worker, over } = this.#life;
    this.#life = undefined;
    worker.terminate();
    over.abort(error);
    for (const answer of this.#answers.values()) answer.reject(error);
    this.#answers.clear();
    if (error.code === "ENGINE_START") this.#next.reject(error);
    this.#next = pending();
    this.#become("gone");
  }

  /** @param {EngineState} state */
  #become(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/** @returns {Pending<any>} whose failure may be left unread */
function pending() {
  /** @type {any} */
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  made.promise.catch(() => {});
  return made;
}

/**
 * @template Value
 * @param {Promise<Value>} promise
 * @param {AbortSignal | null | undefined} signal
 * @returns {Promise<Value>}
 */
function unlessAborted(promise, signal) {
  if (!signal) return promise;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
