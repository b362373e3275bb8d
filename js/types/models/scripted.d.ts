// SPDX-License-Identifier: MIT
// Declares a chat model that plays a script, for tests of agents.
import type { AIMessage, AIMessageChunk, BaseMessage } from "../messages/index.js";
import { BaseChatModelLike, type CallOptions, type ModelProfile } from "./base.js";

/** One answer: a text, a message or its fields, or an Error that the call rejects with. */
export type ScriptedResponse = string | AIMessage | Partial<AIMessage> | Error;
/** Options of a ScriptedModel. */
export interface ScriptedModelOptions {
  /** Answers, one per call, in order. An Error is thrown; a function receives the call. */
  responses: readonly (
    | ScriptedResponse
    | ((
        messages: BaseMessage[],
        options: CallOptions,
      ) => ScriptedResponse | Promise<ScriptedResponse>)
  )[];
  /** Delay before each word in ms. Default 0. */
  tokenDelayMs?: number;
  /** Whether to start again at the end instead of failing with a RangeError. */
  loop?: boolean;
  /** What the model shall count as able to do. */
  profile?: ModelProfile;
}
/** A chat model that returns its answers in order, whatever its input, and records the calls. */
export class ScriptedModel extends BaseChatModelLike {
  /**
   * @param options the answers, and how fast they come
   * @throws TypeError without a list of responses
   */
  constructor(options: ScriptedModelOptions);
  /** The script. */
  readonly responses: readonly unknown[];
  tokenDelayMs: number;
  loop: boolean;
  /** All calls so far, of this model and its copies. */
  readonly calls: { messages: BaseMessage[]; options: CallOptions }[];
  static lc_name(): string;
}
/**
 * Yields a whole message as a stream would: word by word, then each tool call.
 * @param message whole message; its text is cut behind each word, a call of a tool is one piece
 * @param delayMs delay before each word, in ms
 * @param signal aborts the delays
 * @throws BAD_ARGUMENT for a message that is no AIMessage or a delay that is no number, an
 *   AbortError once the signal is aborted
 * @example
 * ```ts
 * import { AIMessage } from "weftgraph";
 * import { messagePieces } from "weftgraph/models/scripted";
 *
 * for await (const piece of messagePieces(new AIMessage("Good morning"), 0, undefined))
 *   if (piece.content !== "") console.log(JSON.stringify(piece.content));
 * ```
 * ```text
 * "Good"
 * " morning"
 * ```
 */
export function messagePieces(
  message: AIMessage,
  delayMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<AIMessageChunk, void, void>;
