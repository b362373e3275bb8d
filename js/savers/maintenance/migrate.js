// SPDX-License-Identifier: MIT
// Migrates a thread's state from an older version of the graph before it is read. Loaded when a
// graph with a `stateVersion` opens a thread. Uses LangGraph's checkpoint format; owns the list of
// checked threads.
import { encodeValue } from "../../engine/codec.js";
import { ERR_ARGUMENT, ERR_STATE_VERSION } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { crcOf, framesOf } from "../../log/frames.js";
import { START } from "../../log/log-store.js";
import { put } from "../core/put.js";
import { getTuple, readThread } from "../core/read-checkpoints.js";
import { uuid6 } from "../core/uuid6.js";
import { namesOf } from "../../base/namespace.js";
import { STATE_VERSION } from "../../base/constants.js";

/** @typedef {import("../../graph/compiled.js").Compiled} Compiled */
/** @typedef {import("../base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../base-checkpoint-saver.js").CheckpointMetadata} CheckpointMetadata */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {number | string} Version of a channel */
/** @typedef {Record<string, unknown>} State */
/**
 * @typedef {Partial<Versioned> & { getSubgraphs(namespace: string | undefined, recurse: boolean):
 *   Iterable<[string, Partial<Versioned>]> }} Versionable a compiled graph
 * @typedef {{ stateVersion: number, migrate?: (state: Record<string, unknown>, fromVersion: number)
 *   => unknown }} Versioned
 */

const TRIES = 8;
/** Matches channels that no state contains. */
const INNER = /^(__|branch:|join:)/;

/**
 * End of a thread's log when it was checked to be of this version.
 * @typedef {import("../../log/log-store.js").LogHead} LogHead
 */
/**
 * Threads that this process has checked, by saver and version.
 * @type {WeakMap<object, Map<string, Promise<LogHead | undefined>>>}
 */
const seenOf = new WeakMap();

/**
 * Migrates the newest checkpoint of a thread in place: its interrupts and finished tasks stay. A
 * named checkpoint with followers stays unchanged, and a migrated copy is added beside it. States
 * of subgraphs below the newest checkpoint are migrated too.
 * @param {Versionable} graph
 * @param {SaverLike} saver
 * @param {Config} config of the call
 * @returns {Promise<Config>} the config to continue with
 */
export async function openVersioned(graph, saver, config) {
  const inside = /** @type {Map<string, Versioned>} */ (
    new Map(
      [...graph.getSubgraphs(undefined, true)].filter(
        ([, { stateVersion }]) => stateVersion !== undefined,
      ),
    )
  );
  const isVersioned = graph.stateVersion !== undefined;
  const versioned = /** @type {Versioned} */ (graph);
  for (const { stateVersion } of isVersioned ? [graph, ...inside.values()] : inside.values()) {
    if (!Number.isSafeInteger(stateVersion) || Number(stateVersion) < 1)
      throw makeError(ERR_ARGUMENT, ["`stateVersion` is a positive integer"]);
  }
  const { thread_id: threadId, checkpoint_id: id, checkpoint_ns: ns } = config.configurable ?? {};
  if (typeof saver !== "object" || saver === null || !threadId || ns) return config;
  if (id)
    return isVersioned
      ? {
          ...config,
          configurable: {
            ...config.configurable,
            ...(await bringUp(versioned, saver, threadId, "", id)),
          },
        }
      : config;
  let seen = seenOf.get(saver);
  if (seen === undefined) seenOf.set(saver, (seen = new Map()));
  const key = JSON.stringify([
    threadId,
    .../** @type {[string, Partial<Versioned>][]} */ ([["", graph], ...inside]).map(
      ([name, { stateVersion, migrate }]) => [name, stateVersion, migrate === undefined],
    ),
  ]);
  const before = seen.get(key);
  if (before === undefined && seen.size >= 4096) seen.clear();
  const look = (/** @type {LogHead | void} */ head) =>
    lookAt(isVersioned ? versioned : undefined, inside, saver, threadId, head);
  const opened = before === undefined ? look() : before.then(look, () => look());
  seen.set(key, opened);
  await opened;
  return config;
}

/**
 * Checks a thread. A log that continues one of this version is of this version. A thread that was
 * deleted and imported is checked again.
 * @param {Versioned | undefined} graph
 * @param {Map<string, Versioned>} inside by node names
 * @param {SaverLike} saver
 * @param {string} threadId
 * @param {LogHead | void} last end of the log at the last check
 * @returns {Promise<LogHead | undefined>} current end of the log
 */
async function lookAt(graph, inside, saver, threadId, last) {
  const store = storeOf(saver);
  const head = store === undefined ? START : await store.head(threadId);
  const isUp = last && head && (store === undefined || (await holds(store, threadId, last)));
  if (!isUp) await bringUpAll(graph, inside, saver, threadId);
  else if (store === undefined && graph) await bringUp(graph, saver, threadId, "");
  return head;
}

/**
 * @param {import("../../log/log-store.js").LogStore} store
 * @param {string} threadId
 * @param {LogHead} record
 */
async function holds(store, threadId, { seq, crc }) {
  for (const batch of await store.read(threadId, { from: seq }))
    for (const frame of framesOf(batch)) if (frame.seq === seq) return crcOf(frame) === crc;
  return false;
}

/**
 * Migrates the newest checkpoints of a thread and its subgraphs.
 * @param {Versioned | undefined} graph
 * @param {Map<string, Versioned>} inside by node names
 * @param {SaverLike} saver
 * @param {string} threadId
 */
async function bringUpAll(graph, inside, saver, threadId) {
  if (graph !== undefined) await bringUp(graph, saver, threadId, "");
  if (inside.size === 0) return;
  const tools = await toolsOf(saver, threadId);
  const newest = await tools.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
  for (const ns of await tools.namespaces(threadId)) {
    const found = ns === "" ? undefined : inside.get(namesOf(ns));
    if (found === undefined) continue;
    // A subgraph of a step before the newest checkpoint has ended; a namespace without a task id
    // continues from run to run.
    const { metadata } =
      (await tools.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: ns } })) ?? {};
    if (!ns.includes(":") || metadata?.parents?.[""] === newest?.checkpoint.id)
      await bringUp(found, saver, threadId, ns);
  }
}

/**
 * Migrates a checkpoint; retries when another process was faster: it may have migrated the same
 * checkpoint and continued from it.
 * @param {Versioned} graph
 * @param {SaverLike} saver
 * @param {string} threadId
 * @param {string} ns
 * @param {string} [id]
 * @returns {Promise<{ checkpoint_id: string } | undefined>} id of the copy, if one was made
 */
async function bringUp(graph, saver, threadId, ns, id) {
  for (let tries = 1; ; tries++) {
    try {
      return await bringUpOnce(graph, saver, threadId, ns, id);
    } catch (error) {
      if (tries === TRIES || /** @type {{ code?: unknown }} */ (error).code !== "FENCED")
        throw error;
    }
  }
}

/**
 * @param {Versioned} graph
 * @param {SaverLike} saver
 * @param {string} threadId
 * @param {string} ns
 * @param {string} [id]
 * @returns {Promise<{ checkpoint_id: string } | undefined>}
 */
async function bringUpOnce({ stateVersion: version, migrate }, saver, threadId, ns, id) {
  const tools = await toolsOf(saver, threadId);
  const at = {
    thread_id: threadId,
    checkpoint_ns: ns,
    ...(id === undefined ? {} : { checkpoint_id: id }),
  };
  const tuple = await tools.getTuple({ configurable: at });
  if (tuple === undefined) return undefined;
  const { metadata, parentConfig } = tuple;
  const from = /** @type {number} */ (tuple.checkpoint.channel_values[STATE_VERSION] ?? 0);
  if (from > version) throw makeError(ERR_STATE_VERSION, [threadId, from, version]);
  if (from === version || migrate === undefined) return undefined;
  const { checkpoint, changed } = await migrated(
    tuple.checkpoint,
    async (state) => ({ ...(await stateFrom(migrate, state, from)), [STATE_VERSION]: version }),
    saver,
  );
  if (id !== undefined && (await tools.hasFollowers(threadId, id))) {
    const copy = { ...checkpoint, id: uuid6(0), ts: new Date().toISOString() };
    await tools.put(
      { configurable: { ...at, checkpoint_id: id } },
      copy,
      /** @type {CheckpointMetadata} */ ({ ...metadata, source: "fork" }),
      changed,
    );
    return { checkpoint_id: copy.id };
  }
  const parent = parentConfig?.configurable?.checkpoint_id;
  await tools.put(
    { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: parent } },
    checkpoint,
    /** @type {CheckpointMetadata} */ (metadata),
    changed,
  );
  return undefined;
}

/**
 * @param {NonNullable<Versioned["migrate"]>} migrate
 * @param {State} state
 * @param {number} from
 * @returns {Promise<State>}
 */
async function stateFrom(migrate, state, from) {
  const made = await migrate(state, from);
  // The keys of a Map, a Date or an instance would be none or not the intended ones.
  const prototype = typeof made === "object" && made !== null && Object.getPrototypeOf(made);
  const isPlain =
    prototype === null ||
    (prototype && Object.getPrototypeOf(prototype) === null && !Array.isArray(made));
  if (!isPlain) throw makeError(ERR_ARGUMENT, ["`migrate` answers the state, a plain object"]);
  return /** @type {State} */ (made);
}

/** @param {SaverLike} saver @returns {import("../../log/log-store.js").LogStore | undefined} */
function storeOf(saver) {
  return saver.getTuple === undefined ? saver.store : saver.logStore;
}

/**
 * Returns the operations on a saver. For Weft's savers they work on the log, and a put must
 * continue the log that was read; other savers are called through LangGraph's methods.
 * @param {SaverLike} saver @param {string} threadId
 */
async function toolsOf(saver, threadId) {
  const store = storeOf(saver);
  if (store === undefined) {
    return {
      getTuple: (/** @type {Config} */ config) => saver.getTuple(config),
      /**
       * @param {Config} config
       * @param {Checkpoint} checkpoint
       * @param {CheckpointMetadata} metadata
       * @param {Record<string, Version>} changed
       */
      put: (config, checkpoint, metadata, changed) =>
        saver.put(config, checkpoint, metadata, changed),
      async namespaces(/** @type {string} */ threadId) {
        const names = new Set();
        for await (const { config } of saver.list({ configurable: { thread_id: threadId } }))
          names.add(config.configurable.checkpoint_ns ?? "");
        return [...names];
      },
      async hasFollowers(/** @type {string} */ threadId, /** @type {string} */ id) {
        for await (const { parentConfig } of saver.list({
          configurable: { thread_id: threadId, checkpoint_ns: "" },
        })) {
          if (parentConfig?.configurable?.checkpoint_id === id) return true;
        }
        return false;
      },
    };
  }
  const head = await store.head(threadId);
  return {
    getTuple: (/** @type {Config} */ config) => getTuple(store, config),
    namespaces: async (/** @type {string} */ threadId) => [
      ...(await readThread(store, threadId)).spaces.keys(),
    ],
    hasFollowers: async (/** @type {string} */ threadId, /** @type {string} */ id) =>
      (await readThread(store, threadId)).followers("", id).length > 0,
    // Passes no versions of changed channels: the new record contains all differences to its
    // parent.
    put: (
      /** @type {Config} */ config,
      /** @type {Checkpoint} */ checkpoint,
      /** @type {CheckpointMetadata} */ metadata,
      /** @type {unknown} */ _changed,
    ) => put(store, config, checkpoint, metadata, undefined, { head }),
  };
}

/**
 * Changes the state of a checkpoint. Changed channels get a new version, and nodes that had seen
 * the old one count as having seen it.
 * @param {Checkpoint} checkpoint
 * @param {(state: State) => Promise<State>} change
 * @param {SaverLike} saver
 */
async function migrated(checkpoint, change, saver) {
  const names = Object.keys(checkpoint.channel_values).filter((name) => !INNER.test(name));
  const before = new Map(names.map((name) => [name, encodeValue(checkpoint.channel_values[name])]));
  const state = await change(
    Object.fromEntries(names.map((name) => [name, checkpoint.channel_values[name]])),
  );
  const { channel_values: values, channel_versions: versions, versions_seen: seen } = checkpoint;
  const next =
    saver.getNextVersion?.(newestOf(Object.values(versions))) ??
    /** @type {number} */ (newestOf(Object.values(versions)) ?? 0) + 1;
  /** @type {Record<string, Version>} */
  const changed = {};
  for (const name of new Set([...names, ...Object.keys(state)])) {
    const isThere = Object.hasOwn(state, name) && state[name] !== undefined;
    if (isThere ? before.get(name) === encodeValue(state[name]) : !before.has(name)) continue;
    for (const channels of Object.values(seen))
      if (channels[name] !== undefined && channels[name] === versions[name]) channels[name] = next;
    if (isThere) values[name] = state[name];
    else delete values[name];
    changed[name] = versions[name] = next;
  }
  // A breakpoint that was reached stays reached.
  if (seen.__interrupt__ !== undefined)
    for (const name of Object.keys(changed)) seen.__interrupt__[name] = next;
  return { checkpoint, changed };
}

/** @param {Version[]} versions @returns {Version | undefined} */
function newestOf(versions) {
  return versions.reduce(
    (/** @type {Version | undefined} */ newest, version) =>
      newest === undefined || version > newest ? version : newest,
    undefined,
  );
}
