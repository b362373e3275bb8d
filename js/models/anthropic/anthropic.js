// SPDX-License-Identifier: MIT
// Defines ChatAnthropicMessages, for services with Anthropic's Messages API: its options, the
// request and its headers. Does not depend on graphs.
import { checkArgument, isListOf, isObject } from "../../base/check-arguments.js";
import { toMessages } from "../base.js";
import { addGiven, readFormat, readMaxTokens } from "../call-options.js";
import { ServiceModel } from "../service-model.js";
import { filled } from "../shapes.js";
import { Answer, TokenCount } from "./answer.js";
import { formSchema } from "./schema.js";
import { wireToolChoice, wireTools } from "./tools.js";
import { containerOf, toWire } from "./wire.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../service-model.js").Options} Options */
/** @typedef {import("../../types/models/anthropic.js").ChatAnthropicMessagesOptions} Given */

export { ModelError } from "../model-error.js";

const ANTHROPIC = "https://api.anthropic.com";
const VERSION = "2023-06-01";
/** Marks a call that counts the tokens of its input. */
const COUNT = Symbol("count");
/** Options of a call that are fields of the request under the same name. */
const REQUEST_FIELDS = [
  "temperature",
  "top_p",
  "top_k",
  "thinking",
  "cache_control",
  "service_tier",
  "container",
  "context_management",
  "mcp_servers",
];
const COUNTED = [
  "model",
  "system",
  "messages",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "context_management",
  "mcp_servers",
];
const TOO_LONG = /prompt is too long|exceed context limit/i;
/** Family and version in a model's name: claude-sonnet-4-5-20250929, claude-3-5-haiku. */
const NAME = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;

/** A chat model behind Anthropic's Messages API. */
export class ChatAnthropicMessages extends ServiceModel {
  /** @param {Given} options */
  constructor(options) {
    const family = familyOf(options?.model);
    super(options, {
      baseURL: ANTHROPIC,
      profile: {
        toolCalling: true,
        toolChoice: !isThinking(options?.thinking),
        structuredOutput: family >= 405,
        imageInputs: true,
        imageUrlInputs: true,
        pdfInputs: true,
        imageToolMessage: true,
        pdfToolMessage: true,
      },
    });
    checkOptions(this.getName(), options);
    const { topP, topK, stopSequences, thinking, effort, cache } = options;
    const { version = VERSION, betas = [], provider = "anthropic" } = options;
    this.version = version;
    this.betas = betas;
    this.maxTokens ??= usualTokens(family, thinking);
    this.topP = topP;
    this.topK = topK;
    this.stopSequences = stopSequences;
    this.thinking = thinking;
    this.effort = effort;
    this.cache = cache;
    /** Whose answers get back what only this service understands. @type {string} */
    this.provider = provider;
  }

  // LangChain's name: its middleware for prompt caching looks for it.
  static lc_name() {
    return "ChatAnthropic";
  }

  _llmType() {
    return "anthropic";
  }

  /**
   * Takes tools in Anthropic's form, too.
   * @param {readonly import("../../tools/tool.js").ToolLike[]} tools
   * @param {Options} [options]
   * @returns {this}
   */
  bindTools(tools, options) {
    if (!Array.isArray(tools)) return super.bindTools(tools, options);
    const isOwn = (/** @type {Options} */ tool) =>
      isObject(tool?.input_schema) && tool.type === undefined;
    return super.bindTools(
      tools.map((tool) => (isOwn(tool) ? { type: "custom", ...tool } : tool)),
      options,
    );
  }

  /**
   * Returns the number of tokens of an input, as the service counts them.
   * @param {import("../../types/models/base.js").ModelInput} input
   * @param {import("../../types/models/base.js").CallOptions} [options]
   * @returns {Promise<number>}
   */
  async countTokens(input, options) {
    const asking = { ...this.kwargs, ...options, [COUNT]: true };
    const { usage_metadata } = await this.complete(toMessages(input), asking);
    return usage_metadata.input_tokens;
  }

  /** @param {string | undefined} key @returns {Record<string, string>} */
  authorize(key) {
    return key ? { "x-api-key": key } : {};
  }

  /** @param {Message[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    const body = bodyFor(this, messages, options, isStream);
    const path = /\/v\d+$/.test(this.baseURL) ? "/messages" : "/v1/messages";
    const headers = headersFor(this, options);
    if (!isCount(options)) return { path, body, headers };
    const counted = Object.entries(body).filter(([field]) => COUNTED.includes(field));
    return { path: `${path}/count_tokens`, body: Object.fromEntries(counted), headers };
  }

  /**
   * @param {Options} options
   * @param {Message[]} _messages
   * @returns {import("../service-answer.js").Reader}
   */
  reader(options, _messages) {
    if (isCount(options)) return new TokenCount();
    return new Answer({ ...this.callRules(options), provider: this.provider });
  }

  /** @param {string | Options} body @param {{ status: number, headers: Headers }} [response] */
  readFault(body, response) {
    const { message, code } = super.readFault(body);
    if (TOO_LONG.test(message ?? ""))
      return { message, code: "context_overflow", retryable: false };
    return response?.status === 409 ? { message, code, retryable: true } : { message, code };
  }
}

/** @param {{ [COUNT]?: boolean }} options of a call */
function isCount(options) {
  return options[COUNT] === true;
}

/**
 * Returns the version in a model's name: 405 for 4.5.
 * @param {unknown} model
 * @returns {number} 0 if it has none
 */
function familyOf(model) {
  const [, major = 0, minor = 0] = NAME.exec(String(model)) ?? [];
  return Number(major) * 100 + Number(minor);
}

/**
 * Returns the maximum of tokens for users who set none: more than those for thinking alone.
 * @param {number} family @param {Options} [thinking]
 */
function usualTokens(family, thinking) {
  const usual = family >= 400 ? 16384 : 4096;
  const { budget_tokens = 0 } = thinking ?? {};
  return budget_tokens >= usual ? usual + budget_tokens : usual;
}

/** @param {Given["thinking"]} thinking */
function isThinking(thinking) {
  return thinking !== undefined && thinking?.type !== "disabled";
}

/** @param {string} name of the class @param {Options} given */
function checkOptions(name, { thinking, betas, cache, version, effort, stopSequences, maxTokens }) {
  const what = `new ${name}(options): options`;
  const isTexts = (/** @type {unknown} */ list) =>
    list === undefined || isListOf(list, (item) => typeof item === "string");
  const isText = (/** @type {unknown} */ text) => text === undefined || typeof text === "string";
  checkArgument(thinking === undefined || isObject(thinking), `${what}.thinking must be an object`);
  checkArgument(isTexts(betas), `${what}.betas must be a list of texts`);
  checkArgument(isTexts(stopSequences), `${what}.stopSequences must be a list of texts`);
  checkArgument(isText(version), `${what}.version must be a text`);
  checkArgument(isText(effort), `${what}.effort must be a text`);
  checkArgument(
    maxTokens === undefined || (Number.isInteger(maxTokens) && maxTokens >= 0),
    `${what}.maxTokens must be a whole number from 0 on`,
  );
  checkArgument(
    cache === undefined || typeof cache === "boolean" || isObject(cache),
    `${what}.cache must be true, false or { ttl }`,
  );
}

/** @param {ChatAnthropicMessages} model @param {Options} options */
function headersFor(model, options) {
  const betas = [...new Set([...model.betas, ...(options.betas ?? [])])];
  return {
    "anthropic-version": model.version,
    ...(betas.length > 0 ? { "anthropic-beta": betas.join(",") } : {}),
    // Without it the service answers no page, nor a worker of one; both have a location.
    ...(globalThis.location === undefined
      ? {}
      : { "anthropic-dangerous-direct-browser-access": "true" }),
  };
}

/**
 * @param {ChatAnthropicMessages} model
 * @param {Message[]} messages
 * @param {Options} options
 * @param {boolean} stream
 */
function bodyFor(model, messages, options, stream) {
  const { system, turns } = toWire(messages, model.provider, model.baseURL.startsWith(ANTHROPIC));
  const tools = wireTools(options);
  const { cache } = model;
  const stop = options.stop ?? options.stop_sequences ?? model.stopSequences;
  /** @type {Options} */
  const body = {
    model: model.model,
    max_tokens: readMaxTokens(options, model.maxTokens),
    system,
    messages: turns,
    temperature: model.temperature,
    top_p: model.topP,
    top_k: model.topK,
    thinking: model.thinking,
    stop_sequences: typeof stop === "string" ? [stop] : stop,
    cache_control: cache ? { type: "ephemeral", ...(cache === true ? {} : cache) } : undefined,
    ...model.modelKwargs,
  };
  addGiven(body, options, REQUEST_FIELDS);
  const id = containerOf(messages, model.provider);
  // The user's own names a container, or says what one shall have.
  if (id !== undefined && typeof body.container !== "string")
    body.container = isObject(body.container) ? { id, ...body.container } : id;
  const output = outputConfig(body, model, options);
  if (output !== undefined) body.output_config = output;
  if (tools.length > 0) {
    body.tools = tools;
    body.tool_choice = wireToolChoice(options);
  }
  if (stream) body.stream = true;
  return body;
}

/** @param {Options} body @param {ChatAnthropicMessages} model @param {Options} options */
function outputConfig(body, model, options) {
  const format = readFormat(options);
  const effort = options.effort ?? model.effort;
  return filled({
    ...body.output_config,
    ...options.output_config,
    ...(effort === undefined ? {} : { effort }),
    ...(format && { format: { type: "json_schema", schema: formSchema(format.schema) } }),
  });
}
