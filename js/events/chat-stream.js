// SPDX-License-Identifier: MIT
// Knows: one message that arrives as protocol events: its text, reasoning, tool calls, usage, and the whole of it.
// Must not know: models.
import { AIMessage } from "../messages/index.js";
import { StreamChannel } from "./stream-channel.js";

/** Pieces to iterate, the whole to await, and what there is so far as `full`. @template Piece, Whole */
class Projection {
  #pieces;
  #join;

  /** @param {() => AsyncIterable<Piece>} pieces @param {(whole: Whole, piece: Piece) => Whole} join @param {Whole} empty */
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

  /** @param {any} [resolve] @param {any} [reject] */
  then(resolve, reject) {
    const last = async () => {
      let whole = this.empty;
      for await (const next of this.full) whole = next;
      return whole;
    };
    return last().then(resolve, reject);
  }
}

export class ChatModelStreamImpl {
  /** @type {StreamChannel<any>} */
  _buffer = StreamChannel.local();

  /** @param {AsyncIterable<any>} source of message events */
  constructor(source) {
    this._consume(source);
  }

  /** @param {AsyncIterable<any>} source */
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

  /** @param {(event: any) => any} pick what an event gives, or undefined */
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
    const pick = (/** @type {any} */ { delta }) => (delta?.type === "text-delta" ? delta.text : undefined);
    return new Projection(this.#each(pick), (/** @type {string} */ whole, piece) => whole + piece, "");
  }

  get reasoning() {
    const pick = (/** @type {any} */ { event, content, delta }) => {
      if (event === "content-block-start") return content?.reasoning || undefined;
      return delta?.type === "reasoning-delta" ? delta.reasoning : undefined;
    };
    return new Projection(this.#each(pick), (/** @type {string} */ whole, piece) => whole + piece, "");
  }

  get toolCalls() {
    const pick = (/** @type {any} */ { event, content }) => (event === "content-block-finish" && content?.type === "tool_call" ? content : undefined);
    return new Projection(this.#each(pick), (/** @type {any[]} */ whole, piece) => [...whole, piece], []);
  }

  get usage() {
    const pick = (/** @type {any} */ { usage }) => usage;
    return new Projection(this.#each(pick), (/** @type {any} */ _, piece) => piece, undefined);
  }

  /** @returns {Promise<any>} the message */
  get output() {
    return this._assembleMessage();
  }

  /** @param {any} [resolve] @param {any} [reject] */
  then(resolve, reject) {
    return this._assembleMessage().then(resolve, reject);
  }

  async _assembleMessage() {
    /** @type {any[]} */
    const content = [];
    let id;
    let usage_metadata;
    /** @type {Record<string, any>} */
    let response_metadata = { output_version: "v1" };
    for await (const event of this._buffer) {
      if (event.event === "message-start") id = event.id;
      if (event.event === "content-block-finish") content[event.index] = event.content;
      usage_metadata = event.usage ?? usage_metadata;
      if (event.event !== "message-finish") continue;
      response_metadata = { ...response_metadata, ...event.responseMetadata, ...(event.reason === undefined ? {} : { finish_reason: event.reason }) };
    }
    const blocks = content.filter((block) => block !== undefined);
    const tool_calls = blocks.filter(({ type }) => type === "tool_call").map(({ id: callId, name, args }) => ({ type: "tool_call", id: callId, name, args }));
    return new AIMessage(/** @type {any} */ ({ id, content: blocks, tool_calls, response_metadata, ...(usage_metadata === undefined ? {} : { usage_metadata }) }));
  }
}
