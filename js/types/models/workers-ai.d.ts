// SPDX-License-Identifier: MIT
// Declares a chat model of Cloudflare's Workers AI, by a Worker's binding or by HTTP.
import { ServiceModel, type ServiceModelOptions } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";
export type { ModelProfile, StructuredModel, StructuredOutputOptions } from "./base.js";

/** A Worker's binding of Workers AI (`env.AI`), by its shape. */
export interface WorkersAIBinding {
  /**
   * Takes the name of a model, its inputs and options; resolves to a stream or an object.
   * @param args name of the model, its inputs, and options such as `gateway`
   */
  run(...args: never[]): unknown;
}

/** How AI Gateway treats a request, as Cloudflare names it. */
export interface WorkersAIGateway {
  /** Name of the gateway. */
  id?: string;
  cacheKey?: string;
  /** Seconds. */
  cacheTtl?: number;
  skipCache?: boolean;
  collectLog?: boolean;
  eventId?: string;
  metadata?: Record<string, number | string | boolean | null | bigint>;
  requestTimeoutMs?: number;
  retries?: {
    maxAttempts?: number;
    retryDelayMs?: number;
    backoff?: "constant" | "linear" | "exponential";
  };
}

/**
 * Options of the model, its service and its requests. A binding gets `headers` as `extraHeaders`.
 */
export interface ChatWorkersAIOptions extends Omit<ServiceModelOptions, "apiKey"> {
  /** Name of the model, such as "@cf/openai/gpt-oss-120b". */
  model: string;
  /** The Worker's binding, `env.AI`. With it nothing is sent over HTTP. */
  binding?: WorkersAIBinding;
  /** Id of the account, for the HTTP API. */
  accountId?: string;
  /** API token for the HTTP API, or a function that returns it before each request. */
  apiToken?: string | (() => string | undefined | Promise<string | undefined>);
  /**
   * Address of the HTTP API without the model, for example what `getUrl("workers-ai")` of a gateway
   * returns. Default: the account's, or that of its gateway.
   */
  baseURL?: string;
  /** AI Gateway for the requests; also an option of a call. */
  gateway?: WorkersAIGateway;
  /**
   * Requests with the same text go to the same machine, where the prompt's beginning may be cached;
   * also an option of a call.
   */
  sessionAffinity?: string;
  temperature?: number;
  maxTokens?: number;
  /** Further options of the binding's `run`: `tags`, `returnRawResponse` … */
  runOptions?: Record<string, any>;
  /** Additional inputs of the model: `reasoning_effort`, `chat_template_kwargs`, `top_p` … */
  modelKwargs?: Record<string, any>;
}

/**
 * A chat model of Workers AI. Calls without an id, or with one that another call has, get one;
 * arguments that are no JSON object become `invalid_tool_calls`. Structured answers do not stream.
 *
 * Codes of a `ModelError` are the service's numbers: "3040" is no capacity (status 429, tried
 * again), "3036" that the account's daily allowance is used up. A message with a block that the
 * service cannot take, such as a picture that is not in the message itself, throws a TypeError.
 * @example
 * ```ts part
 * const llm = new ChatWorkersAI({ binding: env.AI, model: "@cf/openai/gpt-oss-120b" });
 * const { content } = await llm.invoke("What is the capital of France?");
 * ```
 */
export class ChatWorkersAI extends ServiceModel {
  /**
   * @param options the model's name, and a binding or an account with a token
   * @throws BAD_ARGUMENT without a binding or an account
   */
  constructor(options: ChatWorkersAIOptions);
  readonly binding: WorkersAIBinding | undefined;
  readonly gateway: WorkersAIGateway | undefined;
  readonly sessionAffinity: string | undefined;
  readonly runOptions: Record<string, any> | undefined;
  readonly modelKwargs: Record<string, any>;
  static lc_name(): string;
}
