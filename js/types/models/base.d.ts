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
 * What a model can do and take, as LangChain names it; used to choose how it is asked, for example
 * for structured output.
 */
export interface ModelProfile {
  maxInputTokens?: number;
  maxOutputTokens?: number;
  imageInputs?: boolean;
  imageUrlInputs?: boolean;
  pdfInputs?: boolean;
  audioInputs?: boolean;
  videoInputs?: boolean;
  imageToolMessage?: boolean;
  pdfToolMessage?: boolean;
  reasoningOutput?: boolean;
  imageOutputs?: boolean;
  audioOutputs?: boolean;
  videoOutputs?: boolean;
  /** Whether the model calls tools. */
  toolCalling?: boolean;
  /** Whether a tool can be forced (`tool_choice`). */
  toolChoice?: boolean;
  /** Whether the service makes answers fit a schema. */
  structuredOutput?: boolean;
  /**
   * Whether it does so for requests with tools, too; default: as `structuredOutput`. If false,
   * agents with tools and a `responseFormat` ask for the answer by a tool.
   */
  structuredOutputWithTools?: boolean;
}

/** Options of structured output. */
export interface StructuredOutputOptions {
  /** Name of the schema for the model. Default "extract". */
  name?: string;
  /**
   * How the model is asked. "native": by the service's own structured output; "tool": by a tool
   * with the schema; "text": by words alone; "auto" (default): native if
   * `profile.structuredOutput`, else by a tool unless `profile.toolCalling` is false, else by
   * words. LangChain's names ("jsonSchema", "functionCalling", "jsonMode") work too.
   */
  method?: "auto" | "native" | "tool" | "text" | "jsonSchema" | "functionCalling" | "jsonMode";
  /** Whether to request strict mode; services differ in their demands on such schemas. */
  strict?: boolean;
  /** Returns the message too: `{ raw, parsed }`, `parsed` null if it does not fit. */
  includeRaw?: boolean;
}
/** Asks a model for a value. */
export interface StructuredModel<Output> {
  readonly lc_runnable: true;
  /**
   * @param input text, messages in any form, or LangChain's prompt value
   * @param config options of the call: `signal`, `callbacks`, and those of the service
   */
  invoke(input: ModelInput, config?: CallOptions): Promise<Output>;
}

/**
 * Base of chat models: override `answer`; override `complete` too if the service answers without
 * streaming.
 */
export class BaseChatModelLike {
  /** Default options of every call. */
  kwargs: CallOptions;
  /** The bound tools. */
  boundTools: readonly any[];
  profile: ModelProfile;
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
  /**
   * Returns a model for values that fit the schema (JSON Schema, zod, a Standard Schema). Checks
   * the answer and rejects with a ModelError BAD_ANSWER, with the message as `raw`, if it does not
   * fit.
   */
  withStructuredOutput<Output = any>(
    schema: any,
    options?: StructuredOutputOptions & { includeRaw?: false },
  ): StructuredModel<Output>;
  withStructuredOutput<Output = any>(
    schema: any,
    options: StructuredOutputOptions & { includeRaw: true },
  ): StructuredModel<{ raw: AIMessage; parsed: Output | null }>;
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
