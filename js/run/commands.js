// SPDX-License-Identifier: MIT
// Carries out the commands of one block (payloads: wasm/README.md). User code that it calls
// (reducers, nodes, sinks) may start other runs, so it reads only the run's own copy of the block.
import { makeError } from "../base/errors.js";
import { badArgument } from "../base/check-arguments.js";
import {
  COMMAND_CANCEL,
  COMMAND_DONE,
  COMMAND_ENCODE,
  COMMAND_HEADERS,
  COMMAND_INTENDED,
  COMMAND_INTERRUPTS,
  COMMAND_LIST,
  COMMAND_LOAD,
  COMMAND_REDUCE,
  COMMAND_RELEASE,
  COMMAND_REPLY,
  COMMAND_SAVE,
  COMMAND_SET,
  COMMAND_SNAPSHOT,
  COMMAND_TASK,
  COMMAND_TEXT,
  COMMAND_UPDATES,
  COMMAND_VALUES,
  ERR_INTERNAL,
  EVENT_ENCODED,
  EVENT_HEADERS,
  EVENT_LOADED,
  EVENT_REDUCED,
  EVENT_SAVED,
  INTERRUPTS_AFTER,
  RUN_INVOKE,
  SAVE_AWAIT,
  SAVE_FIRST,
  TASK_CALL,
  TASK_HANDLER,
  TASK_AGAIN,
  TASK_WITHIN,
  TASK_WRITERS,
  UPDATES_CACHED,
  UPDATES_LATER,
  UPDATES_NONE,
} from "../base/codes.js";
import { ABSENT, WORD_ABSENT } from "../engine/slots.js";
import { done } from "./finish.js";
import { LOOP } from "../base/event-loop.js";
import { makeLive, savedOf, stepLive } from "../state/custom-channels.js";
import { coolDown } from "./channel-mirror.js";
import { readInterrupts, readSnapshot } from "./read-snapshot.js";
import { Task } from "./tasks/task.js";
import { executeStepCommand } from "./step-commands.js";
import { valueOf } from "./tasks/checkpoint-value.js";
import { isPromise } from "../base/callable.js";
import { encodeValue } from "../engine/codec.js";

/** @typedef {import("./run.js").Run} Run */
/** @typedef {import("../engine/block.js").Block} Block */

/**
 * Records interrupts of a task or (with none) a breakpoint; several tasks report one by one.
 * @param {Run} run
 * @param {import("./read-snapshot.js").Interrupt[]} interrupts
 * @param {boolean} after
 */
function stop(run, interrupts, after) {
  if (interrupts.length === 0) run.breakpoint = after ? "interrupt_after" : "interrupt_before";
  run.interrupts = run.interrupts.concat(interrupts);
  run.stopped = true;
  run.streamed = true;
  run.request.sink?.interrupts?.(interrupts);
}

/** @param {Run} run @returns {Promise<void> | undefined} to await before the rest of the block */
export function execute(run) {
  const block = /** @type {Block} */ (run.block);
  const { slots } = run.engine;
  if (block.save >= 0) {
    save(run, block);
    block.save = -1;
  }
  while (!run.over && block.next()) {
    switch (block.op) {
      case COMMAND_SET:
        run.mirror.set(block.word(), slots.toValue(block.word()));
        break;
      case COMMAND_LIST:
        run.mirror.patch(block.word(), block, slots);
        break;
      case COMMAND_TASK:
        if (run.isGivenUp) break;
        startTask(run, block);
        if (--LOOP.tasks < 0 && block.isRepeated) {
          const turn = run.dueTurn();
          if (turn !== undefined) return turn;
        }
        break;
      case COMMAND_RELEASE:
        while (block.at < block.end) slots.release(block.word());
        break;
      case COMMAND_TEXT:
        while (block.at < block.end) slots.keep(block.word(), valueOf(run, block.takeText()));
        break;
      case COMMAND_REDUCE:
        reduce(run, block);
        break;
      case COMMAND_ENCODE:
        encode(run, block);
        break;
      case COMMAND_SAVE:
        break;
      default: {
        const wait = executeOther(run, block);
        if (wait !== undefined) return wait;
      }
    }
  }
  return undefined;
}

/**
 * @param {Run} run
 * @param {Block} block
 */
function executeOther(run, block) {
  const { sink } = run.request;
  const { slots } = run.engine;
  switch (block.op) {
    case COMMAND_VALUES:
      run.streamed = true;
      sink?.values?.(run.mirror.pick(run.graph.output));
      break;
    case COMMAND_UPDATES:
      tellUpdates(run, block.word(), block.opFlags);
      break;
    case COMMAND_INTERRUPTS:
      stop(run, readInterrupts(block, slots), (block.opFlags & INTERRUPTS_AFTER) !== 0);
      break;
    case COMMAND_LOAD:
      load(run);
      break;
    case COMMAND_HEADERS: {
      const list = [];
      while (block.at < block.end) list.push(slots.toValue(block.word()));
      run.answers.push({ op: EVENT_HEADERS, list });
      break;
    }
    case COMMAND_SNAPSHOT:
      showSnapshot(run, block);
      break;
    case COMMAND_REPLY:
      run.calls?.reply(block);
      break;
    case COMMAND_INTENDED:
      run.ledger?.intended(block);
      break;
    case COMMAND_CANCEL:
      run.cancel();
      break;
    case COMMAND_DONE:
      done(run, block);
      break;
    default:
      return executeStepCommand(run, block);
  }
}

/**
 * @param {Run} run
 * @param {Block} block
 */
function startTask(run, block) {
  const index = block.word();
  const attempt = block.word();
  const node = block.word();
  const kind = block.word();
  const detail = block.word();
  const word = block.word();
  if ((block.opFlags & TASK_AGAIN) !== 0) run.goesBack = true;
  if (kind === TASK_CALL)
    return run.calls?.begin(index, attempt, detail, run.engine.slots.toValue(word));
  const given =
    kind === TASK_WRITERS
      ? run.request.updateValues?.[index]
      : word === WORD_ABSENT
        ? undefined
        : run.engine.slots.toValue(word);
  const task = new Task(run, index, attempt, node, kind, detail, given);
  if ((block.opFlags & TASK_WITHIN) !== 0) task.within = run.engine.slots.toValue(block.word());
  if (kind === TASK_HANDLER) readFailure(run, task, block);
  if (attempt > 1) task.first = run.work.attempts.tasks.get(index)?.first;
  if (run.request.wantUpdates) (run.tasks ??= new Map()).set(index, task);
  task.uuid = run.planned?.get(index);
  run.work.start(task);
}

/**
 * Reads the failure to handle; of a task that failed in another run only name and message are
 * known.
 * @param {Run} run
 * @param {Task} task
 * @param {Block} block
 */
function readFailure(run, task, block) {
  const index = task.detail;
  const node = block.word();
  const kind = block.word();
  const push = block.word();
  const stored = run.engine.slots.toValue(block.word());
  const error = run.errors?.has(index)
    ? run.errors.get(index)
    : Object.assign(new Error(stored.message), { name: stored.name });
  task.failure = { index, node, kind, push, error, id: block.uuid() };
}

/**
 * Folds writes with the user's reducer; the first value of an empty channel is kept as it is.
 * @param {Run} run
 * @param {Block} block
 */
function reduce(run, block) {
  const { slots } = run.engine;
  const asks = block.opFlags;
  const channel = block.word();
  let value = slots.toValue(block.word());
  const { reducer, fold, own } = run.graph.parts.channels[channel];
  let flags = 0;
  try {
    const writes = [];
    for (let count = block.word(); count > 0; count--) writes.push(slots.toValue(block.word()));
    if (own !== undefined) {
      // Only an invoke keeps its channels from step to step; other runs read many checkpoints.
      const live =
        run.request.kind === RUN_INVOKE ? run.mirror.liveAt(channel) : makeLive(own, value);
      flags = stepLive(live, asks, writes, run.graph.names[channel]);
      value = savedOf(live);
      run.mirror.hasStepped = true;
      run.mirror.keep(channel, live);
    } else if (fold !== undefined) value = fold(value, writes);
    else
      for (const write of writes)
        value =
          value === ABSENT
            ? write
            : /** @type {(left: unknown, right: unknown) => unknown} */ (reducer)(value, write);
    if (isPromise(value))
      throw badArgument(
        `the reducer of ${JSON.stringify(run.graph.names[channel])} returned a promise: it must not be asynchronous`,
      );
    run.answers.push({ op: EVENT_REDUCED, flags, channel, value });
  } catch (error) {
    run.abort(error);
  }
}

/**
 * @param {Run} run
 * @param {Block} block
 */
function encode(run, block) {
  const { slots } = run.engine;
  const encodes = run.thread?.encode ?? encodeValue;
  const list = [];
  try {
    for (let count = block.word(); count > 0; count--) {
      const word = block.word();
      list.push(word, encodes(slots.toValue(word), run.request));
    }
    run.answers.push({ op: EVENT_ENCODED, list });
  } catch (error) {
    run.abort(error);
  }
}

/**
 * @param {Run} run
 * @param {Block} block
 */
function save(run, block) {
  block.seekSave();
  const flags = block.opFlags;
  const firstSeq = block.long();
  const seq = block.long();
  const crc = block.word();
  const expected = { seq: block.long(), crc: block.word() };
  const address = block.long();
  const { thread } = run;
  if (thread === undefined) throw makeError(ERR_INTERNAL, ["a run without a thread saves"]);
  const lent = run.engine.bytesAt(address, block.word());
  const bytes = thread.copies ? lent : lent.slice();
  const isFirst = (flags & SAVE_FIRST) !== 0 || expected.seq === 0;
  const saving = thread.append({ firstSeq, seq, crc }, bytes, isFirst ? undefined : expected);
  if (isPromise(saving)) run.saving = saving;
  if ((flags & SAVE_AWAIT) !== 0) {
    if (isPromise(saving))
      saving.then(
        () => run.answerLate({ op: EVENT_SAVED }),
        (error) => run.lose(error),
      );
    else run.answers.push({ op: EVENT_SAVED });
    run.awaiting = isPromise(saving);
  }
}

/** @param {Run} run */
function load(run) {
  const { thread } = run;
  if (thread === undefined) throw makeError(ERR_INTERNAL, ["a run without a thread loads"]);
  coolDown(run);
  const log = thread.load();
  if (!isPromise(log)) {
    run.answers.push({ op: EVENT_LOADED, log });
    return;
  }
  run.awaiting = true;
  log.then(
    (loaded) => run.answerLate({ op: EVENT_LOADED, log: loaded }),
    (error) => run.lose(error),
  );
}

/**
 * @param {Run} run
 * @param {number} index
 * @param {number} flags
 */
function tellUpdates(run, index, flags) {
  const task = run.tasks?.get(index);
  run.tasks?.delete(index);
  // A tool node's calls count as its own work.
  if (task === undefined || task.own?.isAside) return;
  // With LATER the caller of the task has already continued, so the run does not pause.
  run.streamed ||= (flags & UPDATES_LATER) === 0;
  const { sink } = run.request;
  if ((flags & UPDATES_NONE) !== 0) sink?.ended?.(task);
  else sink?.updates?.(task, (flags & UPDATES_CACHED) !== 0);
}

/**
 * Reports a checkpoint: a state query collects it, an invoke passes it to its sink.
 * @param {Run} run
 * @param {Block} block
 */
function showSnapshot(run, block) {
  const { graph, engine, request } = run;
  const shows = request.kind === RUN_INVOKE;
  const output = shows && graph.definition.input === undefined ? graph.all : graph.output;
  const snapshot = readSnapshot(block, engine.slots, graph, output);
  snapshot.saved = run.thread?.saved?.(snapshot.id);
  if (shows) request.sink?.snapshot?.(snapshot);
  else run.snapshots.push(snapshot);
  run.streamed ||= shows;
}
