// SPDX-License-Identifier: MIT
// Declares a chat model of Google's Gemini API and of Vertex AI.
import { ServiceModel, type ServiceModelOptions } from "./service-model.js";

export { ModelError, type ModelRetry } from "./service-model.js";
export type { ModelProfile, StructuredModel, StructuredOutputOptions } from "./base.js";

/** How a model thinks, as Gemini names it. */
export interface GeminiThinkingConfig {
  /** Whether summaries of its thoughts come, as blocks of the type "reasoning". */
  includeThoughts?: boolean;
  /** For Gemini 3 and later. */
  thinkingLevel?: "MINIMAL" | "LOW" | "MEDIUM" | "HIGH" | (string & {});
  /** Maximum tokens of thoughts, for Gemini 2.5. */
  thinkingBudget?: number;
}

/** Options of the model, its service and its requests. */
export interface ChatGeminiOptions extends ServiceModelOptions {
  /**
   * Name of the model: "gemini-3-pro-preview", or a path such as "tunedModels/mine" or Vertex AI's
   * "projects/p/locations/l/publishers/google/models/gemini-3-pro-preview".
   */
  model: string;
  /**
   * Address of the service, with or without the version. Default
   * "https://generativelanguage.googleapis.com".
   */
  baseURL?: string;
  /** Version that is added to an address without one. Default "v1beta"; "" adds none. */
  apiVersion?: string;
  temperature?: number;
  topP?: number;
  topK?: number;
  maxTokens?: number;
  seed?: number;
  stop?: string[];
  thinkingConfig?: GeminiThinkingConfig;
  /** What answers consist of, for models that make pictures: `["TEXT", "IMAGE"]`. */
  responseModalities?: string[];
  /**
   * Whether arguments of calls are asked for in pieces; pieces that come are read in any case.
   * Default false. Vertex AI alone can do it.
   */
  streamArguments?: boolean;
  /**
   * Additional fields of the request's body: `safetySettings`, `cachedContent`, Google's own
   * `tools` (`[{ googleSearch: {} }]`) … Those of `generationConfig` and `toolConfig` are joined
   * with the model's, `tools` with the bound ones.
   */
  modelKwargs?: Record<string, any>;
}

/**
 * A chat model of Gemini. What Gemini needs back stays in its messages: `thoughtSignature` of a
 * block, `extras` of a call. It goes back to Gemini alone; calls of other models are sent with
 * Gemini's mark for a missing signature. Arguments that are no JSON object become
 * `invalid_tool_calls`. A call without an id gets one.
 *
 * A prompt that is blocked is a `ModelError` with the code "PROMPT_BLOCKED", one that is too long
 * "context_overflow"; other codes are Google's ("RESOURCE_EXHAUSTED"). A call whose message holds a
 * block that Gemini cannot take, or a tool whose name it refuses, throws a TypeError.
 * @example
 * ```ts part
 * const llm = new ChatGemini({ model: "gemini-3-pro-preview", apiKey });
 * const { content } = await llm.invoke("What is the capital of France?");
 * ```
 */
export class ChatGemini extends ServiceModel {
  /**
   * @param options the model's name, the key, and limits
   * @throws TypeError without the name of a model
   */
  constructor(options: ChatGeminiOptions);
  readonly apiVersion: string;
  readonly modelKwargs: Record<string, any>;
  static lc_name(): string;
}
