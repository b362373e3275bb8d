// SPDX-License-Identifier: MIT
// Assembles one message from protocol events: its text, reasoning, tool calls, usage, and the whole
// message. Does not depend on models.
import { AIMessage } from "../../messages/index.js";
import { StreamChannel } from "./stream-channel.js";

/** @typedef {import("./protocol.js").ProtocolEvent} ProtocolEvent */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * Offers pieces to iterate, the whole to await, and the whole so far as `full`.
 * @template Piece, Whole
 */
class Projection {
  #pieces;
  #join;

  /**
   * @param {() => AsyncIterable<Piece>} pieces
   * @param {(whole: Whole, piece: Piece) => Whole} join
   * @param {Whole} empty
   */
  constructor(pieces, join, empty) {
    this.#pieces = pieces;
    this.#join = join;
    this.empty = empty;
  }

  [Symbol.asyncIterator]() {
    return this.#pieces()[Symbol.asyncIterator]();
  }

  /** @returns {AsyncIterable<Whole>} */
  get full() {
    const whole = this.#whole.bind(this);
    return { [Symbol.asyncIterator]: whole };
  }

  async *#whole() {
    let whole = this.empty;
    for await (const piece of this.#pieces()) yield (whole = this.#join(whole, piece));
  }

  /** @param {Value} [resolve] @param {Value} [reject] */
  then(resolve, reject) {
    const last = async () => {
      let whole = this.empty;
      for await (const next of this.full) whole = next;
      return whole;
    };
    return last().then(resolve, reject);
  }
}

/**
 * Returns an event's addition to a block's `key`; undefined for other events.
 * @param {Value} event
 * @param {string} key
 * @returns {string | undefined}
 */
function pieceOf({ event, delta, content }, key) {
  if (event !== "content-block-delta") return undefined;
  if (delta?.type === `${key}-delta`) return delta[key];
  // Older servers send the addition as a block.
  return delta == null && (content?.type === key || key === "data") ? content?.[key] : undefined;
}

/**
 * Returns a block after an event; undefined if none has begun. A delta of an unknown kind does not
 * change it.
 * @param {Value} event
 * @param {any} block
 */
function blockOf(event, block) {
  if (event.event === "content-block-start" || event.event === "content-block-finish")
    return event.content;
  if (block == null || event.event !== "content-block-delta") return block;
  const { delta, content } = event;
  if (delta?.type === "block-delta") return { ...block, ...delta.fields };
  for (const key of ["text", "reasoning", "data"]) {
    const piece = block.type === key || key === "data" ? pieceOf(event, key) : undefined;
    if (piece !== undefined) return { ...block, [key]: (block[key] ?? "") + piece };
  }
  const isOther = delta == null && !["text", "reasoning"].includes(content?.type);
  return isOther ? { ...block, ...content } : block;
}

/** Converts a call whose arguments came in pieces to a tool call. @param {any} block */
function whole(block) {
  const isCall =
    block.type === "tool_call_chunk" && block.id !== undefined && block.name !== undefined;
  return isCall ? { ...block, type: "tool_call", args: argumentsOf(block.args) } : block;
}

/** @param {string} text @returns {Record<string, unknown>} */
function argumentsOf(text) {
  try {
    const args = JSON.parse(text);
    return typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  } catch {
    return {};
  }
}

export class ChatModelStreamImpl {
  /** @type {StreamChannel<Value>} */
  _buffer = StreamChannel.local();

  /** @param {AsyncIterable<unknown>} source of message events */
  constructor(source) {
    this._consume(source);
  }

  /** @param {AsyncIterable<unknown>} source */
  async _consume(source) {
    try {
      for await (const event of source) this._buffer.push(event);
      this._buffer.close();
    } catch (error) {
      this._buffer.fail(error);
    }
  }

  [Symbol.asyncIterator]() {
    return this._buffer.iterate();
  }

  /** @param {(event: ProtocolEvent) => unknown} pick returns an event's piece, or undefined */
  #each(pick) {
    const buffer = this._buffer;
    return async function* () {
      for await (const event of buffer) {
        const piece = pick(event);
        if (piece !== undefined) yield piece;
      }
    };
  }

  get text() {
    const pick = (/** @type {ProtocolEvent} */ event) => pieceOf(event, "text");
    return new Projection(
      this.#each(pick),
      (/** @type {string} */ whole, piece) => whole + piece,
      "",
    );
  }

  /** Ends with its first block, or where another kind of block begins after some of it. */
  get reasoning() {
    const buffer = this._buffer;
    const pieces = async function* () {
      let hasBegun = false;
      for await (const event of buffer) {
        const isReasoning = event.content?.type === "reasoning";
        if (
          isReasoning
            ? event.event === "content-block-finish"
            : hasBegun && event.event === "content-block-start"
        )
          return;
        const piece =
          event.event === "content-block-start"
            ? event.content?.reasoning || undefined
            : pieceOf(event, "reasoning");
        hasBegun ||= isReasoning || piece !== undefined;
        if (piece !== undefined) yield piece;
      }
    };
    return new Projection(pieces, (/** @type {string} */ whole, piece) => whole + piece, "");
  }

  get toolCalls() {
    const pick = (/** @type {Value} */ { event, content }) =>
      event === "content-block-finish" && content?.type === "tool_call" ? content : undefined;
    return new Projection(
      this.#each(pick),
      (/** @type {unknown[]} */ whole, piece) => [...whole, piece],
      [],
    );
  }

  get usage() {
    const pick = (/** @type {any} */ { usage }) => usage;
    return new Projection(this.#each(pick), (/** @type {unknown} */ _, piece) => piece, undefined);
  }

  /** @returns {Promise<unknown>} the message */
  get output() {
    return this._assembleMessage();
  }

  /** @param {Value} [resolve] @param {Value} [reject] */
  then(resolve, reject) {
    return this._assembleMessage().then(resolve, reject);
  }

  async _assembleMessage() {
    /** @type {unknown[]} */
    const content = [];
    let id;
    let usage_metadata;
    /** @type {Record<string, unknown>} */
    let response_metadata = { output_version: "v1" };
    for await (const event of this._buffer) {
      if (event.event === "message-start") id = event.id;
      const block = blockOf(event, content[event.index]);
      if (block !== undefined) content[event.index] = block;
      usage_metadata = event.usage ?? usage_metadata;
      if (event.event !== "message-finish") continue;
      response_metadata = {
        ...response_metadata,
        ...event.responseMetadata,
        ...(event.reason === undefined ? {} : { finish_reason: event.reason }),
      };
    }
    const blocks = content.filter((block) => block != null).map(whole);
    const tool_calls = blocks
      .filter(({ type }) => type === "tool_call")
      .map(({ id: callId, name, args }) => ({ type: "tool_call", id: callId, name, args }));
    return new AIMessage(
      /** @type {Record<PropertyKey, unknown>} */ ({
        id,
        content: blocks,
        tool_calls,
        response_metadata,
        ...(usage_metadata === undefined ? {} : { usage_metadata }),
      }),
    );
  }
}
