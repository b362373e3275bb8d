// SPDX-License-Identifier: MIT
// Joins the pieces of one answer that consists of blocks: text, reasoning, calls, and whatever a
// service needs back. Makes the chunks of its stream and the whole message. Does not depend on any
// service's protocol.
import { isRecord, withoutGaps } from "../base/check-arguments.js";
import { readBlocksWith } from "../messages/content-blocks.js";
import { AIMessage, AIMessageChunk } from "../messages/index.js";
import { standardBlocks } from "../messages/standard-blocks.js";
import { mergeDicts, usageSince } from "../messages/merge.js";
import { invalidCall, readToolCall } from "../messages/tool-arguments.js";
import { tooManyCalls } from "./shapes.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/**
 * A key of a block or a call is the service's own number or id of it.
 * @typedef {string | number} Key
 * @typedef {{ id: string, name: string, args: string, extras?: Fields, at: number }} Call
 */

/** Texts that a later piece replaces, in place of continuing them. */
const REPLACED = ["type", "id", "name"];
/** What services say at the end of an answer that had no more room. */
export const CUT = [
  "length",
  "max_tokens",
  "model_context_window_exceeded",
  "MAX_TOKENS",
  "content_filter",
  "refusal",
];

readBlocksWith(standardBlocks);

export class AnswerParts {
  #options;
  /** @type {Fields[]} */
  #blocks = [];
  /** @type {Map<Key, number>} */
  #blockAt = new Map();
  /** @type {Call[]} */
  #calls = [];
  /** @type {Map<Key, number>} */
  #callAt = new Map();
  #isPlain;
  /** What is new of the blocks, one piece for each. @type {Fields[]} */
  #newBlocks = [];
  /** By block: the place that its piece has there, if it has one. @type {number[]} */
  #newAt = [];
  /** @type {Fields[]} */
  #newCalls = [];
  /** What else is new for the next chunk. @type {Fields | undefined} */
  #news = undefined;
  /** @type {Value} */
  #usage = undefined;
  /**
   * The part of it that the chunks have.
   * @type {import("../messages/base.js").UsageMetadata | undefined}
   */
  #toldUsage = undefined;
  /** @type {Fields} */
  #metadata = {};
  /** @type {Fields} */
  #kwargs = {};

  /**
   * @param {{ maxToolCalls: number, newCallId: () => string, asBlocks?: boolean, callBlock?: (call:
   *   Fields) => Fields }} options `asBlocks`: content is a list of blocks even if it is one text;
   *   `callBlock`: the form of a call among the blocks
   */
  constructor(options) {
    this.#options = options;
    this.#isPlain = !options.asBlocks;
  }

  /** Has the answer a block or a call? */
  get isEmpty() {
    return this.#blocks.length === 0 && this.#calls.length === 0;
  }

  /** @returns {readonly Fields[]} the blocks so far */
  get blocks() {
    return this.#blocks;
  }

  /** @returns {readonly Fields[]} the calls so far */
  get calls() {
    return this.#calls;
  }

  /** Makes the content a list of blocks from here on, even if it is one text. */
  useBlocks() {
    this.#isPlain = false;
  }

  /**
   * Adds a piece of a block: its texts continue those of the block, lists are appended, other
   * values replace. A signature must come in one piece.
   * @param {Key} key
   * @param {Fields} piece with the block's `type`
   */
  block(key, piece) {
    let at = this.#blockAt.get(key);
    if (at === undefined) {
      at = this.#blocks.push({ ...piece }) - 1;
      this.#blockAt.set(key, at);
    } else joinPiece(this.#blocks[at], piece);
    if (this.#isPlain && !isPlainText(piece)) this.#isPlain = false;
    this.#tellBlock(at, piece);
  }

  /**
   * Puts a piece into the next chunk, joined with the one of the same block in it.
   * @param {number} at @param {Fields} piece
   */
  #tellBlock(at, piece) {
    const before = this.#newBlocks[this.#newAt[at]];
    if (before?.index === at) joinPiece(before, piece);
    else this.#newAt[at] = this.#newBlocks.push({ ...piece, index: at }) - 1;
  }

  /** Adds a piece of text. @param {Key} key @param {string} text */
  text(key, text) {
    const at = this.#blockAt.get(key);
    if (at === undefined) return this.block(key, { type: "text", text });
    this.#blocks[at].text += text;
    // Without a copy of a piece: this is called for each token.
    const before = this.#newBlocks[this.#newAt[at]];
    if (before?.index === at) before.text += text;
    else this.#newAt[at] = this.#newBlocks.push({ type: "text", text, index: at }) - 1;
  }

  /**
   * Adds a piece of a call: `args` continues the JSON text of its arguments. A call without an id,
   * or with that of another call, gets one.
   * @param {Key} key
   * @param {{ id?: string, name?: string, args?: string, extras?: Fields }} piece
   */
  call(key, { id, name, args = "", extras }) {
    let at = this.#callAt.get(key);
    const isNew = at === undefined;
    if (at === undefined) {
      const most = this.#options.maxToolCalls;
      if (this.#calls.length === most) throw tooManyCalls(most);
      const isTaken = this.#calls.some((other) => other.id === id);
      const own = isTaken ? undefined : id;
      const made = { id: own ?? this.#options.newCallId(), name: name ?? "", args: "" };
      at = this.#calls.push({ ...made, at: this.#blocks.length }) - 1;
      this.#callAt.set(key, at);
    }
    const call = this.#calls[at];
    const isNamed = isNew || (call.name === "" && name !== undefined);
    if (isNamed) call.name = name ?? "";
    call.args += args;
    if (extras !== undefined) call.extras = mergeDicts(call.extras, extras);
    this.#newCalls.push({
      name: isNamed ? call.name : undefined,
      args,
      id: isNew ? call.id : undefined,
      index: at,
      type: "tool_call_chunk",
      ...(extras === undefined ? {} : { extras }),
    });
  }

  /**
   * Sets the usage of the answer so far; the chunks get what is new in it, so that they sum to the
   * last one.
   * @param {Fields} total in the form of `usage_metadata`
   */
  usage(total) {
    this.#usage = total;
  }

  /** Sets those fields of `response_metadata` that are known. @param {Fields} fields */
  metadata(fields) {
    const known = withoutGaps(fields);
    Object.assign(this.#metadata, known);
    this.#tell("response_metadata", known);
  }

  /** Adds to the texts of `additional_kwargs`. @param {Fields} fields */
  kwargs(fields) {
    joinPiece(this.#kwargs, fields);
    this.#tell("additional_kwargs", fields);
  }

  /** @param {string} key @param {Fields} fields */
  #tell(key, fields) {
    const news = (this.#news ??= {});
    news[key] = news[key] === undefined ? fields : { ...news[key], ...fields };
  }

  /** Returns what was added since the last chunk; undefined if nothing was. */
  take() {
    const blocks = this.#newBlocks;
    const calls = this.#newCalls;
    const news = this.#news;
    const usage = this.#usage;
    const told = this.#toldUsage;
    if (blocks.length === 0 && calls.length === 0 && news === undefined && usage === told)
      return undefined;
    const content = this.#isPlain
      ? blocks.length === 1
        ? blocks[0].text
        : blocks.map((block) => block.text).join("")
      : blocks;
    // The chunk holds these lists, the empty ones too.
    this.#newBlocks = [];
    this.#newCalls = [];
    this.#news = undefined;
    this.#toldUsage = usage;
    /** @type {Fields} */
    const fields = { content, tool_call_chunks: calls };
    if (news !== undefined) Object.assign(fields, news);
    if (usage !== told) fields.usage_metadata = usageSince(told, usage);
    return new AIMessageChunk(fields);
  }

  /** Returns the whole message; arguments are read strictly, unreadable ones are kept as text. */
  message() {
    /** @type {Value[]} */
    const tool_calls = [];
    /** @type {Value[]} */
    const invalid_tool_calls = [];
    const { finish_reason, stop_reason = finish_reason } = this.#metadata;
    const cut = CUT.includes(stop_reason) ? this.#calls.at(-1) : undefined;
    const read = this.#calls.map((said) => {
      const { id, name, args, extras } = said;
      // Without its arguments the call would be another one.
      const { call, invalid } =
        said === cut && args === "" && said.at === this.#blocks.length
          ? { invalid: invalidCall(name, args, id, "Tool arguments were cut off.") }
          : readToolCall(name, args, id);
      const made = { .../** @type {Fields} */ (call ?? invalid) };
      if (extras !== undefined) made.extras = extras;
      (call === undefined ? invalid_tool_calls : tool_calls).push(made);
      return made;
    });
    return new AIMessage({
      content: this.#content(read),
      tool_calls,
      invalid_tool_calls,
      usage_metadata: this.#usage,
      response_metadata: this.#metadata,
      additional_kwargs: this.#kwargs,
    });
  }

  /** @param {Fields[]} calls as they are in the message */
  #content(calls) {
    const texts = this.#blocks.map((block) => block.text);
    // A text with calls after it needs no blocks: that is the order of a message without them.
    if (this.#isPlain && !this.#calls.some((call) => call.at < this.#blocks.length))
      return texts.join("");
    /** @type {Value[]} */
    const content = [];
    let next = 0;
    const { callBlock = asBlock } = this.#options;
    for (let at = 0; at <= this.#blocks.length; at++) {
      for (; next < calls.length && this.#calls[next].at === at; next++)
        content.push(callBlock(calls[next]));
      if (at < this.#blocks.length) content.push(this.#blocks[at]);
    }
    return content;
  }
}

/** @param {Fields} call */
function asBlock({ id, name, args, extras }) {
  return { type: "tool_call", id, name, args, ...(extras === undefined ? {} : { extras }) };
}

/** @param {Fields} piece */
function isPlainText(piece) {
  for (const key in piece) if (key !== "type" && key !== "text") return false;
  return piece.type === "text";
}

/** @param {Fields} block changed in place @param {Fields} piece */
function joinPiece(block, piece) {
  for (const key in piece) {
    const before = block[key];
    const value = piece[key];
    if (value === undefined || value === null) continue;
    if (typeof value === "string" && typeof before === "string" && !REPLACED.includes(key))
      block[key] = before + value;
    else if (Array.isArray(value) && Array.isArray(before)) block[key] = [...before, ...value];
    else if (isRecord(value) && isRecord(before)) block[key] = { ...before, ...value };
    else block[key] = value;
  }
}
