// SPDX-License-Identifier: MIT
// Reduces the events of a run to what each node of the drawing does. Must not know: how it is
// drawn, where the events come from.

/** @typedef {"idle" | "running" | "waiting" | "done" | "failed"} NodeState */
/**
 * `running`: tasks that run now; `count`: tasks of this run that began; `ms`: of the last task that
 * ended.
 * @typedef {{ state: NodeState, running: number, count: number, input: unknown, result: unknown,
 *   error: string | undefined, ms: number | undefined }} NodeActivity
 */

/** Parallel tasks whose start is remembered; beyond them times are not told. */
const MAX_TASKS = 10_000;

export class LiveTasks {
  /**
   * By the node's id in the drawing, graphs inside as `outer:inner`.
   * @type {Map<string, NodeActivity>}
   */
  nodes = new Map();
  /** Supersteps of the run that were committed. */
  steps = 0;
  /** When each task that runs began. @type {Map<string, number>} */
  #started = new Map();

  /** @param {string} id of a node @returns {NodeState} */
  stateOf(id) {
    return this.nodes.get(id)?.state ?? "idle";
  }

  /**
   * @param {string} event its name, with the namespace of a graph inside: `tasks|outer:id`
   * @param {any} data
   * @param {number} now ms
   */
  take(event, data, now) {
    const [mode, ...namespace] = event.split("|");
    if (mode === "checkpoints" && namespace.length === 0) this.steps++;
    if (mode !== "tasks" || typeof data?.name !== "string") return;
    const id = [...namespace.map(nameOf), data.name].join(":");
    const node = this.nodes.get(id) ?? idle();
    this.nodes.set(id, "input" in data ? this.#start(node, data, now) : this.#end(node, data, now));
  }

  /** The run has ended: nothing runs, whatever was told. */
  end() {
    for (const [id, node] of this.nodes)
      if (node.state === "running") this.nodes.set(id, { ...node, running: 0, state: "idle" });
    this.#started.clear();
  }

  /** @param {NodeActivity} node @param {any} data @param {number} now @returns {NodeActivity} */
  #start(node, { id, input }, now) {
    if (this.#started.size < MAX_TASKS) this.#started.set(id, now);
    return {
      ...node,
      state: "running",
      running: node.running + 1,
      count: node.count + 1,
      input,
      error: undefined,
    };
  }

  /** @param {NodeActivity} node @param {any} data @param {number} now @returns {NodeActivity} */
  #end(node, { id, result, error, interrupts }, now) {
    const began = this.#started.get(id);
    this.#started.delete(id);
    const running = Math.max(0, node.running - 1);
    const failed = error !== null && error !== undefined;
    const state = failed ? "failed" : interrupts?.length > 0 ? "waiting" : "done";
    return {
      ...node,
      running,
      state: running > 0 ? "running" : state,
      result,
      error: failed ? messageOf(error) : undefined,
      ms: began === undefined ? undefined : now - began,
    };
  }
}

/** @returns {NodeActivity} */
function idle() {
  return {
    state: "idle",
    running: 0,
    count: 0,
    input: undefined,
    result: undefined,
    error: undefined,
    ms: undefined,
  };
}

/** The node of a part of a namespace, `node:task`. @param {string} part */
const nameOf = (part) => part.slice(0, part.lastIndexOf(":"));

/** @param {any} error as a server tells it: a text, or an error's fields */
function messageOf(error) {
  if (typeof error === "string") return error;
  const { name, error: kind, message } = error;
  return typeof message === "string"
    ? `${name ?? kind ?? "Error"}: ${message}`
    : JSON.stringify(error);
}
