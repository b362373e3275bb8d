// SPDX-License-Identifier: MIT
// Implements put and putWrites of Weft's savers: adds records to a thread's log, as the engine
// writes them, one after the other for each thread of a store. A commit that lost against another
// writer is made anew after it. Owns the queues, and a cache of the threads last written.
import { decodeValue, encodeValue } from "../../engine/codec.js";
import { ERR_ARGUMENT } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { uuidBytes, uuid5 } from "../../log/hashed-ids.js";
import {
  LIST,
  OTHER,
  PLAIN,
  POSITION,
  SOURCES,
  TASK_NULL,
  TASK_PULL,
  TASK_PUSH,
  TASK_STORED,
} from "../../log/record.js";
import { LogState } from "../../log/state.js";
import { PUT } from "../../log/saved-thread.js";
import { LogWriter } from "../../log/writer.js";
import {
  DONE,
  FAILED,
  INTERRUPTED,
  NULL_TASK_ID,
  SPECIALS,
  TASKS,
  TASK_NAME,
  pairsOf,
  taskId,
  writesOf,
} from "../../log/writes.js";
import {
  baseOf,
  basesOf,
  changesOf,
  numbersOf,
  placed,
  restated,
  seenOf,
  tasksOf,
} from "./put-changes.js";
import { START, fenced, sameHead } from "../../log/log-store.js";
import { required } from "./identifier.js";
import { readThread } from "./read-checkpoints.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../base-checkpoint-saver.js").CheckpointMetadata} CheckpointMetadata */
/** @typedef {import("../../log/record.js").LogRecord} LogRecord */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */

const TRIES = 8;
const NAMESPACE = /* @__PURE__ */ new Uint8Array(16);
/** @type {WeakMap<LogStore, Map<string, Promise<unknown>>>} */
const queues = new WeakMap();

/**
 * Runs `work` when all earlier work on this thread is done.
 * @param {LogStore} store @param {string} threadId @param {() => Promise<void>} work
 */
async function inTurn(store, threadId, work) {
  let threads = queues.get(store);
  if (threads === undefined) queues.set(store, (threads = new Map()));
  const turn = (threads.get(threadId) ?? Promise.resolve()).then(work);
  const tail = turn
    .catch(() => {})
    .then(() => {
      if (threads.get(threadId) === tail) threads.delete(threadId);
    });
  threads.set(threadId, tail);
  await turn;
}

/**
 * Cached thread after its last put, so that step-by-step puts do not read it each time. Weakly
 * held, so that memory pressure frees it.
 * @typedef {{ thread: WeakRef<import("../../log/saved-thread.js").SavedThread>, head:
 *   import("../../log/log-store.js").LogHead, base: import("../../log/saved-thread.js").Entry |
 *   undefined }} Known
 */
const KNOWN_THREADS = 64;
/** @type {WeakMap<LogStore, Map<string, Known>>} */
const knownOf = new WeakMap();

/**
 * @param {LogStore} store
 * @param {string} threadId
 * @param {import("../../log/log-store.js").LogHead | undefined} head
 */
async function openThread(store, threadId, head) {
  const found = knownOf.get(store)?.get(threadId);
  const thread = sameHead(found?.head, head) ? found?.thread.deref() : undefined;
  return thread === undefined
    ? { thread: await readThread(store, threadId), base: undefined }
    : { thread, base: found?.base };
}

/** @param {LogStore} store @param {string} threadId @param {Known} known */
function remember(store, threadId, known) {
  let threads = knownOf.get(store);
  if (threads === undefined) knownOf.set(store, (threads = new Map()));
  if (threads.size >= KNOWN_THREADS) threads.clear();
  threads.set(threadId, known);
}

/**
 * Appends the records that `write` adds.
 * @param {LogStore} store
 * @param {string} threadId
 * @param {(thread: import("../../log/saved-thread.js").SavedThread, writer: LogWriter) =>
 *   import("../../log/saved-thread.js").Entry | undefined} write returns the entry whose state it
 *   used
 * @param {{ head: import("../../log/log-store.js").LogHead | undefined }} [behind] the only head
 *   after which it may be written
 */
function append(store, threadId, write, behind) {
  return inTurn(store, threadId, async () => {
    for (let tries = 1; ; tries++) {
      const head = await store.head(threadId);
      if (behind !== undefined && !sameHead(head, behind.head)) throw fenced(threadId);
      const writer = new LogWriter(threadId, head ?? START);
      const { thread, base: before } = await openThread(store, threadId, head);
      const base = write(thread, writer);
      knownOf.get(store)?.delete(threadId);
      try {
        const { seq, crc } = writer;
        const bytes = writer.take();
        await store.append(threadId, { firstSeq: writer.firstSeq, seq, crc }, bytes, head);
        // The witness may lag, so its failure is not the caller's.
        if (store.blind === undefined || store.blind !== store.witness)
          await Promise.resolve(store.witness(threadId, { seq, crc })).catch(() => {});
        // One cached state is enough to compute the next.
        if (base !== undefined && base !== before) before?.forget();
        if (globalThis.WeakRef === undefined) return;
        thread.add(bytes.slice());
        remember(store, threadId, {
          thread: new WeakRef(thread),
          head: { seq, crc },
          base: base ?? before,
        });
        return;
      } catch (error) {
        if (
          tries === TRIES ||
          behind !== undefined ||
          /** @type {Record<PropertyKey, unknown>} */ (error).code !== "FENCED"
        )
          throw error;
      }
    }
  });
}

/**
 * Stores a checkpoint.
 * @param {LogStore} store
 * @param {Config} config
 * @param {Checkpoint} checkpoint
 * @param {CheckpointMetadata} metadata
 * @param {Record<string, unknown>} [fresh] versions of changed channels: others keep the parent's
 *   values
 * @param {{ head: import("../../log/log-store.js").LogHead | undefined }} [behind] the only head
 *   after which it may be written, else FENCED
 */
export async function put(store, config, checkpoint, metadata, fresh, behind) {
  const threadId = required(config, "thread_id", "checkpoint");
  const ns = config.configurable?.checkpoint_ns ?? "";
  const { id } = checkpoint;
  if (uuidBytes(String(id)) === undefined)
    throw makeError(ERR_ARGUMENT, [`a checkpoint's id is a UUID, not ${JSON.stringify(id)}`]);
  const given = config.configurable?.checkpoint_id;
  await append(
    store,
    threadId,
    (thread, writer) => {
      const known = thread.find(ns, id);
      // A checkpoint that is put again keeps its parent.
      const parent = known === undefined ? given : known.record?.parent;
      const above = parent === undefined || parent === id ? undefined : thread.find(ns, parent);
      const base = above?.state ?? new LogState();
      const keyframe = parent === undefined || thread.find(ns, parent) === undefined;
      const { v, ts, channel_versions: versions, versions_seen: seen } = checkpoint;
      const own = numbersOf(versions, seen);
      const bases = known && basesOf(known, thread);
      const record = {
        isCheckpoint: true,
        ns,
        id,
        parent: parent === id ? undefined : parent,
        keyframe,
        source: Math.max(0, SOURCES.indexOf(metadata?.source)),
        step: Number.isInteger(metadata?.step) ? metadata.step : -2,
        extra: encodeValue({ [PUT]: { v, ts, versions, seen, metadata } }),
        changes: placed(changesOf(checkpoint, base, own, fresh, thread), bases),
        seen: seenOf(seen, own),
        tasks: known && tasksOf(known, thread, bases),
        parents: /** @type {[string, string][]} */ (
          Object.entries(metadata?.parents ?? {}).filter(
            ([, above]) => uuidBytes(String(above)) !== undefined,
          )
        ),
      };
      writer.add(record);
      // Followers store only their changes: restates them, so that their states stay the same.
      const followers = known === undefined ? [] : thread.followers(ns, id);
      const state =
        followers.length > 0
          ? base.apply(/** @type {LogRecord} */ (/** @type {unknown} */ (record)))
          : base;
      for (const follower of followers) writer.add(restated(follower, state, thread));
      const early = thread.spaces.get(ns)?.get(id)?.tasks ?? [];
      if (known === undefined && early.length > 0)
        nameTasks(
          writer,
          early,
          base.apply(/** @type {LogRecord} */ (/** @type {unknown} */ ({ ...record, seen: [] }))),
          record,
        );
      return above;
    },
    behind,
  );
  return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id } };
}

/**
 * Names the tasks of writes that were stored before their checkpoint, now that it is known.
 * @param {LogWriter} writer
 * @param {import("../../log/record.js").TaskRecord[]} early
 * @param {LogState} state
 * @param {import("../../log/writes.js").At} record
 */
function nameTasks(writer, early, state, record) {
  const tasks = early.flatMap((task) => {
    const key = keyOf(task.key.id, state, record);
    return task.key.kind !== TASK_STORED || key.kind === TASK_STORED
      ? []
      : [taskOf(key, pairsOf(task, record, decodeValue), task.key.id, state)];
  });
  if (tasks.length > 0) writer.add({ ns: record.ns, id: record.id, tasks });
}

/**
 * Stores the writes of a task.
 * @param {LogStore} store
 * @param {Config} config
 * @param {[channel: string, value: unknown][]} writes
 * @param {string} task
 */
export async function putWrites(store, config, writes, task) {
  const threadId = required(config, "thread_id", "writes");
  const id = required(config, "checkpoint_id", "writes");
  const ns = config.configurable?.checkpoint_ns ?? "";
  await append(store, threadId, (thread, writer) => {
    const entry = thread.find(ns, id);
    const key = keyOf(task, entry?.state, { ns, id, step: entry?.record?.step ?? -2 });
    const record = taskOf(key, writes, task, entry?.state);
    for (const write of /** @type {import("../../log/record.js").WriteRecord[]} */ (record.writes))
      if (write.special === PLAIN)
        write.base = baseOf(thread, entry?.state.channels.get(write.channel));
    writer.add({ ns, id, tasks: [record] });
    return entry;
  });
}

/**
 * Makes the record of a task.
 * @param {import("../../log/record.js").TaskKey} key
 * @param {[string, unknown][]} writes
 * @param {string} task
 * @param {LogState | undefined} state
 */
function taskOf(key, writes, task, state) {
  const isDone = writes.some(([channel]) => channel === SPECIALS[5] || !SPECIALS.includes(channel));
  const failed = writes.some(([channel]) => channel === SPECIALS[1]);
  const record =
    key.kind === TASK_STORED
      ? storedWrites(writes, task)
      : writesOf(writes, encodeValue, (channel) => kindOf(channel, state));
  return { key, outcome: isDone ? DONE : failed ? FAILED : INTERRUPTED, writes: record };
}

/** @param {string} channel @param {LogState | undefined} state */
function kindOf(channel, state) {
  if (channel.startsWith("join:")) return /** @type {"names"} */ ("names");
  return state?.channels.get(channel)?.form === LIST
    ? /** @type {"list"} */ ("list")
    : /** @type {"value"} */ ("value");
}

/**
 * Stores the writes of a task unknown to the engine unchanged.
 * @param {[string, unknown][]} writes
 * @param {string} task
 */
function storedWrites(writes, task) {
  const stored = writes.map(([channel, value], place) => {
    const special = SPECIALS.indexOf(channel);
    return {
      special: special > 0 ? special : 0,
      channel: special > 0 ? "" : channel,
      index: place * POSITION,
      value: encodeValue(value),
    };
  });
  return [{ special: OTHER, channel: TASK_NAME, index: 0, value: encodeValue(task) }, ...stored];
}

/**
 * Finds the task of these writes as the engine identifies it: by a node and trigger that give its
 * id.
 * @param {string} task
 * @param {LogState | undefined} state
 * @param {import("../../log/writes.js").At} at
 */
function keyOf(task, state, at) {
  const none = { node: "", trigger: "", index: 0, id: "" };
  if (task === NULL_TASK_ID) return { ...none, kind: TASK_NULL };
  for (const trigger of state?.channels.keys() ?? []) {
    const node = trigger === "__start__" ? trigger : trigger.slice(trigger.lastIndexOf(":") + 1);
    const key = { ...none, kind: TASK_PULL, node, trigger };
    if (taskId(key, at) === task) return key;
  }
  const sends = state?.channels.get(TASKS)?.sends ?? [];
  for (let index = 0; index < sends.length; index++) {
    const key = { ...none, kind: TASK_PUSH, node: sends[index].node, index };
    if (taskId(key, at) === task) return key;
  }
  return {
    ...none,
    kind: TASK_STORED,
    id: uuidBytes(task) === undefined ? uuid5(task, NAMESPACE) : task,
  };
}
