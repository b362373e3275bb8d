// SPDX-License-Identifier: MIT
// Looks up the cached writes of tasks and stores new ones, with LangGraph's keys and format. Loaded
// when a graph has a cache. Owns the cache keys of a run's tasks. The engine decides which tasks
// are looked up and when their writes are stored.
import { Send } from "../base/constants.js";
import { makeError } from "../base/errors.js";
import {
  ERR_ARGUMENT,
  EVENT_FOUND,
  HASH_XXH3,
  TASK_CALL,
  TASK_PULL,
  TASK_PUSH,
} from "../base/codes.js";
import { hexOf } from "../base/uuid.js";
import { fillManaged } from "../state/managed.js";
import { nodeInput } from "../plan/task-state.js";
import { sendTo } from "./node-task.js";
import { writePairs } from "../plan/writes.js";
import { hashOf } from "../log/hash.js";
import { Task } from "../run/tasks/task.js";
import { Returned } from "../run/tasks/calls.js";

/** @typedef {import("../plan/definition.js").Node} Node */

const WRITES = "__pregel_ns_writes";
const DYNAMIC = "__dynamic__";
const RESUME = "__resume__";
const RETURN = "__return__";
const TASKS = "__pregel_tasks";
const NO_WRITES = "__no_writes__";
const MISS = 0xffffffff;

/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../engine/block.js").Block} Block */
/**
 * @typedef {{ key: [string[], string], ttl: number | undefined, isEarly?: boolean }} Place where a
 *   task's writes are stored
 */
/** @typedef {[channel: string, value: any][]} Writes in LangGraph's form */
/** @typedef {import("../plan/definition.js").CachePolicy} CachePolicy */
/** @typedef {import("../run/tasks/task.js").NodeTask} NodeTask */
/**
 * A cache of the user's, with LangGraph's methods.
 * @typedef {{ get(keys: Place["key"][]): Promise<{ key: Place["key"], value: unknown }[]>,
 *   set(pairs: object[]): Promise<void> }} Cache
 */
/**
 * A task that uses the cache; `keep` stores a call's result, which is `returned`.
 * @typedef {NodeTask & { isHit?: boolean, keep?: () => Promise<void>, returned?: unknown }}
 *   KeptTask
 */
/**
 * A task or call that is looked up, and its writes, if they are found.
 * @typedef {{ index: number, call?: import("../run/tasks/calls.js").Call, node?: number, given?:
 *   unknown, entries?: KeptTask["writes"] | Returned }} Asked
 */

/**
 * @param {CachePolicy} policy
 * @param {string[]} namespace
 * @param {unknown} input
 * @returns {Place}
 */
function placeOf({ keyFunc, ttl }, namespace, input) {
  const made = (keyFunc ?? JSON.stringify)([input]);
  const bytes = typeof made === "string" ? new TextEncoder().encode(made) : made;
  if (!(bytes instanceof Uint8Array))
    throw new TypeError(
      `A cachePolicy's keyFunc must return a string or bytes, got ${made === null ? "null" : typeof made}`,
    );
  return { key: [namespace, hexOf(hashOf(HASH_XXH3, bytes))], ttl };
}

/** The cache operations of one graph. */
export class Caching {
  /** Places of tasks without a cache entry, by task number. @type {Map<number, Place>} */
  #places = new Map();
  /** The same tasks while they run. @type {Map<number, KeptTask>} */
  #tasks = new Map();
  /** Pending stores of nodes' writes, by key. @type {Map<string, Promise<void>>} */
  #keeping = new Map();
  /** All pending stores. @type {Set<Promise<void>>} */
  #pending = new Set();
  /**
   * Whether a call's result is stored, by key. A lookup before that misses.
   * @type {Map<string, boolean>}
   */
  #told = new Map();

  /** @param {import("../plan/definition.js").Plan} plan @param {Cache} cache */
  constructor(plan, cache) {
    this.plan = plan;
    this.cache = cache;
  }

  /**
   * Returns where a call's writes are stored. Throws the error of the key function.
   * @param {Node} node
   * @param {unknown} input
   * @returns {Place}
   */
  placeOfCall({ name, cachePolicy }, input) {
    const place = placeOf(/** @type {CachePolicy} */ (cachePolicy), [WRITES, name], input);
    place.isEarly = this.#told.get(String(place.key)) === false;
    return place;
  }

  /**
   * Makes a task without a cache entry record its writes by name, so that they can be stored.
   * @param {KeptTask} task
   */
  follow(task) {
    if (!this.#places.has(task.index)) return;
    this.#tasks.set(task.index, task);
    task.raw ??= [];
    task.writes.named = new Set();
  }

  /**
   * Handles LOOK_UP: queries the cache and answers with FOUND.
   * @param {Run} run
   * @param {Block} block
   */
  lookUp(run, block) {
    const { slots } = run.engine;
    /** @type {Asked[]} */
    const asked = [];
    while (block.at < block.end) {
      const index = block.word();
      const where = block.word();
      const kind = block.word();
      const word = block.word();
      asked.push(
        kind === TASK_CALL
          ? { index, call: run.calls?.lookUp(index, where, word) }
          : { index, node: where, given: kind === TASK_PUSH ? slots.toValue(word) : undefined },
      );
    }
    try {
      for (const one of asked)
        this.#places.set(one.index, one.call?.place ?? this.#placeOfTask(run, one));
    } catch (error) {
      return run.abort(error);
    }
    this.#ask(run, asked);
  }

  /** @param {Run} run @param {Asked} asked */
  #placeOfTask(run, { index, node: number = 0, given }) {
    const node = this.plan.nodes[number];
    const task = new Task(
      run,
      index,
      0,
      number,
      given === undefined ? TASK_PULL : TASK_PUSH,
      0,
      given,
    );
    const input =
      given === undefined
        ? nodeInput(node, fillManaged(this.plan.managed, task, run.readState()))
        : given;
    return placeOf(
      /** @type {CachePolicy} */ (node.cachePolicy),
      [WRITES, DYNAMIC, node.name],
      input,
    );
  }

  /** @param {Run} run @param {Asked[]} asked */
  async #ask(run, asked) {
    try {
      const keys = asked.map(({ index }) => /** @type {Place} */ (this.#places.get(index)).key);
      // Waits for the stores of earlier steps, so that this step finds their entries.
      const kept = keys.flatMap((key) => this.#keeping.get(String(key)) ?? []);
      if (kept.length > 0) await Promise.all(kept);
      const found = new Map(
        (await this.cache.get(keys)).map(
          ({ key: [namespace, key], value }) =>
            /** @type {[string, Writes]} */ ([JSON.stringify([namespace, key]), value]),
        ),
      );
      for (let i = 0; i < asked.length; i++)
        asked[i].entries = asked[i].call?.place?.isEarly
          ? undefined
          : this.#entriesOf(run, asked[i], found.get(JSON.stringify(keys[i])));
    } catch (error) {
      if (asked[0].call === undefined) return run.abort(error);
      // Reports the error to the caller, like a failed call's.
      asked[0].call.error = { error };
    }
    run.answers.push({ op: EVENT_FOUND, put: (batch, slots) => putFound(batch, slots, asked) });
    run.advance();
  }

  /**
   * Returns the cached writes of a task; undefined when it must run.
   * @param {Run} run
   * @param {Asked} asked
   * @param {Writes | undefined} writes
   */
  #entriesOf(run, { index, node = 0, call }, writes) {
    if (writes === undefined) return undefined;
    if (!Array.isArray(writes))
      throw makeError(ERR_ARGUMENT, ["what the cache holds is no list of writes"]);
    if (writes.length === 0) return undefined;
    this.#places.delete(index);
    if (call !== undefined) {
      call.isHit = true;
      const entries = new Returned();
      entries.value = writes.find(([channel]) => channel === RETURN)?.[1];
      return entries;
    }
    const task = /** @type {KeptTask} */ (new Task(run, index, 0, node, TASK_PULL, 0, undefined));
    task.isHit = true;
    task.raw = [];
    replay(this.plan, run, task, writes);
    if (run.request.wantUpdates) (run.tasks ??= new Map()).set(index, task);
    return task.writes;
  }

  /**
   * Handles STORE: stores a task's writes. Lookups of the same key and the end of the run wait for
   * it.
   * @param {Run} run
   * @param {Block} block
   */
  store(run, block) {
    const { slots } = run.engine;
    const index = block.word();
    const task = /** @type {KeptTask} */ (this.#tasks.get(index));
    const place = /** @type {Place} */ (this.#places.get(index));
    /** @type {unknown[]} */
    const answers = [];
    /** @type {Writes} */
    const writes = [];
    for (let count = block.word(); count > 0; count--) {
      answers.push(slots.toValue(block.word()));
      writes.push([RESUME, answers.slice()]);
    }
    if (task.kind === TASK_CALL) writes.push([RETURN, task.returned]);
    else
      for (const [channel, value] of /** @type {NonNullable<KeptTask["raw"]>} */ (task.raw))
        writes.push([
          this.plan.keys[channel],
          unnamed(value, /** @type {Set<unknown>} */ (task.writes.named)),
        ]);
    while (block.at < block.end) writes.push(readEdge(run, block));
    if (writes.length === 0) writes.push([NO_WRITES, null]);
    const pairs = [{ key: place.key, value: writes, ttl: place.ttl }];
    const key = String(place.key);
    if (task.kind !== TASK_CALL) return void this.#keeping.set(key, this.#keep(pairs));
    // As in LangGraph, a caller continues before the result of its call is stored.
    if (!this.#told.has(key)) this.#told.set(key, false);
    task.keep = () =>
      this.#keep(
        pairs,
        Promise.resolve().then(() => void this.#told.set(key, true)),
      );
  }

  /**
   * Waits until all writes are stored, or the caller's signal aborts.
   * @param {AbortSignal} [signal]
   * @returns {Promise<void> | undefined} undefined when there is nothing to wait for
   */
  kept(signal) {
    if (this.#pending.size === 0 || signal?.aborted) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        signal?.removeEventListener("abort", done);
        resolve();
      };
      signal?.addEventListener("abort", done);
      Promise.all(this.#pending).then(done);
    });
  }

  /** @param {object[]} pairs @param {Promise<void>} [turn] to wait for first */
  #keep(pairs, turn) {
    const kept = this.#set(pairs, turn);
    this.#pending.add(kept);
    return kept.finally(() => this.#pending.delete(kept));
  }

  /** @param {object[]} pairs @param {Promise<void> | undefined} turn */
  async #set(pairs, turn) {
    if (turn !== undefined) await turn;
    try {
      await this.cache.set(pairs);
    } catch (error) {
      console.warn("The graph's cache failed to keep what a task wrote:", error);
    }
  }
}

/**
 * Reads a write to a channel that triggers nodes.
 * @param {Run} run
 * @param {Block} block
 * @returns {[string, unknown]}
 */
function readEdge({ graph, engine }, block) {
  const channel = graph.channelName(block.word());
  const node = block.word();
  const value = engine.slots.toValue(block.word());
  const timeout = engine.slots.toValue(block.word());
  if (channel !== TASKS) return [channel, node === 0 ? null : graph.nodes[node]];
  return [
    channel,
    typeof timeout === "symbol"
      ? new Send(graph.nodes[node], value)
      : new Send(graph.nodes[node], value, { timeout }),
  ];
}

/**
 * Replays cached writes; skips channels that the graph does not have.
 * @param {import("../plan/definition.js").Plan} plan
 * @param {Run} run
 * @param {KeptTask} task
 * @param {Writes} writes
 */
function replay(plan, { graph }, task, writes) {
  for (const [name, value] of writes) {
    if (plan.channelNumbers.has(name)) writePairs(plan, task, [[name, value]]);
    else if (name === TASKS) sendTo(plan, value, task.writes);
    else {
      const channel = graph.channelNumber(name);
      if (channel > 0)
        task.writes.edge(
          channel,
          typeof value === "string" ? (plan.nodeNumbers.get(value) ?? 0) : 0,
        );
    }
  }
}

/**
 * @param {import("../engine/batch.js").Batch} batch
 * @param {import("../engine/slots.js").Slots} slots
 * @param {Asked[]} asked
 */
function putFound(batch, slots, asked) {
  for (const { index, entries } of asked) {
    batch.word(index);
    if (entries === undefined) batch.word(MISS);
    else entries.put(batch, slots);
  }
}

/**
 * Copies messages without the ids that this run assigned: each run that reads them assigns others.
 * @param {unknown} value
 * @param {Set<unknown>} named
 * @returns {unknown}
 */
function unnamed(value, named) {
  if (named.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => unnamed(item, named));
  if (!named.has(value)) return value;
  const message = /** @type {{ lc_kwargs?: object }} */ (value);
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message, {
    id: undefined,
  });
  if (Object.hasOwn(message, "lc_kwargs")) copy.lc_kwargs = { ...message.lc_kwargs, id: undefined };
  return copy;
}
