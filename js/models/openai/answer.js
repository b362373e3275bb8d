// SPDX-License-Identifier: MIT
// Reads an answer of OpenAI's chat completions, whole or in chunks as services really send them.
// Does not depend on HTTP.
import { isRecord } from "../../base/check-arguments.js";
import { textOf } from "../../messages/index.js";
import { AnswerParts } from "../answer-parts.js";
import { readPart, textIn } from "../../messages/media.js";
import {
  argumentsText,
  firstOf,
  indexOrNone,
  listOf,
  objectOf,
  textOrNone,
  unexpected,
} from "../shapes.js";
import { placeOf } from "./calls.js";
import { addKept } from "./kept.js";
import { usageFrom } from "./wire.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** Joins the chunks of one answer. */
export class Answer {
  #parts;
  /** The calls as the service names them. @type {import("./calls.js").Known[]} */
  #calls = [];
  /** The service's name of the reasoning, if it is not the usual one. @type {string | undefined} */
  #reasoningField = undefined;
  /** What is told at the end, in one piece. @type {Fields} */
  #kept = {};
  /** What the service says of itself, for `response_metadata`. @type {Fields} */
  #named;
  #isStream = false;
  /** Has a part of the answer arrived? */
  hasBegun = false;
  isFinished = false;

  /**
   * @param {{ maxToolCalls: number, provider: string, newCallId: () => string }} options
   *   `provider`: name of the service in the message
   */
  constructor({ provider, ...options }) {
    this.#parts = new AnswerParts(options);
    this.#named = { model_provider: provider };
  }

  /** Adds a completion that is not streamed. @param {unknown} given */
  addWhole(given) {
    return this.add(given);
  }

  /**
   * Adds one chunk of the stream (or a whole completion); returns its addition, if any.
   * @param {unknown} given
   */
  add(given) {
    const data = objectOf(given, "an answer");
    const choice = firstOf(data.choices, "`choices`");
    if (choice !== undefined) this.hasBegun = true;
    // Some services end a stream with the whole message.
    const whole = this.#isStream ? undefined : choice?.message;
    const delta = objectOf(choice?.delta ?? whole ?? {}, "a choice's `message` or `delta`");
    this.#isStream ||= Boolean(choice?.delta);
    const content = deltaText(delta.content);
    if (content !== "") this.#parts.text(0, content);
    for (const piece of listOf(delta.tool_calls, "`tool_calls`"))
      this.#addCall(objectOf(piece, "each of `tool_calls`"));
    // The older form of a call, before there could be several.
    if (delta.function_call) this.#addCall({ function: delta.function_call });
    this.#addReasoning(delta);
    this.#addExtra("refusal", delta.refusal);
    if (Array.isArray(delta.content)) delta.content.forEach((part) => this.#addImage(part));
    for (const image of listOf(delta.images, "`images`")) this.#addImage(image);
    addKept(this.#kept, delta, data, choice);
    const usage = usageFrom(data.usage ?? choice?.usage ?? data.x_groq?.usage);
    if (usage !== undefined) this.#parts.usage(usage);
    this.#addMetadata(data, choice);
    return this.#parts.take();
  }

  /** Ends a stream: returns what is told only now, if anything. */
  end() {
    const { logprobs, ...kwargs } = this.#kept;
    this.#kept = {};
    if (Object.keys(kwargs).length > 0) this.#parts.kwargs(kwargs);
    if (logprobs !== undefined) this.#parts.metadata({ logprobs: { content: logprobs } });
    // Some services end a stream without a reason.
    if (!this.isFinished) this.#finish({});
    return this.#parts.take();
  }

  /** Returns the whole message. */
  message() {
    this.end();
    return this.#parts.message();
  }

  /** @param {Fields} delta */
  #addReasoning({ content, reasoning_content, reasoning }) {
    const thinking = Array.isArray(content) ? thinkingIn(content) : "";
    if (reasoning_content) return this.#addExtra("reasoning_content", reasoning_content);
    const text = reasoning || thinking;
    if (typeof text !== "string" || text === "") return;
    this.#reasoningField = text === thinking ? "thinking" : "reasoning";
    this.#addExtra("reasoning_content", text);
  }

  /** @param {unknown} part nothing is added for one that is no picture */
  #addImage(part) {
    if (typeof Object(part).type !== "string") return;
    const { kind, mimeType, data, url } = /** @type {Fields} */ (readPart(part));
    if (kind !== "image" || (data ?? url) === undefined) return;
    const place = data === undefined ? { url } : { mimeType, data };
    this.#parts.block(`image ${this.#parts.blocks.length}`, { type: "image", ...place });
  }

  /** @param {Fields} piece */
  #addCall(piece) {
    const called = objectOf(piece.function ?? {}, "a tool call's `function`");
    let args = argumentsText(called.arguments);
    const name = textOrNone(called.name, "a tool call's name");
    const id = textOrNone(piece.id, "a tool call's `id`");
    const index = indexOrNone(piece.index, "a tool call's `index`");
    const said = /** @type {{ name: string, args: string }[]} */ (this.#parts.calls);
    let at = placeOf(this.#calls, said, { id, index, name, args });
    if (at < 0) {
      if (name === undefined && id === undefined && args === "") return;
      // The text stays before the calls, also if it comes later: services send no order.
      if (this.#calls.length === 0) this.#parts.text(0, "");
      const isEmpty = args === "{}";
      // Others may follow these in place of continuing them.
      if (isEmpty) args = "";
      const followed = { at: 0, depth: 0, isText: false };
      at = this.#calls.push({ id, index, isEmpty, hasExtras: false, ...followed }) - 1;
    } else if (name !== undefined && args === said[at].args) args = "";
    const call = this.#calls[at];
    // Some services repeat it with every chunk.
    const extras = call.hasExtras ? undefined : extrasOf(piece);
    if (extras !== undefined) call.hasExtras = true;
    this.#parts.call(at, { id, name, args, extras });
  }

  /** @param {string} key @param {unknown} text */
  #addExtra(key, text) {
    if (textIn(text) !== undefined) this.#parts.kwargs({ [key]: text });
  }

  /** @param {Fields} data @param {Fields | undefined} choice */
  #addMetadata({ model, id, system_fingerprint }, choice) {
    if (this.isFinished) return;
    // The last text counts.
    const named = this.#named;
    named.model_name = textIn(model) ?? named.model_name;
    named.response_id = textIn(id) ?? named.response_id;
    named.system_fingerprint = textIn(system_fingerprint) ?? named.system_fingerprint;
    const finish_reason = textOrNone(choice?.finish_reason, "`finish_reason`");
    if (finish_reason !== undefined) this.#finish({ finish_reason });
  }

  /** @param {Fields} reason */
  #finish(reason) {
    this.isFinished = true;
    if (this.#reasoningField !== undefined) this.#named.reasoning_field = this.#reasoningField;
    this.#parts.metadata({ ...reason, ...this.#named });
  }
}

/** @param {unknown} content */
function deltaText(content) {
  if (typeof content === "string") return content;
  if (content !== undefined && content !== null && !Array.isArray(content))
    throw unexpected("`content` to be a string or a list", content);
  return textOf(content ?? "");
}

/**
 * Returns the thoughts among the parts of Mistral's content.
 * @param {Fields[]} content
 */
function thinkingIn(content) {
  return content
    .map((block) => (block?.type === "thinking" ? textOf(block.thinking) : ""))
    .join("");
}

/**
 * Returns what Gemini's OpenAI endpoint needs back with a call: its thought signature.
 * @param {Fields} piece
 */
function extrasOf({ extra_content }) {
  return isRecord(extra_content) ? { extra_content } : undefined;
}
