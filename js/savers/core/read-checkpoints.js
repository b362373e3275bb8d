// SPDX-License-Identifier: MIT
// Implements getTuple and list of Weft's savers: reads a store's log.
import { ERR_LOG_CORRUPT } from "../../base/codes.js";
import { DamagedValue } from "../../engine/decode.js";
import { makeError } from "../../base/errors.js";
import { SavedThread, checkpointOf, metadataOf, pendingOf } from "../../log/saved-thread.js";
import { inOrder } from "../../log/write-order.js";
import { TASKS } from "../../log/writes.js";
import { allThreads, failuresOf } from "./all-threads.js";
import { readLog } from "../../log/read-log.js";
import { getCheckpointId, maxChannelVersion } from "./versions.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {import("../../log/saved-thread.js").Entry} Entry */

/** @param {LogStore} store @param {string} threadId */
export async function readThread(store, threadId) {
  const { batches } = await readLog(store, threadId);
  return opened(threadId, 0, () => new SavedThread(batches));
}

/**
 * Reports damage that only appears when the log is opened.
 * @template T
 * @param {string} threadId @param {number} seq @param {() => T} open @returns {T}
 */
function opened(threadId, seq, open) {
  try {
    return open();
  } catch (error) {
    const isDamage = [DamagedValue, RangeError, TypeError].some((kind) => error instanceof kind);
    throw isDamage
      ? makeError(ERR_LOG_CORRUPT, [threadId, seq, /** @type {Error} */ (error).message], {
          cause: error,
        })
      : error;
  }
}

/** @param {string} threadId @param {Entry} entry @returns {CheckpointTuple} */
export function tupleOf(threadId, entry) {
  return opened(threadId, entry.top?.frame.seq ?? 0, () => made(threadId, entry));
}

/** @param {string} threadId @param {Entry} entry */
function made(threadId, entry) {
  const { ns, id, parent } = /** @type {import("../../log/record.js").LogRecord} */ (entry.record);
  const at = (/** @type {string} */ checkpoint_id) => ({
    configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id },
  });
  const tuple = {
    config: at(id),
    checkpoint: checkpointOf(entry),
    metadata: metadataOf(entry),
    pendingWrites: inOrder(pendingOf(entry)).map(
      ([task, channel, value]) => /** @type {[string, string, unknown]} */ ([task, channel, value]),
    ),
  };
  return parent === undefined ? tuple : { ...tuple, parentConfig: at(parent) };
}

/**
 * Converts a checkpoint before version 4 of the format, in which Sends were writes of the parent
 * instead of a channel.
 * @param {CheckpointTuple} tuple
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 */
function migrated(tuple, thread) {
  const { checkpoint, parentConfig } = tuple;
  if (checkpoint.v >= 4 || parentConfig === undefined) return tuple;
  const { checkpoint_ns: ns, checkpoint_id: id } =
    /** @type {{ configurable: Record<string, string> }} */ (parentConfig).configurable;
  const entry = thread.find(ns, id);
  const sends =
    entry === undefined ? [] : inOrder(pendingOf(entry)).filter(([, channel]) => channel === TASKS);
  const versions = Object.values(checkpoint.channel_versions ?? {});
  checkpoint.channel_values = {
    ...checkpoint.channel_values,
    [TASKS]: sends.map(([, , send]) => send),
  };
  checkpoint.channel_versions = {
    ...checkpoint.channel_versions,
    [TASKS]: versions.length > 0 ? maxChannelVersion(...versions) : 1,
  };
  return tuple;
}

/** @param {LogStore} store @param {Config} config */
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
 * Lists checkpoints, newest first. A thread is read once; its states are computed one by one on
 * demand. Among all threads, an unreadable one does not stop the others: `onError` receives its
 * error, or it is thrown at the end.
 * @param {LogStore} store
 * @param {Config} config
 * @param {{ limit?: number, before?: Config, filter?: Record<string, unknown>, onError?:
 *   import("./all-threads.js").OnError }} [options]
 */
export async function* list(store, config, options = {}) {
  const { thread_id: threadId } = config.configurable ?? {};
  const left = { count: options.limit ?? Infinity };
  if (left.count <= 0) return;
  if (threadId !== undefined) return yield* listThread(store, threadId, config, options, left);
  const { tell, end } = failuresOf(options.onError);
  for await (const id of allThreads(store, tell)) {
    try {
      yield* listThread(store, id, config, options, left);
    } catch (error) {
      tell(error, id);
    }
    if (left.count <= 0) return;
  }
  end();
}

/**
 * Lists the checkpoints of one thread.
 * @param {LogStore} store @param {string} threadId
 * @param {Config} config
 * @param {{ before?: Config, filter?: Record<string, unknown> }} options
 * @param {{ count: number }} left how many are still wanted
 */
async function* listThread(store, threadId, config, { before, filter = {} }, left) {
  const ns = config.configurable?.checkpoint_ns;
  const id = getCheckpointId(config);
  const end = before === undefined ? "" : getCheckpointId(before);
  const wanted = Object.entries(filter);
  const thread = await readThread(store, threadId);
  thread.isListed = left.count > 1 && id === "";
  for (const space of ns === undefined ? thread.spaces.keys() : [ns]) {
    for (const entry of thread.newest(space)) {
      if ((id !== "" && entry.id !== id) || (end !== "" && entry.id >= end)) continue;
      const metadata = wanted.length === 0 ? undefined : metadataOf(entry);
      if (!wanted.every(([key, value]) => metadata[key] === value)) continue;
      yield migrated(tupleOf(threadId, entry), thread);
      if (--left.count <= 0) return;
      entry.forget();
    }
  }
}
