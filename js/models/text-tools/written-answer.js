// SPDX-License-Identifier: MIT
// Joins what a model says outside of its written calls, and the calls, to chunks and a message; all
// else of the model's own chunks and message is kept. Does not depend on how calls are written.
import { AIMessage, AIMessageChunk } from "../../messages/index.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/base.js").Content} Content */
/** @typedef {import("../../messages/base.js").ContentBlock} ContentBlock */
/** @typedef {import("./calls.js").WrittenCalls} WrittenCalls */
/** @typedef {{ push: (piece: string) => string, end: () => string }} TextReader */

const BARE = ["type", "text", "index"];

export class WrittenAnswer {
  #reader;
  #calls;
  /** @type {string[]} */
  #shown = [];
  /** The last block of text, if the content is a list. @type {ContentBlock | undefined} */
  #block = undefined;
  /** @type {string | undefined} */
  #id = undefined;

  /** @param {TextReader} reader @param {WrittenCalls} calls that the reader finds */
  constructor(reader, calls) {
    this.#reader = reader;
    this.#calls = calls;
  }

  /**
   * Adds a chunk of the model, or its whole message; returns what it adds, if anything.
   * @param {Message} chunk
   * @returns {AIMessageChunk | undefined}
   */
  add(chunk) {
    this.#id = chunk.id ?? this.#id;
    const content =
      typeof chunk.content === "string"
        ? this.#push(chunk.content)
        : (chunk.content ?? []).flatMap((/** @type {ContentBlock} */ block) =>
            this.#pushBlock(block),
          );
    return this.#chunk(content, chunk);
  }

  /** Ends the answer; returns what was held back, if anything. */
  end() {
    const text = this.#reader.end();
    this.#shown.push(text);
    const isText = this.#block === undefined || text === "";
    const block = /** @type {ContentBlock} */ ({ ...this.#block, text });
    return this.#chunk(isText ? text : [block], {});
  }

  /**
   * Returns the whole message.
   * @param {Message} message of the model
   */
  message(message) {
    const { content, tool_calls = [], invalid_tool_calls = [] } = message;
    const text = this.#shown.join("");
    return new AIMessage({
      content: typeof content === "string" ? text : withText(content ?? [], text),
      tool_calls: [...tool_calls, ...this.#calls.valid],
      invalid_tool_calls: [...invalid_tool_calls, ...this.#calls.invalid],
      usage_metadata: message.usage_metadata,
      response_metadata: message.response_metadata,
      additional_kwargs: message.additional_kwargs,
      id: message.id,
    });
  }

  /** @param {string} piece */
  #push(piece) {
    const text = this.#reader.push(piece);
    this.#shown.push(text);
    return text;
  }

  /** @param {ContentBlock} block @returns {ContentBlock[]} */
  #pushBlock(block) {
    if (block?.type !== "text") return [block];
    const { type, index } = block;
    this.#block = index === undefined ? { type } : { type, index };
    const text = this.#push(typeof block.text === "string" ? block.text : "");
    return text === "" && isBare(block) ? [] : [{ ...block, text }];
  }

  /** @param {Content} content @param {Partial<Message>} chunk */
  #chunk(content, chunk) {
    const { additional_kwargs = {}, response_metadata = {}, usage_metadata } = chunk;
    const tool_call_chunks = [...(chunk.tool_call_chunks ?? []), ...this.#calls.take()];
    const isEmpty =
      content.length === 0 &&
      tool_call_chunks.length === 0 &&
      usage_metadata === undefined &&
      Object.keys(additional_kwargs).length === 0 &&
      Object.keys(response_metadata).length === 0;
    return isEmpty
      ? undefined
      : new AIMessageChunk({
          content,
          tool_call_chunks,
          usage_metadata,
          additional_kwargs,
          response_metadata,
          id: this.#id,
        });
  }
}

/** @param {ContentBlock} block */
function isBare(block) {
  return Object.keys(block).every((key) => BARE.includes(key));
}

/**
 * Returns the blocks with this text in place of theirs; a block of text that holds more is kept.
 * @param {ContentBlock[]} blocks @param {string} text
 */
function withText(blocks, text) {
  /** @type {ContentBlock[]} */
  const kept = [];
  let isPlaced = text === "";
  for (const block of blocks) {
    if (block?.type !== "text") kept.push(block);
    else if (!isPlaced || !isBare(block)) {
      kept.push({ ...block, text: isPlaced ? "" : text });
      isPlaced = true;
    }
  }
  return isPlaced ? kept : [...kept, { type: "text", text }];
}
