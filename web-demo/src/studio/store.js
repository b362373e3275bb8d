// SPDX-License-Identifier: MIT
// Owns what the studio knows of a server: its graphs, threads, and the run of the open thread. Must
// not know: how it is shown.
import { RequestError } from "./server/client.js";
import { Drawn } from "./graph/drawn.js";
import { History } from "./time/history.js";
import { once } from "./once.js";
import { Reach } from "./server/reach.js";
import { Threads, nameOf } from "./threads/threads.js";
import { Watch } from "./server/watch.js";

/** @typedef {import("./server/client.js").Client} Client */
/** @typedef {import("./questions/cards.js").Question} Question */
/**
 * Where a run begins, and with what.
 * @typedef {{ input?: unknown, command?: unknown, checkpoint_id?: string | undefined }} RunStart
 */

export class Store extends Drawn {
  /** @type {Threads} */
  threads;
  thread = "";
  /** What became of a thread that is not there any more, until another one is chosen. */
  gone = /** @type {string | undefined} */ (undefined);
  isReady = false;
  /** @type {Watch} */
  watch;
  #client;
  /** The thread that is being deleted from here. */
  #removing = "";
  #reach;
  /** What was to be opened first. @type {{ graph?: string, thread?: string }} */
  #wanted = {};

  /** @param {Client} client */
  constructor(client) {
    super(client);
    this.#client = client;
    this.threads = new Threads(client);
    this.watch = this.#watchOf("");
    this.#reach = new Reach(client.line, {
      lost: () => {
        this.watch.lose();
        this.tell();
      },
      back: () => this.#goOn(),
      look: () => this.#look(),
    });
    this.#reach.begin();
  }

  /** The server takes a run. */
  get canRun() {
    return this.isReady && this.trouble === undefined;
  }

  /** Run of the open thread that goes on. */
  get run() {
    return this.watch.run;
  }

  /**
   * The newest checkpoint; undefined while a run goes on. The record of decisions is read by it: a
   * worker may have to load what reads that, for which nobody should wait.
   */
  get resting() {
    return this.run === undefined ? this.marks.at(-1)?.id : undefined;
  }

  /** @param {{ graph?: string, thread?: string }} wanted */
  open({ graph, thread }) {
    this.#wanted = { graph, thread };
    return this.attempt(async () => {
      this.graphs = await this.#client.graphs();
      const first = this.graphs.find(({ graph_id }) => graph_id === graph) ?? this.graphs[0];
      if (first === undefined) throw new RequestError("The server has no graphs.");
      await Promise.all([this.openGraph(first.graph_id), this.threads.read()]);
      this.isReady = true;
      if (thread) await this.#show(thread);
    });
  }

  /** @param {string} graph */
  chooseGraph(graph) {
    return this.attempt(async () => {
      await this.openGraph(graph);
      this.#leave();
    });
  }

  /** @param {string} thread */
  chooseThread(thread) {
    return this.attempt(() => this.#show(thread));
  }

  /** The next run begins a thread. */
  newThread() {
    this.#leave();
    this.tell();
  }

  /** @param {string} thread @param {string} title */
  rename(thread, title) {
    return this.attempt(() => this.threads.rename(thread, title));
  }

  /** @param {string} thread */
  async remove(thread) {
    this.#removing = thread;
    await this.attempt(async () => {
      await this.threads.remove(thread);
      if (thread === this.thread) this.#leave();
    });
    this.#removing = "";
  }

  /** Starts a run with an input, at the shown checkpoint. @param {unknown} input */
  start(input) {
    return this.attempt(async () => {
      if (this.thread === "") await this.#show(await this.threads.create(this.graph, input));
      await this.#run({ input, ...this.here });
    });
  }

  /**
   * Answers a question.
   * @param {Question} question
   * @param {unknown} answer
   * @returns {Promise<string | undefined>} why it was not taken
   */
  async answer({ thread, id }, answer) {
    await this.attempt(async () => {
      if (thread !== this.thread) await this.#show(thread);
      await this.#run({ command: { resume: { [id]: answer } } });
    });
    return this.problem ?? this.gone;
  }

  /** Reads what people decided in a thread. @param {string} thread */
  decisions(thread) {
    return this.#client.decisions(thread);
  }

  /** Goes on from the shown checkpoint: a branch, where it is not the newest one. */
  runFromHere() {
    return this.attempt(() => this.#run({ input: null, ...this.here }));
  }

  /**
   * Runs from a checkpoint, as a branch.
   * @param {string | undefined} checkpoint
   * @param {unknown} input null: what was next there
   */
  fork(checkpoint, input) {
    return this.attempt(() => this.#run({ input, checkpoint_id: checkpoint }));
  }

  /** Begins a branch at the shown checkpoint, with the same state. */
  copyHere() {
    return this.writeState(null, "__copy__");
  }

  /**
   * Writes the state at the shown checkpoint, as a branch, and shows what came of it.
   * @param {unknown} values
   * @param {string} [asNode]
   */
  writeState(values, asNode) {
    return this.attempt(async () => {
      const { checkpoint } = await this.#client.updateState(this.thread, {
        values,
        ...this.here,
        ...(asNode ? { as_node: asNode } : {}),
      });
      this.watch.forget();
      await Promise.all([this.history.refresh(), this.threads.read()]);
      this.select(checkpoint.checkpoint_id);
    });
  }

  /** Ends the run that goes on. */
  stop() {
    const { run } = this;
    if (run === undefined) return Promise.resolve();
    return this.attempt(() => this.#client.cancel(this.thread, run));
  }

  /** Reads what other clients did, and whether the run still goes on. */
  refresh() {
    return this.attempt(async () => {
      await this.threads.read();
      if (this.thread === "") return;
      await this.watch.look();
      await this.history.refresh();
    });
  }

  /**
   * An open thread that is not there any more is left, and nothing takes its place.
   * @param {RequestError} error
   */
  async explain(error) {
    const { thread } = this;
    if (error.status !== 404 || thread === "" || (await this.#client.has(thread)))
      return error.message;
    const known = this.threads.find(thread);
    const wasThere = known !== undefined || this.marks.length > 0;
    await this.threads.read();
    if (thread !== this.thread) return undefined;
    this.#leave();
    this.gone = wasThere
      ? `This thread was deleted elsewhere: “${known === undefined ? thread : nameOf(known)}”.`
      : "This thread is not there: it was deleted elsewhere, or its address is wrong.";
    return undefined;
  }

  /** Leaves the server. */
  close() {
    this.#reach.close();
    this.watch.close();
  }

  /** @param {RunStart} run */
  async #run(run) {
    const { run_id } = await this.#client.startRun(this.thread, {
      assistant_id: this.graph,
      ...run,
    });
    this.selected = undefined;
    this.watch.start(run_id);
  }

  /** @param {string} thread */
  async #show(thread) {
    this.#leave();
    this.thread = thread;
    this.history = new History(this.#client, thread);
    this.watch = this.#watchOf(thread);
    const { history } = this;
    const graph = this.threads.find(thread)?.metadata?.graph_id;
    if (typeof graph === "string" && graph !== this.graph) await this.openGraph(graph);
    await history.refresh();
    if (history !== this.history) return;
    this.watch.follow();
    history
      .complete(() => history === this.history)
      .then(
        () => this.tell(),
        // What could not be read can be asked for: "older".
        () => {},
      );
  }

  #leave() {
    this.watch.close();
    this.thread = "";
    this.gone = undefined;
    this.selected = undefined;
    this.history = new History(this.#client, "");
    this.watch = this.#watchOf("");
  }

  /** @param {string} thread @returns {Watch} */
  #watchOf(thread) {
    return new Watch(this.#client, thread, {
      changed: () => this.tell(),
      committed: () => this.#settle(),
      missing: async () => {
        if (thread === this.thread && thread !== this.#removing)
          await this.attempt(() => this.#client.thread(thread));
      },
    });
  }

  /** The server answers again. */
  #goOn = once(async () => {
    if (!this.isReady) return this.open(this.#wanted);
    this.watch.hurry();
    await this.refresh();
  });

  /** Reads what changed in threads that are not open. Whether that fails is told elsewhere. */
  async #look() {
    if (!this.isReady && this.trouble === undefined) return;
    try {
      if (await this.threads.read()) this.tell();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
    }
  }

  /** Reads what was committed: once for all that was told until then. */
  #settle = once(async () => {
    if (this.thread === "") return;
    await this.attempt(() => Promise.all([this.history.refresh(), this.threads.read()]));
  });
}
