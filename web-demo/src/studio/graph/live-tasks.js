// SPDX-License-Identifier: MIT
// Reduces the events of a run to what each node of the drawing does, its tasks, and the edges that
// were just taken. Must not know: how it is drawn, where the events come from.

/** @typedef {"idle" | "running" | "waiting" | "done" | "failed"} NodeState */
/**
 * A task: one execution of a node. `ms`: how long it took.
 * @typedef {{ id: string, node: string, state: NodeState, began: number, ms: number | undefined,
 *   input: unknown, result: unknown, error: string | undefined }} LiveTask
 */
/**
 * `running`: tasks that run now; `count`: tasks of this run that began.
 * @typedef {{ state: NodeState, running: number, count: number }} NodeActivity
 */
/**
 * A graph's step under way: nodes of the one before it, nodes of this one, tasks that run.
 * @typedef {{ before: Set<string>, now: Set<string>, running: number }} Step
 */

/** Tasks that are kept: the newest. */
const MAX_TASKS = 1000;

export class LiveTasks {
  /**
   * By the node's id in the drawing, graphs inside as `outer:inner`.
   * @type {Map<string, NodeActivity>}
   */
  nodes = new Map();
  /** By id, the oldest first. @type {Map<string, LiveTask>} */
  tasks = new Map();
  /** Supersteps of the run that were committed. */
  steps = 0;
  /** By the graph inside, "" for the outermost one. @type {Map<string, Step>} */
  #steps = new Map();

  /** @param {string} id of a node @returns {NodeState} */
  stateOf(id) {
    return this.nodes.get(id)?.state ?? "idle";
  }

  /** @param {string} node @returns {LiveTask[]} the newest first */
  tasksOf(node) {
    return [...this.tasks.values()].filter((task) => task.node === node).reverse();
  }

  /** @returns {[from: Set<string>, to: Set<string>][]} of each graph: edges from the last step */
  get taken() {
    return [...this.#steps.values()].map(({ before, now }) => [before, now]);
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
    const inside = namespace.map(nameOf);
    const node = [...inside, data.name].join(":");
    if ("input" in data) this.#start(node, namespace.join("|"), inside, data, now);
    else this.#end(node, namespace.join("|"), data, now);
  }

  /** The run has ended: nothing runs, whatever was told. */
  end() {
    for (const [id, node] of this.nodes)
      if (node.state === "running") this.nodes.set(id, { ...node, running: 0, state: "idle" });
    for (const [id, task] of this.tasks)
      if (task.state === "running") this.tasks.set(id, { ...task, state: "idle" });
  }

  /**
   * @param {string} node
   * @param {string} graph
   * @param {string[]} inside
   * @param {any} data
   * @param {number} now
   */
  #start(node, graph, inside, { id, input }, now) {
    const step = this.#steps.get(graph) ?? {
      before: new Set(),
      now: new Set([[...inside, "__start__"].join(":")]),
      running: 0,
    };
    this.#steps.set(graph, step);
    if (step.running === 0) {
      step.before = step.now;
      step.now = new Set();
      this.#forgetInside(graph);
    }
    step.running++;
    step.now.add(node);
    const { running, count } = this.nodes.get(node) ?? { running: 0, count: 0 };
    this.nodes.set(node, { state: "running", running: running + 1, count: count + 1 });
    this.tasks.set(String(id), {
      id: String(id),
      node,
      state: "running",
      began: now,
      ms: undefined,
      input,
      result: undefined,
      error: undefined,
    });
    if (this.tasks.size > MAX_TASKS) this.tasks.delete([...this.tasks.keys()][0]);
  }

  /** What the graphs inside did last is older than a step that begins. @param {string} graph */
  #forgetInside(graph) {
    for (const inside of this.#steps.keys())
      if (inside !== graph && (graph === "" || inside.startsWith(`${graph}|`)))
        this.#steps.delete(inside);
  }

  /** @param {string} node @param {string} graph @param {any} data @param {number} now */
  #end(node, graph, { id, result, error, interrupts }, now) {
    const step = this.#steps.get(graph);
    if (step !== undefined) step.running = Math.max(0, step.running - 1);
    // A node that goes on in the graph around it has not failed, though its graph ends for it.
    const failed =
      error !== null && error !== undefined && !/^ParentCommand/.test(messageOf(error));
    /** @type {NodeState} */
    const state = failed ? "failed" : interrupts?.length > 0 ? "waiting" : "done";
    const { running, count } = this.nodes.get(node) ?? { running: 1, count: 1 };
    const left = Math.max(0, running - 1);
    this.nodes.set(node, { state: left > 0 ? "running" : state, running: left, count });
    const task = this.tasks.get(String(id));
    if (task === undefined) return;
    const told = { state, result, error: failed ? messageOf(error) : undefined };
    this.tasks.set(task.id, { ...task, ...told, ms: now - task.began });
  }
}

/** The node of a part of a namespace, `node:task`. @param {string} part */
const nameOf = (part) => part.slice(0, part.lastIndexOf(":"));

/** @param {any} error as a server tells it: a text, or an error's fields */
export function messageOf(error) {
  if (typeof error === "string") return error;
  const { name, error: kind, message } = error;
  return typeof message === "string"
    ? `${name ?? kind ?? "Error"}: ${message}`
    : JSON.stringify(error);
}
