// SPDX-License-Identifier: MIT
// Reads an answer of OpenAI's chat completions, whole or in chunks as services really send them,
// and joins the chunks of text and tool calls. Does not depend on HTTP.
import { AIMessage, AIMessageChunk, textOf } from "../../messages/index.js";
import { usageSince } from "../../messages/merge.js";
import { readToolCall } from "../../messages/tool-arguments.js";
import {
  argumentsText,
  indexOrNone,
  listOf,
  objectOf,
  textOrNone,
  tooManyCalls,
  unexpected,
} from "../shapes.js";
import { usageFrom } from "./wire.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * `extras`: what the service needs back with the call, as it came.
 * @typedef {{ id: string | undefined, index: number | undefined, name: string, args: string[],
 *   extras?: Record<string, unknown> }} Call
 */

/** Joins the chunks of one answer. */
export class Answer {
  #mostCalls;
  #provider;
  #newCallId;
  /** @type {string[]} */
  #text = [];
  /** @type {Call[]} */
  #calls = [];
  /** @type {Record<string, string>} */
  #extra = {};
  /** @type {Record<string, unknown>} */
  #metadata = {};
  /** @type {import("../answer-parts.js").Fields | undefined} */
  #usage = undefined;
  /** The service's name of the reasoning, if it is not the usual one. @type {string | undefined} */
  #reasoningField = undefined;
  /** Has a part of the answer arrived? */
  hasBegun = false;

  /**
   * @param {{ mostCalls: number, provider: string, newCallId: () => string }} options `mostCalls`:
   *   maximum number of tool calls; `provider`: name of the service in the message
   */
  constructor({ mostCalls, provider, newCallId }) {
    this.#mostCalls = mostCalls;
    this.#provider = provider;
    this.#newCallId = newCallId;
  }

  get isFinished() {
    return this.#metadata.finish_reason !== undefined;
  }

  /** Adds a completion that is not streamed. @param {unknown} given */
  addWhole(given) {
    return this.add(given);
  }

  /**
   * Adds one chunk of the stream (or a whole completion); returns its addition, if any.
   * @param {unknown} given
   * @returns {AIMessageChunk | undefined}
   */
  add(given) {
    const data = objectOf(given, "an answer");
    const choice = firstOf(data.choices);
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
    const usage_metadata = this.#addUsage(usageFrom(data.usage ?? choice?.usage));
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
    const index = indexOrNone(piece.index, "a tool call's `index`");
    let at = this.#findCall(index, id, name);
    const isNew = at < 0;
    if (isNew && this.#calls.length === this.#mostCalls) throw tooManyCalls(this.#mostCalls);
    if (isNew)
      at = this.#calls.push({ id: id ?? this.#newCallId(), index, name: name ?? "", args: [] }) - 1;
    const call = this.#calls[at];
    // Some services repeat the name with every chunk; none splits it.
    if (call.name === "" && name !== undefined) call.name = name;
    if (text !== "") call.args.push(text);
    const extras = extrasOf(piece);
    if (extras !== undefined) call.extras = extras;
    return {
      name: isNew ? name : undefined,
      args: text,
      id: isNew ? call.id : undefined,
      index: at,
      type: "tool_call_chunk",
      ...(extras === undefined ? {} : { extras }),
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

  /**
   * Returns what is new in the counts so far: some services send them with every chunk.
   * @param {import("../answer-parts.js").Fields | undefined} total
   */
  #addUsage(total) {
    if (total === undefined) return undefined;
    const news = usageSince(this.#usage, total);
    this.#usage = total;
    return news;
  }

  /** @param {Value} delta */
  #addExtra(delta) {
    const { reasoning_content: usual, reasoning, refusal } = delta;
    if (usual === undefined && typeof reasoning === "string") this.#reasoningField = "reasoning";
    const added = this.#extend(undefined, "reasoning_content", usual ?? reasoning);
    return this.#extend(added, "refusal", refusal);
  }

  /**
   * @param {Record<string, string> | undefined} added what this chunk adds so far
   * @param {string} key
   * @param {unknown} value
   */
  #extend(added, key, value) {
    if (typeof value !== "string" || value === "") return added;
    this.#extra[key] = (this.#extra[key] ?? "") + value;
    return { ...added, [key]: value };
  }

  /** @param {Record<string, Value>} data @param {Record<string, unknown> | undefined} choice */
  #addMetadata(data, choice) {
    const finish_reason = textOrNone(choice?.finish_reason, "`finish_reason`");
    if (finish_reason === undefined || this.isFinished) return undefined;
    /** @type {Record<string, unknown>} */
    const metadata = { finish_reason, model_provider: this.#provider };
    if (this.#reasoningField !== undefined) metadata.reasoning_field = this.#reasoningField;
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
    for (const { id, name, args, extras } of this.#calls) {
      const { call, invalid } = readToolCall(name, args.join(""), id);
      const kept = extras === undefined ? {} : { extras };
      if (call) tool_calls.push({ ...call, ...kept });
      else invalid_tool_calls.push({ ...invalid, ...kept });
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

/** @param {unknown} choices @returns {Record<string, Value> | undefined} the choice at 0 */
function firstOf(choices) {
  let first;
  for (const item of listOf(choices, "`choices`")) {
    const choice = objectOf(item, "each of `choices`");
    if (first === undefined && (choice.index ?? 0) === 0) first = choice;
  }
  return first;
}

/** @param {unknown} content */
function deltaText(content) {
  if (typeof content === "string") return content;
  if (content !== undefined && content !== null && !Array.isArray(content))
    throw unexpected("`content` to be a string or a list", content);
  return textOf(content ?? "");
}

/**
 * Returns what Gemini's OpenAI endpoint needs back with a call: its thought signature.
 * @param {Record<string, Value>} piece
 */
function extrasOf({ extra_content }) {
  return extra_content !== null && typeof extra_content === "object"
    ? { extra_content }
    : undefined;
}
