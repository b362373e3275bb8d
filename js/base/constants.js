// SPDX-License-Identifier: MIT
// Defines a graph's vocabulary: START, END, Command, Send, Overwrite and how to recognise them. All
// are recognised by LangGraph's marks (`lg_name`, a key), never by instanceof, so that LangGraph's
// own objects work too.
import { checkArgument, hasText, isObject } from "./check-arguments.js";

/** @typedef {import("./callable.js").Value} Value */

export const START = "__start__";
export const END = "__end__";
export const INTERRUPT = "__interrupt__";
export const PARENT = "__parent__";
/** The only key of a state that is a single value. */
export const ROOT = "__root__";
export const COMMAND_SYMBOL = Symbol.for("langgraph.command");

const OVERWRITE = "__overwrite__";

/**
 * @typedef {{ runTimeout?: number, idleTimeout?: number, refreshOn?: "auto" | "heartbeat" }}
 *   TimeoutPolicy
 */
/**
 * @typedef {{ graph?: string, update?: unknown, resume?: unknown, goto?: unknown }} CommandFields
 */

/** Rejects a plain object of the same shape. @param {unknown} value @returns {value is Command} */
export function isCommand(value) {
  return isNamed(value, "Command");
}

/** Rejects a plain object of the same shape. @param {unknown} value @returns {value is Send} */
export function isSend(value) {
  return isNamed(value, "Send");
}

/** @param {unknown} value @param {string} name by which LangGraph marks a class's objects */
function isNamed(value, name) {
  const given = /** @type {{ lg_name?: unknown } | null} */ (value);
  return typeof given === "object" && given !== null && given.lg_name === name && !isPlain(given);
}

/**
 * Did a run end at an interrupt? True for what `invoke` returns then, even if the list is empty (a
 * breakpoint).
 * @param {unknown} values
 * @returns {boolean}
 */
export function isInterrupted(values) {
  const given = /** @type {{ [INTERRUPT]?: unknown } | null} */ (values);
  return typeof given === "object" && given !== null && Array.isArray(given[INTERRUPT]);
}

/** A write that replaces the value of a channel with a reducer, bypassing the reducer. */
export class Overwrite {
  lg_name = "Overwrite";
  /** @type {Value} */
  [OVERWRITE];

  /** @param {unknown} value */
  constructor(value) {
    this[OVERWRITE] = value;
  }

  get value() {
    return this[OVERWRITE];
  }

  toJSON() {
    return { [OVERWRITE]: this[OVERWRITE] };
  }

  /** @param {unknown} value @returns {value is Overwrite} */
  static isInstance(value) {
    return typeof value === "object" && value !== null && OVERWRITE in value;
  }
}

/**
 * @param {unknown} value
 * @returns {value is object} is it an Overwrite in any of its three forms?
 */
export function isOverwrite(value) {
  if (typeof value !== "object" || value === null) return false;
  if (OVERWRITE in value) return true;
  const { type } = /** @type {{ type?: unknown }} */ (value);
  return type === OVERWRITE && "value" in value;
}

/** @param {object} value an Overwrite in any form @returns {Value} what it writes */
export function overwriteValue(value) {
  return OVERWRITE in value ? value[OVERWRITE] : /** @type {{ value?: unknown }} */ (value).value;
}

/**
 * @param {unknown} value
 * @returns {{ __overwrite__: unknown }} a replacing write, as a plain object
 */
export function overwriting(value) {
  return { [OVERWRITE]: value };
}

/** @param {number | TimeoutPolicy | undefined} timeout @returns {TimeoutPolicy | undefined} */
export function timeoutPolicy(timeout) {
  const given = typeof timeout === "number" ? { runTimeout: timeout } : timeout;
  if (typeof given !== "object" || given === null) return undefined;
  for (const key of /** @type {const} */ (["runTimeout", "idleTimeout"])) {
    const value = given[key];
    if (value !== undefined && !(typeof value === "number" && value > 0))
      throw new Error(`${key} must be greater than 0`);
  }
  const { runTimeout, idleTimeout, refreshOn = "auto" } = given;
  if (runTimeout === undefined && idleTimeout === undefined) return undefined;
  if (refreshOn !== "auto" && refreshOn !== "heartbeat")
    throw new Error('refreshOn must be "auto" or "heartbeat"');
  return { runTimeout, idleTimeout, refreshOn };
}

/** A task for a node with an input of its own, beside or instead of the state. */
export class Send {
  lg_name = "Send";
  /** @type {string} */
  node;
  /** @type {unknown} */
  args;
  /** @type {TimeoutPolicy | undefined} */
  timeout;

  /**
   * @param {string} node
   * @param {unknown} args
   * @param {{ timeout?: number | TimeoutPolicy }} [options]
   */
  constructor(node, args, options) {
    checkArgument(hasText(node), "new Send(node, args): node must be a node's name");
    this.node = node;
    this.args = revive(args);
    this.timeout = timeoutPolicy(options?.timeout);
  }

  toJSON() {
    const plain = { lg_name: this.lg_name, node: this.node, args: this.args };
    return this.timeout === undefined ? plain : { ...plain, timeout: this.timeout };
  }
}

/** Base of Command and its look-alikes: keeps the constructor's fields under a symbol. */
export class CommandInstance {
  /** @type {CommandFields} */
  [COMMAND_SYMBOL];

  /** @param {CommandFields} fields */
  constructor(fields) {
    this[COMMAND_SYMBOL] = fields;
  }
}

/** What to write, where to go and how to resume, in one value. */
export class Command extends CommandInstance {
  static PARENT = PARENT;

  lg_name = "Command";
  lc_direct_tool_output = true;
  /** @type {string | undefined} */
  graph;
  /** @type {Value} */
  update;
  /** @type {unknown} */
  resume;
  /** @type {Array<string | Send>} */
  goto = [];

  /** @param {CommandFields} fields */
  constructor(fields) {
    super(fields);
    checkArgument(
      isObject(fields),
      "new Command(fields): fields must be an object with resume, update or goto",
    );
    this.resume = fields.resume;
    this.graph = fields.graph;
    this.update = fields.update;
    if (fields.goto) this.goto = [revive(fields.goto)].flat();
  }

  /** @returns {Array<[string, unknown]>} */
  _updateAsTuples() {
    return updateTuples(this.update);
  }

  toJSON() {
    return {
      lg_name: this.lg_name,
      update: this.update,
      resume: this.resume,
      goto: this.goto.map((to) =>
        isSend(to) && typeof to.toJSON === "function" ? to.toJSON() : to,
      ),
    };
  }
}

/**
 * Lists the writes of a Command's update: an object's entries, a list of pairs as it is, anything
 * else for the root channel.
 * @param {unknown} update
 * @returns {Array<[string, Value]>}
 */
export function updateTuples(update) {
  if (Array.isArray(update)) return update.every(isTuple) ? update : [[ROOT, update]];
  if (update === undefined || update === null) return [[ROOT, update]];
  return typeof update === "object" ? Object.entries(update) : [[ROOT, update]];
}

/** @param {unknown} pair */
function isTuple(pair) {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string";
}

/**
 * Turns plain objects shaped like a Command or a Send into one, at any depth. Copies plain
 * containers; keeps class instances. `seen` maps copied objects, so that cycles end.
 * @param {unknown} value
 * @param {Map<object, unknown>} [seen]
 * @returns {Value}
 */
export function revive(value, seen) {
  if (typeof value !== "object" || value === null) return value;
  const known = seen?.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    /** @type {unknown[]} */
    const copy = [];
    const visited = (seen ?? new Map()).set(value, copy);
    for (const item of value) copy.push(revive(item, visited));
    return copy;
  }
  if (isPlain(value)) return reviveObject(value, seen);
  return value;
}

/** @param {object} given @param {Map<object, unknown> | undefined} seen */
function reviveObject(given, seen) {
  const value = /** @type {Record<string, any>} */ (given);
  if (value.lg_name === "Command") return new Command(value);
  if (typeof value.node === "string" && "args" in value)
    return new Send(value.node, value.args, value);
  /** @type {Record<string, unknown>} */
  const copy = {};
  const visited = (seen ?? new Map()).set(value, copy);
  for (const key of Object.keys(value)) define(copy, key, revive(value[key], visited));
  return copy;
}

/**
 * Sets a key from outside; "__proto__" becomes an own property like any other.
 * @param {Record<string, unknown>} target
 * @param {string} key
 * @param {unknown} value
 */
export function define(target, key, value) {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

/** @param {object} value */
function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Channel that stores the version of a thread's state; hidden from the state's values. */
export const STATE_VERSION = "__state_version";
