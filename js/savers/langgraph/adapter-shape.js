// SPDX-License-Identifier: MIT
// Maps a graph's channels to LangGraph's checkpoints: the form of a value in the log, the value of
// an empty channel, and the task of a pending write. Owns only tables.
import { Send, define, isOverwrite } from "../../base/constants.js";
import {
  APPEND,
  DEFERS,
  FINISHED,
  LIST,
  NAMES,
  SENDS,
  SET,
  TASK_NULL,
  TASK_PULL,
  TASK_PUSH,
  TASK_STORED,
  UNSET,
} from "../../log/record.js";
import { isRecord } from "../../base/check-arguments.js";
import { uuidBytes } from "../../log/hashed-ids.js";
import { makeLive } from "../../state/custom-channels.js";
import { LogState } from "../../log/state.js";
import {
  DONE,
  FAILED,
  INTERRUPTED,
  NULL_TASK_ID,
  SPECIALS,
  TASKS,
  sendToken,
  taskId,
  writesOf,
} from "../../log/writes.js";

/** @typedef {import("../../state/custom-channels.js").OwnChannel} OwnChannel */
/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../../log/record.js").Change} Change */
/** @typedef {import("../../log/record.js").TaskRecord} TaskRecord */
/** @typedef {import("../../log/writes.js").At} At */

const START_NODE = "__start__";

export class Shape {
  /**
   * Form and kind of each channel.
   * @type {Map<string, { form: number, defers: boolean, kind: string, own?: unknown, join?: (left:
   *   unknown, right: unknown) => unknown }>}
   */
  #channels = new Map();
  /** Functions that make initial values, by channel. @type {Map<string, () => unknown>} */
  #initial = new Map();
  /** @type {Map<string, unknown> | undefined} */
  #defaults;
  /** @type {{ name: string, triggers: string[] }[]} */
  #nodes;

  /** @param {import("../../run/graph.js").EngineGraph} graph */
  constructor(graph) {
    const { channels, nodes, joins } = graph.definition;
    const deferred = new Set(nodes.filter(({ defer }) => defer).map(({ name }) => name));
    // Nodes of low-level graphs name their triggers; other nodes are triggered by edges.
    const isLow = graph.definition.input !== undefined;
    this.#nodes = nodes.map((node) => ({
      name: node.name,
      triggers: /** @type {{ triggers?: string[] }} */ (node).triggers ?? [
        `branch:to:${node.name}`,
      ],
    }));
    channels.forEach(({ name, kind }, index) => {
      const own = graph.hosts.get(index);
      const isMessages = kind === "messages";
      this.#channels.set(name, {
        form: graph.isList(index) ? LIST : SET,
        defers: kind === "finish",
        kind,
        own,
        join: isMessages ? graph.parts.channels[index].reducer : undefined,
      });
      if (graph.defaults.includes(index))
        this.#initial.set(
          name,
          graph.isList(index) ? () => [] : (graph.parts.channels[index].makeDefault ?? noValue),
        );
      else if (kind === "topic") this.#initial.set(name, () => []);
    });
    if (!isLow) {
      this.#nodes.push({ name: START_NODE, triggers: [START_NODE] });
      this.#channels.set(START_NODE, { form: SET, defers: false, kind: "ephemeral" });
    }
    for (const { name } of isLow ? [] : nodes)
      this.#channels.set(`branch:to:${name}`, {
        form: SET,
        defers: deferred.has(name),
        kind: "ephemeral",
      });
    for (const [from, to] of joins) {
      const name = `join:${from.join("+")}:${to}`;
      this.#channels.set(name, { form: NAMES, defers: deferred.has(to), kind: "names" });
      this.#initial.set(name, deferred.has(to) ? () => [[], false] : () => []);
    }
    this.#channels.set(TASKS, { form: SENDS, defers: false, kind: "topic" });
    this.#initial.set(TASKS, () => []);
  }

  /**
   * Returns how writes to a channel are stored.
   * @param {string} channel
   * @returns {"list" | "names" | "value" | undefined}
   */
  kindOf(channel) {
    const known = this.#channels.get(channel);
    if (known === undefined) return undefined;
    return known.form === LIST ? "list" : known.form === NAMES ? "names" : "value";
  }

  /**
   * Returns a checkpoint's values under LangGraph's names, with initial values of channels without
   * writes. Values of another graph on the thread are kept, as by savers that store each channel's
   * versions.
   * @param {LogState} state
   * @param {(text: string) => unknown} open
   */
  values(state, open) {
    /** @type {Record<string, unknown>} */
    const values = {};
    const held = state.values(open);
    for (const [name, { kind }] of this.#channels) {
      if (kind === "untracked") continue;
      if (Object.hasOwn(held, name)) define(values, name, held[name]);
      // A channel with a version was written and then emptied by its reducer.
      else if (
        this.#initial.has(name) &&
        (kind !== "binop" || (state.channels.get(name)?.version ?? 0) === 0)
      )
        define(values, name, this.#first(name));
    }
    for (const name of Object.keys(held))
      if (!this.#channels.has(name)) define(values, name, held[name]);
    return values;
  }

  /** @param {string} name */
  #first(name) {
    this.#defaults ??= new Map();
    if (!this.#defaults.has(name))
      this.#defaults.set(name, /** @type {() => unknown} */ (this.#initial.get(name))());
    const value = this.#defaults.get(name);
    return Array.isArray(value) ? value.slice() : value;
  }

  /**
   * Reads a saver's checkpoint as the parts of a record and as a state.
   * @param {Checkpoint} checkpoint
   * @param {import("./adapter-versions.js").Versions} versions
   * @param {(value: unknown) => string} keep
   */
  read(checkpoint, versions, keep) {
    const { channel_values = {}, channel_versions = {}, versions_seen = {} } = checkpoint;
    versions.learn([
      ...Object.values(channel_versions),
      ...Object.values(versions_seen).flatMap((seen) => Object.values(seen ?? {})),
    ]);
    const names = new Set([...Object.keys(channel_versions), ...Object.keys(channel_values)]);
    const changes = [...names].map((name) =>
      this.#change(name, channel_values[name], versions.own(channel_versions[name] ?? 0), keep),
    );
    /** @type {[string, string, number][]} */
    const seen = [];
    const state = new LogState();
    for (const change of changes)
      state.channels.set(change.channel, {
        ...change,
        items: change.ops?.map(([, , item]) => item),
      });
    for (const [node, stored] of Object.entries(versions_seen)) {
      const own = Object.entries(stored ?? {}).map(
        ([name, version]) => /** @type {[string, number]} */ ([name, versions.own(version)]),
      );
      state.seen.set(node, Object.fromEntries(own));
      if (node === SPECIALS[2])
        seen.push([node, "", Math.max(0, ...own.map(([, version]) => version))]);
      else for (const [name, version] of own) seen.push([node, name, version]);
    }
    return { record: { changes, seen }, state };
  }

  /**
   * @param {string} channel
   * @param {unknown} value
   * @param {number} version
   * @param {(value: unknown) => string} keep
   * @returns {Change}
   */
  #change(channel, value, version, keep) {
    const { form = SET, defers = false, own } = this.#channels.get(channel) ?? {};
    const [held, finished] = defers && Array.isArray(value) ? value : [value, false];
    const isAvailable =
      own === undefined ? finished : makeLive(/** @type {OwnChannel} */ (own), value).isAvailable();
    const mark = (defers ? DEFERS : 0) | (isAvailable ? FINISHED : 0);
    const head = { channel, version, form, mark };
    if (held === undefined)
      return form === SET ? { ...head, form: UNSET } : { ...head, ops: [], sends: [], names: [] };
    if (form === NAMES) return { ...head, names: listOf(held).map(String) };
    if (form === SENDS)
      return {
        ...head,
        sends: listOf(held)
          .filter(isPacket)
          .map((send) => sendToken(send, keep)),
      };
    if (form === LIST) return { ...head, ops: listOf(held).map((item) => [APPEND, 0, keep(item)]) };
    return { ...head, value: keep(held) };
  }

  /**
   * Groups pending writes into the records of their tasks.
   * @param {[string, string, unknown][]} pending
   * @param {At} at
   * @param {Checkpoint} checkpoint
   * @param {(value: unknown) => string} keep
   * @param {boolean} goOn whether the writes will be applied: then messages without ids, as nodes
   *   return them, get ids
   * @returns {TaskRecord[]}
   */
  tasks(pending, at, checkpoint, keep, goOn) {
    /** @type {Map<string, [string, unknown][]>} */
    const byTask = new Map();
    for (const [id, channel, value] of pending) {
      // LangGraph.js also stores an answer under its interrupt's id, which is no task's.
      if (uuidBytes(id) === undefined) continue;
      const pairs = byTask.get(id);
      if (pairs === undefined) byTask.set(id, [[channel, value]]);
      else pairs.push([channel, value]);
    }
    if (byTask.size === 0) return [];
    const keys = this.#keys(at, listOf(checkpoint.channel_values?.[TASKS]));
    return [...byTask].map(([id, pairs]) => {
      const isDone = pairs.some(
        ([channel]) => channel === SPECIALS[5] || !SPECIALS.includes(channel),
      );
      const outcome = isDone
        ? DONE
        : pairs.some(([channel]) => channel === SPECIALS[1])
          ? FAILED
          : INTERRUPTED;
      const key = keys.get(id) ?? { kind: TASK_STORED, node: "", trigger: "", index: 0, id };
      return {
        key,
        outcome,
        writes: writesOf(goOn ? pairs.map((pair) => this.#named(pair)) : pairs, keep, (channel) =>
          this.kindOf(channel),
        ),
      };
    });
  }

  /**
   * Adds ids to the messages of a write.
   * @param {[string, unknown]} pair
   * @returns {[string, unknown]}
   */
  #named([channel, value]) {
    const join = this.#channels.get(channel)?.join;
    if (join === undefined || isOverwrite(value)) return [channel, value];
    const messages = join(value, []);
    return [channel, Array.isArray(value) ? messages : /** @type {unknown[]} */ (messages)[0]];
  }

  /**
   * Lists the tasks that a checkpoint may have, by id.
   * @param {At} at
   * @param {unknown[]} sends
   */
  #keys(at, sends) {
    /** @type {Map<string, import("../../log/record.js").TaskKey>} */
    const keys = new Map();
    const none = { node: "", trigger: "", index: 0, id: "" };
    const add = (/** @type {import("../../log/record.js").TaskKey} */ key) =>
      keys.set(taskId(key, at), key);
    keys.set(NULL_TASK_ID, { ...none, kind: TASK_NULL });
    sends.forEach(
      (send, index) => isPacket(send) && add({ ...none, kind: TASK_PUSH, node: send.node, index }),
    );
    for (const { name: node, triggers } of this.#nodes)
      for (const trigger of triggers) add({ ...none, kind: TASK_PULL, node, trigger });
    for (const [name, { form }] of this.#channels)
      if (form === NAMES)
        add({
          ...none,
          kind: TASK_PULL,
          node: name.slice(name.lastIndexOf(":") + 1),
          trigger: name,
        });
    return keys;
  }
}

function noValue() {
  return undefined;
}

/** @param {unknown} value @returns {unknown[]} */
function listOf(value) {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/** @param {unknown} value @returns {value is Send} */
function isPacket(value) {
  return (
    value instanceof Send || (isRecord(value) && typeof value.node === "string" && "args" in value)
  );
}
