// SPDX-License-Identifier: MIT
// Writes the events of a run into a batch (payloads: wasm/README.md).
import {
  DURABILITY_ASYNC,
  DURABILITY_EXIT,
  DURABILITY_SYNC,
  ERROR_ENTRIES,
  ERROR_RETRY,
  ERR_ARGUMENT,
  EVENT_ENCODED,
  EVENT_ERROR,
  EVENT_HEADERS,
  EVENT_INPUT,
  EVENT_INTERRUPTED,
  EVENT_LOADED,
  EVENT_REDUCED,
  EVENT_RESULT,
  EVENT_RESUME,
  EVENT_RESUME_MAP,
  RESUME_MAP_PLAIN,
  EVENT_START,
  EVENT_STEP_TIMEOUT,
  INTERRUPTED_ENTRIES,
  LOADED_SHARED,
  LOADED_WITNESS,
  RESULT_NO_EDGES,
  START_AS_TASKS,
  START_COMMAND_INPUT,
  START_HAS_BEFORE_ID,
  START_HAS_CACHE,
  START_HAS_CHECKPOINT_ID,
  START_HAS_MAP,
  START_HAS_MIRROR,
  START_HAS_NAMESPACE,
  START_NO_LOG,
  START_NULL_INPUT,
  START_WANT_CHECKPOINTS,
  START_WANT_HEADS,
  START_WANT_TASKS,
  START_WANT_UPDATES,
  START_WANT_VALUES,
  TASK_CALL,
} from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";
import { makeError } from "../base/errors.js";
import { putHeader } from "./tasks/entries.js";
import { packInterrupt } from "./tasks/interrupts.js";
import { putRetry } from "./tasks/attempt-timers.js";

/** @typedef {import("../engine/batch.js").Batch} Batch */
/** @typedef {import("../engine/slots.js").Slots} Slots */
/** @typedef {import("./run.js").Run} Run */
/**
 * @typedef {{ op: number, channel?: number, value?: unknown, list?: unknown[], flags?: number,
 *   log?: import("./thread.js").LoadedLog, put?: (batch: Batch, slots: Slots) => void }} Answer
 *   `put` writes the payload of other events
 */

/** @type {number[]} */
const NO_UPDATES = [];
const NONE = 0xffffffff;
const ALL = 0xfffffffe;
const DURABILITY = { async: DURABILITY_ASYNC, sync: DURABILITY_SYNC, exit: DURABILITY_EXIT };

/**
 * Writes START and the events after it in the first batch. `defaults` and `input` were made before,
 * since they need user code.
 * @param {Run} run
 * @param {[channel: number, value: unknown][]} defaults
 * @param {import("./tasks/entries.js").Entries | undefined} input
 */
export function putStart(run, defaults, input) {
  const { request, engine } = run;
  const { batch, slots } = engine;
  const { graph } = run;
  batch.begin(EVENT_START, flagsOf(run));
  batch.word(request.kind);
  batch.word(
    DURABILITY[/** @type {"async"} */ (request.durability ?? "async")] ?? DURABILITY_ASYNC,
  );
  batch.word(request.recursionLimit ?? 25);
  const updates = request.updates ?? NO_UPDATES;
  batch.word(updates.length);
  for (const update of updates) batch.word(update);
  batch.word(request.limit ?? 0);
  const { seed } = run.ids;
  for (let i = 0; i < seed.length; i++) batch.word(seed[i]);
  putNodes(batch, graph, request.interruptBefore);
  putNodes(batch, graph, request.interruptAfter);
  if (request.checkpointId !== undefined) putId(batch, request.checkpointId);
  if (request.before !== undefined) putId(batch, request.before);
  if (request.namespace !== undefined) batch.string(request.namespace);
  if (request.checkpointMap !== undefined) putMap(batch, request.checkpointMap);
  batch.word(defaults.length);
  for (const [channel, value] of defaults) {
    batch.word(channel);
    batch.word(slots.toWord(value));
  }
  batch.end();
  // Defaults of an existing thread are not stored.
  if (!run.isNew && slots.fresh !== undefined) slots.fresh.length = 0;
  if (input !== undefined) {
    batch.begin(EVENT_INPUT, 0);
    input.put(batch, slots);
    batch.end();
  }
  if (request.stepTimeout) {
    batch.begin(EVENT_STEP_TIMEOUT, 0);
    batch.double(request.stepTimeout);
    batch.end();
  }
  request.limits?.put(batch);
  if (request.resume !== undefined) putValue(batch, EVENT_RESUME, slots.toWord(request.resume));
  if (request.resumeMap !== undefined)
    putResumeMap(batch, slots, request.resumeMap, request.isPlain === true);
}

/** @param {Run} run */
function flagsOf({ request, isWarm, isNew }) {
  return (
    (request.checkpointId === undefined ? 0 : START_HAS_CHECKPOINT_ID) |
    (request.before === undefined ? 0 : START_HAS_BEFORE_ID) |
    (request.wantValues ? START_WANT_VALUES : 0) |
    (request.wantUpdates ? START_WANT_UPDATES : 0) |
    (request.wantCheckpoints ? START_WANT_CHECKPOINTS : 0) |
    (request.wantTasks ? START_WANT_TASKS : 0) |
    (request.wantHeads ? START_WANT_HEADS : 0) |
    (request.namespace === undefined ? 0 : START_HAS_NAMESPACE) |
    (request.checkpointMap === undefined ? 0 : START_HAS_MAP) |
    (request.caching === undefined ? 0 : START_HAS_CACHE) |
    (isNew ? START_NO_LOG : 0) |
    (request.isCommand ? START_COMMAND_INPUT : 0) |
    (request.isNull ? START_NULL_INPUT : 0) |
    (request.asTasks ? START_AS_TASKS : 0) |
    (isWarm ? START_HAS_MIRROR : 0)
  );
}

/**
 * @param {Batch} batch
 * @param {import("./graph.js").EngineGraph} graph
 * @param {"*" | string[] | undefined} names
 */
function putNodes(batch, graph, names) {
  if (names === undefined) batch.word(NONE);
  else if (names === "*") batch.word(ALL);
  else {
    const nodes = graph.nodeNumbers(names);
    batch.word(nodes.length);
    for (const node of nodes) batch.word(node);
  }
}

/**
 * Writes an id; an invalid one becomes an id that nothing has.
 * @param {Batch} batch
 * @param {string} id
 */
function putId(batch, id) {
  if (typeof id !== "string") throw makeError(ERR_ARGUMENT, ["an id is no string"]);
  if (!batch.id(id)) for (let i = 0; i < 4; i++) batch.word(NONE);
}

/** @param {Batch} batch @param {Record<string, string>} map */
function putMap(batch, map) {
  const entries = Object.entries(map);
  batch.word(entries.length);
  for (const [namespace, id] of entries) {
    batch.string(namespace);
    putId(batch, id);
  }
}

/**
 * @param {Batch} batch
 * @param {Slots} slots
 * @param {Record<string, unknown>} map
 * @param {boolean} isPlain the answer came without an id
 */
function putResumeMap(batch, slots, map, isPlain) {
  const ids = Object.keys(map);
  batch.begin(EVENT_RESUME_MAP, isPlain ? RESUME_MAP_PLAIN : 0);
  batch.word(ids.length);
  for (const id of ids) {
    putId(batch, id);
    batch.word(slots.toWord(map[id]));
  }
  batch.end();
}

/**
 * @param {Batch} batch
 * @param {number} op
 * @param {number} word
 */
function putValue(batch, op, word) {
  batch.begin(op, 0);
  batch.word(word);
  batch.end();
}

/**
 * Writes a task's outcome.
 * @param {Batch} batch
 * @param {Slots} slots
 * @param {import("./tasks/task.js").Task} task
 */
export function putOutcome(batch, slots, task) {
  const op = task.failed
    ? EVENT_ERROR
    : task.interrupts !== undefined
      ? EVENT_INTERRUPTED
      : EVENT_RESULT;
  // What a node wrote is streamed even if a conditional edge after it raised an interrupt.
  const isAsking = op === EVENT_INTERRUPTED && task.kind !== TASK_CALL && task.writes.count > 0;
  batch.begin(
    op,
    op === EVENT_RESULT && task.writes.endsHere
      ? RESULT_NO_EDGES
      : isAsking
        ? INTERRUPTED_ENTRIES
        : task.errorFlags,
  );
  batch.word(task.index);
  batch.word(task.attempt);
  if (task.failed) putError(batch, slots, task);
  else if (task.interrupts === undefined) task.writes.put(batch, slots);
  else putInterrupts(batch, slots, task.interrupts);
  if (isAsking) task.writes.put(batch, slots);
  batch.end();
}

/**
 * @param {Batch} batch
 * @param {Slots} slots
 * @param {import("./tasks/task.js").Task} task
 */
function putError(batch, slots, { error, errorFlags, retry, writes }) {
  batch.word(slots.toWord(errorRecord(error)));
  if ((errorFlags & ERROR_RETRY) !== 0)
    putRetry(batch, /** @type {import("./tasks/attempt-timers.js").RetryRule} */ (retry));
  if ((errorFlags & ERROR_ENTRIES) !== 0) writes.put(batch, slots);
}

/**
 * Returns the part of an error that a thread stores and a stream reports.
 * @param {unknown} error
 * @returns {{ message: string, name: string }}
 */
export function errorRecord(error) {
  if (error === null || typeof error !== "object") return { message: String(error), name: "Error" };
  const { message, name } = /** @type {Partial<Error>} */ (error);
  return { message: String(message), name: String(name) };
}

/**
 * @param {Batch} batch
 * @param {Slots} slots
 * @param {import("./tasks/task.js").Interrupt[]} interrupts
 */
function putInterrupts(batch, slots, interrupts) {
  batch.word(interrupts.length);
  for (const interrupt of interrupts) {
    const { id } = interrupt;
    if (id === undefined || !batch.id(id)) for (let i = 0; i < 4; i++) batch.word(0);
    batch.word(slots.toWord(packInterrupt(interrupt)));
  }
}

/**
 * @param {Run} run
 * @param {Answer} answer
 */
export function putAnswer(run, answer) {
  const { batch, slots } = run.engine;
  batch.begin(answer.op, answer.flags ?? 0);
  switch (answer.op) {
    case EVENT_REDUCED:
      batch.word(/** @type {number} */ (answer.channel));
      batch.word(slots.toWord(answer.value));
      break;
    case EVENT_ENCODED:
      putTexts(batch, /** @type {(number | string)[]} */ (answer.list));
      break;
    case EVENT_HEADERS:
      batch.word(/** @type {unknown[]} */ (answer.list).length);
      for (const message of /** @type {import("../messages/base.js").Message[]} */ (answer.list))
        putHeader(batch, message);
      break;
    case EVENT_LOADED:
      putLog(run, /** @type {import("./thread.js").LoadedLog} */ (answer.log));
      break;
    default:
      answer.put?.(batch, slots);
  }
  batch.end();
}

/**
 * @param {Run} run
 * @param {import("./thread.js").LoadedLog} log
 */
function putLog(run, { pieces, last }) {
  const { engine, handle, thread } = run;
  const { batch } = engine;
  const { pointer, bytes } = engine.load(handle, pieces);
  batch.word(pointer);
  batch.word(0);
  batch.word(bytes);
  const isShared = thread?.users?.some((user) => user !== run && user.writes);
  batch.word((last === undefined ? 0 : LOADED_WITNESS) | (isShared ? LOADED_SHARED : 0));
  batch.word((last?.seq ?? 0) % 4294967296);
  batch.word(Math.floor((last?.seq ?? 0) / 4294967296));
  batch.word(last?.crc ?? 0);
  batch.word(pieces.length);
  for (const piece of pieces) batch.word(piece.length);
}

/**
 * @param {Batch} batch
 * @param {(number | string)[]} list value handles and their texts, alternating
 */
export function putTexts(batch, list) {
  batch.word(list.length / 2);
  for (let i = 0; i < list.length; i += 2) {
    batch.word(/** @type {number} */ (list[i]));
    batch.string(/** @type {string} */ (list[i + 1]));
  }
}

/**
 * Makes the initial values that the host feeds: ABSENT for a list, which starts empty.
 * @param {import("./graph.js").EngineGraph} graph
 * @returns {[channel: number, value: unknown][]}
 */
export function makeDefaults(graph) {
  return graph.defaults.map((channel) => {
    const value = graph.parts.channels[channel].makeDefault?.();
    return [channel, graph.isList(channel) ? ABSENT : value];
  });
}
