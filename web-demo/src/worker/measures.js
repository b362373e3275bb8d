// SPDX-License-Identifier: MIT
// Measures runs in this worker: the engine's own time, that of nodes, which tasks really ran, and
// how often.
import { engineMs } from "./engine-time.js";
import { keepTook, tookOf } from "./took.js";

/** @typedef {import("./took.js").Took} Took */
/**
 * A run of a graph that goes on. `at`: its number. `before`: what earlier runs of its thread took.
 * `nodes`: runs of nodes that go on; the first of them began at `since`.
 * @typedef {{ at: number, thread: string, before: Promise<Took>, begun: number, nodes: Set<string>,
 *   since: number, waitMs: number }} GraphRun
 */

/** Threads, and tasks of each, that are remembered. */
const MAX_THREADS = 100;
const MAX_TASKS = 20_000;
/** How the tag begins that tells a task's step. */
const STEP = "graph:step:";

/**
 * A task: one execution of a node, which is named as the graph's drawing names it. `attempts`: in
 * the run that tried it last, whose number is `at`.
 * @typedef {{ node: string, attempts: number, at: number }} Task
 */
/** Tasks that ran, by thread and id. @type {Map<string, Map<string, Task>>} */
const tasks = new Map();
/** Of the runs that go on, by thread. @type {Map<string, GraphRun>} */
const going = new Map();
/** The same, by their own ids and those of their nodes. @type {Map<string, GraphRun>} */
const runs = new Map();
let lastRun = 0;
/** @type {import("./took.js").Server} */
let server;

/** @param {typeof server} one that keeps what was measured */
export function keepMeasuresIn(one) {
  server = one;
}

/** Hears callbacks of runs. */
export const listener = {
  name: "measures",
  awaitHandlers: true,
  /**
   * @param {unknown} _chain
   * @param {unknown} _inputs
   * @param {string} run
   * @param {string} [parent]
   * @param {string[]} [tags]
   * @param {Record<string, any>} [metadata]
   */
  handleChainStart(_chain, _inputs, run, parent, tags = [], metadata = {}) {
    const thread = String(metadata.thread_id ?? "");
    if (parent === undefined) begin(thread, run);
    const namespace = metadata.langgraph_checkpoint_ns;
    const isTask = typeof namespace === "string" && tags.some((tag) => tag.startsWith(STEP));
    const graphRun = going.get(thread);
    if (!isTask || graphRun === undefined) return;
    count(tasks.get(thread), namespace, graphRun.at);
    if (graphRun.nodes.size === 0) graphRun.since = performance.now();
    graphRun.nodes.add(run);
    runs.set(run, graphRun);
  },
  handleChainEnd: (/** @type {unknown} */ _output, /** @type {string} */ run) => end(run),
  handleChainError: (/** @type {unknown} */ _error, /** @type {string} */ run) => end(run),
};

/**
 * Each attempt of a node that is retried is a start of its own. So is the one in which a task goes
 * on in the next run, when its question is answered: that is the first of that run.
 * @param {Map<string, Task> | undefined} ran
 * @param {string} namespace `node:task`, after those of the graphs around it and `|`
 * @param {number} at number of the run
 */
function count(ran, namespace, at) {
  const id = namespace.split(":").at(-1) ?? "";
  const task = ran?.get(id);
  if (task !== undefined) {
    task.attempts = task.at === at ? task.attempts + 1 : 1;
    task.at = at;
  } else if (ran !== undefined && ran.size < MAX_TASKS)
    ran.set(id, {
      node: namespace.replace(/:[^:|]*(\||$)/g, "$1").replaceAll("|", ":"),
      attempts: 1,
      at,
    });
}

/**
 * @param {string} thread
 * @returns {Promise<Took & { ran: string[], attempts: Record<string, number> }>} what its runs took
 *   until now; the tasks that ran; the attempts of the newest task of each node that had several
 */
export async function measureOf(thread) {
  const graphRun = going.get(thread);
  const took = await (graphRun === undefined ? tookOf(server, thread) : tookBy(graphRun));
  const ran = tasks.get(thread) ?? new Map();
  const newest = new Map([...ran.values()].map(({ node, attempts }) => [node, attempts]));
  const attempts = Object.fromEntries([...newest].filter(([, times]) => times > 1));
  return { ...took, ran: [...ran.keys()], attempts };
}

/** @param {GraphRun} graphRun @returns {Promise<Took>} with what was before it */
async function tookBy({ before, begun, nodes, since, waitMs }) {
  const now = performance.now();
  const ms = engineMs() - begun;
  const earlier = await before;
  return {
    engineMs: earlier.engineMs + ms,
    waitMs: earlier.waitMs + waitMs + (nodes.size > 0 ? now - since : 0),
  };
}

/** @param {string} thread @param {string} run */
function begin(thread, run) {
  const ran = tasks.get(thread) ?? new Map();
  // The one that was used last is the last to be forgotten.
  tasks.delete(thread);
  tasks.set(thread, ran);
  const [oldest] = tasks.keys();
  if (tasks.size > MAX_THREADS) tasks.delete(oldest);
  const before = tookOf(server, thread);
  const none = { nodes: new Set(), since: 0, waitMs: 0 };
  const graphRun = { at: ++lastRun, thread, before, begun: engineMs(), ...none };
  going.set(thread, graphRun);
  runs.set(run, graphRun);
}

/** Of a graph: what it took is kept before it is told to be over. @param {string} run */
async function end(run) {
  const graphRun = runs.get(run);
  runs.delete(run);
  if (graphRun === undefined) return;
  const { thread, nodes, since } = graphRun;
  if (nodes.has(run)) {
    nodes.delete(run);
    if (nodes.size === 0) graphRun.waitMs += performance.now() - since;
    return;
  }
  for (const node of nodes) runs.delete(node);
  try {
    await keepTook(server, thread, await tookBy(graphRun));
  } finally {
    going.delete(thread);
  }
}
