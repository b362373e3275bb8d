// SPDX-License-Identifier: MIT
// Declares what models behind a service's HTTP API share: their options, limits and errors.
import type { AIMessage, AIMessageChunk, BaseMessage } from "../messages/index.js";
import { BaseChatModelLike, type CallOptions, type ModelProfile } from "./base.js";

/** Options of the model, its service and its requests. */
export interface ServiceModelOptions {
  /** The service's name of the model. */
  model: string;
  /** Base URL, including the version. Default: the service's own. */
  baseURL?: string;
  /** API key, or a function that returns it before each request. */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  /** Additional headers of each request, or a function that returns them before each. */
  headers?:
    | Record<string, string>
    | (() => Record<string, string> | Promise<Record<string, string>>);
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
  /**
   * Maximum silence in ms, before the answer and between its parts (`TIMEOUT`). Default 10 minutes;
   * `Infinity`: no limit.
   */
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
  /** What the model can do, where it differs from the service's usual. */
  profile?: ModelProfile;
}

/** Base of models behind a service's HTTP API. */
export class ServiceModel extends BaseChatModelLike {
  readonly model: string;
  readonly baseURL: string;
  /** Returns the headers with the key. An adapter overrides it and the members below. */
  authorize(key: string | undefined): Record<string, string>;
  /** Returns what is sent: the path after `baseURL`, the body, headers that are no secrets. */
  request(
    messages: BaseMessage[],
    options: CallOptions,
    isStream: boolean,
  ): { path: string; body: Record<string, any>; headers?: Record<string, string> };
  /** Returns what joins one answer to these messages. */
  reader(options: CallOptions, messages: BaseMessage[]): AnswerReader;
  /** Returns what a reader needs to know about calls of tools. */
  callRules(options: CallOptions): { maxToolCalls: number; newCallId: () => string };
  /** Reads an error in the service's form; `response` is absent for one inside a stream. */
  readFault(
    body: string | Record<string, any>,
    response?: { status: number; headers: Headers },
  ): ServiceFault;
  /** Returns the error that the data of an event reports, if it is one. */
  faultIn(data: any, event?: string): ServiceFault | undefined;
}

/** Joins one answer of a service. */
export interface AnswerReader {
  /** Adds the data of an event of a stream; returns the addition. */
  add(data: any, event?: string): AIMessageChunk | undefined;
  /** Adds an answer that is not streamed. */
  addWhole(data: any): AIMessageChunk | undefined;
  /** Whether a part of the answer has arrived. */
  readonly hasBegun: boolean;
  /** Whether the stream may end here. */
  readonly isFinished: boolean;
  /** Whether nothing after this is read. */
  readonly isClosed?: boolean;
  /** Whether only an event of its own ends a stream, not `[DONE]`. */
  readonly hasClosingEvent?: boolean;
  message(): AIMessage;
}

/** An error as a service reports it. */
export interface ServiceFault {
  message: string | undefined;
  code: string | undefined;
  /** Whether another attempt may help. Default: by the status. */
  retryable?: boolean;
  retryAfterMs?: number;
  /** HTTP's number of an error inside a stream. */
  status?: number;
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
 * Reports that the service refused, failed or disconnected. `code` is the service's, or one of
 * these.
 */
export class ModelError extends Error {
  /**
   * @param message text for people, which may change: programs go by `code`
   * @param details what is known of the failure; only `code` is required
   * @param details.status HTTP status; undefined if no answer came, or the error came inside a
   *   stream
   * @param details.code the service's name of the error, or one of those above
   * @param details.body the answer's text, as the service sent it
   * @param details.headers headers of the answer, by lower-case names; default: none
   * @param details.retryable whether the same request may succeed later; default false
   * @param details.retryAfterMs how long the service asks to wait, in ms
   * @param details.cause the error below it, of `fetch` for example
   */
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
