// SPDX-License-Identifier: MIT
// What getTuple and list of our savers answer: read from a store's log. Owns nothing.
import { SavedThread, checkpointOf, metadataOf, pendingOf } from "../log/thread.js";
import { TASKS } from "../log/writes.js";
import { getCheckpointId, maxChannelVersion } from "./versions.js";

/** @typedef {import("./log-port.js").LogStore} LogStore */
/** @typedef {import("../log/thread.js").Entry} Entry */

/** @param {LogStore} store @param {string} threadId */
export async function readThread(store, threadId) {
  return new SavedThread(await store.read(threadId));
}

/** @param {string} threadId @param {Entry} entry */
export function tupleOf(threadId, entry) {
  const { ns, id, parent } = /** @type {import("../log/reader.js").LogRecord} */ (entry.record);
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
  const { thread_id: threadId, checkpoint_ns: ns = "" } = config.configurable ?? {};
  if (threadId === undefined) return undefined;
  const thread = await readThread(store, threadId);
  const id = getCheckpointId(config);
  const entry = id === "" ? thread.latest(ns) : thread.find(ns, id);
  return entry === undefined ? undefined : migrated(tupleOf(threadId, entry), thread);
}

/**
 * @param {LogStore} store
 * @param {any} config
 * @param {{ limit?: number, before?: any, filter?: Record<string, any> }} [options]
 */
export async function* list(store, config, { limit = Infinity, before, filter = {} } = {}) {
  const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
  const id = getCheckpointId(config);
  const end = before === undefined ? "" : getCheckpointId(before);
  let left = limit;
  for (const name of threadId === undefined ? await store.list() : [threadId]) {
    const thread = await readThread(store, name);
    for (const space of ns === undefined ? thread.spaces.keys() : [ns]) {
      for (const entry of thread.newest(space)) {
        const own = /** @type {import("../log/reader.js").LogRecord} */ (entry.record).id;
        if ((id !== "" && own !== id) || (end !== "" && own >= end)) continue;
        const metadata = metadataOf(entry);
        if (!Object.entries(filter).every(([key, value]) => metadata[key] === value)) continue;
        if (left-- <= 0) return;
        yield migrated(tupleOf(name, entry), thread);
      }
    }
  }
}
