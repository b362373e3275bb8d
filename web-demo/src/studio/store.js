// SPDX-License-Identifier: MIT
// Owns what the studio knows of a server: its graphs, threads, the history and the run of the open
// thread, and what is selected. Must not know: how it is shown.
import { marksOf } from "./branches.js";
import { RequestError } from "./client.js";
import { LiveTasks } from "./live-tasks.js";
import { questionsOf } from "./questions/cards.js";

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Thread} Thread */
/** @typedef {import("./branches.js").Mark} Mark */
/** @typedef {{ at: number, event: string, data: unknown }} LoggedEvent */
/** @typedef {import("./questions/cards.js").Question} Question */

/** Checkpoints that are read at first, and with each "older". */
const PAGE = 200;
const MAX_THREADS = 100;
/** Events that are kept: the newest. */
const MAX_EVENTS = 1000;
/** How long after a stream broke it is opened again, in ms; longer each time. */
const RETRY_MS = [500, 1000, 2000, 5000];

export class Store extends EventTarget {
  /** @type {import("./client.js").Assistant[]} */
  graphs = [];
  graph = "";
  /** @type {import("./client.js").Drawing} */
  drawing = { nodes: [], edges: [] };
  /** @type {Thread[]} */
  threads = [];
  thread = "";
  /** Checkpoints of the open thread, the oldest first. @type {Mark[]} */
  marks = [];
  hasOlder = false;
  /** The checkpoint that is looked at; none: the newest one. @type {string | undefined} */
  selected = undefined;
  live = new LiveTasks();
  /** Run of the open thread that goes on. @type {string | undefined} */
  run = undefined;
  /** @type {LoggedEvent[]} */
  events = [];
  /** Text that models say in the run, by message. @type {Map<string, string>} */
  speech = new Map();
  /** Why the last thing that was asked for failed. @type {string | undefined} */
  problem = undefined;
  isReady = false;
  #client;
  #following = new AbortController();
  #limit = PAGE;
  #isTold = false;
  /** The last run that ended: its end may be told before its start is answered. */
  #ended = "";

  /** @param {Client} client */
  constructor(client) {
    super();
    this.#client = client;
  }

  /** The checkpoint that is shown. @returns {Mark | undefined} */
  get shown() {
    return this.marks.find(({ id }) => id === this.selected) ?? this.marks.at(-1);
  }

  /** The one before the shown one, in its branch. @returns {Mark | undefined} */
  get before() {
    const parent = this.shown?.parent;
    return parent === undefined ? undefined : this.marks.find(({ id }) => id === parent);
  }

  /** Questions of all threads that wait, the newest thread first. @returns {Question[]} */
  get questions() {
    return this.threads.flatMap(({ thread_id: thread, status, interrupts }) =>
      status === "interrupted" || status === "busy"
        ? questionsOf({ thread_id: thread, status, interrupts })
        : [],
    );
  }

  /** @param {{ graph?: string, thread?: string }} wanted */
  open({ graph, thread }) {
    return this.#attempt(async () => {
      this.graphs = await this.#client.graphs();
      const first = this.graphs.find(({ graph_id }) => graph_id === graph) ?? this.graphs[0];
      if (first === undefined) throw new RequestError("The server has no graphs.");
      this.graph = first.graph_id;
      [this.drawing] = await Promise.all([this.#client.drawing(this.graph), this.#readThreads()]);
      this.isReady = true;
      if (thread) await this.#show(thread);
    });
  }

  /** @param {string} graph */
  chooseGraph(graph) {
    return this.#attempt(async () => {
      this.drawing = await this.#client.drawing(graph);
      this.graph = graph;
      this.#leave();
    });
  }

  /** @param {string} thread */
  chooseThread(thread) {
    return this.#attempt(() => this.#show(thread));
  }

  /** The next run begins a thread. */
  newThread() {
    this.#leave();
    this.#tell();
  }

  /** @param {string | undefined} checkpoint */
  select(checkpoint) {
    this.selected = checkpoint === this.marks.at(-1)?.id ? undefined : checkpoint;
    this.#tell();
  }

  /** Shows the checkpoint that is so many before (or after) the shown one. @param {number} by */
  move(by) {
    const at = this.marks.findIndex(({ id }) => id === this.shown?.id);
    const mark = this.marks[Math.max(0, Math.min(this.marks.length - 1, at + by))];
    if (mark !== undefined) this.select(mark.id);
  }

  /** Reads more of the history. */
  older() {
    this.#limit += PAGE;
    return this.#attempt(() => this.#readHistory());
  }

  /** Starts a run with an input. @param {unknown} input */
  start(input) {
    return this.#attempt(async () => {
      if (this.thread === "") {
        const { thread_id } = await this.#client.createThread(this.graph);
        await this.#show(thread_id);
      }
      await this.#run({ input });
    });
  }

  /**
   * Answers a question.
   * @param {Question} question
   * @param {unknown} answer
   * @returns {Promise<string | undefined>} why it was not taken
   */
  async answer({ thread, id }, answer) {
    await this.#attempt(async () => {
      if (thread !== this.thread) await this.#show(thread);
      await this.#run({ command: { resume: { [id]: answer } } });
    });
    return this.problem;
  }

  /** Reads what people decided in a thread. @param {string} thread */
  decisions(thread) {
    return this.#client.decisions(thread);
  }

  /** Goes on from the shown checkpoint: a branch, where it is not the newest one. */
  runFromHere() {
    return this.#attempt(() => this.#run({ input: null, ...this.#here() }));
  }

  /**
   * Writes the state at the shown checkpoint, as a branch, and shows what came of it.
   * @param {unknown} values
   * @param {string} [asNode]
   */
  writeState(values, asNode) {
    return this.#attempt(async () => {
      const { checkpoint } = await this.#client.updateState(this.thread, {
        values,
        ...this.#here(),
        ...(asNode ? { as_node: asNode } : {}),
      });
      await this.#readHistory();
      this.select(checkpoint.checkpoint_id);
    });
  }

  /** Ends the run that goes on. */
  stop() {
    const { run } = this;
    if (run === undefined) return Promise.resolve();
    return this.#attempt(() => this.#client.cancel(this.thread, run));
  }

  /** Reads the threads again, for questions that other clients caused. */
  refresh() {
    return this.#attempt(async () => {
      await this.#readThreads();
      if (this.thread !== "" && this.run === undefined) await this.#readHistory();
    });
  }

  /** Leaves the server. */
  close() {
    this.#following.abort();
  }

  /** The shown checkpoint, for a request; nothing: the newest one is meant. */
  #here() {
    return this.selected === undefined ? {} : { checkpoint_id: this.selected };
  }

  /** @param {Omit<Parameters<Client["startRun"]>[1], "assistant_id">} run */
  async #run(run) {
    const { run_id } = await this.#client.startRun(this.thread, {
      assistant_id: this.graph,
      ...run,
    });
    this.selected = undefined;
    this.#begin(run_id);
  }

  /** @param {string} run */
  #begin(run) {
    if (this.run === run || this.#ended === run) return;
    this.run = run;
    this.live = new LiveTasks();
    this.speech = new Map();
  }

  /** @param {string} thread */
  async #show(thread) {
    this.#leave();
    this.thread = thread;
    const found = this.threads.find(({ thread_id }) => thread_id === thread);
    const graph = found?.metadata?.graph_id;
    if (typeof graph === "string" && graph !== this.graph) {
      this.drawing = await this.#client.drawing(graph);
      this.graph = graph;
    }
    await this.#readHistory();
    this.#follow(thread, this.#following.signal);
  }

  #leave() {
    this.#following.abort();
    this.#following = new AbortController();
    this.thread = "";
    this.marks = [];
    this.selected = undefined;
    this.run = undefined;
    this.live = new LiveTasks();
    this.events = [];
    this.speech = new Map();
    this.#limit = PAGE;
  }

  async #readHistory() {
    const { thread } = this;
    const history = await this.#client.history(thread, this.#limit);
    if (thread !== this.thread) return;
    this.marks = marksOf(history);
    this.hasOlder = history.length === this.#limit;
  }

  async #readThreads() {
    this.threads = await this.#client.threads({ limit: MAX_THREADS });
  }

  /**
   * Listens to a thread until it is left; opens a stream that broke again.
   * @param {string} thread
   * @param {AbortSignal} signal
   */
  async #follow(thread, signal) {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#client.follow(
          thread,
          (event) => {
            failures = 0;
            if (!signal.aborted) this.#hear(event);
          },
          signal,
        );
      } catch {
        // A thread that does not answer is told of by what is asked next.
      }
      if (signal.aborted) return;
      const ms = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }

  /** @param {import("./read-events.js").ServerEvent} event */
  #hear({ event, data }) {
    if (event === "metadata") this.#hearRun(data);
    else if (event === "state_update") this.#settle();
    else {
      this.events.push({ at: Date.now(), event, data });
      if (this.events.length > MAX_EVENTS) this.events.splice(0, this.events.length - MAX_EVENTS);
      this.live.take(event, data, performance.now());
      if (event.split("|")[0] === "messages") this.#hearSpeech(data);
      if (event === "checkpoints") this.#settle();
    }
    this.#tell();
  }

  /** @param {any} data */
  #hearRun({ run_id, status }) {
    if (status !== "run_done") return void this.#begin(run_id);
    this.#ended = run_id;
    this.run = undefined;
    this.live.end();
    this.speech = new Map();
    this.#settle();
  }

  /** @param {any} data a piece of a message and where it comes from */
  #hearSpeech(data) {
    const [message] = Array.isArray(data) ? data : [];
    if (typeof message?.id !== "string" || typeof message.content !== "string") return;
    const isPiece = message.type === "AIMessageChunk";
    const said = isPiece ? (this.speech.get(message.id) ?? "") : "";
    this.speech.set(message.id, said + message.content);
  }

  /** Reads what was committed: once for all that was told until then. */
  #settle = once(async () => {
    const { thread } = this;
    if (thread === "") return;
    await this.#attempt(async () => {
      await Promise.all([this.#readHistory(), this.#readThreads()]);
    });
  });

  /** @param {() => Promise<unknown>} work whose failure is shown */
  async #attempt(work) {
    try {
      this.problem = undefined;
      await work();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.problem = error.message;
    }
    this.#tell();
  }

  /** Events come faster than anybody can see. */
  #tell() {
    if (this.#isTold) return;
    this.#isTold = true;
    queueMicrotask(() => {
      this.#isTold = false;
      this.dispatchEvent(new Event("change"));
    });
  }
}

/**
 * Runs work that was asked for while it ran once more after it, not beside it.
 * @param {() => Promise<unknown>} work
 * @returns {() => Promise<void>}
 */
function once(work) {
  let isRunning = false;
  let isWanted = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted) {
        isWanted = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
}
