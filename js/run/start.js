// SPDX-License-Identifier: MIT
// Offers the higher layers what they need of js/run: graphs that the engine accepts, and runs of
// them. Defines the type of a request.
import { Run } from "./run.js";
import { openSoon, takeTurn } from "../base/thread-queue.js";

/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../savers/foreign-saver.js").SaverPort} SaverPort */
/** @typedef {import("../calls/call.js").CallContext} CallContext */

export { defineGraph } from "./graph.js";
export { END_INDEX } from "./tasks/entries.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./thread.js").LogStore} LogStore */
/** @typedef {import("./tasks/task.js").NodeTask} Task */
/** @typedef {import("./tasks/interrupts.js").Interrupt} Interrupt */
/**
 * Receives the events of a run, in order; all methods are optional. `turn` may return a promise
 * that the run awaits after a block with events; without it one microtask passes.
 * @typedef {object} Sink
 * @property {(state: Record<string, unknown>) => void} [values]
 * @property {(task: Task, cached: boolean) => void} [updates]
 * @property {(interrupts: Interrupt[]) => void} [interrupts]
 * @property {(head: { id: string, parentId: string | undefined, step: number, source: string,
 *   isLoaded: boolean }) => void} [head] before values
 * @property {(step: number, tasks: import("./read-snapshot.js").PlannedTask[], state?: () =>
 *   unknown) => void} [planned] all tasks of a step, before the first one runs, and the state that
 *   they read
 * @property {(task: Task) => void} [ended] a task without updates: it was interrupted or failed
 * @property {(snapshot: import("./read-snapshot.js").Snapshot) => void} [snapshot] a checkpoint
 *   with the tasks that follow it
 * @property {() => void | Promise<void>} [turn]
 */
/**
 * @typedef {object} RunRequest
 * @property {number} kind RUN_*
 * @property {Task} [parent] the calling task: its run provides namespace, ancestors, answers and
 *   time travel
 * @property {number} [childFlags] with a parent: CHILD_*
 * @property {Record<string, string>} [checkpointMap] ids of the checkpoints from which namespaces
 *   start
 * @property {LogStore | SaverPort} [store]
 * @property {string} [threadId]
 * @property {import("../base/thread-queue.js").Turn} [turn] how to queue behind an active run of
 *   the thread; without it the run begins at once
 * @property {{ saver: SaverLike, open: () => SaverPort }} [otherwise] the store's saver, and a
 *   function that opens the thread by its methods, for a log that this graph cannot continue
 * @property {string} [namespace] STATE, HISTORY, UPDATE: where to look
 * @property {string} [checkpointId]
 * @property {string} [before] HISTORY: only checkpoints older than this one
 * @property {number} [limit] HISTORY: 0 or none = all
 * @property {number} [recursionLimit]
 * @property {"async" | "sync" | "exit"} [durability]
 * @property {"*" | string[]} [interruptBefore]
 * @property {"*" | string[]} [interruptAfter]
 * @property {(entries: import("./tasks/entries.js").Entries) => void} [input] writes the input's
 *   entries
 * @property {boolean} [isNull]
 * @property {boolean} [isCommand]
 * @property {unknown} [resume]
 * @property {Record<string, unknown>} [resumeMap]
 * @property {boolean} [isPlain] its answer came without an id
 * @property {number[]} [updates] UPDATE: AS_*
 * @property {unknown[]} [updateValues] the values of these updates
 * @property {boolean} [asTasks] UPDATE: the updates replace the tasks of a copied checkpoint
 * @property {boolean} [wantValues]
 * @property {boolean} [wantUpdates]
 * @property {boolean} [wantTasks]
 * @property {boolean} [wantCheckpoints]
 * @property {boolean} [wantHeads]
 * @property {Sink} [sink]
 * @property {AbortSignal} [signal]
 * @property {{ open: (run: Run) => import("../engine/engine.js").Engine }} [recording] provides an
 *   engine of its own for this run
 * @property {number} [stepTimeout] ms
 * @property {import("../calls/caching.js").Caching} [caching] the run's access to its graph's cache
 * @property {{ put: (batch: import("../engine/batch.js").Batch) => void, late: () => Error }}
 *   [limits] writes LIMITS, and makes the error of a missed deadline
 * @property {CallContext} context of the call, shared by its nodes; a query has none
 * @property {import("./ids.js").Clock} [clock] default: the host's own
 * @property {import("../engine/engine.js").Ticker} [ticker] of this clock
 * @property {{ seed: Uint32Array, next: () => string }} [ids] default: random ones
 * @property {() => string} [nextId] source of these ids
 * @property {boolean} [isolate]
 * @property {boolean} [strict] refuse a value that cannot be stored completely
 */
/**
 * @typedef {object} RunResult
 * @property {() => Record<string, unknown>} state the output at the end, with new lists
 * @property {boolean} interrupted
 * @property {Interrupt[]} interrupts
 * @property {"interrupt_before" | "interrupt_after" | undefined} breakpoint where it stopped,
 *   unless at an interrupt
 * @property {boolean} hasValues was the output written?
 * @property {string | undefined} checkpointId of an invoke only if callbacks report it
 */

/**
 * Starts a run; its first step is taken in the next microtask, in a burst of runs a few microtasks
 * later.
 * @param {EngineGraph} graph
 * @param {RunRequest} request
 * @returns {import("./run.js").Run}
 */
export function startRun(graph, request) {
  const run = new Run(graph, request);
  const { signal, turn, parent } = request;
  if (signal !== undefined) run.watch(signal, (error) => run.giveUp(error));
  if (turn === undefined) openSoon(run, parent);
  else if (!run.over) takeTurn(run);
  return run;
}
