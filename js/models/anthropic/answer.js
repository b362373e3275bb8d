// SPDX-License-Identifier: MIT
// Reads an answer of Anthropic's Messages API, whole or in events, and joins its blocks. Does not
// depend on HTTP.
import { AnswerParts } from "../answer-parts.js";
import { AIMessage } from "../../messages/index.js";
import { readToolCall } from "../../messages/tool-arguments.js";
import {
  Unexpected,
  argumentsText,
  countOrNone,
  filled,
  indexOrNone,
  listOf,
  objectOf,
  shallow,
  textOrNone,
  unexpected,
  usageOf,
} from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/**
 * A block that has begun. `takes`: what its deltas may be; `input`: arguments that came with its
 * beginning; `args`: the text of those of a tool that the service runs.
 * @typedef {{ kind: string, takes: readonly string[], input?: unknown, args: string, hasArgs?:
 *   boolean, signature?: string, citations: Fields[] }} Open
 */

/** @type {Record<string, readonly string[]>} */
const DELTAS = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
};
const KNOWN_DELTAS = Object.values(DELTAS).flat();
/** @type {Open} */
const CLOSED = { kind: "closed", takes: [], args: "", citations: [] };
const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
];
/** What the service bills by other measures. */
const BILLED = ["cache_creation", "server_tool_use", "iterations"];
const TOLD = ["stop_reason", "stop_sequence", "stop_details", "container", "context_management"];

/** Joins one answer. */
export class Answer {
  #parts;
  #provider;
  /** @type {Map<number, Open>} */
  #blocks = new Map();
  /** @type {string | undefined} */
  #id = undefined;
  /** @type {Record<string, number>} */
  #counts = {};
  /** @type {Fields} */
  #billed = {};
  hasBegun = false;
  isFinished = false;
  /** "[DONE]", which some proxies add, does not end an answer. */
  hasClosingEvent = true;

  /**
   * @param {{ maxToolCalls: number, provider: string, newCallId: () => string }} options
   *   `provider`: name of the service in the message
   */
  constructor({ maxToolCalls, provider, newCallId }) {
    this.#parts = new AnswerParts({ maxToolCalls, newCallId, callBlock });
    this.#provider = provider;
  }

  /** Nothing belongs to the answer after its end. */
  get isClosed() {
    return this.isFinished;
  }

  /** Adds an answer that is not streamed. @param {unknown} given */
  addWhole(given) {
    const message = objectOf(given, "an answer");
    if (message.type !== "message") return undefined;
    this.#start(message);
    this.#end(message);
    this.isFinished = true;
    return this.#parts.take();
  }

  /**
   * Adds an event of the stream; returns its addition, if any.
   * @param {unknown} given
   * @param {string} [event] its name
   */
  add(given, event) {
    const data = objectOf(given, "an event");
    const type = data.type ?? event;
    if (type === "message_start") {
      // Goes out with the first piece: until then another attempt can take its place.
      this.#start(objectOf(data.message, "`message`"));
      return undefined;
    }
    const isNews = this.#add(type, data);
    return isNews ? this.#parts.take() : undefined;
  }

  /** Returns the whole message. */
  message() {
    return this.#parts.message();
  }

  /** @param {string} type @param {Fields} data @returns {boolean} is there an addition? */
  #add(type, data) {
    switch (type) {
      case "content_block_start":
        return this.#begin(this.#placeOf(data), data.content_block);
      case "content_block_delta":
        return this.#continue(this.#placeOf(data), objectOf(data.delta, "a `delta`"));
      case "content_block_stop":
        return this.#close(this.#placeOf(data));
      case "message_delta":
        this.#expectBeginning();
        this.#end({ ...data, ...objectOf(data.delta ?? {}, "a `delta`"), usage: data.usage });
        return true;
      case "message_stop":
        this.#expectBeginning();
        for (const at of this.#blocks.keys()) this.#close(at);
        this.isFinished = true;
        return true;
      default:
        return false;
    }
  }

  #expectBeginning() {
    if (!this.hasBegun) throw new Unexpected("expected `message_start` before all other events");
  }

  /** @param {Fields} data @returns {number} */
  #placeOf({ index }) {
    this.#expectBeginning();
    const place = indexOrNone(index, "`index`");
    if (place === undefined) throw unexpected("`index` to be a number", index);
    return place;
  }

  /** @param {Fields} message */
  #start(message) {
    const id = textOrNone(message.id, "`id`");
    if (this.hasBegun) {
      // Some proxies repeat the beginning; that of another message is another answer.
      if (id !== this.#id) throw new Unexpected("expected one answer, found the start of another");
      return;
    }
    this.hasBegun = true;
    this.#id = id;
    const model_name = textOrNone(message.model, "`model`");
    this.#parts.metadata({
      model_provider: this.#provider,
      model_name,
      response_id: id,
      container: shallow(message.container || undefined, "`container`"),
    });
    this.#count(message.usage);
    // A stream begins with the calls that a program of the service goes on to make; the blocks that
    // follow may be numbered from 0.
    for (const [at, block] of listOf(message.content, "`content`").entries()) {
      this.#begin(-1 - at, block);
      this.#close(-1 - at);
    }
  }

  /** @param {number} at @param {unknown} given @returns {boolean} is there an addition? */
  #begin(at, given) {
    const block = shallow(objectOf(given, "a block"), "a block");
    const kind = textOrNone(block.type, "a block's `type`");
    if (kind === undefined) throw unexpected("a block to have a `type`", block.type);
    if (this.#blocks.has(at)) throw new Unexpected(`expected block ${at} to begin once`);
    const takes = Object.hasOwn(DELTAS, kind) ? DELTAS[kind] : [];
    /** @type {Open} */
    const open = { kind, takes, args: "", citations: [] };
    this.#blocks.set(at, open);
    if (kind === "text") return this.#beginText(at, block, open);
    if (kind === "thinking") {
      open.signature = textOrNone(block.signature, "`signature`");
      const thinking = textOrNone(block.thinking, "`thinking`") ?? "";
      this.#parts.block(at, { type: kind, thinking });
      return true;
    }
    if (kind === "tool_use") return this.#beginCall(at, block, open);
    // A tool that the service runs: its arguments follow.
    if (kind.endsWith("tool_use")) open.takes = DELTAS.tool_use;
    const { input, ...rest } = block;
    open.input = input;
    this.#parts.block(at, rest);
    return true;
  }

  /** @param {number} at @param {Fields} block @param {Open} open */
  #beginText(at, block, open) {
    // Where citations may follow, the text is a block from its beginning on.
    if (Array.isArray(block.citations)) this.#parts.useBlocks();
    open.citations.push(...listOf(block.citations, "`citations`"));
    const text = textOrNone(block.text, "`text`");
    if (text === undefined) return false;
    this.#parts.text(at, text);
    return true;
  }

  /** @param {number} at @param {Fields} block @param {Open} open */
  #beginCall(at, { type: _kind, id: given, name, input, ...extras }, open) {
    open.input = input;
    this.#parts.useBlocks();
    this.#parts.call(at, {
      id: textOrNone(given, "a call's `id`"),
      name: textOrNone(name, "a tool's name"),
      extras: filled(extras),
    });
    return true;
  }

  /** @param {number} at @param {Fields} delta @returns {boolean} is there an addition? */
  #continue(at, delta) {
    const open = this.#blocks.get(at);
    const { type } = delta;
    if (open === undefined || (!open.takes.includes(type) && KNOWN_DELTAS.includes(type)))
      throw new Unexpected(`expected no \`${type}\` for block ${at}`);
    switch (type) {
      case "text_delta": {
        const text = textOrNone(delta.text, "`text`");
        if (text !== undefined) this.#parts.text(at, text);
        return text !== undefined;
      }
      case "thinking_delta": {
        const thinking = textOrNone(delta.thinking, "`thinking`");
        if (thinking !== undefined) this.#parts.block(at, { type: "thinking", thinking });
        return thinking !== undefined;
      }
      case "input_json_delta": {
        const args = textOrNone(delta.partial_json, "`partial_json`");
        return args !== undefined && this.#addInput(at, args, open);
      }
      case "signature_delta":
        open.signature = textOrNone(delta.signature, "`signature`") ?? open.signature;
        return false;
      case "citations_delta":
        open.citations.push(shallow(objectOf(delta.citation, "a `citation`"), "a `citation`"));
        return false;
      default: {
        // Of a block that is kept as it comes, such as the summary of a long conversation.
        if (Object.hasOwn(DELTAS, open.kind)) return false;
        const { type: _type, ...piece } = shallow(delta, "a `delta`");
        this.#parts.block(at, { type: open.kind, ...piece });
        return true;
      }
    }
  }

  /** @param {number} at @param {string} args @param {Open} open */
  #addInput(at, args, open) {
    open.hasArgs = true;
    if (open.kind !== "tool_use") {
      open.args += args;
      return false;
    }
    this.#parts.call(at, { args });
    return true;
  }

  /**
   * Ends a block: what must come in one piece is whole.
   * @param {number} at @returns {boolean} is there an addition?
   */
  #close(at) {
    const { kind, args, hasArgs, input, signature, citations } = this.#blocks.get(at) ?? CLOSED;
    this.#blocks.set(at, CLOSED);
    if (kind === "thinking" && signature !== undefined)
      this.#parts.block(at, { type: kind, thinking: "", signature });
    else if (citations.length > 0) this.#parts.block(at, { type: kind, text: "", citations });
    else if (kind === "tool_use" && !hasArgs && hasFields(input))
      this.#parts.call(at, { args: argumentsText(input) });
    else if (kind !== "tool_use" && input !== undefined)
      this.#parts.block(at, { type: kind, input: hasArgs ? readInput(args) : input });
    else return false;
    return true;
  }

  /** @param {Fields} given the fields at the end of a message */
  #end(given) {
    const told = Object.entries(given).filter(
      ([key, value]) => TOLD.includes(key) && value !== undefined && value !== null,
    );
    this.#count(given.usage);
    const metadata = shallow(Object.fromEntries(told), "the end of an answer");
    textOrNone(metadata.stop_reason, "`stop_reason`");
    if (Object.keys(this.#billed).length > 0) metadata.usage = this.#billed;
    this.#billed = {};
    if (Object.keys(metadata).length > 0) this.#parts.metadata(metadata);
  }

  /** Reads the counts so far; later ones replace earlier ones. @param {unknown} given */
  #count(given) {
    if (given === undefined || given === null) return;
    const usage = objectOf(given, "`usage`");
    for (const key of COUNTS) this.#counts[key] = countOrNone(usage[key]) ?? this.#counts[key];
    for (const key of BILLED)
      if (usage[key] !== undefined && usage[key] !== null)
        this.#billed[key] = shallow(usage[key], `\`${key}\``);
    const reasoning = countOrNone(usage.output_tokens_details?.thinking_tokens);
    if (reasoning !== undefined) this.#counts.reasoning = reasoning;
    this.#parts.usage(usageFrom(this.#counts));
  }
}

/** Reads the service's count of an input's tokens. */
export class TokenCount {
  /** @type {number | undefined} */
  #count = undefined;
  isFinished = false;

  get hasBegun() {
    return this.#count !== undefined;
  }

  add() {
    return undefined;
  }

  /** @param {unknown} given */
  addWhole(given) {
    this.#count = countOrNone(objectOf(given, "a count").input_tokens);
    return undefined;
  }

  /** Returns a message that has the count alone. */
  message() {
    const input_tokens = this.#count ?? 0;
    const usage_metadata = { input_tokens, output_tokens: 0, total_tokens: input_tokens };
    return new AIMessage({ content: "", usage_metadata });
  }
}

/**
 * Makes the form of a call among the blocks.
 * @param {Fields} call
 */
function callBlock({ id, name, args }) {
  return { type: "tool_use", id, name, input: args };
}

/** @param {unknown} input */
function hasFields(input) {
  return input !== null && typeof input === "object" && Object.keys(input).length > 0;
}

/**
 * Returns the arguments of a tool that the service ran.
 * @param {string} text returned as it is if it cannot be read
 */
function readInput(text) {
  return readToolCall("", text, undefined).call?.args ?? text;
}

/** @param {Record<string, number>} counts */
function usageFrom(counts) {
  const { cache_read_input_tokens: cache_read, cache_creation_input_tokens: cache_creation } =
    counts;
  const input = (counts.input_tokens ?? 0) + (cache_read ?? 0) + (cache_creation ?? 0);
  return usageOf(
    input,
    counts.output_tokens,
    undefined,
    { cache_read, cache_creation },
    { reasoning: counts.reasoning },
  );
}
