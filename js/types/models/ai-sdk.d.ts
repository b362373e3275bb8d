// SPDX-License-Identifier: MIT
// Declares chat models made of the AI SDK's language models, by their shape.
import { BaseChatModelLike, type ModelProfile } from "./base.js";
import type { ModelRetry } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";

/** A language model of a provider of the AI SDK: the specifications v2, v3 and v4. */
export interface AISDKModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  /** Addresses that the model takes itself, by media type. */
  readonly supportedUrls?: any;
  readonly supportsStructuredOutputs?: boolean;
  /**
   * @param options the AI SDK's call options: `prompt`, `tools`, `responseFormat`, `abortSignal` …
   */
  doGenerate(options: any): PromiseLike<any>;
  /**
   * @param options the AI SDK's call options: `prompt`, `tools`, `responseFormat`, `abortSignal` …
   */
  doStream(options: any): PromiseLike<any>;
}

/** Options of the chat model. */
export interface FromAISDKOptions {
  /** Options of every call, as the AI SDK names them: `temperature`, `maxOutputTokens` … */
  settings?: Record<string, any>;
  /** Options for the provider, by its name. A call's `providerOptions` are added to them. */
  providerOptions?: Record<string, Record<string, any>>;
  /** What the model can do, where it differs from what its provider says. */
  profile?: ModelProfile;
  /** Maximum number of retries of errors that the provider marks so. Default 2. */
  maxRetries?: number;
  /** Maximum Retry-After in ms to wait for. Default 30,000. */
  maxRetryAfterMs?: number;
  /**
   * Called and awaited before each retry; its errors end the call.
   * @param retry number of the retry, the wait before it in ms, and the error
   */
  onRetry?: (retry: ModelRetry) => unknown;
  /**
   * Maximum silence in ms, before the answer and between its parts (`TIMEOUT`). Default 10 minutes;
   * `Infinity`: no limit.
   */
  timeout?: number;
  /** Maximum time in ms of a call (`TIMEOUT`). Default: an hour. */
  maxDurationMs?: number;
  /**
   * Loads files whose address the model cannot take itself. Default: the global fetch.
   * @param input address of the file, with http or https
   * @param init `signal` alone, which is aborted with the call
   */
  fetch?: typeof globalThis.fetch;
  /** Maximum bytes of such a file. Default 32 MiB. */
  maxFileBytes?: number;
  /** Maximum tool calls of one answer (`TOO_LARGE`). Default 1,024. */
  maxToolCalls?: number;
}

/**
 * A chat model of a provider of the AI SDK.
 * @example
 * ```ts
 * import { ChatAISDK, fromAISDK, isSDKModel } from "weftgraph/models/ai-sdk";
 *
 * const model = {
 *   specificationVersion: "v3" as const,
 *   provider: "own",
 *   modelId: "hello",
 *   supportedUrls: {},
 *   doGenerate: async () => ({
 *     content: [{ type: "text" as const, text: "Hello" }],
 *     finishReason: { unified: "stop" as const, raw: "stop" },
 *     usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
 *     warnings: [],
 *   }),
 *   doStream: async (): Promise<never> => {
 *     throw new Error("This model does not stream.");
 *   },
 * };
 * console.log(isSDKModel(model), fromAISDK(model as any) instanceof ChatAISDK);
 * console.log((await fromAISDK(model as any).invoke("Hi")).content);
 * ```
 * ```text
 * true true
 * Hello
 * ```
 */
export class ChatAISDK extends BaseChatModelLike {
  /**
   * @param model language model of the AI SDK, specification v2, v3 or v4
   * @param options settings of each call, retries and limits; by default 2 retries and an hour
   * @throws BAD_ARGUMENT for what is no language model, or settings of another form
   */
  constructor(model: AISDKModel, options?: FromAISDKOptions);
  /** The provider's name of the model. */
  get model(): string;
  readonly sdkModel: AISDKModel;
  static lc_name(): string;
  /**
   * Removes from a structured answer the nulls that a provider's strict mode demands for absent
   * properties. `value` is changed in place.
   * @param value the answer, parsed from JSON
   * @param schema JSON Schema that was asked for, before it was made strict
   */
  fitOutput(value: unknown, schema: Record<string, unknown>): unknown;
}

/**
 * Makes a chat model of a language model of the AI SDK. Agents do so by themselves.
 * @param model of a provider of the AI SDK
 * @param options settings of each call
 * @returns the chat model, with `invoke`, `stream` and `bindTools`
 * @throws BAD_ARGUMENT for what is no language model
 */
export function fromAISDK(model: AISDKModel, options?: FromAISDKOptions): ChatAISDK;
/**
 * Checks for a language model of the AI SDK, by its shape.
 * @param given any value; a model's name as text gives false
 */
export function isSDKModel(given: unknown): given is AISDKModel;
