// SPDX-License-Identifier: MIT
// What the vocabulary above uses of this room: graphs that the engine accepts, and runs of them.
// Knows the shape of a request; owns nothing.
import { Run } from "./run.js";
import { openSoon, takeTurn } from "../base/thread-queue.js";

/** @typedef {import("../engine/block.js").Block} Block */
/** @typedef {import("../plan/definition.js").Node} Node */
/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../base/callable.js").Value} Value */

export { defineGraph } from "./graph.js";
export { END_INDEX } from "./tasks/entries.js";

/** @typedef {import("./graph.js").EngineGraph} EngineGraph */
/** @typedef {import("./tasks/task.js").Task} Task */
/** @typedef {{ id: string, value: unknown }} Interrupt */
/**
 * Who is told what happens, in order; all optional. `turn` may answer a promise to be waited for
 * after a block in which something was told; without it one turn of the microtask queue passes.
 * @typedef {object} Sink
 * @property {(state: Record<string, unknown>) => void} [values]
 * @property {(task: Task, cached: boolean) => void} [updates]
 * @property {(interrupts: Interrupt[]) => void} [interrupts]
 * @property {(head: { id: string, parentId: string | undefined, step: number, source: string,
 *   isLoaded: boolean }) => void} [head] before values
 * @property {(step: number, tasks: import("./read-snapshot.js").PlannedTask[], state?: () =>
 *   unknown) => void} [planned] all tasks of a step, before the first one runs; the state that they
 *   read
 * @property {(task: Task) => void} [ended] a task without updates: it asked or failed
 * @property {(snapshot: import("./read-snapshot.js").Snapshot) => void} [snapshot] a checkpoint
 *   with the tasks that follow it
 * @property {() => void | Promise<void>} [turn]
 */
/**
 * @typedef {object} RunRequest
 * @property {number} kind RUN_*
 * @property {Task} [parent] the task that calls: namespace, ancestors, answers and time travel come
 *   from its run
 * @property {number} [childFlags] with a parent: CHILD_*
 * @property {string} [namespace] STATE, HISTORY, UPDATE: where to look
 * @property {Record<string, string>} [checkpointMap] ids of the checkpoints that namespaces start
 *   from
 * @property {import("./thread.js").LogStore} [store]
 * @property {string} [threadId]
 * @property {import("../base/thread-queue.js").Turn} [turn] when a run of a thread that is at work
 *   begins; at once without it
 * @property {{ saver: SaverLike, open: () => Value }} [otherwise] the saver of the store, and what
 *   opens it by its methods, for a log that this graph cannot go on with
 * @property {string} [namespace]
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
 * @property {boolean} [isPlain] the answer in it came without an id
 * @property {number[]} [updates] UPDATE: AS_*
 * @property {Value[]} [updateValues] what each of them writes
 * @property {boolean} [asTasks] UPDATE: the updates stand for the tasks of a copy
 * @property {boolean} [wantValues]
 * @property {boolean} [wantUpdates]
 * @property {boolean} [wantTasks]
 * @property {boolean} [wantCheckpoints]
 * @property {boolean} [wantHeads]
 * @property {Sink} [sink]
 * @property {AbortSignal} [signal]
 * @property {{ open: (run: Run) => import("../engine/engine.js").Engine }} [recording] has an
 *   engine of its own for this run
 * @property {number} [stepTimeout] ms
 * @property {{ lookUp: (run: Run, block: Block) => void, store: (run: Run, block: Block) => void,
 *   placeOfCall: (node: Node, input: unknown[]) => unknown, follow: (task: Task) => void, kept:
 *   (signal?: AbortSignal) => Promise<void> | undefined }} [caching] what stands between the run
 *   and its graph's cache
 * @property {{ put: (batch: import("../engine/batch.js").Batch) => void, late: () => Error }}
 *   [limits] writes LIMITS; what the run ends with at its deadline
 * @property {any} [context] of the call: what its nodes share
 * @property {import("./ids.js").Clock} [clock] the host's own without it
 * @property {import("../engine/engine.js").Ticker} [ticker] of this clock
 * @property {{ seed: Uint32Array, next: () => string }} [ids] random ones without it
 * @property {() => string} [nextId] what these come from
 * @property {boolean} [isolate]
 * @property {boolean} [strict] a value that cannot be stored as it is is an error
 */
/**
 * @typedef {object} RunResult
 * @property {() => Record<string, unknown>} state the output as it is at the end, with fresh lists
 * @property {boolean} interrupted
 * @property {Interrupt[]} interrupts
 * @property {"interrupt_before" | "interrupt_after" | undefined} breakpoint where it stopped, if it
 *   was no question
 * @property {boolean} hasValues something was written to the output
 * @property {string | undefined} checkpointId of an invoke only where callbacks are told of it
 */

/**
 * Starts a run; its first step is taken in the next turn of the microtask queue, in a burst of runs
 * a few turns later.
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
