// SPDX-License-Identifier: MIT
// Measures runs in this worker: the engine's own time, and which tasks really ran.
import { engineMs } from "./engine-time.js";

/** @typedef {{ begun: number, ms: number | undefined, ran: Set<string> }} Measure */

/** Threads, and tasks of each, that are remembered. */
const MAX_THREADS = 100;
const MAX_TASKS = 20_000;

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
    if (typeof namespace !== "string" || !tags.some((tag) => tag.startsWith("graph:step:"))) return;
    const ran = threads.get(thread)?.ran;
    if (ran !== undefined && ran.size < MAX_TASKS) ran.add(namespace.split(":").at(-1) ?? "");
  },
  handleChainEnd: (/** @type {unknown} */ _output, /** @type {string} */ run) => end(run),
  handleChainError: (/** @type {unknown} */ _error, /** @type {string} */ run) => end(run),
};

/**
 * @param {unknown} thread
 * @returns {{ engineMs: number, ran: string[] }} in the engine by its newest run; tasks that ran
 */
export function measureOf(thread) {
  const found = threads.get(String(thread));
  if (found === undefined) return { engineMs: 0, ran: [] };
  return { engineMs: found.ms ?? engineMs() - found.begun, ran: [...found.ran] };
}

/** @param {string} thread @param {string} run */
function begin(thread, run) {
  const ran = threads.get(thread)?.ran ?? new Set();
  // The one that was used last is the last to be forgotten.
  threads.delete(thread);
  threads.set(thread, { begun: engineMs(), ms: undefined, ran });
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
