// SPDX-License-Identifier: MIT
// A chat model that plays a script; for tests of agents.
import type { AIMessage, AIMessageChunk, BaseMessage } from "../messages/index.js";
import { BaseChatModelLike, type CallOptions } from "./base.js";

/** One answer: a text, a message or its fields, or an Error that the call rejects with. */
export type ScriptedResponse = string | AIMessage | Partial<AIMessage> | Error;
/** What a ScriptedModel says. */
export interface ScriptedModelOptions {
  /** One per call, in order. An Error is thrown; a function gets the call. */
  responses: readonly (
    | ScriptedResponse
    | ((
        messages: BaseMessage[],
        options: CallOptions,
      ) => ScriptedResponse | Promise<ScriptedResponse>)
  )[];
  /** Wait before each word. Default 0. */
  tokenDelayMs?: number;
  /** Start again at the end instead of failing with a RangeError. */
  loop?: boolean;
}
/** A chat model that gives its answers in order, whatever it is asked, and keeps the calls. */
export class ScriptedModel extends BaseChatModelLike {
  constructor(options: ScriptedModelOptions);
  /** The script. */
  readonly responses: readonly unknown[];
  tokenDelayMs: number;
  loop: boolean;
  /** Every call so far, of this model and of its copies. */
  readonly calls: { messages: BaseMessage[]; options: CallOptions }[];
  static lc_name(): string;
}
/** A whole message as a stream would bring it: word by word, then each tool call. */
export function messagePieces(
  message: AIMessage,
  delayMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<AIMessageChunk, void, void>;
