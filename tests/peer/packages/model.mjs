// SPDX-License-Identifier: MIT
// A LangChain chat model that answers from a list, whole or in words, and what the cases share.
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { tool } from "langchain";
import { z } from "zod";

export const call = (name, args, id) => ({ name, args, id, type: "tool_call" });
export const calling = (...calls) => ({ content: "", calls });
export const saying = (content) => ({ content, calls: [] });

export class Scripted extends BaseChatModel {
  asked = [];
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
    const answer = this.#answers[this.#next++ % this.#answers.length];
    return { id: `ai-${this.#next}`, ...answer };
  }

  async _generate(messages) {
    const { id, content, calls } = this.#answer(messages);
    return { generations: [{ text: content, message: new AIMessage({ id, content, tool_calls: calls }) }] };
  }

  async *_streamResponseChunks(messages, _options, manager) {
    const { id, content, calls } = this.#answer(messages);
    for (const word of content.split(/(?<= )/).filter(Boolean)) {
      const chunk = new ChatGenerationChunk({ text: word, message: new AIMessageChunk({ id, content: word }) });
      yield chunk;
      await manager?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
    const pieces = calls.map(({ id: callId, name, args }, index) =>
      ({ index, id: callId, name, args: JSON.stringify(args), type: "tool_call_chunk" }));
    if (pieces.length > 0) yield new ChatGenerationChunk({ text: "", message: new AIMessageChunk({ id, content: "", tool_call_chunks: pieces }) });
  }
}

export const add = tool(({ a, b }) => String(a + b), { name: "add", description: "adds", schema: z.object({ a: z.number(), b: z.number() }) });
export const mail = tool(async ({ to }) => `sent to ${to}`, { name: "mail", description: "mails", schema: z.object({ to: z.string() }) });
export const adding = call("add", { a: 1, b: 2 }, "c1");

export const ask = (content = "go", id = "u1") => ({ messages: [{ role: "user", content, id }] });
export const onThread = { configurable: { thread_id: "t" } };

export async function drain(stream) {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}
