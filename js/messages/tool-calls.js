// SPDX-License-Identifier: MIT
// Reads the three forms of a tool call: OpenAI's raw form, chunks of a stream, parsed calls. A call
// with unreadable arguments is kept raw, never dropped or guessed. Does not depend on the message
// classes, tools or models.
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { mergeDicts } from "./merge.js";
import { parsePartialJson } from "./partial-json.js";
import { invalidCall, isArguments, readToolCall } from "./tool-arguments.js";

/**
 * A call as OpenAI writes it.
 * @typedef {{ id?: string, function?: { name: string, arguments?: unknown } }} OpenAIToolCall
 */
/**
 * `extras`: what a service needs back with its call, unchanged.
 * @typedef {{ name: string, args: Record<string, unknown>, id?: string, type?: "tool_call",
 *   extras?: Record<string, unknown> }} ToolCall
 * @typedef {{ name?: string, args?: string, id?: string, error?: string, type?:
 *   "invalid_tool_call", extras?: Record<string, unknown> }} InvalidToolCall
 * @typedef {{ name?: string, args?: string, id?: string, index?: number | string, type?:
 *   "tool_call_chunk", extras?: Record<string, unknown> }} ToolCallChunk
 */

const OBJECT = /^\s*\{/;

/**
 * Is it a list of tool calls in OpenAI's form?
 * @param {unknown} value
 * @returns {boolean}
 */
export function isOpenAIToolCallArray(value) {
  return (
    Array.isArray(value) &&
    value.every(
      (call) => typeof call?.index === "number" || typeof call?.function?.name === "string",
    )
  );
}

/**
 * Splits OpenAI's raw calls into readable and unreadable ones.
 * @param {unknown[]} raw
 * @returns {{ tool_calls: ToolCall[], invalid_tool_calls: InvalidToolCall[] }}
 */
export function readOpenAIToolCalls(raw) {
  /** @type {ToolCall[]} */
  const tool_calls = [];
  /** @type {InvalidToolCall[]} */
  const invalid_tool_calls = [];
  for (const item of /** @type {(OpenAIToolCall | null)[]} */ (raw)) {
    if (!item?.function) continue;
    const { name, arguments: args } = item.function;
    const text = args === undefined || typeof args === "string" ? args : JSON.stringify(args);
    const { call, invalid } = readToolCall(name, text, item.id);
    if (call) tool_calls.push(call);
    if (invalid) invalid_tool_calls.push(invalid);
  }
  return { tool_calls, invalid_tool_calls };
}

/**
 * Combines the chunks of a stream so far; a cut arguments text is completed for display.
 * @param {ToolCallChunk[]} chunks
 * @returns {{ tool_calls: ToolCall[], invalid_tool_calls: InvalidToolCall[] }}
 */
export function collapseToolCallChunks(chunks) {
  /** @type {ToolCall[]} */
  const tool_calls = [];
  /** @type {InvalidToolCall[]} */
  const invalid_tool_calls = [];
  checkArgument(isListOf(chunks, isObject), "tool_call_chunks must be a list of objects");
  for (const { name, args, id, extras } of chunks.length > 1 ? wholeCalls(chunks) : chunks) {
    const parsed = partialArguments(args);
    const kept = extras === undefined ? undefined : { extras };
    if (parsed !== undefined && id)
      tool_calls.push({ name: name ?? "", args: parsed, id, type: "tool_call", ...kept });
    else
      invalid_tool_calls.push({ ...invalidCall(name ?? "", args, id, "Malformed args."), ...kept });
  }
  return { tool_calls, invalid_tool_calls };
}

// A chunk with an index belongs to the call of that index (unless their ids differ), a chunk
// without one to the call of its id.
/** @param {ToolCallChunk[]} chunks @returns {ToolCallChunk[]} */
function wholeCalls(chunks) {
  /** @type {ToolCallChunk[]} */
  const calls = [];
  for (const piece of chunks) {
    const at = calls.findIndex((call) =>
      piece.index === undefined
        ? piece.id !== undefined && call.id === piece.id
        : call.index === piece.index && (!call.id || !piece.id || call.id === piece.id),
    );
    if (at < 0) calls.push(piece);
    else
      calls[at] = /** @type {ToolCallChunk} */ (
        mergeDicts(calls[at], { ...piece, index: undefined })
      );
  }
  return calls;
}

/** @param {string | undefined} text @returns {Record<string, unknown> | undefined} */
function partialArguments(text) {
  if (!text) return {};
  // A later piece alone: most chunks of a long call are such, and to fail at each costs time.
  if (!OBJECT.test(text)) return undefined;
  try {
    const args = parsePartialJson(text);
    return isArguments(args) ? args : undefined;
  } catch {
    return undefined;
  }
}
