// SPDX-License-Identifier: MIT
// A chat model behind any endpoint that speaks OpenAI's chat completions.
import { BaseChatModelLike } from "./base.js";

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
   * Waits as Retry-After says (more than a minute: not at all), else 0.5, 1, 2 ... 8 s less up
   * to a quarter. Default 2.
   */
  maxRetries?: number;
  /** Longest silence in ms, before the answer and between its pieces. Default: no limit. */
  timeout?: number;
  /** Ask for token counts of streamed answers. Default true; some services refuse to. */
  streamUsage?: boolean;
  /** More fields of the request's body. */
  modelKwargs?: Record<string, unknown>;
}

/**
 * Tool calls whose arguments are no JSON object come as `invalid_tool_calls`, text unchanged. A
 * call that the service gave no id gets one.
 */
export class ChatOpenAICompatible extends BaseChatModelLike {
  constructor(options: ChatOpenAICompatibleOptions);
  readonly model: string;
  readonly baseURL: string;
  static lc_name(): string;
}

/** The service refused, failed or broke off. `code` is the service's, or one of these. */
export class ModelError extends Error {
  /** The HTTP status, where there was an answer. */
  status?: number;
  code: "NETWORK" | "TIMEOUT" | "STREAM_CUT" | "STREAM_ERROR" | "BAD_ANSWER" | (string & {});
  /** The beginning of what the service answered. */
  body?: string;
  headers: Record<string, string>;
  /** Whether another attempt may help; those of `maxRetries` have been made. */
  retryable: boolean;
  retryAfterMs?: number;
}
