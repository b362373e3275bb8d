// SPDX-License-Identifier: MIT
// Goes on with what an ended engine left, and measures what was lost and what ran twice. Must not
// know: how it is shown.

/** @typedef {import("../../studio/client.js").Client} Client */
/** @typedef {import("../../studio/client.js").ThreadState} ThreadState */
/**
 * What was known when the engine ended: the run under way, stored checkpoints, tasks whose results
 * were stored, nodes at work.
 * @typedef {{ run: string | undefined, stored: string[], done: string[], running: string[] }} Cut
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
  /** What became of the run that was cut. @type {"waiting" | "resumed" | "nothing" | "asks"} */
  outcome = "waiting";
  #engine;
  #client;
  #begun = 0;
  /** @type {ThreadState | undefined} */
  #state;

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

  /** Starts the engine, and counts what is there. */
  async begin() {
    this.#begun = performance.now();
    await this.#engine.start();
    this.startMs = this.#engine.started.ms;
    if (this.thread === "") return;
    const history = await this.#client.history(this.thread, MOST);
    const found = new Set(history.map(({ checkpoint }) => checkpoint.checkpoint_id));
    this.lost = this.cut.stored.filter((id) => !found.has(id)).length;
    [this.#state] = history;
    for (const { tasks } of history)
      for (const { id, result } of tasks) if (result) this.done.add(id);
  }

  /** Goes on where the run was cut, if one was. */
  async goOn() {
    const run = this.cut.run === undefined ? undefined : await this.#wanted();
    if (run === undefined) this.outcome = "nothing";
    else await this.#client.startRun(this.thread, { assistant_id: this.graph, ...run });
  }

  /** @param {import("../../studio/client.js").ServerEvent} event @param {number} now ms */
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
    } else if (mode === "tasks" && this.outcome === "resumed" && asksForOutcome(data))
      this.outcome = "asks";
  }

  /** @param {readonly string[]} ran tasks that ran since the restart */
  count(ran) {
    for (const id of ran) if (this.done.has(id)) this.twice.add(id);
  }

  /** @returns {Promise<{ input: unknown } | undefined>} nothing: the run had come to its end */
  async #wanted() {
    const state = this.#state;
    const address = `http://weft.local/threads/${this.thread}/runs/${this.cut.run}`;
    const response = await this.#engine.server.fetch(address);
    const record = response.ok ? await response.json() : undefined;
    const input = record?.kwargs?.input ?? null;
    const isStored = state !== undefined && state.created_at >= record.created_at;
    // A run that was cut before its input was stored is begun once more.
    if (input !== null && !isStored) return { input };
    const waits = state?.tasks.some(({ interrupts }) => interrupts.length > 0);
    return state === undefined || state.next.length === 0 || waits ? undefined : { input: null };
  }
}

/** Whether a task ended with the question what became of a tool call. @param {any} data */
function asksForOutcome({ interrupts }) {
  return (
    Array.isArray(interrupts) &&
    interrupts.some((/** @type {any} */ { value }) => value?.kind === "unknown_tool_call")
  );
}
