// SPDX-License-Identifier: MIT
// LangChain chat models that answer from a list, and tools: what the documented programs take in place of a service.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";

export type Call = { name: string; args: Record<string, any>; id: string; type: "tool_call" };
type Answer = string | Call[] | ((messages: BaseMessage[]) => string | Call[]);

export const call = (name: string, args: Record<string, any>, id: string): Call => ({ name, args, id, type: "tool_call" });

/** Answers one after the other, then from the first anew; streams texts word by word. */
export class ScriptedModel extends BaseChatModel {
  asked: string[][] = [];
  /** What the ids of its messages begin with. */
  own = "ai";
  #answers: Answer[];
  #next = 0;

  constructor(...answers: Answer[]) {
    super({});
    this.#answers = answers;
  }

  _llmType() {
    return "scripted";
  }

  bindTools() {
    return this;
  }

  #answer(messages: BaseMessage[]) {
    this.asked.push(messages.map((message) => `${message.getType()}: ${message.text}`));
    const given = this.#answers[this.#next % this.#answers.length];
    const answer = typeof given === "function" ? given(messages) : given;
    return { id: `${this.own}-${++this.#next}`, content: typeof answer === "string" ? answer : "", calls: typeof answer === "string" ? [] : answer };
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const { id, content, calls } = this.#answer(messages);
    return { generations: [{ text: content, message: new AIMessage({ id, content, tool_calls: calls }) }] };
  }

  async *_streamResponseChunks(messages: BaseMessage[], _options: this["ParsedCallOptions"], manager?: CallbackManagerForLLMRun) {
    const { id, content, calls } = this.#answer(messages);
    for (const word of content.split(/(?<= )/).filter(Boolean)) {
      const chunk = new ChatGenerationChunk({ text: word, message: new AIMessageChunk({ id, content: word }) });
      yield chunk;
      await manager?.handleLLMNewToken(word, undefined, undefined, undefined, undefined, { chunk });
    }
    const pieces = calls.map(({ id: callId, name, args }, index) => ({ index, id: callId, name, args: JSON.stringify(args), type: "tool_call_chunk" as const }));
    if (pieces.length > 0) yield new ChatGenerationChunk({ text: "", message: new AIMessageChunk({ id, content: "", tool_call_chunks: pieces }) });
  }
}

export async function drain<T>(stream: AsyncIterable<T> | Promise<AsyncIterable<T>>): Promise<T[]> {
  const chunks: T[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}

export const onThread = (name: string) => ({ configurable: { thread_id: name } });
