// SPDX-License-Identifier: MIT
// What the chat models of this package have in common; in the shape of LangChain's.
import type { AIMessage, AIMessageChunk, BaseMessage, BaseMessageLike } from "../messages/index.js";

/** What a call of a model may say: LangChain's config, and what goes to the service. */
export interface CallOptions {
  /** Aborts the call, which then rejects with an AbortError. */
  signal?: AbortSignal;
  /** Handlers in LangChain's shape, or a callback manager; told of start, tokens, end, errors. */
  callbacks?: any;
  tags?: string[];
  metadata?: Record<string, unknown>;
  runId?: string;
  runName?: string;
  /** false: never stream on behalf of a callback. */
  streaming?: boolean;
  configurable?: Record<string, any>;
  /** How the model chooses among its tools: "auto", "any", "none", or a tool's name. */
  tool_choice?: string | object;
  [option: string]: any;
}
/** What a model takes: a text, messages in any form, or LangChain's prompt value. */
export type ModelInput = string | BaseMessageLike[] | { toChatMessages(): BaseMessage[] };

/** Override `answer`; override `complete` too when there is a way that does not stream. */
export class BaseChatModelLike {
  /** Options that every call starts from. */
  kwargs: CallOptions;
  /** The tools, as they were bound. */
  boundTools: readonly any[];
  get lc_runnable(): true;
  get lc_namespace(): string[];
  getName(): string;
  _modelType(): string;
  _llmType(): string;
  /** Pieces of the answer; returns the whole message. */
  answer(
    messages: BaseMessage[],
    options: CallOptions,
  ): AsyncGenerator<AIMessageChunk, AIMessage, void>;
  /** The whole message at once; by default what `answer` gives. */
  complete(messages: BaseMessage[], options: CallOptions): Promise<AIMessage>;
  /** A copy of this model that offers these tools. */
  bindTools(tools: readonly any[], options?: CallOptions): this;
  /** A copy of this model whose calls start from this config. */
  withConfig(config: CallOptions): this;
  /** Streams behind the scenes when a callback wants tokens. */
  invoke(input: ModelInput, config?: CallOptions): Promise<AIMessage>;
  /** The answer in pieces, as they come. */
  stream(input: ModelInput, config?: CallOptions): AsyncGenerator<AIMessageChunk, void, void>;
  /** All at the same time; rejects with the first failure. */
  batch(inputs: ModelInput[], config?: CallOptions): Promise<AIMessage[]>;
  toJSON(): { lc: number; type: string; id: string[] };
}

/** The messages of a model's input. TypeError for what is none. */
export function toMessages(input: unknown): BaseMessage[];
/** Resolves after `ms`; rejects with abortError when the signal comes first. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
/** The error of an aborted call: always named AbortError, with the signal's reason as its cause. */
export function abortError(signal: AbortSignal): Error;
