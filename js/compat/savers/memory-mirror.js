// SPDX-License-Identifier: MIT
// Implements LangGraph's MemorySaver over its `storage` and `writes`. Reads the logs of a saver
// whose threads are not plain objects yet.
import { checkIdentifier, required } from "../../savers/core/identifier.js";
import { WRITES_IDX_MAP, inOrder } from "../../log/write-order.js";
import { getCheckpointId } from "../../savers/core/versions.js";
import * as logs from "../../savers/core/read-checkpoints.js";

/** @typedef {import("../../savers/base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {Record<string, Record<string, Record<string, [Uint8Array, Uint8Array, string |
 *   undefined]>>>} Storage by thread, namespace and checkpoint: checkpoint, metadata, parent
 */
/**
 * @typedef {Record<string, Record<string, [string, string, Uint8Array, string?]>>} Writes by JSON
 *   of thread, namespace and checkpoint, then by `<task>,<number>`: task, channel, value, the
 *   task's path
 */
/** @typedef {{ storage: Storage, writes: Writes }} Plain */
/**
 * @typedef {Plain & { store: import("../../log/log-store.js").LogStore, serde:
 *   import("../../savers/base-checkpoint-saver.js").SerializerProtocol }} MemorySaver
 */

/** @param {Config} config */
function placeOf(config) {
  const { thread_id: threadId, checkpoint_ns: ns } = config.configurable ?? {};
  const id = getCheckpointId(config);
  if (threadId !== undefined) checkIdentifier("thread_id", threadId);
  if (ns !== undefined && ns !== null) checkIdentifier("checkpoint_ns", ns, true);
  return { threadId, ns, id };
}

/** @param {MemorySaver} saver @param {string} threadId @param {string} ns @param {string} id */
async function tupleAt(saver, threadId, ns, id) {
  const { storage, writes, serde } = saver;
  const [stored, metadata, parent] = storage[threadId][ns][id];
  const at = (/** @type {string} */ checkpoint_id) => ({
    configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id },
  });
  const checkpoint = await serde.loadsTyped("json", stored);
  const held = inOrder(Object.entries(writes[JSON.stringify([threadId, ns, id])] ?? {}));
  const pendingWrites = await Promise.all(
    held.map(async ([task, channel, value]) => [
      task,
      channel,
      await serde.loadsTyped("json", value),
    ]),
  );
  if (checkpoint.v < 4 && parent !== undefined)
    await migrateSends(saver, checkpoint, JSON.stringify([threadId, ns, parent]));
  const tuple = {
    config: at(id),
    checkpoint,
    metadata: await serde.loadsTyped("json", metadata),
    pendingWrites,
  };
  return parent === undefined ? tuple : { ...tuple, parentConfig: at(parent) };
}

/**
 * Adds the Sends of a checkpoint before version 4, in which they were writes of the parent.
 * @param {MemorySaver} saver
 * @param {Checkpoint} checkpoint
 * @param {string} key
 */
async function migrateSends({ writes, serde }, checkpoint, key) {
  const sends = inOrder(Object.entries(writes[key] ?? {})).filter(
    ([, channel]) => channel === "__pregel_tasks",
  );
  checkpoint.channel_values ??= {};
  checkpoint.channel_versions ??= {};
  checkpoint.channel_values.__pregel_tasks = await Promise.all(
    sends.map(([, , value]) => serde.loadsTyped("json", value)),
  );
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_versions.__pregel_tasks =
    versions.length > 0 ? versions.reduce((max, version) => (version > max ? version : max)) : 1;
}

/** @param {MemorySaver} saver @param {Plain | undefined} plain @param {Config} config */
export async function getTuple(saver, plain, config) {
  const { threadId, ns, id } = placeOf(config);
  if (id !== "") checkIdentifier("checkpoint_id", id);
  if (threadId === undefined) return undefined;
  if (plain === undefined) return logs.getTuple(saver.store, config);
  const checkpoints = plain.storage[threadId]?.[ns ?? ""] ?? {};
  const found = id === "" ? Object.keys(checkpoints).sort().at(-1) : id;
  return found === undefined || checkpoints[found] === undefined
    ? undefined
    : tupleAt(saver, threadId, ns ?? "", found);
}

/**
 * @param {MemorySaver} saver
 * @param {Plain | undefined} plain
 * @param {Config} config
 * @param {{ limit?: number, before?: Value, filter?: Record<string, unknown> }} [options]
 */
export async function* list(saver, plain, config, options = {}) {
  const { threadId, ns, id } = placeOf(config);
  if (ns === null) checkIdentifier("checkpoint_ns", ns);
  if (id !== "") checkIdentifier("checkpoint_id", id);
  if (plain === undefined) {
    yield* logs.list(saver.store, config, options);
    return;
  }
  const { limit = Infinity, before, filter = {} } = options;
  const end = before === undefined ? "" : getCheckpointId(before);
  let left = limit;
  for (const thread of threadId === undefined ? Object.keys(plain.storage) : [threadId]) {
    for (const space of Object.keys(plain.storage[thread] ?? {})) {
      if (ns !== undefined && space !== ns) continue;
      for (const own of Object.keys(plain.storage[thread][space]).sort().reverse()) {
        if ((id !== "" && own !== id) || (end !== "" && own >= end)) continue;
        const tuple = await tupleAt(saver, thread, space, own);
        if (!Object.entries(filter).every(([key, value]) => tuple.metadata[key] === value))
          continue;
        if (left-- <= 0) return;
        yield tuple;
      }
    }
  }
}

/**
 * @param {MemorySaver} saver
 * @param {Config} config
 * @param {Checkpoint} checkpoint
 * @param {Record<string, unknown>} metadata
 */
export async function put(saver, config, checkpoint, metadata) {
  required(config, "thread_id", "checkpoint");
  const { threadId, ns: space, id: parent } = placeOf(config);
  const ns = space ?? "";
  checkIdentifier("checkpoint_id", checkpoint.id);
  const { storage, serde } = saver;
  const [[, stored], [, said]] = await Promise.all([
    serde.dumpsTyped(checkpoint),
    serde.dumpsTyped(metadata),
  ]);
  storage[threadId] ??= Object.create(null);
  storage[threadId][ns] ??= Object.create(null);
  storage[threadId][ns][checkpoint.id] = [stored, said, parent === "" ? undefined : parent];
  return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: checkpoint.id } };
}

/**
 * @param {MemorySaver} saver
 * @param {Config} config
 * @param {[string, unknown][]} writes
 * @param {string} taskId
 * @param {unknown} [taskPath]
 */
export async function putWrites(saver, config, writes, taskId, taskPath) {
  required(config, "thread_id", "writes");
  const id = required(config, "checkpoint_id", "writes");
  const { threadId, ns } = placeOf(config);
  checkIdentifier("checkpoint_ns", ns, true);
  checkIdentifier("checkpoint_id", id);
  checkIdentifier("task_id", taskId);
  const texts = await Promise.all(
    writes.map(async ([, value]) => (await saver.serde.dumpsTyped(value))[1]),
  );
  const held = (saver.writes[JSON.stringify([threadId, ns, id])] ??= Object.create(null));
  writes.forEach(([channel], place) => {
    const special = /** @type {Record<PropertyKey, unknown>} */ (WRITES_IDX_MAP)[channel];
    const key = `${taskId},${special ?? place}`;
    if (special === undefined && key in held) return;
    held[key] = [taskId, channel, texts[place], typeof taskPath === "string" ? taskPath : ""];
  });
}

/** @param {MemorySaver} saver @param {Plain | undefined} plain @param {string} threadId */
export async function deleteThread(saver, plain, threadId) {
  // As a log, a thread may have any id without risk.
  const isLog =
    plain === undefined &&
    typeof threadId === "string" &&
    threadId !== "" &&
    (await saver.store.head(threadId)) !== undefined;
  if (!isLog) checkIdentifier("thread_id", threadId);
  await saver.store.drop(threadId);
  if (plain === undefined) return;
  delete plain.storage[threadId];
  for (const key of Object.keys(plain.writes))
    if (JSON.parse(key)[0] === threadId) delete plain.writes[key];
}
