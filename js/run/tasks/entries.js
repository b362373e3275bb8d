// SPDX-License-Identifier: MIT
// Collects the writes of one task as JavaScript values, until they are fed to the engine. Channels,
// nodes and branches are numbers of the graph's definition. Owns the values; value handles are
// assigned only when they are fed.
import { overwriting } from "../../base/constants.js";
import { wholeMessage } from "../../messages/coerce.js";
import { messageType, setId } from "../../messages/base.js";
import {
  ENTRY_BRANCH,
  ENTRY_EDGE,
  ENTRY_GOTO,
  ENTRY_MESSAGES,
  ENTRY_OVERWRITE,
  ENTRY_SEND,
  ENTRY_SEND_WITHIN,
  ENTRY_WRITE,
  MESSAGE_REMOVE,
  MESSAGE_REMOVE_ALL,
  MESSAGES_LONE,
  MESSAGES_OVERWRITE,
} from "../../base/codes.js";
import { ABSENT } from "../../engine/slots.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */

/** Number of END as a destination. */
export const END_INDEX = 0xffffffff;
const REMOVE_ALL = "__remove_all__";
/** @type {Value} */
const NOTHING = Object.freeze([]);

/** @typedef {{ isList: (channel: number) => boolean }} Channels */
/** @typedef {{ next: () => string }} Ids */

export class Entries {
  /**
   * @param {Channels} graph
   * @param {Ids} ids
   */
  constructor(graph, ids) {
    this.graph = graph;
    this.ids = ids;
    /**
     * State writes, four items each: entry code, channel, value, and MESSAGES_LONE for a list's
     * lone message, plus 2 for items without ids.
     * @type {Value[]}
     */
    this.state = NOTHING;
    /** Destinations, three items each: entry code and two operands. @type {Value[] | undefined} */
    this.routes = undefined;
    /**
     * Messages whose ids were assigned here, if the caller wants to know.
     * @type {Set<unknown> | undefined}
     */
    this.named = undefined;
    /** Does no edge of the node fire? */
    this.endsHere = false;
  }

  /**
   * Adds a state write. Most tasks write once, and an array that grows reserves room for many.
   * @param {number} code
   * @param {number} channel
   * @param {unknown} value
   * @param {number} more
   */
  add(code, channel, value, more) {
    if (this.state === NOTHING) this.state = [code, channel, value, more];
    else this.state.push(code, channel, value, more);
  }

  /**
   * @param {number} channel
   * @param {unknown} value
   */
  write(channel, value) {
    this.add(ENTRY_WRITE, channel, value, 0);
  }

  /**
   * @param {number} channel
   * @param {unknown} value
   */
  overwrite(channel, value) {
    if (!this.graph.isList(channel)) {
      this.add(ENTRY_OVERWRITE, channel, value, 0);
      return;
    }
    this.add(ENTRY_OVERWRITE, channel, ABSENT, 0);
    this.messages(channel, Array.isArray(value) ? value : value == null ? [] : [value], false);
  }

  /**
   * Writes messages in any form to a channel with the messages reducer. Sets missing ids in place.
   * @param {number} channel
   * @param {unknown[]} list
   * @param {boolean} lone the update was one message, not a list
   */
  messages(channel, list, lone) {
    const messages = [];
    for (const like of list) {
      const message = wholeMessage(like);
      if (message.id === undefined || message.id === null) this.name(message);
      messages.push(message);
    }
    this.add(ENTRY_MESSAGES, channel, messages, lone ? 1 : 0);
  }

  /**
   * Adds items to a topic.
   * @param {number} channel
   * @param {unknown} value a list, or one item
   */
  items(channel, value) {
    const isList = Array.isArray(value);
    this.add(ENTRY_MESSAGES, channel, isList ? value : [value], isList ? 2 : 3);
  }

  /** @param {Message} message */
  name(message) {
    const id = this.ids.next();
    setId(message, id);
    this.named?.add(message);
  }

  /**
   * Adds a destination of a Command.
   * @param {number} node
   */
  goto(node) {
    (this.routes ??= []).push(ENTRY_GOTO, node, 0);
  }

  /**
   * Adds an edge's write found in a cache.
   * @param {number} channel
   * @param {number} from its node; 0: none is named
   */
  edge(channel, from) {
    (this.routes ??= []).push(ENTRY_EDGE, channel, from);
  }

  /**
   * @param {number} node
   * @param {unknown} arg
   * @param {unknown} [timeout] the Send's own policy
   */
  send(node, arg, timeout) {
    if (timeout === undefined) (this.routes ??= []).push(ENTRY_SEND, node, arg);
    else (this.routes ??= []).push(ENTRY_SEND_WITHIN, node, [arg, timeout]);
  }

  /**
   * Opens the result of a conditional edge; destination() and branchSend() add to it.
   * @param {number} branch
   */
  branch(branch) {
    (this.routes ??= []).push(ENTRY_BRANCH, branch, []);
  }

  /** @param {number} target index into the branch's ends when it has them, else node; END_INDEX */
  destination(target) {
    this.#openBranch().push(0, target, undefined);
  }

  /**
   * @param {number} node
   * @param {unknown} arg
   * @param {unknown} [timeout]
   */
  branchSend(node, arg, timeout) {
    if (timeout === undefined) this.#openBranch().push(1, node, arg);
    else this.#openBranch().push(2, node, [arg, timeout]);
  }

  /** @returns {unknown[]} */
  #openBranch() {
    const { routes } = this;
    if (routes === undefined || routes[routes.length - 3] !== ENTRY_BRANCH)
      throw new TypeError("no branch is open");
    return routes[routes.length - 1];
  }

  /**
   * Lists the state writes in order, for the `updates` of this task.
   * @returns {[channel: number, value: unknown][]}
   */
  get list() {
    /** @type {[number, unknown][]} */
    const list = [];
    const { state } = this;
    for (let i = 0; i < state.length; i += 4)
      if (state[i + 2] !== ABSENT) list.push([state[i + 1], state[i + 2]]);
    return list;
  }

  get count() {
    return this.state.length / 4 + (this.routes === undefined ? 0 : this.routes.length / 3);
  }

  /**
   * @param {import("../../engine/batch.js").Batch} batch
   * @param {import("../../engine/slots.js").Slots} slots
   */
  put(batch, slots) {
    batch.word(this.count);
    const { state, routes } = this;
    for (let i = 0; i < state.length; i += 4) {
      batch.word(state[i]);
      batch.word(state[i + 1]);
      if (state[i] === ENTRY_MESSAGES) putMessages(batch, slots, state[i + 2], state[i + 3]);
      else batch.word(slots.toWord(state[i + 2]));
    }
    if (routes === undefined) return;
    for (let i = 0; i < routes.length; i += 3) {
      batch.word(routes[i]);
      batch.word(routes[i + 1]);
      if (routes[i] === ENTRY_EDGE) batch.word(routes[i + 2]);
      else if (routes[i] === ENTRY_SEND) batch.word(slots.toWord(routes[i + 2]));
      else if (routes[i] === ENTRY_SEND_WITHIN) putPair(batch, slots, routes[i + 2]);
      else if (routes[i] === ENTRY_BRANCH) putBranch(batch, slots, routes[i + 2]);
    }
  }
}

/**
 * @param {import("../../engine/batch.js").Batch} batch
 * @param {import("../../engine/slots.js").Slots} slots
 * @param {Message[]} messages
 * @param {number} lone as Entries stores it
 */
function putMessages(batch, slots, messages, lone) {
  batch.word(lone & MESSAGES_LONE);
  batch.word(messages.length);
  for (const message of messages) {
    batch.word(slots.toWord(message));
    putHeader(batch, lone > 1 ? undefined : message);
  }
}

/**
 * Writes what the messages reducer needs to know of a message: flags and id.
 * @param {import("../../engine/batch.js").Batch} batch
 * @param {Message | undefined} message
 */
export function putHeader(batch, message) {
  const id = message?.id === undefined || message?.id === null ? "" : String(message.id);
  const isRemove = messageType(message) === "remove";
  batch.word(isRemove ? (id === REMOVE_ALL ? MESSAGE_REMOVE_ALL : MESSAGE_REMOVE) : 0);
  batch.string(id);
}

/**
 * @param {import("../../engine/batch.js").Batch} batch
 * @param {import("../../engine/slots.js").Slots} slots
 * @param {Value[]} targets
 */
function putBranch(batch, slots, targets) {
  batch.word(targets.length / 3);
  for (let i = 0; i < targets.length; i += 3) {
    batch.word(targets[i]);
    batch.word(targets[i + 1]);
    if (targets[i] === 1) batch.word(slots.toWord(targets[i + 2]));
    else if (targets[i] === 2) putPair(batch, slots, targets[i + 2]);
  }
}

/**
 * Writes a Send's argument and its timeout.
 * @param {import("../../engine/batch.js").Batch} batch
 * @param {import("../../engine/slots.js").Slots} slots
 * @param {[arg: unknown, timeout: unknown]} pair
 */
function putPair(batch, slots, pair) {
  for (const value of pair) batch.word(slots.toWord(value));
}

/**
 * Reads the entries of a task whose writes are in the log. Keeps only what `updates` reports.
 * @param {import("../../engine/block.js").Block} block at the count of entries
 * @param {import("../../engine/slots.js").Slots} slots
 * @returns {Value[]} as Entries stores it
 */
export function readEntries(block, slots) {
  const state = [];
  for (let count = block.word(); count > 0; count--) {
    const code = block.word();
    const target = block.word();
    if (code === ENTRY_WRITE || code === ENTRY_OVERWRITE) {
      const value = slots.toValue(block.word());
      state.push(code, target, code === ENTRY_OVERWRITE ? overwriting(value) : value, 0);
    } else if (code === ENTRY_MESSAGES) state.push(code, target, readMessages(block, slots), 0);
    else if (code === ENTRY_SEND) block.word();
    else if (code === ENTRY_BRANCH) skipBranch(block);
  }
  return state;
}

/**
 * @param {import("../../engine/block.js").Block} block
 * @param {import("../../engine/slots.js").Slots} slots
 */
function readMessages(block, slots) {
  const flags = block.word();
  const messages = [];
  for (let count = block.word(); count > 0; count--) {
    messages.push(slots.toValue(block.word()));
    block.word();
    block.string();
  }
  const list = flags & MESSAGES_LONE ? messages[0] : messages;
  return flags & MESSAGES_OVERWRITE ? overwriting(list) : list;
}

/** @param {import("../../engine/block.js").Block} block */
function skipBranch(block) {
  for (let count = block.word(); count > 0; count--) {
    const isSend = block.word() === 1;
    block.word();
    if (isSend) block.word();
  }
}
