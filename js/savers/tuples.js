// SPDX-License-Identifier: MIT
// What getTuple and list of our savers answer: read from a store's log. Owns nothing.
import { ERR_LOG_CORRUPT } from "../engine/codes.js";
import { DamagedValue } from "../engine/decode.js";
import { makeError } from "../errors.js";
import { SavedThread, checkpointOf, metadataOf, pendingOf } from "../log/thread.js";
import { TASKS } from "../log/writes.js";
import { readLog } from "./loss.js";
import { getCheckpointId, maxChannelVersion } from "./versions.js";

/** @typedef {import("./log-port.js").LogStore} LogStore */
/** @typedef {import("../log/thread.js").Entry} Entry */

/** Threads that are asked for at once. */
const PAGE = 100;

/** @param {LogStore} store @param {string} threadId */
export async function readThread(store, threadId) {
  const { batches } = await readLog(store, threadId);
  return opened(threadId, 0, () => new SavedThread(batches));
}

/**
 * Damage that nobody saw when the log was read comes to light when it is opened.
 * @template T
 * @param {string} threadId @param {number} seq @param {() => T} open @returns {T}
 */
function opened(threadId, seq, open) {
  try {
    return open();
  } catch (/** @type {any} */ error) {
    const isDamage = [DamagedValue, RangeError, TypeError].some((kind) => error instanceof kind);
    throw isDamage ? makeError(ERR_LOG_CORRUPT, [threadId, seq, error.message], { cause: error }) : error;
  }
}

/** @param {string} threadId @param {Entry} entry */
export function tupleOf(threadId, entry) {
  return opened(threadId, entry.top?.frame.seq ?? 0, () => made(threadId, entry));
}

/** @param {string} threadId @param {Entry} entry */
function made(threadId, entry) {
  const { ns, id, parent } = /** @type {import("../log/record.js").LogRecord} */ (entry.record);
  const at = (/** @type {string} */ checkpoint_id) => ({ configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id } });
  const tuple = { config: at(id), checkpoint: checkpointOf(entry), metadata: metadataOf(entry), pendingWrites: [...pendingOf(entry).values()] };
  return parent === undefined ? tuple : { ...tuple, parentConfig: at(parent) };
}

/**
 * Before version 4 of the format Sends were writes of the parent, not a channel.
 * @param {any} tuple
 * @param {import("../log/thread.js").SavedThread} thread
 */
function migrated(tuple, thread) {
  const { checkpoint, parentConfig } = tuple;
  if (checkpoint.v >= 4 || parentConfig === undefined) return tuple;
  const { checkpoint_ns: ns, checkpoint_id: id } = parentConfig.configurable;
  const entry = thread.find(ns, id);
  const sends = entry === undefined ? [] : [...pendingOf(entry).values()].filter(([, channel]) => channel === TASKS);
  const versions = Object.values(checkpoint.channel_versions ?? {});
  checkpoint.channel_values = { ...checkpoint.channel_values, [TASKS]: sends.map(([, , send]) => send) };
  checkpoint.channel_versions = { ...checkpoint.channel_versions, [TASKS]: versions.length > 0 ? maxChannelVersion(.../** @type {any[]} */ (versions)) : 1 };
  return tuple;
}

/** @param {LogStore} store @param {any} config */
export async function getTuple(store, config) {
  const { thread_id: threadId, checkpoint_ns } = config.configurable ?? {};
  if (threadId === undefined) return undefined;
  const thread = await readThread(store, threadId);
  const ns = checkpoint_ns ?? "";
  const id = getCheckpointId(config);
  const entry = id === "" ? thread.latest(ns) : thread.find(ns, id);
  return entry === undefined ? undefined : migrated(tupleOf(threadId, entry), thread);
}

/**
 * Newest first. A thread is read once; states are made one by one, as they are asked for.
 * @param {LogStore} store
 * @param {any} config
 * @param {{ limit?: number, before?: any, filter?: Record<string, any> }} [options]
 */
export async function* list(store, config, { limit = Infinity, before, filter = {} } = {}) {
  const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
  const id = getCheckpointId(config);
  const end = before === undefined ? "" : getCheckpointId(before);
  const wanted = Object.entries(filter);
  let left = limit;
  if (left <= 0) return;
  for await (const name of threadId === undefined ? threadIds(store) : [threadId]) {
    const thread = await readThread(store, name);
    thread.isListed = left > 1 && id === "";
    for (const space of ns === undefined ? thread.spaces.keys() : [ns]) {
      for (const entry of thread.newest(space)) {
        if ((id !== "" && entry.id !== id) || (end !== "" && entry.id >= end)) continue;
        const metadata = wanted.length === 0 ? undefined : metadataOf(entry);
        if (!wanted.every(([key, value]) => metadata[key] === value)) continue;
        yield migrated(tupleOf(name, entry), thread);
        if (--left <= 0) return;
        entry.forget();
      }
    }
  }
}

/** @param {LogStore} store */
async function* threadIds(store) {
  /** @type {string | undefined} */
  let after;
  for (;;) {
    const ids = await store.list({ limit: PAGE, after });
    yield* ids;
    if (ids.length < PAGE) return;
    after = ids[ids.length - 1];
  }
}
