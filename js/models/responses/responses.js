// SPDX-License-Identifier: MIT
// Defines ChatOpenAIResponses, for OpenAI's Responses and services with the same API: its options,
// the request, the errors. Does not depend on graphs.
import { readFormat, readMaxTokens, readToolChoice, readTools } from "../call-options.js";
import { errorFields } from "../http.js";
import { ServiceModel } from "../service-model.js";
import { filled } from "../shapes.js";
import { ResponseAnswer } from "./answer.js";
import { strictSchema, withoutNulls } from "../openai/strict-schema.js";
import { XAI, toInput } from "./wire.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../answer-parts.js").Fields} Options */
/** @typedef {import("../../types/models/responses.js").ChatOpenAIResponsesOptions} Given */

export { ModelError } from "../model-error.js";

const OPENAI = "https://api.openai.com/v1";
const ENCRYPTED = "reasoning.encrypted_content";
const REQUEST_FIELDS = [
  "temperature",
  "top_p",
  "top_logprobs",
  "parallel_tool_calls",
  "max_tool_calls",
  "prompt_cache_key",
  "safety_identifier",
  "service_tier",
  "truncation",
];
/** Models that do not reason, and refuse to be asked for it. */
const PLAIN_MODELS = /gpt-([34]|5-chat)/;
const USUAL_CHOICES = /^(function|tool|any|auto|none|required)$/;
const TOO_LONG = /context.(length|window)/i;
const WAIT = /try again in ([\d.]+) ?(ms|s)\b/;

/** A chat model behind OpenAI's Responses. */
export class ChatOpenAIResponses extends ServiceModel {
  /** @param {Given} options */
  constructor(options) {
    const reasoningOutput = !PLAIN_MODELS.test(String(options?.model));
    super(options, {
      baseURL: OPENAI,
      profile: { structuredOutput: true, toolCalling: true, reasoningOutput },
    });
    const { reasoning, verbosity, store, provider } = options;
    this.reasoning = reasoning;
    this.verbosity = verbosity;
    this.store = store === true;
    /** Whose answers get back what only this service understands. @type {string} */
    this.provider = provider ?? (this.baseURL === OPENAI ? "openai" : new URL(this.baseURL).host);
  }

  static lc_name() {
    return "ChatOpenAIResponses";
  }

  _llmType() {
    return "openai";
  }

  /** @param {Message[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    return { path: "/responses", body: bodyFor(this, messages, options, isStream) };
  }

  /** @param {Options} options @param {Message[]} _messages */
  reader(options, _messages) {
    const { functions, others } = readTools(options);
    const strict = functions.filter((tool) => tool.strict && strictSchema(tool.parameters));
    return new ResponseAnswer({
      ...this.callRules(options),
      provider: this.provider,
      names: new Set([...functions, ...others].map((tool) => tool.name)),
      hasOwn: others.some((tool) => tool.name === undefined),
      schemas: new Map(strict.map((tool) => [tool.name, tool.parameters])),
    });
  }

  /** @param {string | Options} body @param {{ status: number, headers: Headers }} [_response] */
  readFault(body, _response) {
    const { message, code } = errorFields(body);
    const isTooLong = TOO_LONG.test(`${code} ${message}`);
    return { message, code: isTooLong ? "context_overflow" : code };
  }

  /** @param {Options} data @param {string} [event] */
  faultIn(data, event) {
    const type = data?.type ?? event;
    const isError = type === "error";
    const told = type === "response.failed" ? { status: "failed", ...data.response } : data;
    if (!isError && told?.status !== "failed" && !told?.error) return undefined;
    const fault = this.readFault({ code: "failed", ...told });
    const [, wait, unit] = WAIT.exec(fault.message ?? "") ?? [];
    return { ...fault, retryAfterMs: wait ? Number(wait) * (unit === "s" ? 1000 : 1) : undefined };
  }

  /** @param {unknown} value @param {Options} schema */
  fitOutput(value, schema) {
    return withoutNulls(value, schema);
  }
}

/**
 * @param {ChatOpenAIResponses} model
 * @param {Message[]} messages
 * @param {Options} options
 * @param {boolean} stream
 */
function bodyFor(model, messages, options, stream) {
  /** @type {Options} */
  const { store, modelKwargs } = model;
  const { functions, others } = readTools(options);
  const tools = [...functions.map(wireTool), ...others];
  const include = [
    store || model.profile.reasoningOutput === false ? [] : ENCRYPTED,
    modelKwargs.include ?? [],
    options.include ?? [],
  ].flat();
  if (options.stop?.length > 0)
    throw new TypeError("The Responses API has no stop sequences (`stop`)");
  /** @type {Options} */
  const body = {
    model: model.model,
    store,
    ...toInput(messages, model, options.previous_response_id),
    temperature: model.temperature,
    max_output_tokens: readMaxTokens(options, model.maxTokens),
    reasoning: reasoningOf(model, options),
    text: textOptions(model, options),
    ...modelKwargs,
  };
  if (include.length > 0) body.include = include;
  for (const field of REQUEST_FIELDS) body[field] = options[field] ?? body[field];
  if (tools.length > 0) {
    body.tools = tools;
    body.tool_choice = wireToolChoice(options.tool_choice, others);
  }
  if (stream) body.stream = stream;
  if (stream && model.provider !== XAI) body.stream_options = { include_obfuscation: false };
  return body;
}

/** @param {import("../call-options.js").FunctionTool} tool */
function wireTool({ parameters: given, strict: isAsked, extras, ...rest }) {
  const { schema: parameters, strict } = closed(given, isAsked === true);
  return { type: "function", defer_loading: extras?.defer_loading, ...rest, parameters, strict };
}

/**
 * Returns the schema as strict mode demands it, if that is asked for and can be.
 * @param {Options} schema @param {boolean} isAsked
 */
function closed(schema, isAsked) {
  const made = isAsked ? strictSchema(schema) : undefined;
  return { schema: made ?? schema, strict: made !== undefined };
}

/** @param {ChatOpenAIResponses} model @param {Options} options */
function reasoningOf(model, { reasoning, reasoning_effort }) {
  const effort = reasoning_effort && { effort: reasoning_effort };
  return filled({ ...model.reasoning, ...effort, ...reasoning });
}

/** @param {ChatOpenAIResponses} model @param {Options} options */
function textOptions(model, options) {
  const { verbosity = model.verbosity, response_format } = options;
  const given = readFormat(options);
  const format = given
    ? { type: "json_schema", ...given, ...closed(given.schema, given.strict !== false) }
    : response_format;
  return filled({ format, verbosity });
}

/** @param {Options} choice @param {Options[]} others tools that are no functions of the program */
function wireToolChoice(choice, others) {
  // What only this API has: allowed_tools, its own tools.
  if (choice?.type && !USUAL_CHOICES.test(choice.type)) return choice;
  const { type, name } = /** @type {Options} */ (readToolChoice(choice) ?? {});
  if (type !== "tool") return type === "any" ? "required" : type;
  const isNamed = (/** @type {Options} */ tool) => tool.name === name || tool.type === name;
  const own = others.find(isNamed) ?? { type: "function", name };
  return { type: own.type, name: own.name };
}
