// SPDX-License-Identifier: MIT
// A thread whose state an older version of the graph wrote, brought up to this one before anything
// reads it. Loaded when a graph with a `stateVersion` opens a thread. Knows LangGraph's words for
// checkpoints; owns which threads were looked at.
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
/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {{ stateVersion: number, migrate?: (state: Record<string, Value>, fromVersion: number)
 *   => Value }} Versioned
 */

const TRIES = 8;
/** Channels that no state shows. */
const INNER = /^(__|branch:|join:)/;

/**
 * Where the log of a thread ended when it was of this version.
 * @typedef {import("../../log/log-store.js").LogHead} LogHead
 */
/**
 * Threads that this process has looked at, by saver and version.
 * @type {WeakMap<object, Map<string, Promise<LogHead | undefined>>>}
 */
const seenOf = new WeakMap();

/**
 * Brings the newest checkpoint of a thread up, in its place: what hangs on it (questions, finished
 * tasks) stays. One that a call names and that has followers is left as it is, and a copy beside it
 * is brought up. With the newest one go the states of graphs inside nodes that stand below it.
 * @param {any} graph
 * @param {Value} saver
 * @param {Value} config of the call @returns {Promise<Value>} the config to go on with
 */
export async function openVersioned(graph, saver, config) {
  /** @type {Map<string, Value>} */
  const inside = new Map(
    [...graph.getSubgraphs(undefined, true)].filter(
      ([, { stateVersion }]) => stateVersion !== undefined,
    ),
  );
  const isVersioned = graph.stateVersion !== undefined;
  for (const { stateVersion } of isVersioned ? [graph, ...inside.values()] : inside.values()) {
    if (!Number.isSafeInteger(stateVersion) || stateVersion < 1)
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
            ...(await bringUp(graph, saver, threadId, "", id)),
          },
        }
      : config;
  let seen = seenOf.get(saver);
  if (seen === undefined) seenOf.set(saver, (seen = new Map()));
  const key = JSON.stringify([
    threadId,
    ...[["", graph], ...inside].map(([name, { stateVersion, migrate }]) => [
      name,
      stateVersion,
      migrate === undefined,
    ]),
  ]);
  const before = seen.get(key);
  if (before === undefined && seen.size >= 4096) seen.clear();
  const look = (/** @type {LogHead | void} */ head) =>
    lookAt(isVersioned ? graph : undefined, inside, saver, threadId, head);
  const opened = before === undefined ? look() : before.then(look, () => look());
  seen.set(key, opened);
  await opened;
  return config;
}

/**
 * What goes on from where it was up is up. A thread that was deleted and imported, by whomever, is
 * looked at again.
 * @param {Compiled} graph
 * @param {Map<string, unknown>} inside by the names of nodes
 * @param {SaverLike} saver
 * @param {string} threadId
 * @param {LogHead | void} last where it was up
 * @returns {Promise<LogHead | undefined>} where it is
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
 * @param {Compiled} graph
 * @param {Map<string, Value>} inside by the names of nodes
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
    // What a step before the newest checkpoint ran in is over; a namespace without a task's id goes
    // on from run to run.
    const { metadata } =
      (await tools.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: ns } })) ?? {};
    if (!ns.includes(":") || metadata?.parents?.[""] === newest?.checkpoint.id)
      await bringUp(found, saver, threadId, ns);
  }
}

/**
 * Once more when another process was faster: it may have brought the same checkpoint up, and gone
 * on from it.
 * @param {Versioned} graph
 * @param {SaverLike} saver
 * @param {string} threadId
 * @param {string} ns
 * @param {string} [id]
 * @returns {Promise<{ checkpoint_id: string } | undefined>} another checkpoint than the one that
 *   was named
 */
async function bringUp(graph, saver, threadId, ns, id) {
  for (let tries = 1; ; tries++) {
    try {
      return await bringUpOnce(graph, saver, threadId, ns, id);
    } catch (/** @type {Value} */ error) {
      if (tries === TRIES || error.code !== "FENCED") throw error;
    }
  }
}

/**
 * @param {Versioned} graph
 * @param {Value} saver
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
  const from = tuple.checkpoint.channel_values[STATE_VERSION] ?? 0;
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
      { ...metadata, source: "fork" },
      changed,
    );
    return { checkpoint_id: copy.id };
  }
  const parent = parentConfig?.configurable?.checkpoint_id;
  await tools.put(
    { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: parent } },
    checkpoint,
    metadata,
    changed,
  );
  return undefined;
}

/**
 * @param {(state: Value, from: number) => Value} migrate
 * @param {Record<string, unknown>} state
 * @param {number} from
 */
async function stateFrom(migrate, state, from) {
  const made = await migrate(state, from);
  // Of a Map, a Date or an instance the keys would be taken: none, or others than are meant.
  const prototype = typeof made === "object" && made !== null && Object.getPrototypeOf(made);
  const isPlain =
    prototype === null ||
    (prototype && Object.getPrototypeOf(prototype) === null && !Array.isArray(made));
  if (!isPlain) throw makeError(ERR_ARGUMENT, ["`migrate` answers the state, a plain object"]);
  return made;
}

/** @param {Value} saver @returns {import("../../log/log-store.js").LogStore | undefined} */
function storeOf(saver) {
  return saver.getTuple === undefined ? saver.store : saver.logStore;
}

/**
 * A saver of ours keeps its threads as logs, and what it is given must continue what was read;
 * others are asked through LangGraph's methods.
 * @param {Value} saver @param {string} threadId
 */
async function toolsOf(saver, threadId) {
  const store = storeOf(saver);
  if (store === undefined) {
    return {
      getTuple: (/** @type {Value} */ config) => saver.getTuple(config),
      put: (/** @type {Value[]} */ ...words) => saver.put(...words),
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
    getTuple: (/** @type {Value} */ config) => getTuple(store, config),
    namespaces: async (/** @type {string} */ threadId) => [
      ...(await readThread(store, threadId)).spaces.keys(),
    ],
    hasFollowers: async (/** @type {string} */ threadId, /** @type {string} */ id) =>
      (await readThread(store, threadId)).followers("", id).length > 0,
    // Without the versions of what changed: the record that is put again holds all that differs
    // from its parent.
    put: (
      /** @type {Value} */ config,
      /** @type {Value} */ checkpoint,
      /** @type {Value} */ metadata,
    ) => put(store, config, checkpoint, metadata, undefined, { head }),
  };
}

/**
 * The checkpoint with another state. What changed has a new version, and whoever had seen the old
 * one has seen that.
 * @param {Value} checkpoint
 * @param {(state: Record<string, Value>) => Value} change
 * @param {Value} saver
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
    /** @type {Value} */ (newestOf(Object.values(versions)) ?? 0) + 1;
  /** @type {Record<string, Value>} */
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
  // A breakpoint that was met stays met.
  if (seen.__interrupt__ !== undefined)
    for (const name of Object.keys(changed)) seen.__interrupt__[name] = next;
  return { checkpoint, changed };
}

/** @param {Value[]} versions */
function newestOf(versions) {
  return versions.reduce(
    (newest, version) => (newest === undefined || version > newest ? version : newest),
    undefined,
  );
}
