// SPDX-License-Identifier: MIT
// Records the runs that this worker's server makes, and gives them out. Owns the newest ones. Does
// not depend on who reads them.
import { record } from "weftgraph/record";

/** @typedef {import("weftgraph/record").Recording} Recording */
/**
 * `about`: what it was asked, cut.
 * @typedef {{ id: string, graph: string, thread: string, at: string, about: string, recording:
 *   Recording }} RecordedRun
 */

/** Runs that are remembered: a recording holds all values of its run. */
const MOST = 20;
const MAX_ABOUT = 120;
/** A question's id. */
const ID = /^[0-9a-f]{32}$/;
/** Bytes of a thread: a recording holds it again for each time that it is read meanwhile. */
const MAX_THREAD = 256 * 1024;

/** By the run's id, the oldest first. @type {Map<string, RecordedRun>} */
const runs = new Map();

/**
 * Lets each run of a graph be recorded.
 * @template {object} Graph a compiled graph, or a function that makes one for a call
 * @param {Graph} graph
 * @param {string} name
 * @returns {Graph}
 */
export function recorded(graph, name) {
  if (typeof graph === "function") {
    const make = /** @type {(config: unknown) => object} */ (graph);
    return /** @type {any} */ (
      async (/** @type {unknown} */ config) => recorded(await make(config), name)
    );
  }
  return new Proxy(graph, {
    get(of, key) {
      const value = /** @type {any} */ (of)[key];
      if (key === "stream")
        return async (/** @type {unknown} */ input, /** @type {any} */ options) =>
          value.call(of, input, await recordedCall(name, input, options));
      return typeof value === "function" ? value.bind(of) : value;
    },
  });
}

/**
 * @param {string} graph
 * @param {unknown} input
 * @param {any} options of a call
 * @returns {Promise<object>} the same, recorded
 */
async function recordedCall(graph, input, options) {
  const id = options?.runId;
  const thread = String(options?.configurable?.thread_id ?? "");
  if (typeof id !== "string" || (await sizeOf(options.checkpointer, thread)) > MAX_THREAD)
    return options;
  const recording = record();
  const at = new Date().toISOString();
  runs.set(id, { id, graph, thread, at, about: aboutOf(input), recording });
  const [oldest] = runs.keys();
  if (runs.size > MOST) runs.delete(oldest);
  return { ...options, record: recording };
}

/**
 * @param {{ byteLength?: (thread: string) => Promise<number> } | undefined} saver
 * @param {string} thread
 * @returns {Promise<number>} stored bytes; 0, where nobody can tell
 */
async function sizeOf(saver, thread) {
  try {
    return (await saver?.byteLength?.(thread)) ?? 0;
  } catch {
    return 0;
  }
}

/** @param {any} input of a run @returns {string} */
function aboutOf(input) {
  if (input === null || input === undefined) return "Goes on";
  if (input.resume !== undefined) return `Answer: ${answerIn(input.resume)}`.slice(0, MAX_ABOUT);
  const message = Array.isArray(input.messages) ? input.messages.at(-1)?.content : undefined;
  const text = typeof message === "string" ? message : (JSON.stringify(input) ?? "");
  return text.slice(0, MAX_ABOUT);
}

/** @param {any} resume an answer, or one by its question's id */
function answerIn(resume) {
  const isMap = Object.keys(Object(resume)).some((key) => ID.test(key));
  const answers = isMap ? Object.values(resume) : [resume];
  return answers
    .map((one) => (typeof one?.type === "string" ? one.type : JSON.stringify(one)))
    .join(", ");
}

/** @returns {Omit<RecordedRun, "recording">[]} the newest first */
export function recordedRuns() {
  return [...runs.values()].map(({ recording: _recording, ...run }) => run).reverse();
}

/**
 * @param {unknown} id of a run
 * @returns {{ text: string }}
 * @throws TypeError for a run that is not remembered
 */
export function recordingOf(id) {
  const run = runs.get(String(id));
  if (run === undefined) throw new TypeError("The worker does not remember this run any more.");
  return { text: run.recording.text() };
}
