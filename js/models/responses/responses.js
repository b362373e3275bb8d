// SPDX-License-Identifier: MIT
// Defines ChatOpenAIResponses, for OpenAI's Responses and services with the same API: its options,
// the request, the errors. Does not depend on graphs.
import { readFormat, readMaxTokens, readToolChoice, readTools } from "../call-options.js";
import { errorFields } from "../http.js";
import { nextCallId } from "../ids.js";
import { ServiceModel } from "../service-model.js";
import { ResponseAnswer } from "./answer.js";
import { strictSchema, withoutNulls } from "./strict-schema.js";
import { toInput } from "./wire.js";

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
const PLAIN_MODELS = /\bgpt-[34]/;
const TOO_LONG = /context_length_exceeded|context window|maximum context length/i;
const PASSING = ["server_error", "rate_limit_exceeded", "overloaded_error", "slow_down"];
const WAIT = /try again in (\d+(?:\.\d+)?) ?(ms|s)\b/;

/** A chat model behind OpenAI's Responses. */
export class ChatOpenAIResponses extends ServiceModel {
  /** @param {Given} options */
  constructor(options) {
    const reasons = !PLAIN_MODELS.test(String(options?.model));
    super(options, {
      baseURL: OPENAI,
      profile: { structuredOutput: true, toolCalling: true, reasoningOutput: reasons },
    });
    const { temperature, maxTokens, reasoning, verbosity, store = false, provider } = options;
    this.temperature = temperature;
    this.maxTokens = maxTokens;
    this.reasoning = reasoning;
    this.verbosity = verbosity;
    this.store = store === true;
    this.modelKwargs = options.modelKwargs ?? {};
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

  /** @param {Options} options */
  reader(options) {
    const { functions, others } = readTools(options);
    const strict = functions.filter((tool) => tool.strict && strictSchema(tool.parameters));
    return new ResponseAnswer({
      maxToolCalls: this.limits.maxToolCalls,
      provider: this.provider,
      newCallId: () => nextCallId(options),
      toolNames: new Set([...functions, ...others].map((tool) => tool.name)),
      strictTools: new Map(strict.map((tool) => [tool.name, tool.parameters])),
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
    const response = type === "response.failed" ? (data.response ?? {}) : data;
    const isError = type === "error" || type === "response.failed" || response?.status === "failed";
    if (!isError && !response?.error) return undefined;
    const error = type === "error" ? data : (response.error ?? { code: "failed" });
    const fault = this.readFault(typeof error === "string" ? { message: error } : error);
    const retryable = PASSING.includes(fault.code ?? "");
    const wait = WAIT.exec(fault.message ?? "");
    const retryAfterMs = wait === null ? undefined : Number(wait[1]) * (wait[2] === "s" ? 1000 : 1);
    return { ...fault, retryable, retryAfterMs };
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
  const { store, provider, modelKwargs } = model;
  const { functions, others } = readTools(options);
  const tools = [...functions.map(wireTool), ...others];
  const include = [
    ...(store || model.profile.reasoningOutput === false ? [] : [ENCRYPTED]),
    ...(options.include ?? []),
  ];
  if (options.stop?.length > 0)
    throw new TypeError("The Responses API has no stop sequences (`stop`)");
  /** @type {Options} */
  const body = {
    model: model.model,
    store,
    ...toInput(messages, { provider, store }, options.previous_response_id),
    temperature: model.temperature,
    max_output_tokens: readMaxTokens(options, model.maxTokens),
    reasoning: reasoningOf(model, options),
    text: textOptions(model, options),
    ...modelKwargs,
  };
  if (include.length > 0) body.include = include;
  for (const field of REQUEST_FIELDS)
    if (options[field] !== undefined) body[field] = options[field];
  if (tools.length > 0) {
    const { tool_choice } = options;
    body.tools = tools;
    if (tool_choice !== undefined) body.tool_choice = wireToolChoice(tool_choice);
  }
  if (stream) Object.assign(body, { stream, stream_options: { include_obfuscation: false } });
  return body;
}

/** @param {import("../call-options.js").FunctionTool} tool */
function wireTool({ name, description, parameters, strict }) {
  const made = strict ? strictSchema(parameters) : undefined;
  return {
    type: "function",
    name,
    description,
    parameters: made ?? parameters,
    strict: made !== undefined,
  };
}

/** @param {ChatOpenAIResponses} model @param {Options} options */
function reasoningOf(model, { reasoning, reasoning_effort }) {
  const effort = reasoning_effort === undefined ? {} : { effort: reasoning_effort };
  const all = { ...model.reasoning, ...effort, ...reasoning };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** @param {ChatOpenAIResponses} model @param {Options} options */
function textOptions(model, options) {
  const { verbosity = model.verbosity, response_format } = options;
  const format = readFormat(options);
  /** @type {Options} */
  const text = {};
  if (format !== undefined) {
    const { name, schema, description, strict } = format;
    const made = strict === false ? undefined : strictSchema(schema);
    text.format = {
      type: "json_schema",
      name,
      description,
      schema: made ?? schema,
      strict: made !== undefined,
    };
  } else if (response_format !== undefined) text.format = response_format;
  if (verbosity !== undefined) text.verbosity = verbosity;
  return Object.keys(text).length > 0 ? text : undefined;
}

/** @param {Options} choice */
function wireToolChoice(choice) {
  // What only this API has: allowed_tools, its own tools.
  if (typeof choice?.type === "string" && !["function", "tool", "any"].includes(choice.type))
    return choice;
  const read = readToolChoice(choice);
  if (read?.type === "tool") return { type: "function", name: read.name };
  return read?.type === "any" ? "required" : read?.type;
}
