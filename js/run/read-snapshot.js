// SPDX-License-Identifier: MIT
// Reads SNAPSHOT records as objects, from which getState and getStateHistory are made.
import { SNAPSHOT_EMPTY, SNAPSHOT_HAS_PARENT, SNAPSHOT_LOADED, TASK_PUSH } from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";
import { SOURCES } from "../log/record.js";
import { readEntries } from "./tasks/entries.js";
import { makeLive, viewOf } from "../state/custom-channels.js";
import { unpackInterrupt } from "./tasks/interrupts.js";

/** @typedef {import("../savers/base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../savers/base-checkpoint-saver.js").CheckpointMetadata} CheckpointMetadata */
/** @typedef {import("./tasks/interrupts.js").Interrupt} Interrupt */
/**
 * @typedef {{ id: string, name: string, path: (string | number)[], error?: unknown,
 *   interrupts: Interrupt[], result: unknown }} SnapshotTask
 */
/**
 * @typedef {object} Snapshot
 * @property {boolean} empty nothing is saved; then only `values` is set besides
 * @property {string} id
 * @property {CheckpointTuple} [saved] the tuple of a checkpointer that is not Weft's
 * @property {string | undefined} parentId
 * @property {string} createdAt
 * @property {number} step
 * @property {CheckpointMetadata["source"]} source
 * @property {unknown} values one value of a state without keys
 * @property {string[]} next
 * @property {SnapshotTask[]} tasks
 * @property {Record<string, string>} parents ids of the parent graphs' checkpoints, by namespace
 * @property {boolean} [isLoaded] it existed before the run
 */
/**
 * A task that is about to run.
 * @typedef {{ index: number, id: string, name: string, node: number, kind: number, trigger: string,
 *   given: unknown, state: () => Record<string, unknown>, own?:
 *   import("../plan/definition.js").Node }} PlannedTask `own`: of a call of task()
 */

/**
 * @param {import("../engine/block.js").Block} block at a SNAPSHOT's payload
 * @param {import("../engine/slots.js").Slots} slots
 * @param {import("./graph.js").EngineGraph} graph
 * @param {number[]} keys the channels to include
 * @returns {Snapshot}
 */
export function readSnapshot(block, slots, graph, keys) {
  const flags = block.opFlags;
  if ((flags & SNAPSHOT_EMPTY) !== 0) return /** @type {Snapshot} */ ({ empty: true, values: {} });
  const id = block.uuid();
  const parent = block.uuid();
  const ms = block.double();
  const step = block.int();
  const source = /** @type {CheckpointMetadata["source"]} */ (SOURCES[block.word()]);
  return {
    empty: false,
    id,
    parentId: (flags & SNAPSHOT_HAS_PARENT) === 0 ? undefined : parent,
    createdAt: new Date(ms).toISOString(),
    step,
    source,
    values: readValues(block, slots, graph, keys),
    next: readNext(block, graph),
    tasks: readTasks(block, slots, graph, keys),
    parents: readParents(block),
    isLoaded: (flags & SNAPSHOT_LOADED) !== 0,
  };
}

/** @param {import("../engine/block.js").Block} block */
function readParents(block) {
  /** @type {Record<string, string>} */
  const parents = {};
  for (let count = block.word(); count > 0; count--) {
    const namespace = block.string();
    parents[namespace] = block.uuid();
  }
  return parents;
}

/**
 * @param {import("../engine/block.js").Block} block
 * @param {import("../engine/slots.js").Slots} slots
 * @param {import("./graph.js").EngineGraph} graph
 * @param {number[]} keys
 */
function readValues(block, slots, graph, keys) {
  /** @type {unknown[]} */
  const found = [];
  for (let count = block.word(); count > 0; count--) {
    const channel = block.word();
    const isList = block.word() === 1;
    if (!isList) {
      const value = slots.toValue(block.word());
      const own = graph.hosts.get(channel);
      found[channel] = own === undefined ? value : viewOf(makeLive(own, value));
      continue;
    }
    const list = [];
    for (let items = block.word(); items > 0; items--) list.push(slots.toValue(block.word()));
    found[channel] = list;
  }
  /** @type {Record<string, unknown>} */
  const values = {};
  for (const channel of keys) {
    if (channel in found && found[channel] !== ABSENT)
      values[graph.names[channel]] = found[channel];
  }
  return values;
}

/**
 * @param {import("../engine/block.js").Block} block
 * @param {import("./graph.js").EngineGraph} graph
 */
function readNext(block, graph) {
  const next = [];
  for (let count = block.word(); count > 0; count--) next.push(graph.nodes[block.word()]);
  return next;
}

/**
 * Interrupts of tasks that have ended since: listed as in LangGraph.js, but no longer pending.
 * @type {WeakSet<Interrupt[]>}
 */
const answered = new WeakSet();

/**
 * Lists the pending interrupts of a snapshot's tasks.
 * @param {readonly { interrupts: Interrupt[] }[]} tasks
 * @returns {Interrupt[]}
 */
export function openQuestions(tasks) {
  return tasks.flatMap(({ interrupts }) => (answered.has(interrupts) ? [] : interrupts));
}

/**
 * @param {import("../engine/block.js").Block} block
 * @param {import("../engine/slots.js").Slots} slots
 * @param {import("./graph.js").EngineGraph} graph
 * @param {number[]} keys
 */
function readTasks(block, slots, graph, keys) {
  /** @type {SnapshotTask[]} */
  const tasks = [];
  for (let count = block.word(); count > 0; count--) {
    const id = block.uuid();
    const name = graph.nodes[block.word()];
    const kind = block.word();
    const push = block.word();
    const error = slots.toValue(block.word());
    const hasFailed = error !== ABSENT;
    const interrupts = readInterrupts(block, slots);
    const result = readResult(block, slots, graph, keys);
    if (result !== undefined) answered.add(interrupts);
    tasks.push({
      id,
      name,
      path: /** @type {string[]} */ (
        kind === TASK_PUSH ? ["__pregel_push", push, false] : ["__pregel_pull", name]
      ),
      ...(hasFailed && { error }),
      interrupts,
      result,
    });
  }
  return tasks;
}

/**
 * Reads a task's writes to the output, by key; undefined if there are none.
 * @param {import("../engine/block.js").Block} block
 * @param {import("../engine/slots.js").Slots} slots
 * @param {import("./graph.js").EngineGraph} graph
 * @param {number[]} keys
 */
function readResult(block, slots, graph, keys) {
  const state = readEntries(block, slots);
  /** @type {Record<string, unknown> | undefined} */
  let result;
  for (let i = 0; i < state.length; i += 4) {
    const channel = state[i + 1];
    if (!keys.includes(channel)) continue;
    const key = graph.names[channel];
    const value = state[i + 2];
    addWrite((result ??= {}), key, value);
  }
  return result;
}

/**
 * Adds a write to a task's result, as LangGraph shows several to one key.
 * @param {Record<string, unknown>} result
 * @param {string} key
 * @param {unknown} value
 */
export function addWrite(result, key, value) {
  const { $writes } = /** @type {{ $writes?: unknown[] }} */ (result[key] ?? {});
  if (!Object.hasOwn(result, key)) result[key] = value;
  else if ($writes === undefined) result[key] = { $writes: [result[key], value] };
  else $writes.push(value);
}

/**
 * @param {import("../engine/block.js").Block} block at a count
 * @param {import("../engine/slots.js").Slots} slots
 * @returns {Interrupt[]}
 */
export function readInterrupts(block, slots) {
  /** @type {Interrupt[]} */
  const interrupts = [];
  for (let count = block.word(); count > 0; count--) {
    const id = block.hex();
    const value = slots.toValue(block.word());
    interrupts.push(unpackInterrupt(id, value));
  }
  return interrupts;
}
