// SPDX-License-Identifier: MIT
// What the chat models of this package have in common; in the shape of LangChain's.
import type { AIMessage, AIMessageChunk, BaseMessage, BaseMessageLike } from "../messages/index.js";

export interface CallOptions {
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
  answer(messages: BaseMessage[], options: CallOptions): AsyncGenerator<AIMessageChunk, AIMessage, void>;
  complete(messages: BaseMessage[], options: CallOptions): Promise<AIMessage>;
  /** A copy of this model that offers these tools. */
  bindTools(tools: readonly any[], options?: CallOptions): this;
  /** A copy of this model whose calls start from this config. */
  withConfig(config: CallOptions): this;
  /** Streams behind the scenes when a callback wants tokens. */
  invoke(input: ModelInput, config?: CallOptions): Promise<AIMessage>;
  stream(input: ModelInput, config?: CallOptions): AsyncGenerator<AIMessageChunk, void, void>;
  batch(inputs: ModelInput[], config?: CallOptions): Promise<AIMessage[]>;
  toJSON(): { lc: number; type: string; id: string[] };
}

export function toMessages(input: unknown): BaseMessage[];
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
export function abortError(signal: AbortSignal): Error;
