// SPDX-License-Identifier: MIT
// Declares a chat model for OpenAI's Responses API.
import type { CallOptions } from "./base.js";
import { ServiceModel, type ServiceModelOptions } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";
export type { ModelProfile, StructuredModel, StructuredOutputOptions } from "./base.js";

/** How a model reasons, and what it tells of that. */
export interface ReasoningOptions {
  effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Asks for a summary of the reasoning, which comes as blocks of the type "reasoning". */
  summary?: "auto" | "concise" | "detailed";
  [option: string]: unknown;
}

/** Options of the model, its service and its requests. */
export interface ChatOpenAIResponsesOptions extends ServiceModelOptions {
  /** Base URL, including the version. Default "https://api.openai.com/v1". */
  baseURL?: string;
  temperature?: number;
  /** Maximum tokens of an answer, those of its reasoning included. */
  maxTokens?: number;
  reasoning?: ReasoningOptions;
  /** How detailed the answers are. */
  verbosity?: "low" | "medium" | "high";
  /**
   * Whether the service keeps the answers. Default false: each request holds the whole
   * conversation, and reasoning goes back encrypted. With true a request names the last answer that
   * the service kept and holds only what came after it, so changes to earlier messages have no
   * effect.
   */
  store?: boolean;
  /** Additional fields of the request's body. */
  modelKwargs?: Record<string, unknown>;
  /**
   * Name of the service in `response_metadata.model_provider`: ids and encrypted reasoning are sent
   * back to the service of that name alone. Default: "openai" for its own address, else the host of
   * `baseURL`.
   */
  provider?: string;
}

/** Options of a call that only this service has. */
export interface ResponsesCallOptions extends CallOptions {
  reasoning?: ReasoningOptions;
  verbosity?: "low" | "medium" | "high";
  /** Id of a stored answer to continue; the messages are sent as they are given. */
  previous_response_id?: string;
  /** What else the answer shall contain, for example "web_search_call.action.sources". */
  include?: string[];
}

/**
 * A chat model of OpenAI's Responses API. Content is a list of blocks in the order of the answer's
 * items: text with `annotations`, "reasoning", "refusal", "tool_call", "server_tool_call" and its
 * result, "non_standard" for the rest. An approval (`mcp_approval_response`) or what the program
 * did for one of the service's own tools (`shell_call_output`) is a block of a person's message.
 * `stop` is refused, since the service has none.
 */
export class ChatOpenAIResponses extends ServiceModel {
  /**
   * @param options the model's name, the service's address and key, and limits
   * @throws TypeError without the name of a model
   */
  constructor(options: ChatOpenAIResponsesOptions);
  readonly provider: string;
  /** Whether the service keeps the answers. */
  readonly store: boolean;
  static lc_name(): string;
  /**
   * Removes from a structured answer the nulls that strict mode demands for absent properties.
   * `value` is changed in place.
   * @param value the answer, parsed from JSON
   * @param schema JSON Schema that was asked for, before it was made strict
   */
  fitOutput(value: any, schema: Record<string, any>): any;
}
