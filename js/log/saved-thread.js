// SPDX-License-Identifier: MIT
// Reads a thread's whole log as LangGraph's checkpoints: each with its state, its parent and its
// pending writes. Owns what it has read. Does not depend on stores.
import { decodeValue } from "../engine/decode.js";
import { uuidOf } from "../base/uuid.js";
import { CHECKPOINT, DECISION, TRIM } from "./frames.js";
import { headOf, recordOf, textsOf } from "./reader.js";
import { HIDDEN, SOURCES, TASK_NULL, TASK_STORED } from "./record.js";
import { Patch } from "./patch.js";
import { LogState } from "./state.js";
import { WholeFrames } from "./unpack.js";
import { WRITES_IDX_MAP } from "./write-order.js";
import { DONE, TASKS, TASK_NAME, calledBy, pairsOf, taskId, taskPath } from "./writes.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {import("./record.js").LogRecord} LogRecord */
/** @typedef {import("./record.js").TaskRecord} TaskRecord */
/**
 * Source of a checkpoint: its record, the parent's step and entry, and the `count` of records
 * attached to that entry before this one (inclusive).
 * @typedef {{ frame: Frame, below: Step | undefined, parent: Entry | undefined, count: number,
 *   record: LogRecord | undefined, state: LogState | undefined }} Step
 */

/** Key of a record's metadata for those arguments of put() that the log has no field for. */
export const PUT = "weft:put";
/** A listing keeps every 64th state, so that none is far from a kept one. */
const STRIDE = 64;

/**
 * A checkpoint, or a placeholder of one while only its writes are read. Its record and state are
 * read on demand.
 */
export class Entry {
  /** @type {Step | undefined} */
  top;
  hidden = false;
  /**
   * Records with writes of its tasks, in order: WRITES, and checkpoints that are its children.
   * @type {Frame[]}
   */
  hung = [];

  /** @param {SavedThread} thread @param {string} id */
  constructor(thread, id) {
    this.thread = thread;
    this.id = id;
  }

  /** @returns {LogRecord | undefined} */
  get record() {
    return this.top && (this.top.record ??= recordOf(this.top.frame, this.thread));
  }

  /** @returns {TaskRecord[]} */
  get tasks() {
    return this.tasksOf(this.hung.length);
  }

  /** Lists the tasks of its first records. @param {number} count */
  tasksOf(count) {
    return this.hung.slice(0, count).flatMap((frame) => recordOf(frame, this.thread).tasks);
  }

  get state() {
    return this.top === undefined ? new LogState() : stateOf(this.thread, this.top);
  }

  /** Drops all that can be read again. */
  forget() {
    if (this.top !== undefined) this.top.record = this.top.state = undefined;
  }
}

export class SavedThread {
  /** @type {Map<string, Map<string, Entry>>} */
  spaces = new Map();
  /** Frames of people's decisions. @type {Frame[]} */
  decisions = [];
  /** Will all states be read, newest first? Then intermediate ones are cached for a while. */
  isListed = false;
  #whole = new WholeFrames();
  /** @type {Frame[]} */
  #frames = [];
  /** Values of records that others refer to. @type {Map<number, import("./reader.js").Values>} */
  #texts = new Map();
  /**
   * The entry added last, with the bytes of its id: usually the next one's parent.
   * @type {{ ns: string, id: Uint8Array, entry: Entry } | undefined}
   */
  #last;

  /** @param {Uint8Array[]} pieces */
  constructor(pieces) {
    for (const piece of pieces) this.add(piece);
  }

  /** Adds bytes that follow all those read. @param {Uint8Array} piece */
  add(piece) {
    for (const frame of this.#whole.of(piece)) this.#add(frame);
  }

  /** @param {Frame} frame */
  #add(frame) {
    if (frame.kind === TRIM) {
      // Remaining records were rewritten after the TRIM.
      this.spaces.clear();
      this.decisions = [];
      this.#last = undefined;
    }
    this.#frames.push(frame);
    if (frame.kind === DECISION) this.decisions.push(frame);
    if (frame.kind > 2) return;
    const { ns, id, flags, parent: above } = headOf(frame);
    const entry = this.#entry(ns, id);
    if (frame.kind !== CHECKPOINT) {
      entry.hung.push(frame);
      return;
    }
    const parent = above && this.#entry(ns, above);
    parent?.hung.push(frame);
    entry.hidden = (flags & HIDDEN) !== 0;
    entry.top = {
      frame,
      below: parent?.top,
      parent,
      count: parent?.hung.length ?? 0,
      record: undefined,
      state: undefined,
    };
    this.#last = { ns, id, entry };
  }

  /** @param {string} ns @param {Uint8Array} bytes */
  #entry(ns, bytes) {
    if (this.#last?.ns === ns && sameId(this.#last.id, bytes)) return this.#last.entry;
    let space = this.spaces.get(ns);
    if (space === undefined) this.spaces.set(ns, (space = new Map()));
    const id = uuidOf(bytes);
    let entry = space.get(id);
    if (entry === undefined) space.set(id, (entry = new Entry(this, id)));
    return entry;
  }

  /**
   * Returns the values of a record.
   * @param {number} seq
   * @returns {import("./reader.js").Values | undefined}
   */
  get(seq) {
    let texts = this.#texts.get(seq);
    const frame = this.#frames[seq - this.#frames[0].seq];
    if (texts === undefined && frame !== undefined)
      this.#texts.set(seq, (texts = textsOf(frame, this)));
    return texts;
  }

  /** @param {string} ns @param {string} id @returns {Entry | undefined} */
  find(ns, id) {
    const entry = this.spaces.get(ns)?.get(id);
    return entry?.top === undefined ? undefined : entry;
  }

  /** @param {string} ns @param {string} id */
  followers(ns, id) {
    return [...(this.spaces.get(ns)?.values() ?? [])].filter(({ top }) => top?.parent?.id === id);
  }

  /**
   * Returns the newest checkpoint that history lists.
   * @param {string} ns
   * @returns {Entry | undefined}
   */
  latest(ns) {
    /** @type {Entry | undefined} */
    let best;
    for (const entry of this.spaces.get(ns)?.values() ?? [])
      if (isShown(entry) && (best === undefined || entry.id > best.id)) best = entry;
    return best;
  }

  /**
   * Lists a namespace's checkpoints of the history, newest first.
   * @param {string} ns
   * @returns {Entry[]}
   */
  newest(ns) {
    return [...(this.spaces.get(ns)?.values() ?? [])]
      .filter(isShown)
      .sort((a, b) => (b.id > a.id ? 1 : -1));
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
function sameId(a, b) {
  let at = 15;
  while (at >= 0 && a[at] === b[at]) at--;
  return at < 0;
}

/** @param {Entry} entry */
function isShown({ top, hidden }) {
  return top !== undefined && !hidden;
}

/**
 * Computes a step's state on demand: opening a thread needs one state of thousands.
 * @param {SavedThread} thread
 * @param {Step} top
 * @returns {LogState}
 */
function stateOf(thread, top) {
  if (top.state !== undefined) return top.state;
  /** @type {Step[]} */
  const steps = [];
  /** @type {Step | undefined} */
  let below = top;
  for (; below !== undefined && below.state === undefined; below = below.below) steps.push(below);
  steps.reverse();
  const size = !thread.isListed ? steps.length : steps.length > STRIDE ? STRIDE : 1;
  let state = below?.state ?? new LogState();
  for (let at = 0; at < steps.length; at += size) {
    const part = steps.slice(at, at + size);
    state = part[part.length - 1].state = state.fold(changesOf(thread, part));
  }
  return state;
}

/**
 * Yields the changes of steps and the nodes called before them, one by one, as all are large.
 * @param {SavedThread} thread
 * @param {Step[]} steps
 */
function* changesOf(thread, steps) {
  for (const { frame, record = recordOf(frame, thread), parent, count } of steps) {
    const tasks =
      count > 1
        ? /** @type {Entry} */ (parent).tasksOf(count)
        : parent === undefined
          ? []
          : record.tasks;
    yield { record, called: calledBy(tasks) };
  }
}

/** @param {Value} token */
function open(token) {
  return decodeValue(token instanceof Patch ? String(token) : token);
}

/** Converts a Send to the form that LangGraph's savers return. @param {Value} send */
function packet(send) {
  if (typeof send?.node !== "string") return send;
  const { node, args, timeout } = send;
  return timeout === undefined ? { node, args } : { node, args, timeout };
}

/** @param {Entry} entry @returns {Value} */
export function checkpointOf({ record, state }) {
  const { id, extra } = /** @type {LogRecord} */ (record);
  const given = typeof extra === "string" ? decodeValue(extra)[PUT] : undefined;
  const channel_values = state.values(open);
  if (channel_values.__pregel_tasks)
    channel_values.__pregel_tasks = channel_values.__pregel_tasks.map(packet);
  if (given !== undefined)
    return {
      v: given.v,
      id,
      ts: given.ts,
      channel_values,
      channel_versions: given.versions,
      versions_seen: given.seen,
    };
  channel_values.__pregel_tasks ??= [];
  const versions_seen = Object.fromEntries(
    [...state.seen].map(([node, seen]) => [node, { ...seen }]),
  );
  return {
    v: 4,
    id,
    ts: new Date(timeOf(id)).toISOString(),
    channel_values,
    channel_versions: state.versions,
    versions_seen: { __input__: {}, ...versions_seen },
  };
}

/** @param {Entry} entry @returns {Value} */
export function metadataOf({ record }) {
  const { source, step, parents, extra } = /** @type {LogRecord} */ (record);
  const more = typeof extra === "string" ? decodeValue(extra) : undefined;
  return more?.[PUT] === undefined
    ? { source: SOURCES[source], step, parents: Object.fromEntries(parents), ...more }
    : more[PUT].metadata;
}

/** Returns the time of a UUIDv6 in milliseconds since 1970. @param {string} id */
function timeOf(id) {
  const ticks = BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}${id.slice(15, 18)}`);
  return Number((ticks - 0x01b21dd213814000n) / 10000n);
}

/**
 * Lists a checkpoint's pending writes as LangGraph's savers store them: the first write of a place
 * stays, special ones are replaced.
 * @param {Entry} entry
 * @returns {Map<string, [taskId: string, channel: string, value: unknown, taskPath: string]>} by
 *   their place: `<task id>,<number>`
 */
export function pendingOf({ record, tasks }) {
  const { ns, id, step } = /** @type {LogRecord} */ (record);
  /** @type {Map<string, [string, string, unknown, string]>} */
  const writes = new Map();
  for (const task of tasks) {
    if (task.writes.length === 0 && (task.key.kind === TASK_NULL || task.outcome !== DONE))
      continue;
    const named =
      task.key.kind === TASK_STORED
        ? task.writes.find(({ channel }) => channel === TASK_NAME)
        : undefined;
    const by =
      named === undefined
        ? taskId(task.key, { ns, id, step })
        : decodeValue(/** @type {string} */ (named.value));
    const path = taskPath(task.key);
    pairsOf(task, { ns, id, step }, open).forEach(([channel, value], place) => {
      const special = /** @type {Record<PropertyKey, unknown>} */ (WRITES_IDX_MAP)[channel];
      const key = `${by},${special ?? place}`;
      const first = writes.get(key);
      // Writes stored before their checkpoint get their path here, as it is known only now.
      if (first !== undefined && path !== "") first[3] = path;
      if (special !== undefined || first === undefined)
        writes.set(key, [by, channel, channel === TASKS ? packet(value) : value, path]);
    });
  }
  return writes;
}
