// SPDX-License-Identifier: MIT
// Knows: an answer of OpenAI's chat completions, whole or in pieces as services really send
// them. Owns: joining pieces of text and of tool calls. Must not know: HTTP.
import { AIMessage, AIMessageChunk, textOf } from "../messages/index.js";
import { readToolCall } from "../messages/tool-calls.js";
import { usageFrom } from "./openai-wire.js";

/** @typedef {{ id: string | undefined, index: unknown, name: string, args: string[] }} Call */

/** Joins the pieces of one answer. */
export class Answer {
  /** @type {string[]} */
  #text = [];
  /** @type {Call[]} */
  #calls = [];
  /** @type {Record<string, string>} */
  #extra = {};
  /** @type {Record<string, any>} */
  #metadata = {};
  /** @type {any} */
  #usage = undefined;

  get isFinished() {
    return this.#metadata.finish_reason !== undefined;
  }

  /**
   * One chunk of the stream (or a whole completion); what it adds, if it adds anything.
   * @param {any} data
   * @returns {any}
   */
  add(data) {
    const choice = data?.choices?.find((/** @type {any} */ item) => (item.index ?? 0) === 0);
    const delta = choice?.delta ?? choice?.message ?? {};
    const content = deltaText(delta.content);
    if (content !== "") this.#text.push(content);
    const tool_call_chunks = (delta.tool_calls ?? []).map((/** @type {any} */ piece) => this.#addCall(piece));
    const additional_kwargs = this.#addExtra(delta);
    const usage_metadata = usageFrom(data?.usage ?? choice?.usage);
    if (usage_metadata !== undefined) this.#usage = usage_metadata;
    const response_metadata = this.#addMetadata(data, choice);
    const adds = content !== "" || tool_call_chunks.length > 0 || usage_metadata !== undefined || additional_kwargs !== undefined || response_metadata !== undefined;
    return adds ? new AIMessageChunk({ content, tool_call_chunks, usage_metadata, additional_kwargs, response_metadata }) : undefined;
  }

  /** @param {any} piece */
  #addCall(piece) {
    const given = piece.function?.arguments;
    const text = given === undefined || given === null ? "" : typeof given === "string" ? given : JSON.stringify(given);
    const name = piece.function?.name || undefined;
    const id = piece.id || undefined;
    let at = this.#findCall(piece.index ?? undefined, id, name);
    const isNew = at < 0;
    if (isNew) at = this.#calls.push({ id: id ?? `call_${newCallId()}`, index: piece.index ?? undefined, name: name ?? "", args: [] }) - 1;
    const call = this.#calls[at];
    // Some services repeat the name with every piece; none sends it in parts.
    if (call.name === "" && name !== undefined) call.name = name;
    if (text !== "") call.args.push(text);
    return { name: isNew ? name : undefined, args: text, id: isNew ? call.id : undefined, index: at, type: "tool_call_chunk" };
  }

  // By id where there is one; an index alone continues the call that had it last; a piece with
  // neither continues the last call unless it names a function.
  /** @param {unknown} index @param {string | undefined} id @param {string | undefined} name */
  #findCall(index, id, name) {
    if (id !== undefined) {
      const known = this.#calls.findIndex((call) => call.id === id && (index === undefined || call.index === index));
      if (known >= 0) return known;
      return -1;
    }
    if (index !== undefined) return this.#calls.findLastIndex((call) => call.index === index);
    return name === undefined ? this.#calls.length - 1 : -1;
  }

  /** @param {any} delta */
  #addExtra(delta) {
    /** @type {Record<string, string> | undefined} */
    let added;
    for (const [key, value] of [["reasoning_content", delta.reasoning_content ?? delta.reasoning], ["refusal", delta.refusal]]) {
      if (typeof value !== "string" || value === "") continue;
      (added ??= {})[key] = value;
      this.#extra[key] = (this.#extra[key] ?? "") + value;
    }
    return added;
  }

  /** @param {any} data @param {any} choice */
  #addMetadata(data, choice) {
    if (!choice?.finish_reason || this.isFinished) return undefined;
    /** @type {Record<string, any>} */
    const metadata = { finish_reason: choice.finish_reason };
    if (data.model) metadata.model_name = data.model;
    if (data.id) metadata.response_id = data.id;
    if (data.system_fingerprint) metadata.system_fingerprint = data.system_fingerprint;
    this.#metadata = metadata;
    return metadata;
  }

  /** The whole message; arguments are read strictly, what cannot be read is kept as text. */
  message() {
    /** @type {any[]} */
    const tool_calls = [];
    /** @type {any[]} */
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

/** @param {any} content */
function deltaText(content) {
  return typeof content === "string" ? content : textOf(content);
}

function newCallId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
