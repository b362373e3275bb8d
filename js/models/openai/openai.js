// SPDX-License-Identifier: MIT
// Defines ChatOpenAICompatible, for any service with OpenAI's chat completions: its options and the
// request. Does not depend on graphs.
import { addGiven, readFormat, readMaxTokens } from "../call-options.js";
import { ServiceModel } from "../service-model.js";
import { CustomAnswer, withCustomCalls } from "./custom.js";
import { withMedia } from "./media.js";
import { idsFor, serviceAt } from "./services.js";
import { toWireMessages } from "./wire.js";
import { wireFormat, wireTool, wireToolChoice } from "./tools.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */

export { ModelError } from "../model-error.js";

/** @typedef {Record<string, Value>} Options */

const OPENAI = "https://api.openai.com/v1";

const REQUEST_FIELDS = [
  "temperature",
  "top_p",
  "stop",
  "seed",
  "response_format",
  "parallel_tool_calls",
  "presence_penalty",
  "frequency_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "modalities",
  "audio",
  "prediction",
  "prompt_cache_key",
  "safety_identifier",
  "service_tier",
  "verbosity",
  "reasoning_effort",
  "user",
  "tools",
];

/** OpenAI's models that refuse `max_tokens`, by that name. */
const REASONS = /^(?:o\d|gpt-[5-9])/;

/** A chat model behind any endpoint with OpenAI's chat completions. */
export class ChatOpenAICompatible extends ServiceModel {
  /** @param {Options} options */
  constructor(options) {
    super(options, { baseURL: OPENAI, profile: { structuredOutput: true, toolCalling: true } });
    this.service = serviceAt(this.baseURL);
    this.profile = { ...this.service.profile, ...this.profile };
    const { streamUsage = true, provider } = options;
    this.streamUsage = streamUsage;
    /** Whose answers get back what only this service understands. @type {string} */
    this.provider = provider ?? (this.baseURL === OPENAI ? "openai" : new URL(this.baseURL).host);
  }

  static lc_name() {
    return "ChatOpenAICompatible";
  }

  _llmType() {
    return "openai";
  }

  /** @param {Value[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    return { path: "/chat/completions", body: bodyFor(this, messages, options, isStream) };
  }

  /**
   * Returns the error that an answer reports, also beside its choices or in one of them.
   * @param {Options | undefined} data @param {string} [event]
   */
  faultIn(data, event) {
    const [choice] = Array.isArray(data?.choices) ? data.choices : [];
    const error = data?.error || choice?.error || data?.x_groq?.error || refusalIn(data);
    const isFault = event === "error" || data?.object === "error";
    if (!error && !isFault && choice?.finish_reason !== "error") return undefined;
    // The model's own service may say why, as a gateway names it.
    const told = isFault ? (data ?? {}) : { message: choice?.native_finish_reason };
    const fault = this.readFault(error ? { error } : told);
    const number = String(error?.status_code ?? fault.code);
    return /^[45]\d\d$/.test(number) ? { ...fault, status: Number(number) } : fault;
  }

  /** @param {Options} options @param {Message[]} _messages */
  reader(options, _messages) {
    return new CustomAnswer({ ...this.callRules(options), provider: this.provider });
  }
}

/**
 * Reads how MiniMax refuses, in a good response.
 * @param {Options | null | undefined} data
 */
function refusalIn(data) {
  const told = data?.base_resp;
  return told?.status_code
    ? {
        message: told.status_msg,
        code: told.status_code,
        status_code: told.status_code === 1002 ? 429 : undefined,
      }
    : undefined;
}

/**
 * @param {ChatOpenAICompatible} model
 * @param {Value[]} messages
 * @param {Options} options
 * @param {boolean} stream
 */
function bodyFor(model, messages, options, stream) {
  const { modelKwargs, service } = model;
  const { imageInputs = true, audioInputs = service.hears?.test(model.model) ?? true } =
    model.profile;
  const takes = { image: imageInputs, audio: audioInputs };
  const shown = withMedia(messages, takes, service.isAnswered);
  /** @type {Options} */
  const body = {
    model: model.model,
    messages: withCustomCalls(
      toWireMessages(shown, {
        provider: model.provider,
        model: model.model,
        service,
        idOf: idsFor(service),
      }),
    ),
    temperature: model.temperature,
    ...modelKwargs,
  };
  addGiven(body, options, REQUEST_FIELDS);
  addLimit(body, model, options);
  const format = readFormat(body);
  if (format !== undefined) body.response_format = wireFormat(format, body.response_format);
  if (body.tools?.length === 0) delete body.tools;
  body.tools = body.tools?.map(wireTool);
  if (!body.tools) delete body.parallel_tool_calls;
  if (body.tools && options.tool_choice !== undefined)
    body.tool_choice = wireToolChoice(options.tool_choice, body.tools);
  if (stream) body.stream = true;
  if (stream && model.streamUsage && service.hasStreamOptions !== false)
    body.stream_options = { include_usage: true };
  return body;
}

/**
 * Sets the one limit of tokens: that of the call, else of the fields for the service, else the
 * model's.
 * @param {Options} body @param {ChatOpenAICompatible} model @param {Options} options
 */
function addLimit(body, { model, maxTokens }, options) {
  const own = options.max_completion_tokens ?? body.max_completion_tokens;
  const most = readMaxTokens(options, readMaxTokens(body, maxTokens));
  delete body.max_tokens;
  delete body.max_completion_tokens;
  const name = REASONS.test(model) || own !== undefined ? "max_completion_tokens" : "max_tokens";
  if (most !== undefined) body[name] = most;
}
