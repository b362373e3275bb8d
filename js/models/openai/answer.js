// SPDX-License-Identifier: MIT
// Reads an answer of OpenAI's chat completions, whole or in chunks as services really send them,
// and joins the chunks of text and tool calls. Does not depend on HTTP.
import { AIMessage, AIMessageChunk, textOf } from "../../messages/index.js";
import { readToolCall } from "../../messages/tool-arguments.js";
import { usageFrom } from "./wire.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {{ id: string | undefined, index: number | undefined, name: string, args: string[] }}
 *   Call
 */

/**
 * The received data is no answer in OpenAI's form; `code` is set if another one than BAD_ANSWER is
 * more precise.
 */
export class Unexpected extends Error {
  /** @type {string | undefined} */
  code = undefined;
}

/** Joins the chunks of one answer. */
export class Answer {
  #mostCalls;
  /** @type {string[]} */
  #text = [];
  /** @type {Call[]} */
  #calls = [];
  /** @type {Record<string, string>} */
  #extra = {};
  /** @type {Record<string, unknown>} */
  #metadata = {};
  /** @type {unknown} */
  #usage = undefined;
  /** Has a part of the answer arrived? */
  hasBegun = false;

  /** @param {number} mostCalls maximum number of tool calls */
  constructor(mostCalls) {
    this.#mostCalls = mostCalls;
  }

  get isFinished() {
    return this.#metadata.finish_reason !== undefined;
  }

  /**
   * Adds one chunk of the stream (or a whole completion); returns its addition, if any.
   * @param {unknown} given
   * @returns {unknown}
   */
  add(given) {
    const data = objectOf(given, "an answer");
    const choices = listOf(data.choices, "`choices`").map((item) =>
      objectOf(item, "each of `choices`"),
    );
    const choice = choices.find((item) => (item.index ?? 0) === 0);
    if (choice !== undefined) this.hasBegun = true;
    const delta = objectOf(
      choice?.delta ?? choice?.message ?? {},
      "a choice's `message` or `delta`",
    );
    const content = deltaText(delta.content);
    if (content !== "") this.#text.push(content);
    const tool_call_chunks = listOf(delta.tool_calls, "`tool_calls`").map((piece) =>
      this.#addCall(objectOf(piece, "each of `tool_calls`")),
    );
    const additional_kwargs = this.#addExtra(delta);
    const usage_metadata = usageFrom(data.usage ?? choice?.usage);
    if (usage_metadata !== undefined) this.#usage = usage_metadata;
    const response_metadata = this.#addMetadata(data, choice);
    const adds =
      content !== "" ||
      tool_call_chunks.length > 0 ||
      usage_metadata !== undefined ||
      additional_kwargs !== undefined ||
      response_metadata !== undefined;
    return adds
      ? new AIMessageChunk({
          content,
          tool_call_chunks,
          usage_metadata,
          additional_kwargs,
          response_metadata,
        })
      : undefined;
  }

  /**
   * @param {Record<string, unknown>} piece
   * @returns {import("../../messages/tool-calls.js").ToolCallChunk}
   */
  #addCall(piece) {
    const called = objectOf(piece.function ?? {}, "a tool call's `function`");
    const text = argumentsText(called.arguments);
    const name = textOrNone(called.name, "a tool call's name");
    const id = textOrNone(piece.id, "a tool call's `id`");
    const index = indexOrNone(piece.index);
    let at = this.#findCall(index, id, name);
    const isNew = at < 0;
    if (isNew && this.#calls.length === this.#mostCalls)
      throw Object.assign(
        new Unexpected(`expected at most ${this.#mostCalls} tool calls (\`maxToolCalls\`)`),
        { code: "TOO_LARGE" },
      );
    if (isNew)
      at =
        this.#calls.push({ id: id ?? `call_${newCallId()}`, index, name: name ?? "", args: [] }) -
        1;
    const call = this.#calls[at];
    // Some services repeat the name with every chunk; none splits it.
    if (call.name === "" && name !== undefined) call.name = name;
    if (text !== "") call.args.push(text);
    return {
      name: isNew ? name : undefined,
      args: text,
      id: isNew ? call.id : undefined,
      index: at,
      type: "tool_call_chunk",
    };
  }

  // Finds the call by id, if there is one; an index alone continues the last call with it; a chunk
  // with neither continues the last call unless it names a function.
  /**
   * @param {number | undefined} index
   * @param {string | undefined} id
   * @param {string | undefined} name
   */
  #findCall(index, id, name) {
    if (id !== undefined) {
      const known = this.#calls.findIndex(
        (call) => call.id === id && (index === undefined || call.index === index),
      );
      if (known >= 0) return known;
      return -1;
    }
    if (index !== undefined) return this.#calls.findLastIndex((call) => call.index === index);
    return name === undefined ? this.#calls.length - 1 : -1;
  }

  /** @param {Value} delta */
  #addExtra(delta) {
    /** @type {Record<string, string> | undefined} */
    let added;
    for (const [key, value] of [
      ["reasoning_content", delta.reasoning_content ?? delta.reasoning],
      ["refusal", delta.refusal],
    ]) {
      if (typeof value !== "string" || value === "") continue;
      (added ??= {})[key] = value;
      this.#extra[key] = (this.#extra[key] ?? "") + value;
    }
    return added;
  }

  /** @param {Record<string, Value>} data @param {Record<string, unknown> | undefined} choice */
  #addMetadata(data, choice) {
    const finish_reason = textOrNone(choice?.finish_reason, "`finish_reason`");
    if (finish_reason === undefined || this.isFinished) return undefined;
    /** @type {Record<string, unknown>} */
    const metadata = { finish_reason };
    for (const [key, value] of [
      ["model_name", data.model],
      ["response_id", data.id],
      ["system_fingerprint", data.system_fingerprint],
    ]) {
      if (typeof value === "string" && value !== "") metadata[key] = value;
    }
    this.#metadata = metadata;
    return metadata;
  }

  /** Returns the whole message; arguments are read strictly, unreadable ones are kept as text. */
  message() {
    /** @type {unknown[]} */
    const tool_calls = [];
    /** @type {unknown[]} */
    const invalid_tool_calls = [];
    for (const { id, name, args } of this.#calls) {
      const { call, invalid } = readToolCall(name, args.join(""), id);
      if (call) tool_calls.push(call);
      else invalid_tool_calls.push(invalid);
    }
    return new AIMessage({
      content: this.#text.join(""),
      tool_calls,
      invalid_tool_calls,
      usage_metadata: this.#usage,
      response_metadata: this.#metadata,
      additional_kwargs: this.#extra,
    });
  }
}

/** @param {string} what @param {unknown} value */
function unexpected(what, value) {
  const kind =
    value === null
      ? "null"
      : Array.isArray(value)
        ? "a list"
        : typeof value === "object"
          ? "an object"
          : `a ${typeof value}`;
  return new Unexpected(`expected ${what}, found ${kind}`);
}

/** @param {unknown} value @param {string} name @returns {Record<string, Value>} */
function objectOf(value, name) {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw unexpected(`${name} to be an object`, value);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown[]} empty if it is absent or null
 */
function listOf(value, name) {
  if (value !== undefined && value !== null && !Array.isArray(value))
    throw unexpected(`${name} to be a list`, value);
  return value ?? [];
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string | undefined} undefined if it is absent, null or empty
 */
function textOrNone(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw unexpected(`${name} to be a string`, value);
  return value || undefined;
}

/** @param {unknown} value @returns {number | undefined} */
function indexOrNone(value) {
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw unexpected("a tool call's `index` to be a whole number from 0 on", value);
  return Number(value);
}

/** @param {unknown} given some services send an object instead of its text @returns {string} */
function argumentsText(given) {
  if (typeof given === "string") return given;
  if (given === undefined || given === null) return "";
  try {
    return JSON.stringify(given);
  } catch {
    throw new Unexpected("expected a tool call's arguments that are not nested so deep");
  }
}

/** @param {unknown} content */
function deltaText(content) {
  if (typeof content === "string") return content;
  if (content !== undefined && content !== null && !Array.isArray(content))
    throw unexpected("`content` to be a string or a list", content);
  return textOf(content ?? "");
}

function newCallId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
