// SPDX-License-Identifier: MIT
// Declares the base of this package's chat models, with LangChain's interface.
import type { AIMessage, AIMessageChunk, BaseMessage, BaseMessageLike } from "../messages/index.js";

/** Options of a model's call: LangChain's config, and fields for the service. */
export interface CallOptions {
  /** Aborts the call, which then rejects with an AbortError. */
  signal?: AbortSignal;
  /**
   * Handlers in LangChain's format, or a callback manager; receive start, tokens, end and errors.
   */
  callbacks?: any;
  tags?: string[];
  metadata?: Record<string, unknown>;
  runId?: string;
  runName?: string;
  /** false: never stream for a callback. */
  streaming?: boolean;
  configurable?: Record<string, any>;
  /** How the model chooses among its tools: "auto", "any", "none", or a tool's name. */
  tool_choice?: string | object;
  [option: string]: any;
}
/** Input of a model: a text, messages in any form, or LangChain's prompt value. */
export type ModelInput = string | BaseMessageLike[] | { toChatMessages(): BaseMessage[] };

/**
 * Base of chat models: override `answer`; override `complete` too if the service answers without
 * streaming.
 */
export class BaseChatModelLike {
  /** Default options of every call. */
  kwargs: CallOptions;
  /** The bound tools. */
  boundTools: readonly any[];
  get lc_runnable(): true;
  get lc_namespace(): string[];
  getName(): string;
  _modelType(): string;
  _llmType(): string;
  /** Yields the parts of the answer; returns the whole message. */
  answer(
    messages: BaseMessage[],
    options: CallOptions,
  ): AsyncGenerator<AIMessageChunk, AIMessage, void>;
  /** Returns the whole message; by default through `answer`. */
  complete(messages: BaseMessage[], options: CallOptions): Promise<AIMessage>;
  /** Returns a copy of this model that offers these tools. */
  bindTools(tools: readonly any[], options?: CallOptions): this;
  /** Returns a copy of this model with this default config. */
  withConfig(config: CallOptions): this;
  /** Returns the answer; streams internally if a callback wants tokens. */
  invoke(input: ModelInput, config?: CallOptions): Promise<AIMessage>;
  /** Yields the parts of the answer as they arrive. */
  stream(input: ModelInput, config?: CallOptions): AsyncGenerator<AIMessageChunk, void, void>;
  /** Calls the model for all inputs at the same time; rejects with the first failure. */
  batch(inputs: ModelInput[], config?: CallOptions): Promise<AIMessage[]>;
  toJSON(): { lc: number; type: string; id: string[] };
}

/** Returns the messages of a model's input. Throws TypeError for any other value. */
export function toMessages(input: unknown): BaseMessage[];
/**
 * Resolves after `ms`; rejects with abortError when the signal aborts first.
 * @param ms milliseconds
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
/** Makes the error of an aborted call: named AbortError, with the signal's reason as its cause. */
export function abortError(signal: AbortSignal): Error;
