// SPDX-License-Identifier: MIT
// Goes on with what an ended engine left, and measures what was lost and what ran twice. Must not
// know: how it is shown.

/** @typedef {import("../../studio/server/client.js").Client} Client */
/** @typedef {import("../../studio/server/client.js").ThreadState} ThreadState */
/** @typedef {{ created_at: string, kwargs?: { input?: unknown } }} RunRecord */
/**
 * What was known when the engine ended: stored checkpoints, tasks whose results were stored, nodes
 * at work, whether a run was under way.
 * @typedef {{ stored: string[], done: string[], running: string[], isRunning: boolean }} Cut
 */

/** Checkpoints of a thread that are looked through. */
const MOST = 1000;

export class Restart {
  /** Stored checkpoints that are not there any more; undefined: not counted yet. */
  lost = /** @type {number | undefined} */ (undefined);
  /** Tasks with a stored result that ran once more. @type {Set<string>} */
  twice = new Set();
  /** Tasks with a stored result. @type {Set<string>} */
  done;
  /** Nodes with which it went on. @type {Set<string>} */
  nodes = new Set();
  /** From the click until the first of them began, in ms. @type {number | undefined} */
  ms = undefined;
  /** How long the engine took of that. */
  startMs = 0;
  get hadRun() {
    return this.#run !== undefined;
  }

  /** What became of the run that was cut. @type {"waiting" | "resumed" | "nothing" | "asks"} */
  outcome = "waiting";
  #engine;
  #client;
  #begun = 0;
  /** @type {ThreadState | undefined} */
  #state;
  /** @type {RunRecord | undefined} */
  #run;
  #pulled = new Date().toISOString();

  /**
   * @param {import("../../worker/engine.js").Engine} engine
   * @param {Client} client
   * @param {string} thread
   * @param {string} graph
   * @param {Cut} cut
   */
  constructor(engine, client, thread, graph, cut) {
    this.#engine = engine;
    this.#client = client;
    this.thread = thread;
    this.graph = graph;
    this.cut = cut;
    this.done = new Set(cut.done);
  }

  /** Starts the engine. */
  async begin() {
    this.#begun = performance.now();
    await this.#engine.start();
    this.startMs = this.#engine.started.ms;
  }

  /** Goes on where the run was cut, if one was. */
  async goOn() {
    if (this.thread === "") {
      this.outcome = "nothing";
      return;
    }
    const newest = this.#client.history(this.thread, 1);
    const [states, run] = await Promise.all([newest, this.#readRun()]);
    [this.#state] = states;
    this.#run = run;
    this.#note(states);
    const rest = run === undefined ? undefined : this.#rest(run);
    if (rest === undefined) this.outcome = "nothing";
    else await this.#client.startRun(this.thread, { assistant_id: this.graph, ...rest });
  }

  /** Counts what of the known checkpoints is there, while it goes on. */
  async countLost() {
    const history = this.thread === "" ? [] : await this.#client.history(this.thread, MOST);
    const ids = history.map(({ checkpoint }) => checkpoint.checkpoint_id);
    this.lost = this.cut.stored.filter((id) => !ids.includes(id)).length;
    // What was stored since it goes on is no repeat.
    const newest = ids.indexOf(this.#state?.checkpoint.checkpoint_id ?? "");
    if (newest >= 0) this.#note(history.slice(newest + 1));
  }

  /** @param {ThreadState[]} states whose tasks may have a stored result */
  #note(states) {
    for (const { tasks } of states)
      for (const { id, result } of tasks) if (result) this.done.add(id);
  }

  /** @param {import("../../studio/server/client.js").ServerEvent} event @param {number} now ms */
  take({ event, data }, now) {
    if (this.#begun === 0 || typeof data !== "object" || data === null) return;
    const [mode] = event.split("|");
    if (mode === "tasks" && "input" in data) {
      // Those that were done are told, too.
      if (this.done.has(data.id)) return;
      if (this.ms === undefined) {
        this.ms = now - this.#begun;
        this.outcome = "resumed";
      }
      if (now - this.#begun - this.ms < 1) this.nodes.add(String(data.name));
    } else if (mode === "tasks" && this.outcome === "resumed" && asksAboutCall(data))
      this.outcome = "asks";
  }

  /** @param {readonly string[]} ran tasks that ran since the restart */
  count(ran) {
    for (const id of ran) if (this.done.has(id)) this.twice.add(id);
  }

  /** @returns {Promise<RunRecord | undefined>} the run that was under way when the engine ended */
  async #readRun() {
    const address = `http://weft.local/threads/${encodeURIComponent(this.thread)}/runs?limit=1`;
    const response = await this.#engine.server.fetch(address);
    const [newest] = response.ok ? await response.json() : [];
    const isCut = newest?.status === "interrupted" && newest.updated_at >= this.#pulled;
    return isCut ? newest : undefined;
  }

  /** @param {RunRecord} run @returns {{ input: unknown } | undefined} nothing: it was at its end */
  #rest({ kwargs, created_at }) {
    const state = this.#state;
    const input = kwargs?.input ?? null;
    // A run that was cut before its input was stored is begun once more.
    if (input !== null && !(state !== undefined && state.created_at >= created_at))
      return { input };
    return state === undefined || state.next.length === 0 ? undefined : { input: null };
  }
}

/** Whether a task ended with a question about a tool call. @param {any} data */
function asksAboutCall({ interrupts }) {
  return (
    Array.isArray(interrupts) &&
    interrupts.some((/** @type {any} */ { value }) => value?.action_request !== undefined)
  );
}
