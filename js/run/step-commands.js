// SPDX-License-Identifier: MIT
// Carries out the commands about a step: planned tasks, tasks restored from an earlier process,
// timers, caches, the step's failure.
import { overwriting } from "../base/constants.js";
import {
  ASKED_STEP,
  COMMAND_ASKED,
  COMMAND_CHECKPOINT,
  COMMAND_EXPIRED,
  COMMAND_FAIL,
  COMMAND_LOOK_UP,
  COMMAND_PLANNED,
  COMMAND_RESTORED,
  COMMAND_SLEEP,
  COMMAND_STORE,
  COMMAND_UNKNOWN,
  ERR_CONCURRENT_UPDATE,
  ERR_DATA_LOSS,
  ERR_DRAINED,
  ERR_HOST,
  ERR_INTERNAL,
  ERR_INVALID_UPDATE,
  ERR_LIMIT,
  ERR_LOG_CORRUPT,
  ERR_RECURSION,
  ERR_STATE_VERSION,
  SNAPSHOT_HAS_PARENT,
  SNAPSHOT_LOADED,
  TASK_PULL,
} from "../base/codes.js";
import { GraphDrained, isGraphBubbleUp, makeError } from "../base/errors.js";
import { lossOf } from "../log/data-loss.js";
import { SOURCES } from "../log/record.js";
import { finishBlock } from "./finish.js";
import { readEntries } from "./tasks/entries.js";
import { valueOf } from "./tasks/checkpoint-value.js";
import { Task } from "./tasks/task.js";

/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("../engine/block.js").Block} Block */

/** @param {Run} run @param {Block} block */
export function executeStepCommand(run, block) {
  switch (block.op) {
    case COMMAND_RESTORED:
      return restoreTask(run, block);
    case COMMAND_CHECKPOINT:
      return run.request.sink?.head?.(readHead(block));
    case COMMAND_PLANNED:
      return plan(run, block);
    case COMMAND_UNKNOWN:
      return noteUnknown(run, block);
    case COMMAND_ASKED:
      if (block.opFlags === ASKED_STEP) run.asked.clear();
      for (let count = block.word(); count > 0; count--)
        run.asked.set(block.string(), block.word() === 1);
      return;
    case COMMAND_LOOK_UP:
      return run.request.caching?.lookUp(run, block);
    case COMMAND_STORE:
      return run.request.caching?.store(run, block);
    case COMMAND_SLEEP:
      return run.work.attempts.sleep(block.word(), block.word(), block.double());
    case COMMAND_EXPIRED: {
      const index = block.word();
      block.word();
      return run.work.expire(index, block.word());
    }
    case COMMAND_FAIL:
      return fail(run, block);
  }
  throw makeError(ERR_INTERNAL, [`it gave the unknown command ${block.op}`]);
}

/**
 * @param {Run} run
 * @param {Block} block
 */
function fail(run, block) {
  const status = block.int();
  const tasks = [];
  for (let count = block.word(); count > 0; count--) tasks.push(block.word());
  /** @type {string[]} */
  const words = [];
  for (let count = block.word(); count > 0; count--) words.push(block.string());
  const values = [];
  for (let count = block.word(); count > 0; count--)
    values.push(run.engine.slots.toValue(block.word()));
  for (let i = 0; i < values.length && block.at < block.end; i++)
    if (block.word()) values[i] = overwriting(values[i]);
  finishBlock(run, block);
  if (status === ERR_HOST) run.lose(hostError(run, tasks, words));
  else if (status === ERR_DATA_LOSS || status === ERR_LOG_CORRUPT)
    lossOf(run.thread, status, words).catch((error) => run.lose(error));
  else if (status === ERR_STATE_VERSION)
    run.lose(
      makeError(status, [words[0], /** @type {string} */ (valueOf(run, words[1])), words[2]]),
    );
  else if (status === ERR_LIMIT) run.lose(run.request.limits?.late());
  else if (status === ERR_DRAINED)
    run.lose(new GraphDrained(run.request.context.control?.drainReason));
  else if (status === ERR_RECURSION)
    run.lose(makeError(status, [run.request.context?.recursionLimit ?? words[0]]));
  else
    run.lose(words.length === 2 ? channelError(status, words, values) : makeError(status, words));
}

/**
 * Makes the error of a broken channel rule, with the channel and the written values.
 * @param {number} status
 * @param {string[]} words channel, reason
 * @param {unknown[]} values
 */
function channelError(status, [channel, reason], values) {
  const written = JSON.stringify(values) ?? "";
  if (status === ERR_CONCURRENT_UPDATE && !reason.startsWith("Ephemeral"))
    return makeError(status, [channel, written, reason]);
  const text = status === ERR_CONCURRENT_UPDATE ? reason : makeError(status).message;
  // An Overwrite of messages arrives without them, as {}, so it is not formatted.
  const shown = written.startsWith("[{}") ? "" : ` with values ${written}`;
  return makeError(ERR_INVALID_UPDATE, [
    `Invalid update for channel "${channel}"${shown}: ${text}`,
  ]);
}

/**
 * Returns the errors that the host recorded for these tasks, or the run's own error.
 * @param {import("./run.js").Run} run
 * @param {number[]} tasks
 * @param {string[]} words
 */
function hostError(run, tasks, words) {
  // In the order in which they occurred.
  const errors = [...(run.errors ?? [])]
    .filter(([task]) => tasks.includes(task))
    .map(([, error]) => error);
  // An error that only passes through, such as a Command for the parent graph, is no failure: the
  // last one counts, as in LangGraph.js.
  const failures = errors.length < 2 ? errors : errors.filter((error) => !isGraphBubbleUp(error));
  // LangGraph.js also counts a call that the failure aborts.
  if (failures.length > 0 && run.calls?.areRunning)
    failures.push(new DOMException("This operation was aborted", "AbortError"));
  if (failures.length < 2 && errors.length > 0)
    return failures.length === 1 ? failures[0] : errors[errors.length - 1];
  if (errors.length === 0) return run.hostError ?? makeError(ERR_HOST, words);
  return new AggregateError(
    failures,
    `Multiple errors occurred during superstep ${words[0] ?? ""}. See the "errors" field of this exception for more details.`,
  );
}

/**
 * Notes a task's tool calls that were in flight when a process died.
 * @param {Run} run
 * @param {Block} block
 */
function noteUnknown(run, block) {
  const index = block.word();
  const calls = new Map();
  for (let count = block.word(); count > 0; count--) calls.set(block.string(), 1 + block.opFlags);
  (run.unknown ??= new Map()).set(index, calls);
}

/** @param {Run} run @param {Block} block */
function plan(run, block) {
  if (run.hostError !== undefined) return;
  const { step, tasks, state } = readPlanned(run, block);
  // Error handlers are planned one by one, while tasks of the same step still run.
  run.planned ??= new Map();
  for (const { index, id } of tasks) run.planned.set(index, id);
  run.streamed ||= tasks.length > 0;
  run.request.sink?.planned?.(step, tasks, state);
}

/**
 * @param {import("./run.js").Run} run
 * @param {import("../engine/block.js").Block} block at a PLANNED's payload
 */
function readPlanned(run, block) {
  const { graph, engine } = run;
  const step = block.int();
  /** @type {import("./read-snapshot.js").PlannedTask[]} */
  const tasks = [];
  const state = () => run.readState();
  while (block.at < block.end) {
    const index = block.word();
    const id = block.uuid();
    const node = block.word();
    const kind = block.word();
    const detail = block.word();
    const trigger = kind === TASK_PULL ? graph.channelName(detail) : "__pregel_push";
    tasks.push({
      index,
      id,
      name: graph.nodes[node],
      node,
      kind,
      trigger,
      given: engine.slots.toValue(block.word()),
      state,
    });
  }
  return { step, tasks, state };
}

/**
 * @param {import("../engine/block.js").Block} block at a CHECKPOINT's payload
 */
function readHead(block) {
  const id = block.uuid();
  const parent = block.uuid();
  const parentId = (block.opFlags & SNAPSHOT_HAS_PARENT) === 0 ? undefined : parent;
  return {
    id,
    parentId,
    step: block.int(),
    source: SOURCES[block.word()],
    isLoaded: (block.opFlags & SNAPSHOT_LOADED) !== 0,
  };
}

/**
 * Restores a task that finished before this run: only its writes are reported.
 * @param {Run} run
 * @param {Block} block
 */
function restoreTask(run, block) {
  const index = block.word();
  const task = new Task(run, index, 0, block.word(), TASK_PULL, 0, undefined);
  task.writes.state = readEntries(block, run.engine.slots);
  (run.tasks ??= new Map()).set(index, task);
}
