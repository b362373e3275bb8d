// SPDX-License-Identifier: MIT
// A thread's whole log as LangGraph's checkpoints: each with its state, its parent and the writes that hang on it.
// Owns what it has read; must not know stores.
import { decodeValue } from "../engine/decode.js";
import { LogReader, TASK_NULL, TASK_STORED } from "./reader.js";
import { LogState } from "./state.js";
import { DONE, TASKS, TASK_NAME, calledBy, pairsOf, taskId } from "./writes.js";

/** @typedef {import("./reader.js").LogRecord} LogRecord */
/** @typedef {import("./reader.js").TaskRecord} TaskRecord */
/** What a checkpoint is made of: its record, the nodes called before it, and what it stands on. @typedef {{ record: LogRecord, called: string[], below: Step | undefined, state: LogState | undefined }} Step */
/** `top`: undefined as long as only writes of it came. @typedef {{ top: Step | undefined, tasks: TaskRecord[], readonly record: LogRecord | undefined, readonly state: LogState }} Entry */

/** Under this key of a record's metadata stands what put() was given and the log has no word for. */
export const PUT = "weft:put";
const SOURCES = ["input", "loop", "update", "fork"];
const SPECIAL = { __error__: -1, __scheduled__: -2, __interrupt__: -3, __resume__: -4 };

export class SavedThread {
  /** @type {Map<string, Map<string, Entry>>} */
  spaces = new Map();

  /** @param {Uint8Array[]} pieces */
  constructor(pieces) {
    const reader = new LogReader();
    for (const piece of pieces) for (const record of reader.read(piece)) this.#add(record);
  }

  /** @param {LogRecord} record */
  #add(record) {
    const entry = this.#entry(record.ns, record.id);
    if (!record.isCheckpoint) {
      entry.tasks.push(...record.tasks);
      return;
    }
    const parent = record.parent === undefined ? undefined : this.#entry(record.ns, record.parent);
    parent?.tasks.push(...record.tasks);
    entry.top = { record, called: calledBy(parent?.tasks ?? []), below: parent?.top, state: undefined };
  }

  /** @param {string} ns @param {string} id */
  #entry(ns, id) {
    let space = this.spaces.get(ns);
    if (space === undefined) this.spaces.set(ns, (space = new Map()));
    let entry = space.get(id);
    if (entry === undefined) space.set(id, (entry = makeEntry()));
    return entry;
  }

  /** @param {string} ns @param {string} id @returns {Entry | undefined} */
  find(ns, id) {
    const entry = this.spaces.get(ns)?.get(id);
    return entry?.record === undefined ? undefined : entry;
  }

  /** @param {string} ns */
  #shown(ns) {
    return [...(this.spaces.get(ns)?.values() ?? [])].filter(({ record }) => record !== undefined && !record.hidden);
  }

  /** The newest of those that history shows. @param {string} ns @returns {Entry | undefined} */
  latest(ns) {
    return this.#shown(ns).reduce((/** @type {Entry | undefined} */ best, entry) => (best === undefined || isNewer(entry, best) ? entry : best), undefined);
  }

  /** Those of a namespace that history shows, the newest first. @param {string} ns @returns {Entry[]} */
  newest(ns) {
    const shown = this.#shown(ns);
    // From the oldest on each state is one step from another.
    for (const { top } of shown) if (top !== undefined) stateOf(top);
    return shown.sort((a, b) => (isNewer(b, a) ? 1 : -1));
  }
}

/** @param {Entry} a @param {Entry} b */
function isNewer(a, b) {
  return /** @type {LogRecord} */ (a.record).id > /** @type {LogRecord} */ (b.record).id;
}

/** @returns {Entry} */
function makeEntry() {
  return {
    top: undefined,
    tasks: [],
    get record() {
      return this.top?.record;
    },
    get state() {
      return this.top === undefined ? new LogState() : stateOf(this.top);
    },
  };
}

/** Made when it is asked for: of a thread that is only opened one state of thousands is. @param {Step} top @returns {LogState} */
function stateOf(top) {
  if (top.state !== undefined) return top.state;
  /** @type {Step[]} */
  const steps = [];
  /** @type {Step | undefined} */
  let below = top;
  for (; below !== undefined && below.state === undefined; below = below.below) steps.push(below);
  return (top.state = (below?.state ?? new LogState()).fold(steps.reverse()));
}

/** A Send as LangGraph's savers give it back. @param {any} send */
function packet(send) {
  if (typeof send?.node !== "string") return send;
  const { node, args, timeout } = send;
  return timeout === undefined ? { node, args } : { node, args, timeout };
}

/** @param {Entry} entry @returns {any} */
export function checkpointOf({ record, state }) {
  const { id, extra } = /** @type {LogRecord} */ (record);
  const given = typeof extra === "string" ? decodeValue(extra)[PUT] : undefined;
  const channel_values = state.values(decodeValue);
  if (channel_values.__pregel_tasks) channel_values.__pregel_tasks = channel_values.__pregel_tasks.map(packet);
  if (given !== undefined) return { v: given.v, id, ts: given.ts, channel_values, channel_versions: given.versions, versions_seen: given.seen };
  channel_values.__pregel_tasks ??= [];
  const versions_seen = Object.fromEntries([...state.seen].map(([node, seen]) => [node, { ...seen }]));
  return { v: 4, id, ts: new Date(timeOf(id)).toISOString(), channel_values, channel_versions: state.versions, versions_seen: { __input__: {}, ...versions_seen } };
}

/** @param {Entry} entry @returns {any} */
export function metadataOf({ record }) {
  const { source, step, parents, extra } = /** @type {LogRecord} */ (record);
  const more = typeof extra === "string" ? decodeValue(extra) : undefined;
  return more?.[PUT] === undefined ? { source: SOURCES[source], step, parents: Object.fromEntries(parents), ...more } : more[PUT].metadata;
}

/** Milliseconds since 1970 of a UUIDv6. @param {string} id */
function timeOf(id) {
  const ticks = BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(15, 18)}`);
  return Number((ticks - 0x01b21dd213814000n) / 10000n);
}

/**
 * What hangs on a checkpoint, as LangGraph's savers keep it: the first write of a place stays, special ones are replaced.
 * @param {Entry} entry
 * @returns {Map<string, [taskId: string, channel: string, value: any]>} by their place: `<task id>,<number>`
 */
export function pendingOf({ record, tasks }) {
  const { ns, id, step } = /** @type {LogRecord} */ (record);
  /** @type {Map<string, [string, string, any]>} */
  const writes = new Map();
  for (const task of tasks) {
    if (task.writes.length === 0 && (task.key.kind === TASK_NULL || task.outcome !== DONE)) continue;
    const named = task.key.kind === TASK_STORED ? task.writes.find(({ channel }) => channel === TASK_NAME) : undefined;
    const by = named === undefined ? taskId(task.key, { ns, id, step }) : decodeValue(/** @type {string} */ (named.value));
    pairsOf(task, { ns, id, step }, decodeValue).forEach(([channel, value], place) => {
      const special = /** @type {any} */ (SPECIAL)[channel];
      const key = `${by},${special ?? place}`;
      if (special !== undefined || !writes.has(key)) writes.set(key, [by, channel, channel === TASKS ? packet(value) : value]);
    });
  }
  return writes;
}
