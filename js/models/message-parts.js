// SPDX-License-Identifier: MIT
// Reads messages that go to a service: the parts of their content, the calls of an answer in their
// places, results of tools. Does not depend on any service's requests.
import { readURL } from "../base/check-arguments.js";
import { ToolMessage, messageType } from "../messages/index.js";
import { readPart } from "../messages/media.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../messages/media.js").Media} Media */
/** @typedef {import("../messages/media.js").Part} Part */
/**
 * @typedef {{ id?: string, name?: string }} Call
 * @typedef {{ tool_calls?: Call[], invalid_tool_calls?: Call[] }} Calls
 */

const LOADED = /^(?:https?|gs):/i;
/** Pictures that all services refuse. */
const DRAWING = "image/svg+xml";
const FORBIDDEN = /[^\w-]/g;
const NO_RESULT = "No result: the conversation went on before this call had one.";

/**
 * Reads the content of a message.
 * @param {Value} content
 * @returns {Part[]}
 */
export function readContent(content) {
  if (typeof content === "string")
    return content === "" ? [] : [{ kind: "text", text: content, block: content }];
  return (content ?? []).map(readPart);
}

/**
 * Reads the content of a tool's result. What the service would refuse is told as text, for else it
 * would refuse all that follows: a file at an address that no service loads, as those of resources
 * of MCP servers are, as JSON; anything else, which may be long, in a few words.
 * @param {unknown} content
 * @param {(media: Media) => boolean} isTaken does the service take it in a result?
 * @param {RegExp} [loaded] matches addresses that the service loads
 * @returns {Part[]}
 */
export function readResult(content, isTaken, loaded = LOADED) {
  return readContent(content).map((part) => {
    if (part.kind === "text" || part.kind === "other") return part;
    const { block, url } = part;
    const isLoaded = url === undefined || (loaded.test(url) && readURL(url) !== undefined);
    const { kind, mimeType = kind } = part;
    if (isLoaded && mimeType !== DRAWING && isTaken(part)) return part;
    const isPlaced = isLoaded && (part.data ?? part.fileId ?? part.text ?? url) !== undefined;
    const left = `[${mimeType}: left out: the model takes none from a tool]`;
    return { kind: "text", text: isPlaced ? left : JSON.stringify(block), block };
  });
}

/**
 * Joins the texts of a tool's result, each of which is one of its own, as of an MCP server.
 * @param {readonly unknown[]} blocks
 */
export function resultText(blocks) {
  return blocks.map((block) => Object(block).text ?? "").join("\n");
}

/** Returns a data URL of the part, or its own URL. @param {Media} media */
export function urlOf({ url, data, mimeType = "application/octet-stream" }) {
  return data === undefined ? url : `data:${mimeType};base64,${data}`;
}

/**
 * Did this service make the message?
 * @param {Message} message @param {string} provider name of the service
 */
export function isFrom({ response_metadata }, provider) {
  return response_metadata?.model_provider === provider;
}

/**
 * Does the block stand for a call of the message?
 * @param {{ type?: unknown } | undefined} block
 * @returns {boolean}
 */
export function isCallBlock(block) {
  return block?.type === "tool_call" || block?.type === "tool_use";
}

/**
 * Returns the calls and the other blocks of a model's message, in order. The message's calls count:
 * a person may have changed or removed one. Calls that the content does not place follow it.
 * @param {Message} message
 * @returns {Partial<Record<"call" | "block", Value>>[]} one of both
 */
export function placedParts(message) {
  const { content } = message;
  const open = callsById(message);
  const blocks = typeof content === "string" ? [content] : (content ?? []);
  const parts = blocks.map((/** @type {Value} */ given) => {
    const block = typeof given === "string" ? { type: "text", text: given } : Object(given);
    const call = isCallBlock(block) ? open.get(block.id) : undefined;
    open.delete(call?.id);
    return call === undefined ? { block } : { call };
  });
  return [...parts, ...[...open.values()].map((call) => ({ call }))];
}

/** Replaces what services refuse in names of tools. @param {unknown} name */
export function plainName(name) {
  return String(name ?? "").replace(FORBIDDEN, "_");
}

/**
 * Returns the arguments of a call that could be read; no service takes others.
 * @param {unknown} args
 * @returns {{ input?: unknown }}
 */
export function objectIn(args) {
  return args !== null && typeof args === "object" ? args : {};
}

/**
 * Adds a result for each call that the conversation went on without, as where a person wrote
 * something else while it was asked about. Services refuse all that follows an open call.
 * @param {readonly Message[]} messages
 * @returns {Message[]}
 */
export function withResults(messages) {
  const answered = new Set();
  /** Those of them before the next answer. @type {unknown[]} */
  let near = [];
  /** @type {Message[]} */
  const whole = [];
  // An id may come again in a later turn: each result is for the last call before it.
  for (const message of [...messages].reverse()) {
    for (const id of resultsIn(message)) {
      answered.add(id);
      near.push(id);
    }
    const open = [...callsById(message).values()].filter(({ id }) => !answered.delete(id));
    // A result of no call is for an adapter to place.
    const isClear = !near.some((id) => answered.has(id));
    if (whole.length > 0 && isClear) whole.push(...open.reverse().map(withoutResult));
    if (messageType(message) === "ai") near = [];
    whole.push(message);
  }
  return whole.reverse();
}

/**
 * Returns the ids of the calls that have their results in the message, in a service's form too.
 * @param {Message} message
 * @returns {unknown[]}
 */
function resultsIn(message) {
  const type = messageType(message);
  const { content, tool_call_id } = message;
  if (type === "tool") return [tool_call_id];
  if (type === "ai" || !Array.isArray(content)) return [];
  return content.flatMap((/** @type {Value} */ block) => {
    const own = Object(block?.type === "non_standard" ? block.value : block);
    return own.tool_use_id ?? own.call_id ?? own.functionResponse ?? [];
  });
}

/** @param {Call} call @returns {Message} */
function withoutResult({ id, name }) {
  return new ToolMessage({ content: NO_RESULT, tool_call_id: id, name, status: "error" });
}

/**
 * Returns the calls of a message; of those that could not be read, the ones with an id.
 * @param {Calls} message
 * @returns {Value[]}
 */
export function callsOf({ tool_calls, invalid_tool_calls }) {
  const listOf = (/** @type {unknown} */ list) => (Array.isArray(list) ? list : []);
  return [...listOf(tool_calls), ...listOf(invalid_tool_calls).filter((call) => call?.id)];
}

/** @param {Calls} message @returns {Map<unknown, Call>} */
function callsById(message) {
  const calls = callsOf(message).filter((call) => call?.id);
  return new Map(calls.map((call) => [call.id, call]));
}

/** Makes the error for a message that no service takes. @param {unknown} type */
export function messageRefused(type) {
  return new TypeError(`A message of the type ${String(type)} cannot be sent to a model`);
}

/**
 * Makes the error for a block that a service cannot take, before any request.
 * @param {string} service
 * @param {number} at place of the message
 * @param {Value} block
 */
export function blockRefused(service, at, block) {
  const type = typeof block?.type === "string" ? block.type : typeof block;
  return new TypeError(`Message ${at} has a block "${type}", which ${service} cannot take`);
}
