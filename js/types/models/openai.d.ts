// SPDX-License-Identifier: MIT
// Declares a chat model for any endpoint with OpenAI's chat completions.
import type { AIMessage } from "../messages/index.js";
import { BaseChatModelLike, type CallOptions, type ModelInput } from "./base.js";

/** Options of the model, its service and its requests. */
export interface ChatOpenAICompatibleOptions {
  /** The service's name of the model. */
  model: string;
  /** Base URL, including the version. Default "https://api.openai.com/v1". */
  baseURL?: string;
  /** API key, or a function that returns it before each request. */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  temperature?: number;
  maxTokens?: number;
  /** Additional headers of each request. */
  headers?: Record<string, string>;
  /** Replaces the global fetch. */
  fetch?: typeof globalThis.fetch;
  /**
   * Maximum number of retries, on 408, 429, 5xx and lost connections, until the first token. Waits
   * as Retry-After says (in seconds, or an HTTP date), else 0.5, 1, 2 ... 8 s minus up to a
   * quarter. Default 2.
   */
  maxRetries?: number;
  /** Maximum Retry-After in ms to wait for; a longer one is an error at once. Default 30,000. */
  maxRetryAfterMs?: number;
  /** Called and awaited before each retry; its errors end the call. */
  onRetry?: (retry: ModelRetry) => unknown;
  /** Maximum silence in ms, before the answer and between its parts. Default: no limit. */
  timeout?: number;
  /** Maximum time in ms from a request to the end of its answer (`TIMEOUT`). Default: an hour. */
  maxDurationMs?: number;
  /** Maximum bytes of one answer, decompressed (`TOO_LARGE`). Default 128 MiB. */
  maxResponseBytes?: number;
  /**
   * Maximum characters of one event of a stream, or of an answer that is not streamed
   * (`TOO_LARGE`). Default 16 Mi.
   */
  maxEventLength?: number;
  /** Maximum tool calls of one answer (`TOO_LARGE`). Default 1,024. */
  maxToolCalls?: number;
  /**
   * Origins besides that of `baseURL` to which redirects are followed; they receive the
   * conversation, but neither `apiKey` nor `headers`. Default: none, such a redirect is an error
   * (`REDIRECT`).
   */
  redirectOrigins?: string[];
  /** Whether to request token counts of streamed answers. Default true; some services refuse it. */
  streamUsage?: boolean;
  /** Additional fields of the request's body. */
  modelKwargs?: Record<string, unknown>;
}

/** A failed attempt, and the delay before the next one. */
export interface ModelRetry {
  /** Number of the retry, from 1. */
  attempt: number;
  delayMs: number;
  /** Error of the failed attempt. */
  error: ModelError;
}

/**
 * A chat model of an OpenAI-compatible service. Tool calls whose arguments are no JSON object
 * become `invalid_tool_calls` with unchanged text. A call without an id gets one.
 */
export class ChatOpenAICompatible extends BaseChatModelLike {
  constructor(options: ChatOpenAICompatibleOptions);
  readonly model: string;
  readonly baseURL: string;
  /**
   * Returns a model for values that fit the schema (JSON Schema, zod, a Standard Schema), by
   * `response_format`; checks its answer and rejects with ModelError BAD_ANSWER if it does not fit.
   * The service and the model must support `response_format`'s `json_schema`.
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

/** Options of structured output. */
export interface StructuredOutputOptions {
  /** Name of the schema for the model. Default "extract". */
  name?: string;
  method?: "jsonSchema";
  /** Whether to request strict mode; services differ in their demands on such schemas. */
  strict?: boolean;
  /** Returns the message too: `{ raw, parsed }`, `parsed` null if it does not fit. */
  includeRaw?: boolean;
}
/** Asks a model for a value. */
export interface StructuredModel<Output> {
  readonly lc_runnable: true;
  invoke(input: ModelInput, config?: CallOptions): Promise<Output>;
}

/**
 * Reports that the service refused, failed or disconnected. `code` is the service's, or one of
 * these.
 */
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
  /** HTTP status, if there was a response. */
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
  /** Beginning of the service's response, without values of the request's headers. */
  body?: string;
  headers: Record<string, string>;
  /** Whether another attempt may help, after those of `maxRetries`. */
  retryable: boolean;
  retryAfterMs?: number;
}
