// SPDX-License-Identifier: MIT
// Finds the messages in a run's input, states and output, and what they tell: the answer's text,
// the tool calls, the usage. Does not depend on how a run is made or scored.
import { isRecord } from "../base/check-arguments.js";
import {
  coerceMessageLikeToMessage,
  isAIMessage,
  isBaseMessage,
  messageType,
  textOf,
} from "../messages/index.js";
import { isPlain, jsonText } from "./compare.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../types/testing/evaluate.js").RunToolCall} RunToolCall */
/** @typedef {import("../types/testing/evaluate.js").RunUsage} RunUsage */

/**
 * Returns the messages in a value: itself, its items, or those of its fields.
 * @param {unknown} value
 * @returns {Message[]}
 */
export function messagesIn(value) {
  const own = listOf(value);
  if (own.length > 0 || !isRecord(value)) return own;
  return Object.values(value).flatMap(listOf);
}

/** @param {unknown} value a message, or a list of messages only @returns {Message[]} */
function listOf(value) {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every(isMessage)) return [];
  try {
    return list.map(messageOf);
  } catch {
    return []; // a plain object that only looks like a message
  }
}

/** @param {unknown} value a message, or a plain one as servers and files have it */
function isMessage(value) {
  if (isBaseMessage(value)) return true;
  if (!isRecord(value) || !("content" in value)) return false;
  return [value.role, value.type].some((kind) => typeof kind === "string" && KINDS.has(kind));
}

const KINDS = new Set(["human", "user", "ai", "assistant", "system", "developer", "tool"]);
/**
 * Messages made of plain ones, so that one object is one message.
 * @type {WeakMap<object, Message>}
 */
const made = new WeakMap();

/** @param {string | object} value @returns {Message} */
function messageOf(value) {
  const known = typeof value === "string" ? undefined : made.get(value);
  if (known !== undefined) return known;
  const message = /** @type {Message} */ (
    /** @type {unknown} */ (coerceMessageLikeToMessage(value))
  );
  if (typeof value !== "string") made.set(value, message);
  return message;
}

/**
 * Collects the messages of a run, those of its input left out, as they were last. A message that
 * the graph removes from its state later stays in the list.
 */
export class Transcript {
  /** @type {Message[]} */
  messages = [];
  /** The same messages as they were first. @type {Message[]} */
  originals = [];
  /** Messages of the input that were not read yet. @type {Message[]} */
  #given;
  /**
   * Places of messages in the list by their ids, or by themselves; -1: of the input.
   * @type {Map<unknown, number>}
   */
  #known = new Map();

  /** @param {unknown} input */
  constructor(input) {
    this.#given = (isPlain(input) ? Object.values(input) : [input]).flatMap(inputMessages);
  }

  /** @param {unknown} state or output */
  read(state) {
    for (const message of messagesIn(state)) {
      const key = message.id ?? message;
      const place = this.#known.get(key);
      // What the graph put in a message's place is what it says.
      if (place !== undefined && place >= 0) this.messages[place] = message;
      if (place !== undefined) continue;
      const given = this.#given.findIndex((one) => isSame(one, message));
      this.#known.set(key, given >= 0 ? -1 : this.messages.length);
      if (given >= 0) this.#given.splice(given, 1);
      else {
        this.messages.push(message);
        this.originals.push(message);
      }
    }
  }

  /** Text of the last message of the model; undefined without one. @returns {string | undefined} */
  get text() {
    const last = this.messages.filter(isAIMessage).at(-1);
    return last && textOf(last.content);
  }

  /** Tool calls in their order; those of one message have the same `step`. */
  get toolCalls() {
    /** @type {RunToolCall[]} */
    const calls = [];
    let step = 0;
    for (const { tool_calls } of this.messages.filter(isAIMessage)) {
      if (tool_calls === undefined || tool_calls.length === 0) continue;
      for (const { name, args, id } of tool_calls) calls.push({ name, args, id, step });
      step++;
    }
    return calls;
  }

  /** @returns {RunUsage | undefined} sums; undefined if no message tells its usage */
  get usage() {
    /** @type {RunUsage | undefined} */
    let sum;
    for (const { usage_metadata: usage } of this.messages)
      if (isRecord(usage))
        sum = addUsage(sum, {
          input_tokens: number(usage.input_tokens),
          output_tokens: number(usage.output_tokens),
          total_tokens: number(usage.total_tokens),
        });
    return sum;
  }
}

/** @param {unknown} value */
const number = (value) => (typeof value === "number" && value >= 0 ? value : 0);

/**
 * @param {RunUsage | undefined} left
 * @param {RunUsage | undefined} right
 * @returns {RunUsage | undefined}
 */
export function addUsage(left, right) {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
  };
}

/**
 * @param {unknown} value a field of the input: messages in any form, or other data
 * @returns {Message[]}
 */
function inputMessages(value) {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => {
    if (typeof item !== "string" && !Array.isArray(item)) return listOf(item);
    try {
      return messageOf(item);
    } catch {
      return [];
    }
  });
}

/** @param {Message} left @param {Message} right */
function isSame(left, right) {
  if (left.id !== undefined && left.id !== null && left.id === right.id) return true;
  return (
    messageType(left) === messageType(right) &&
    textOf(left.content) === textOf(right.content) &&
    jsonText(left.tool_calls ?? []) === jsonText(right.tool_calls ?? [])
  );
}
