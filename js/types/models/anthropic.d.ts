// SPDX-License-Identifier: MIT
// Declares a chat model for services with Anthropic's Messages API.
import type { CallOptions, ModelInput } from "./base.js";
import { ServiceModel, type ServiceModelOptions } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";
export type { ModelProfile, StructuredModel, StructuredOutputOptions } from "./base.js";

/** Options of the model, its service and its requests. */
export interface ChatAnthropicMessagesOptions extends ServiceModelOptions {
  /** Address without the path, or up to "/v1". Default "https://api.anthropic.com". */
  baseURL?: string;
  /**
   * API key (`x-api-key`), or a function that returns it before each request. For a token use
   * `headers: { authorization: "Bearer …" }`.
   */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  /** Version of the API (`anthropic-version`). Default "2023-06-01". */
  version?: string;
  /** Names of features that the service tries out (`anthropic-beta`); a call's are added. */
  betas?: string[];
  /**
   * Maximum tokens of an answer. Default 16,384 from Claude 4 on, else 4,096, besides a larger
   * `budget_tokens` of `thinking`; 0 only fills the cache.
   */
  maxTokens?: number;
  /** How the model thinks; with it the service refuses to force a tool. Default: its own. */
  thinking?:
    | { type: "adaptive"; display?: "summarized" | "omitted" }
    | { type: "enabled"; budget_tokens: number; display?: "summarized" | "omitted" }
    | { type: "disabled" | "between_tools" };
  /** How thoroughly the model works. Default: the service's. */
  effort?: "low" | "medium" | "high" | "xhigh" | "max" | (string & {});
  /**
   * Whether the service keeps what each request begins with, so that the next one costs less:
   * true for five minutes, `{ ttl: "1h" }` for an hour. Marks in messages (`cache_control` of a
   * block) are passed on in any case. Default false.
   */
  cache?: boolean | { ttl: "5m" | "1h" };
  /** Sent only if set: newer models refuse each but 1. */
  temperature?: number;
  topP?: number;
  /** Sent only if set: newer models refuse it. */
  topK?: number;
  /** Texts at which the model stops. A call's `stop` replaces them. */
  stopSequences?: string[];
  /** Additional fields of the request's body, for example `{ metadata: { user_id } }`. */
  modelKwargs?: Record<string, unknown>;
  /**
   * Name of the service in `response_metadata.model_provider`: signatures of reasoning and what
   * the service's own tools did are sent back to the service of that name alone. Default
   * "anthropic"; give another service with this API another name.
   */
  provider?: string;
}

/**
 * A chat model of Anthropic's Messages API. The content of an answer is a text, or blocks in
 * Anthropic's form if there is more: reasoning with its signature, calls, citations, what the
 * service's own tools did.
 *
 *     const llm = new ChatAnthropicMessages({ apiKey, model: "claude-sonnet-5", cache: true });
 *     const { text, usage_metadata } = await llm.invoke("Hello");
 */
export class ChatAnthropicMessages extends ServiceModel {
  /**
   * Throws TypeError for options of a wrong type.
   * @param options the model's name, the key, and limits
   * @throws TypeError without the name of a model
   */
  constructor(options: ChatAnthropicMessagesOptions);
  readonly version: string;
  readonly provider: string;
  /** "ChatAnthropic", by which LangChain's middleware knows the model. */
  static lc_name(): string;
  /**
   * Returns the number of tokens of an input, with the model's tools, as the service counts them.
   * @param input a text, messages or a prompt value
   * @param options of a call
   * @returns the number; rejects with a ModelError as calls do
   */
  countTokens(input: ModelInput, options?: CallOptions): Promise<number>;
}
