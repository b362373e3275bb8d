// SPDX-License-Identifier: MIT
// Declares tools for a model that has none: it writes its calls as text.
import type { AISDKModel } from "./ai-sdk.js";
import { BaseChatModelLike } from "./base.js";

export { ModelError } from "./service-model.js";

/** How the model is asked for tool calls, and their number. */
export interface ToolsByTextOptions {
  /**
   * "constrained": each answer is one JSON object, to which the model's service is held by a JSON
   * Schema (`response_format`). "fenced": the model is told to write its calls between marks in its
   * text. Default: constrained if `profile.structuredOutput` of the model is true, else fenced.
   */
  style?: "constrained" | "fenced";
  /** Maximum tool calls of one answer (ModelError `TOO_LARGE`). Default 1,024. */
  maxToolCalls?: number;
}

/**
 * A chat model that writes its tool calls as text. A call that names no tool, or cannot be read, is
 * in `invalid_tool_calls` with the text as the model wrote it.
 * @example
 * ```ts
 * import { ScriptedModel } from "weftgraph/models/scripted";
 * import { ChatTextTools, toolsByText } from "weftgraph/models/text-tools";
 *
 * const llm = toolsByText(new ScriptedModel({ responses: ["Hello"] }), { style: "fenced" });
 * console.log(llm instanceof ChatTextTools, llm.style);
 * ```
 * ```text
 * true fenced
 * ```
 */
export class ChatTextTools extends BaseChatModelLike {
  /**
   * @param model the model that is asked: one of this package or of the AI SDK
   * @param options how it is asked, and most calls of one answer (1,024); by default constrained if
   *   the model has structured output, else fenced
   * @throws BAD_ARGUMENT for what is no model, or unknown options
   */
  constructor(model: BaseChatModelLike | AISDKModel, options?: ToolsByTextOptions);
  /** The service's name of the model. */
  get model(): string | undefined;
  /** The model that is asked. */
  readonly inner: BaseChatModelLike;
  readonly style: "constrained" | "fenced";
  readonly maxToolCalls: number;
  static lc_name(): string;
}

/**
 * Gives tools to a model that has none.
 * @param model a chat model of this package, or one of the AI SDK
 * @param options how calls are written, and how many a message may have
 * @returns a new chat model, whose `inner` is the given one
 * @throws BAD_ARGUMENT for what is no model, or an unknown or wrong option
 * @example
 * ```ts
 * import { tool } from "weftgraph";
 * import { ScriptedModel } from "weftgraph/models/scripted";
 * import { toolsByText } from "weftgraph/models/text-tools";
 *
 * // A model that knows no tool calls, and writes one as text.
 * const small = new ScriptedModel({
 *   responses: ['<tool_call>{"name": "weather", "arguments": {"city": "Rome"}}</tool_call>'],
 * });
 * const weather = tool(() => "sun", {
 *   name: "weather",
 *   schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
 * });
 * const llm = toolsByText(small, { style: "fenced" }).bindTools([weather]);
 * const { tool_calls } = await llm.invoke("How is the weather in Rome?");
 * console.log(tool_calls.map(({ name, args }) => ({ name, args })));
 * ```
 * ```text
 * [ { name: 'weather', args: { city: 'Rome' } } ]
 * ```
 */
export function toolsByText(
  model: BaseChatModelLike | AISDKModel,
  options?: ToolsByTextOptions,
): ChatTextTools;
