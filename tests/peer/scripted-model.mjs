// SPDX-License-Identifier: MIT
// A LangChain chat model that answers from a list, whole or in words: what programs of tests/peer
// take in place of a service.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";

export const call = (name, args, id) => ({ name, args, id, type: "tool_call" });

/**
 * Answers one after the other, then from the first anew: texts, calls of tools, both, or what a
 * function makes of the messages.
 */
export class ScriptedModel extends BaseChatModel {
  asked = [];
  /** What the ids of its messages begin with. */
  own = "ai";
  #answers;
  #next = 0;

  constructor(...answers) {
    super({});
    this.#answers = answers;
  }

  _llmType() {
    return "scripted";
  }

  bindTools() {
    return this;
  }

  #answer(messages) {
    this.asked.push(messages.map((message) => `${message.getType()}: ${message.text}`));
    const given = this.#answers[this.#next % this.#answers.length];
    const answer = typeof given === "function" ? given(messages) : given;
    const id = `${this.own}-${++this.#next}`;
    if (typeof answer === "string") return { id, content: answer, calls: [] };
    return Array.isArray(answer) ? { id, content: "", calls: answer } : { id, ...answer };
  }

  async _generate(messages) {
    const { id, content, calls } = this.#answer(messages);
    return {
      generations: [{ text: content, message: new AIMessage({ id, content, tool_calls: calls }) }],
    };
  }

  async *_streamResponseChunks(messages, _options, manager) {
    const { id, content, calls } = this.#answer(messages);
    for (const word of content.split(/(?<= )/).filter(Boolean)) {
      const chunk = new ChatGenerationChunk({
        text: word,
        message: new AIMessageChunk({ id, content: word }),
      });
      yield chunk;
      await manager?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
    const pieces = calls.map(({ id: callId, name, args }, index) => ({
      index,
      id: callId,
      name,
      args: JSON.stringify(args),
      type: "tool_call_chunk",
    }));
    if (pieces.length > 0)
      yield new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({ id, content: "", tool_call_chunks: pieces }),
      });
  }
}

export async function drain(stream) {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}
