// SPDX-License-Identifier: MIT
// Converts pending writes between a record's form and LangGraph's [channel, value] pairs under
// their task's id. Derives the ids of tasks and interrupts.
import { innerNamespace } from "../base/namespace.js";
import { Overwrite, isOverwrite, overwriteValue, revive } from "../base/constants.js";
import { ABSENT } from "../engine/slots.js";
import { uuid5, uuidBytes, xxh3 } from "./hashed-ids.js";
import {
  ERROR,
  ERROR_SOURCE,
  INTERRUPT,
  ITEM,
  LONE,
  NO_WRITES,
  OTHER,
  OVERWRITE,
  PLAIN,
  POSITION,
  RESUME,
  RETURN,
  SCHEDULED,
  TASK_NULL,
  TASK_PULL,
  TASK_PUSH,
  TASK_STORED,
} from "./record.js";
import { sendOf } from "./state.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./record.js").TaskRecord} TaskRecord */
/** @typedef {import("./record.js").WriteRecord} WriteRecord */
/** @typedef {{ ns: string, id: string, step: number }} At checkpoint that the task belongs to */

export const NULL_TASK_ID = "00000000-0000-0000-0000-000000000000";
export const TASKS = "__pregel_tasks";
/** How a task ended (src/run/record/format.h). */
export const DONE = 1,
  INTERRUPTED = 2,
  FAILED = 3;
/** Value of an interrupt's channel if it has no id; "" if its id derives from its task's. */
const NO_ID = "-";
/** Channel that stores the id of a task whose writes are kept as put() received them. */
export const TASK_NAME = "weft:task";
/** Channels of special writes, by number in the log. */
export const SPECIALS = [
  "",
  "__error__",
  "__interrupt__",
  "__resume__",
  "__scheduled__",
  "__no_writes__",
  "__return__",
  "__error_source_node__",
];

/**
 * Lists the nodes of finished tasks made by Sends.
 * @param {TaskRecord[]} tasks
 * @returns {string[]}
 */
export function calledBy(tasks) {
  return tasks
    .filter(({ key, outcome }) => key.kind === TASK_PUSH && outcome === DONE)
    .map(({ key }) => key.node);
}

/**
 * @param {import("./record.js").TaskKey} key
 * @param {At} at
 * @returns {string}
 */
export function taskId({ kind, node, trigger, index, id }, at) {
  if (kind === TASK_NULL) return NULL_TASK_ID;
  if (kind === TASK_STORED) return id;
  const path = kind === TASK_PULL ? ["__pregel_pull", [trigger]] : ["__pregel_push", String(index)];
  const name = JSON.stringify([innerNamespace(at.ns, node), String(at.step + 1), node, ...path]);
  return uuid5(name, /** @type {Uint8Array} */ (uuidBytes(at.id)));
}

/**
 * Returns the path by which savers order the writes of a step, in LangGraph.js's form: empty for
 * input and for a task of which only the id is known.
 * @param {import("./record.js").TaskKey} key
 */
export function taskPath({ kind, node, index }) {
  if (kind === TASK_PULL) return `~__pregel_pull, ${node}`;
  return kind === TASK_PUSH ? `~__pregel_push, ${String(index).padStart(10, "0")}, 0000000000` : "";
}

/**
 * @param {TaskRecord} task
 * @param {At} at
 * @param {(text: string) => unknown} open
 * @returns {[channel: string, value: unknown][]} in LangGraph's order
 */
export function pairsOf({ key, writes }, at, open) {
  if (writes.some(({ channel }) => channel === TASK_NAME)) return givenPairs(writes, open);
  const value = (/** @type {Value} */ token) => (token === ABSENT ? undefined : open(token));
  const special = (/** @type {number} */ kind) => writes.filter((write) => write.special === kind);
  /** @type {[string, unknown][]} */
  const pairs = [];
  const resumes = special(RESUME).map((write) => value(write.value));
  if (resumes.length > 0)
    pairs.push([SPECIALS[RESUME], key.kind === TASK_NULL ? resumes[resumes.length - 1] : resumes]);
  pairs.push(...plainPairs(writes, key.node, value));
  const questions = special(INTERRUPT).map((write) => {
    const asked = value(write.value);
    const id =
      write.channel === ""
        ? xxh3(`${innerNamespace(at.ns, key.node)}:${taskId(key, at)}`)
        : write.channel;
    return id === NO_ID ? { value: asked } : { id, value: asked };
  });
  if (questions.length > 0) pairs.push([SPECIALS[INTERRUPT], questions]);
  for (const kind of [ERROR, SCHEDULED, RETURN, ERROR_SOURCE])
    for (const write of special(kind)) pairs.push([SPECIALS[kind], value(write.value)]);
  for (const write of special(OTHER)) pairs.push([write.channel, value(write.value)]);
  if (pairs.length === 0) pairs.push([SPECIALS[NO_WRITES], null]);
  return pairs;
}

/**
 * Lists the writes of a task of which only the id is known, in their original order.
 * @param {WriteRecord[]} writes
 * @param {(text: string) => unknown} open
 */
function givenPairs(writes, open) {
  const value = (/** @type {Value} */ token) => (token === ABSENT ? undefined : open(token));
  /** @type {[string, unknown][]} */
  const pairs = [];
  for (let i = 0; i < writes.length; i++) {
    const { special, channel, index, value: token } = writes[i];
    if (special !== PLAIN) {
      if (channel !== TASK_NAME)
        pairs.push([special === OTHER ? channel : SPECIALS[special], value(token)]);
      continue;
    }
    let end = i + 1;
    while (
      end < writes.length &&
      writes[end].special === PLAIN &&
      writes[end].index === index &&
      (index & ITEM) !== 0
    )
      end++;
    pairs.push(...plainPairs(writes.slice(i, end), "", value));
    i = end - 1;
  }
  return pairs;
}

/**
 * Lists the writes to channels; the items of one list follow each other under one index.
 * @param {WriteRecord[]} writes
 * @param {string} node
 * @param {(token: unknown) => unknown} value
 */
function plainPairs(writes, node, value) {
  /** @type {[string, unknown][]} */
  const pairs = [];
  let open = -1;
  for (const write of writes) {
    if (write.special !== PLAIN) continue;
    const { channel, index, send } = write;
    if (send !== undefined) {
      pairs.push([TASKS, sendOf(send, value)]);
      continue;
    }
    const item = write.value;
    if ((index & ITEM) === 0) {
      const held = channel.startsWith("join:") && item === "null" ? node : value(item);
      pairs.push([channel, (index & OVERWRITE) === 0 ? held : new Overwrite(held)]);
    } else if (index === open) {
      const last = pairs[pairs.length - 1];
      (isOverwrite(last[1]) ? overwriteValue(last[1]) : last[1]).push(value(item));
      continue;
    } else {
      const first = (index & LONE) !== 0 ? value(item) : item === ABSENT ? [] : [value(item)];
      pairs.push([channel, (index & OVERWRITE) === 0 ? first : new Overwrite(first)]);
    }
    open = index;
  }
  return pairs;
}

/**
 * Converts the writes of one task to a record's form.
 * @param {[channel: string, value: Value][]} pairs
 * @param {(value: unknown) => string} keep
 * @param {(channel: string) => "list" | "names" | "value" | undefined} kindOf a channel's kind,
 *   undefined if there is none
 * @returns {WriteRecord[]}
 */
export function writesOf(pairs, keep, kindOf) {
  /** @type {WriteRecord[]} */
  const writes = [];
  pairs.forEach(([channel, value], position) => {
    const special = SPECIALS.indexOf(channel);
    if (special > 0) writes.push(...specialWrites(special, value, keep));
    else if (channel === TASKS && typeof value?.node === "string")
      writes.push({
        special: PLAIN,
        channel,
        index: position * POSITION,
        send: sendToken(value, keep),
      });
    else writes.push(...plainWrites(channel, value, position * POSITION, keep, kindOf(channel)));
  });
  return writes;
}

/** @param {Value} send @param {(value: unknown) => string} keep */
export function sendToken({ node, args, timeout }, keep) {
  // LangGraph's serializer reduces a nested Command or Send to its fields.
  const token = { node, args: keep(revive(args)) };
  return timeout === undefined ? token : { ...token, timeout: keep(timeout) };
}

/**
 * @param {number} special
 * @param {Value} value
 * @param {(value: unknown) => string} keep
 * @returns {WriteRecord[]}
 */
function specialWrites(special, value, keep) {
  if (special === NO_WRITES) return [];
  // A task's interrupts are stored as a list; LangGraph.js before 1.7 kept only the last one.
  if (special === INTERRUPT)
    return [value].flat().map((asked) => ({
      special,
      channel: /^[0-9a-f]{32}$/.test(asked?.id) ? asked.id : NO_ID,
      index: 0,
      value: keep(asked?.value),
    }));
  const one = (/** @type {unknown} */ held) => ({
    special,
    channel: "",
    index: 0,
    value: keep(held),
  });
  return special === RESUME && Array.isArray(value) ? value.map(one) : [one(value)];
}

/**
 * @param {string} channel
 * @param {unknown} given
 * @param {number} position
 * @param {(value: unknown) => string} keep
 * @param {string | undefined} kind
 * @returns {WriteRecord[]}
 */
function plainWrites(channel, given, position, keep, kind) {
  const replaces = isOverwrite(given);
  const value = replaces ? overwriteValue(given) : given;
  const flags = position | (replaces ? OVERWRITE : 0);
  if (kind !== "list")
    return [
      { special: PLAIN, channel, index: flags, value: kind === "names" ? "null" : keep(value) },
    ];
  if (!Array.isArray(value))
    return [{ special: PLAIN, channel, index: flags | ITEM | LONE, value: keep(value) }];
  if (value.length === 0) return [{ special: PLAIN, channel, index: flags | ITEM, value: ABSENT }];
  return value.map((item) => ({ special: PLAIN, channel, index: flags | ITEM, value: keep(item) }));
}
