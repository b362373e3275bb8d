// SPDX-License-Identifier: MIT
// A graph in the same tab as the AI SDK's chat transport.
import { Chat } from "./chat.js";

/** @typedef {import("./chat.js").Fields} Fields */
/** @typedef {import("./chat.js").UIMessage} UIMessage */
/** @typedef {import("./chunks.js").UIChunk} UIChunk */

export class WeftChatTransport {
  #chat;
  /** A stream that is joined again begins at the run's start. */
  resumeStreamIsReplay = true;

  /** @param {import("./chat.js").ChatOptions} options */
  constructor(options) {
    this.#chat = new Chat(options);
  }

  /**
   * @param {{ trigger?: string, chatId: string, messageId?: string, messages: UIMessage[],
   *   abortSignal?: AbortSignal, body?: Fields }} request
   * @returns {Promise<ReadableStream<UIChunk>>}
   */
  sendMessages({ trigger, chatId, messageId, messages, abortSignal, body }) {
    return this.#chat.send({ trigger, chatId, messageId, messages, body, signal: abortSignal });
  }

  /** @param {{ chatId: string }} request @returns {Promise<ReadableStream<UIChunk> | null>} */
  reconnectToStream({ chatId }) {
    return this.#chat.reconnect(chatId);
  }
}
