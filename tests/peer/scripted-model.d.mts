// SPDX-License-Identifier: MIT
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

export type Call = { name: string; args: Record<string, any>; id: string; type: "tool_call" };
type Answer = string | Call[] | { content: string; calls: Call[] };

export function call(name: string, args: Record<string, any>, id: string): Call;

export class ScriptedModel extends BaseChatModel {
  constructor(...answers: (Answer | ((messages: BaseMessage[]) => Answer))[]);
  asked: string[][];
  own: string;
  _llmType(): string;
  bindTools(): this;
  _generate(messages: BaseMessage[]): Promise<ChatResult>;
}

export function drain<T>(stream: AsyncIterable<T> | Promise<AsyncIterable<T>>): Promise<T[]>;
