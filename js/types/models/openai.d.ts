// SPDX-License-Identifier: MIT
// A chat model behind any endpoint that speaks OpenAI's chat completions.
import type { AIMessage } from "../messages/index.js";
import { BaseChatModelLike, type CallOptions, type ModelInput } from "./base.js";

/** Which model of which service, and how it is asked. */
export interface ChatOpenAICompatibleOptions {
  /** The service's name of the model. */
  model: string;
  /** Up to and including the version. Default "https://api.openai.com/v1". */
  baseURL?: string;
  /** Or a function that gives it, asked before each request. */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  temperature?: number;
  maxTokens?: number;
  /** More headers of each request. */
  headers?: Record<string, string>;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch;
  /**
   * Tries after the first, on 408, 429, 5xx and lost connections, until the first token.
   * Waits as Retry-After says (in seconds, or a date of HTTP), else 0.5, 1, 2 ... 8 s less up
   * to a quarter. Default 2.
   */
  maxRetries?: number;
  /**
   * The longest Retry-After in ms that is waited for; a longer one is an error at once. Default
   * 30,000.
   */
  maxRetryAfterMs?: number;
  /** Told before each wait for another try, and waited for; what it throws ends the call. */
  onRetry?: (retry: ModelRetry) => unknown;
  /** Longest silence in ms, before the answer and between its pieces. Default: no limit. */
  timeout?: number;
  /**
   * Longest time in ms from a request to the end of its answer, however much comes (`TIMEOUT`).
   * Default: an hour.
   */
  maxDurationMs?: number;
  /** Most bytes of one answer, unpacked (`TOO_LARGE`). Default 128 MiB. */
  maxResponseBytes?: number;
  /**
   * Most characters of one event of a stream, or of an answer that is not streamed (`TOO_LARGE`).
   * Default 16 Mi.
   */
  maxEventLength?: number;
  /** Most tool calls of one answer (`TOO_LARGE`). Default 1,024. */
  maxToolCalls?: number;
  /**
   * Origins besides that of `baseURL` to which redirects are followed; they get the conversation,
   * but neither `apiKey` nor `headers`. Default: none, such a redirect is an error (`REDIRECT`).
   */
  redirectOrigins?: string[];
  /** Ask for token counts of streamed answers. Default true; some services refuse to. */
  streamUsage?: boolean;
  /** More fields of the request's body. */
  modelKwargs?: Record<string, unknown>;
}

/** A try that failed, and when the next one begins. */
export interface ModelRetry {
  /** 1 before the second try. */
  attempt: number;
  delayMs: number;
  /** Why the last one failed. */
  error: ModelError;
}

/**
 * Tool calls whose arguments are no JSON object come as `invalid_tool_calls`, text unchanged. A
 * call that the service gave no id gets one.
 */
export class ChatOpenAICompatible extends BaseChatModelLike {
  constructor(options: ChatOpenAICompatibleOptions);
  readonly model: string;
  readonly baseURL: string;
  /**
   * What asks the model for a value that fits the schema (JSON Schema, zod, a Standard Schema), by
   * `response_format`, and checks its answer: ModelError BAD_ANSWER where it does not fit. The
   * service and the model must know `response_format`'s `json_schema`.
   */
  withStructuredOutput<Output = any>(
    schema: any,
    options?: StructuredOutputOptions & { includeRaw?: false },
  ): StructuredModel<Output>;
  withStructuredOutput<Output = any>(
    schema: any,
    options: StructuredOutputOptions & { includeRaw: true },
  ): StructuredModel<{ raw: AIMessage; parsed: Output | null }>;
  static lc_name(): string;
}

/** How a structured answer is asked for. */
export interface StructuredOutputOptions {
  /** Of the schema, as the model is told. Default "extract". */
  name?: string;
  method?: "jsonSchema";
  /** Services differ in what they demand of a schema that is strict. */
  strict?: boolean;
  /** With the message: `{ raw, parsed }`, `parsed` null where it does not fit. */
  includeRaw?: boolean;
}
/** What asks a model for a value. */
export interface StructuredModel<Output> {
  readonly lc_runnable: true;
  invoke(input: ModelInput, config?: CallOptions): Promise<Output>;
}

/** The service refused, failed or broke off. `code` is the service's, or one of these. */
export class ModelError extends Error {
  constructor(
    message: string,
    details: {
      status?: number;
      code: string;
      body?: string;
      headers?: Record<string, string>;
      retryable?: boolean;
      retryAfterMs?: number;
      cause?: unknown;
    },
  );
  /** The HTTP status, where there was an answer. */
  status?: number;
  code:
    | "NETWORK"
    | "TIMEOUT"
    | "STREAM_CUT"
    | "STREAM_ERROR"
    | "BAD_ANSWER"
    | "TOO_LARGE"
    | "REDIRECT"
    | (string & {});
  /** The beginning of what the service answered; what the request's headers hold is left out. */
  body?: string;
  headers: Record<string, string>;
  /** Whether another attempt may help; those of `maxRetries` have been made. */
  retryable: boolean;
  retryAfterMs?: number;
}
