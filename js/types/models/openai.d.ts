// SPDX-License-Identifier: MIT
// Declares a chat model for any endpoint with OpenAI's chat completions.
import { ServiceModel, type ServiceModelOptions } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";
export type { ModelProfile, StructuredModel, StructuredOutputOptions } from "./base.js";

/** Options of the model, its service and its requests. */
export interface ChatOpenAICompatibleOptions extends ServiceModelOptions {
  /** Base URL, including the version. Default "https://api.openai.com/v1". */
  baseURL?: string;
  temperature?: number;
  maxTokens?: number;
  /** Whether to request token counts of streamed answers. Default true; some services refuse it. */
  streamUsage?: boolean;
  /** Additional fields of the request's body. */
  modelKwargs?: Record<string, unknown>;
  /**
   * Name of the service in `response_metadata.model_provider`: what only one service understands
   * (signatures of calls, reasoning) is sent back to the service of that name alone. Default:
   * "openai" for its own address, else the host of `baseURL`.
   */
  provider?: string;
}

/**
 * A chat model of an OpenAI-compatible service. Tool calls whose arguments are no JSON object
 * become `invalid_tool_calls` with unchanged text. A call without an id gets one.
 */
export class ChatOpenAICompatible extends ServiceModel {
  /**
   * @param options the model's name, the service's address and key, and limits
   * @throws TypeError without the name of a model
   */
  constructor(options: ChatOpenAICompatibleOptions);
  readonly provider: string;
  static lc_name(): string;
}
