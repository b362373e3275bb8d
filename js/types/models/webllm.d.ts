// SPDX-License-Identifier: MIT
// Declares a chat model of an engine in the tab, with OpenAI's chat completions.
import { ChatTextTools } from "./text-tools.js";
import type { TabModelOptions } from "./tab-model.js";

export { ModelError } from "./tab-model.js";
export type { TabModelOptions } from "./tab-model.js";

/** An engine: WebLLM's, in the page or in a worker, or any other object of this shape. */
export interface EngineLike {
  chat: {
    completions: {
      /** Resolves to a completion, or to its chunks if `stream` is true. */
      create(request: any, options?: any): any;
    };
  };
  /** Stops what the engine writes. */
  interruptGenerate?(): unknown;
}

/** Options of the model and of its requests. */
export interface ChatWebLLMOptions extends TabModelOptions {
  engine: EngineLike;
  /** The engine's name of the model; needed if several are loaded. */
  model?: string;
  temperature?: number;
  maxTokens?: number;
  topP?: number;
  seed?: number;
  /** What goes with each request as `extra_body`, for example `{ enable_thinking: false }`. */
  extraBody?: Record<string, unknown>;
  /**
   * Sends tools as the engine's own. WebLLM has them for its Hermes models alone, and holds each
   * answer to a list of calls, so that an agent never gets its last words. Default false.
   */
  nativeTools?: boolean;
}

/**
 * A chat model of an engine in the tab. Calls to the same engine wait for each other; an abort
 * interrupts the engine. An input that is too long is a ModelError `context_overflow`.
 * @throws TypeError for an engine of another shape
 * @example
 * ```ts part
 * const engine = await CreateMLCEngine("Qwen3-1.7B-q4f16_1-MLC");
 * const llm = new ChatWebLLM({ engine, extraBody: { enable_thinking: false } });
 * const agent = createReactAgent({ llm, tools: [weather] });
 * ```
 */
export class ChatWebLLM extends ChatTextTools {
  /**
   * @param options the engine, and settings of each call
   * @throws BAD_ARGUMENT for an engine of another form
   */
  constructor(options: ChatWebLLMOptions);
  readonly nativeTools: boolean;
  static lc_name(): string;
}
