// SPDX-License-Identifier: MIT
// Mirrors a run's channels on the host, updated by SET and LIST. Owns the lists; returns them as
// new slices, since nodes may modify what they get. Does not depend on tasks or events.
import { LIST_APPEND, LIST_CLEAR, LIST_REMOVE, LIST_REPLACE, RUN_INVOKE } from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";
import { makeLive, savedOf, viewOf } from "../state/custom-channels.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../state/custom-channels.js").OwnChannel} OwnChannel */

export class Mirror {
  /** @param {import("./graph.js").EngineGraph} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {Value[]} */
    this.values = graph.blank.slice();
    // The engine sends no LIST for the empty list that a thread begins with.
    for (const channel of graph.defaults) if (graph.isList(channel)) this.values[channel] = [];
    /**
     * Ids of a list's messages, from the first query on and as long as the list only grows.
     * @type {Map<number, Set<string>> | undefined}
     */
    this.ids = undefined;
    /** Channels of the user's own classes, if any. @type {Map<number, OwnChannel> | undefined} */
    this.live = undefined;
    this.hasStepped = false;
    for (const [channel, own] of graph.hosts) this.keep(channel, makeLive(own));
  }

  /** @param {number} channel @param {OwnChannel} live its new object */
  keep(channel, live) {
    (this.live ??= new Map()).set(channel, live);
    this.values[channel] = viewOf(live);
  }

  /** Returns the object of a channel of the user's own class. @param {number} channel */
  liveAt(channel) {
    return /** @type {OwnChannel} */ (this.live?.get(channel));
  }

  /**
   * Copies the mirror for the thread's next run, so that lists returned by this one do not change.
   * An undefined value becomes absent: the next run sees it as not saved.
   */
  copy() {
    const copy = new Mirror(this.graph);
    copy.values = this.values.map((value, i) =>
      value === undefined
        ? ABSENT
        : this.graph.lists[i] && value !== ABSENT
          ? value.slice()
          : value,
    );
    for (const [channel, own] of this.graph.hosts)
      copy.keep(channel, makeLive(own, savedOf(this.liveAt(channel))));
    copy.ids = this.ids;
    this.ids = undefined;
    return copy;
  }

  /**
   * @param {number} channel
   * @param {unknown} value
   */
  set(channel, value) {
    const own = this.graph.hosts.get(channel);
    if (own !== undefined)
      this.keep(channel, this.hasStepped ? this.liveAt(channel) : makeLive(own, value));
    else if (channel < this.values.length) this.values[channel] = value;
  }

  /**
   * @param {number} channel
   * @param {import("../engine/block.js").Block} block at the number of operations
   * @param {import("../engine/slots.js").Slots} slots
   */
  patch(channel, block, slots) {
    let list = this.values[channel];
    if (list === ABSENT) list = this.values[channel] = [];
    for (let count = block.word(); count > 0; count--) {
      const step = block.word();
      const a = block.word();
      const b = block.word();
      if (step === LIST_APPEND) {
        this.ids?.get(channel)?.add(slots.toValue(a).id);
        list.push(slots.toValue(a));
        continue;
      }
      this.ids?.delete(channel);
      if (step === LIST_REPLACE) list[a] = slots.toValue(b);
      else if (step === LIST_REMOVE) list.splice(a, 1);
      else if (step === LIST_CLEAR) list.length = 0;
    }
  }

  /**
   * Previews the value of a channel of the user's own class after one task's writes.
   * @param {number} channel
   * @param {unknown[]} writes as Entries stores them
   * @param {Record<string, unknown>} state
   * @param {string} key
   */
  preview(channel, writes, state, key) {
    const own = /** @type {OwnChannel} */ (this.graph.hosts.get(channel));
    const live = makeLive(own, savedOf(this.liveAt(channel)));
    live.update(writes.filter((_, at) => at % 4 === 2 && writes[at - 1] === channel));
    // As in LangGraph.js, also as after a step without writes.
    if (live.isAvailable()) live.update([]);
    if (live.isAvailable()) state[key] = live.get();
    else delete state[key];
  }

  /**
   * Do these messages only append to a list: no removals, no duplicate ids in it or among them?
   * Costs the list's length once, then that of the messages.
   * @param {number} channel
   * @param {Message[]} messages with ids
   */
  takesAtEnd(channel, messages) {
    let ids = this.ids?.get(channel);
    if (ids === undefined) {
      const list = this.values[channel];
      ids = new Set(
        list === ABSENT ? [] : list.map((/** @type {Message} */ message) => message.id),
      );
      (this.ids ??= new Map()).set(channel, ids);
    }
    for (const message of messages) {
      if (
        ids.has(/** @type {string} */ (message.id)) ||
        (message.type ?? message.getType?.()) === "remove"
      )
        return false;
    }
    return (
      messages.length < 2 || new Set(messages.map((message) => message.id)).size === messages.length
    );
  }

  /**
   * Returns a new object with the available ones of `channels`.
   * @param {number[]} channels
   * @returns {Record<string, unknown>}
   */
  pick(channels) {
    /** @type {Record<string, unknown>} */
    const state = {};
    const { values } = this;
    const { names, lists } = this.graph;
    for (let i = 0; i < channels.length; i++) {
      const channel = channels[i];
      const value = values[channel];
      if (value === ABSENT) continue;
      const list = lists[channel];
      if (list === false) state[names[channel]] = value;
      else if (value.length > 0 || list === true) state[names[channel]] = value.slice();
    }
    return state;
  }
}

/**
 * Reuses the mirror of the thread's last run, so that a run costs its change and not its history.
 * If a channel with a default is empty, the engine sends all values instead.
 * @param {import("./run.js").Run} run
 */
export function warmUp(run) {
  const mirror = run.thread?.mirror;
  const { kind, parent } = run.request;
  if (
    mirror === undefined ||
    mirror.graph !== run.graph ||
    kind !== RUN_INVOKE ||
    parent !== undefined ||
    mirror.graph.defaults.some((channel) => mirror.values[channel] === ABSENT)
  )
    return;
  run.mirror = mirror.copy();
  run.isWarm = true;
}

/**
 * Drops a reused mirror: the engine reads the store after all and will send the whole state.
 * @param {import("./run.js").Run} run
 */
export function coolDown(run) {
  if (run.isWarm) run.mirror = new Mirror(run.graph);
  run.isWarm = false;
}

/**
 * Keeps the mirror for the thread's next run. A run from a chosen checkpoint may have left an
 * earlier run's state in the engine: then there is no mirror, and the engine sends its state.
 * @param {import("./run.js").Run} run
 */
export function keepMirror({ thread, request, mirror }) {
  if (thread === undefined || request.kind !== RUN_INVOKE || request.parent !== undefined) return;
  thread.mirror = request.checkpointId === undefined ? mirror : undefined;
}
