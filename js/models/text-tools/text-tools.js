// SPDX-License-Identifier: MIT
// Gives tools to a model that has none: it is told of them in its text and writes its calls as
// text, which become tool calls. Does not depend on the model's service.
import { checkArgument } from "../../base/check-arguments.js";
import { BaseChatModelLike } from "../base.js";
import { readFormat, readToolChoice, readTools } from "../call-options.js";
import { nextCallId } from "../ids.js";
import { adaptSDKModel } from "../sdk-models.js";
import { WrittenCalls } from "./calls.js";
import { FenceReader } from "./fences.js";
import { ObjectReader } from "./object.js";
import { callsSchema, toPlainMessages } from "./prompt.js";
import { WrittenAnswer } from "./written-answer.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/index.js").AIMessage} AIMessage */
/** @typedef {import("../../messages/index.js").AIMessageChunk} AIMessageChunk */
/** @typedef {import("../base.js").Options} Options */
/** @typedef {import("../../types/models/ai-sdk.js").AISDKModel} SDKModel */

export { ModelError } from "../model-error.js";

const STYLES = ["constrained", "fenced"];
const MOST_CALLS = 1024;

/**
 * Gives tools to a model that has none.
 * @param {BaseChatModelLike | SDKModel} model
 * @param {{ style?: "constrained" | "fenced", maxToolCalls?: number }} [options]
 */
export function toolsByText(model, options) {
  return new ChatTextTools(model, options);
}

/** A chat model that writes its tool calls as text. */
export class ChatTextTools extends BaseChatModelLike {
  /**
   * @param {BaseChatModelLike | SDKModel} given
   * @param {{ style?: "constrained" | "fenced", maxToolCalls?: number }} [options]
   */
  constructor(given, options) {
    super();
    const model = /** @type {BaseChatModelLike} */ (adaptSDKModel(given));
    const isModel = typeof model?.answer === "function" && typeof model.complete === "function";
    checkArgument(isModel, "toolsByText(model): model must be a chat model of this package");
    for (const name of Object.keys(options ?? {}))
      checkArgument(
        name === "style" || name === "maxToolCalls",
        `toolsByText(model, options): there is no option ${name}`,
      );
    const usual = model.profile?.structuredOutput ? "constrained" : "fenced";
    const { style = usual, maxToolCalls = MOST_CALLS } = options ?? {};
    checkArgument(
      STYLES.includes(style),
      'toolsByText(model, options): options.style must be "constrained" or "fenced"',
    );
    checkArgument(
      Number.isInteger(maxToolCalls) && maxToolCalls > 0,
      "toolsByText(model, options): options.maxToolCalls must be a whole number above 0",
    );
    this.inner = model;
    this.style = style;
    this.maxToolCalls = maxToolCalls;
    this.profile = { ...model.profile, toolCalling: true, toolChoice: true };
  }

  static lc_name() {
    return "ChatTextTools";
  }

  /** The service's name of the model. */
  get model() {
    return /** @type {{ model?: string }} */ (/** @type {unknown} */ (this.inner)).model;
  }

  /**
   * @param {BaseMessage[]} messages
   * @param {Options} options
   * @returns {AsyncGenerator<AIMessageChunk, AIMessage, void>}
   */
  answer(messages, options) {
    const { plain, asked, answer } = requestOf(this, messages, options);
    const pieces = this.inner.answer(plain, asked);
    return answer === undefined ? pieces : readPieces(pieces, answer);
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  async complete(messages, options) {
    const { plain, asked, answer } = requestOf(this, messages, options);
    const message = await this.inner.complete(plain, asked);
    if (answer === undefined) return message;
    answer.add(message);
    answer.end();
    return answer.message(message);
  }
}

/**
 * @param {ReturnType<BaseChatModelLike["answer"]>} pieces of the model
 * @param {WrittenAnswer} answer
 * @returns {AsyncGenerator<AIMessageChunk, AIMessage, void>}
 */
async function* readPieces(pieces, answer) {
  try {
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) {
        const last = answer.end();
        if (last !== undefined) yield last;
        return answer.message(value);
      }
      const chunk = answer.add(value);
      if (chunk !== undefined) yield chunk;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/**
 * Returns what the model is asked, and what reads its answer, if that may have calls.
 * @param {ChatTextTools} model @param {BaseMessage[]} messages @param {Options} options
 */
function requestOf({ inner, style, maxToolCalls }, messages, options) {
  const { tools, tool_choice, ...asked } = { ...inner.kwargs, ...options };
  const { functions, others } = readTools({ tools });
  const choice = readToolChoice(tool_choice);
  const offered = choice?.type === "none" ? [] : functions;
  const isObject = style === "constrained" && offered.length > 0;
  const manner = { style, tools: offered, choice, isObject, profile: inner.profile };
  const format = readFormat(asked);
  if (others.length > 0) asked.tools = others;
  if (isObject) {
    const schema = callsSchema(manner, format?.schema ?? { type: "string" });
    asked.response_format = { type: "json_schema", json_schema: { name: "reply", schema } };
  } else if (offered.length > 0 && format !== undefined)
    throw new TypeError(
      'toolsByText(model, { style: "fenced" }): a call with tools cannot have response_format',
    );
  const plain = toPlainMessages(messages, manner);
  if (offered.length === 0) return { plain, asked };
  const calls = new WrittenCalls({
    names: offered.map(({ name }) => name),
    most: maxToolCalls,
    newId: () => nextCallId(options),
  });
  const Reader = isObject ? ObjectReader : FenceReader;
  return { plain, asked, answer: new WrittenAnswer(new Reader(calls), calls) };
}
