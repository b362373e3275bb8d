// SPDX-License-Identifier: MIT
// Measures runs in this worker: the engine's own time, steps, and which tasks really ran.
import { engineMs } from "./engine-time.js";

/**
 * `steps`: in which nodes of the graph itself ran, as a limit of steps counts them.
 * @typedef {{ begun: number, ms: number | undefined, ran: Set<string>, steps: Set<string> }}
 *   Measure
 */

/** Threads, and tasks of each, that are remembered. */
const MAX_THREADS = 100;
const MAX_TASKS = 20_000;
/** Tasks of graphs inside, and the one that takes the input. */
const NO_STEP = /\||^__start__:/;

/** Of the newest run of each thread; `ran` is of all its runs. @type {Map<string, Measure>} */
const threads = new Map();
/** Threads of the runs under way, by run. @type {Map<string, string>} */
const runs = new Map();

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
    const step = tags.find((tag) => tag.startsWith("graph:step:"));
    const measure = threads.get(thread);
    if (typeof namespace !== "string" || step === undefined || measure === undefined) return;
    if (!NO_STEP.test(namespace)) measure.steps.add(step);
    if (measure.ran.size < MAX_TASKS) measure.ran.add(namespace.split(":").at(-1) ?? "");
  },
  handleChainEnd: (/** @type {unknown} */ _output, /** @type {string} */ run) => end(run),
  handleChainError: (/** @type {unknown} */ _error, /** @type {string} */ run) => end(run),
};

/**
 * @param {unknown} thread
 * @returns {{ engineMs: number, steps: number, ran: string[] }} of its newest run; all that ran
 */
export function measureOf(thread) {
  const found = threads.get(String(thread));
  if (found === undefined) return { engineMs: 0, steps: 0, ran: [] };
  const { ms, begun, steps, ran } = found;
  return { engineMs: ms ?? engineMs() - begun, steps: steps.size, ran: [...ran] };
}

/** @param {string} thread @param {string} run */
function begin(thread, run) {
  const ran = threads.get(thread)?.ran ?? new Set();
  // The one that was used last is the last to be forgotten.
  threads.delete(thread);
  threads.set(thread, { begun: engineMs(), ms: undefined, ran, steps: new Set() });
  runs.set(run, thread);
  const [oldest] = threads.keys();
  if (threads.size > MAX_THREADS) threads.delete(oldest);
}

/** @param {string} run */
function end(run) {
  const measure = threads.get(runs.get(run) ?? "");
  runs.delete(run);
  if (measure !== undefined) measure.ms = engineMs() - measure.begun;
}
