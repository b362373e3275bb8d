// SPDX-License-Identifier: MIT
// Defines ChatWorkersAI, for models on Cloudflare, by a Worker's binding or by HTTP: its options
// and the request. Does not depend on graphs.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import {
  addGiven,
  inWords,
  readFormat,
  readMaxTokens,
  readToolChoice,
  readTools,
} from "../call-options.js";
import { callsOf } from "../message-parts.js";
import { ServiceModel } from "../service-model.js";
import { WorkersAnswer } from "./answer.js";
import { fetchOf } from "./binding.js";
import { faultIn, readFault } from "./faults.js";
import { toWorkersMessages } from "./wire.js";

/** @typedef {import("../service-model.js").Options} Options */
/** @typedef {import("../../messages/base.js").Message} Message */

export { ModelError } from "../model-error.js";

const API = "https://api.cloudflare.com/client/v4/accounts";
/** Stands for the address of a binding. */
const BINDING = "https://workers-ai.binding";
const GATEWAY = "https://gateway.ai.cloudflare.com/v1";
const PROFILE = {
  toolCalling: true,
  toolChoice: true,
  structuredOutput: true,
  imageUrlInputs: false,
  reasoningOutput: true,
};
/** Fields of the request that are options of a call. */
const INPUTS = [
  "temperature",
  "top_p",
  "top_k",
  "seed",
  "stop",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "parallel_tool_calls",
  "reasoning_effort",
  "chat_template_kwargs",
  "response_format",
];
/** Options of AI Gateway that are headers over HTTP. */
const GATEWAY_HEADERS = [
  "cacheKey",
  "cacheTtl",
  "skipCache",
  "collectLog",
  "eventId",
  "metadata",
  "requestTimeoutMs",
  "maxAttempts",
  "retryDelayMs",
  "backoff",
];

/** A chat model of Workers AI. */
export class ChatWorkersAI extends ServiceModel {
  /** @param {import("../../types/models/workers-ai.js").ChatWorkersAIOptions} options */
  constructor(options) {
    const { binding, accountId, apiToken, gateway, sessionAffinity, ...rest } = options ?? {};
    const { runOptions, modelKwargs } = rest;
    const what = "new ChatWorkersAI(options): options";
    checkArgument(
      binding === undefined || typeof binding?.run === "function",
      `${what}.binding must be a binding of Workers AI, such as env.AI`,
    );
    checkArgument(
      accountId === undefined || typeof accountId === "string",
      `${what}.accountId must be a text`,
    );
    checkArgument(
      (binding ?? accountId ?? rest.baseURL) !== undefined,
      `${what} must have a binding, or an accountId and an apiToken`,
    );
    for (const [name, value] of Object.entries({ gateway, runOptions, modelKwargs }))
      checkArgument(value === undefined || isObject(value), `${what}.${name} must be an object`);
    const account = encodeURIComponent(accountId ?? "");
    const address =
      gateway?.id === undefined
        ? `${API}/${account}/ai/run`
        : `${GATEWAY}/${account}/${encodeURIComponent(gateway.id)}/workers-ai`;
    const baseURL = binding === undefined ? (rest.baseURL ?? address) : BINDING;
    super({ ...rest, baseURL, apiKey: apiToken }, { baseURL, profile: PROFILE });
    this.binding = /** @type {import("./binding.js").Binding | undefined} */ (binding);
    this.gateway = gateway;
    this.sessionAffinity = sessionAffinity;
    this.runOptions = runOptions;
  }

  static lc_name() {
    return "ChatWorkersAI";
  }

  _llmType() {
    return "workers_ai";
  }

  /** @param {Message[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    const body = inputsFor(this, messages, options, isStream);
    const gateway = options.gateway ?? this.gateway;
    const session = options.sessionAffinity ?? this.sessionAffinity;
    /** @type {Record<string, string>} */
    const headers = session === undefined ? {} : { "x-session-affinity": String(session) };
    if (this.binding !== undefined) {
      const run = { ...this.runOptions, ...(gateway && { gateway }) };
      return { path: "", body, headers, fetch: fetchOf(this.binding, this.model, run) };
    }
    // As services write it: @cf/meta/llama.
    const path = `/${encodeURIComponent(this.model).replace(/%2F|%40/g, decodeURIComponent)}`;
    return { path, body, headers: { ...headers, ...gatewayHeaders(gateway) } };
  }

  /** @param {Options} options @param {Message[]} messages */
  reader(options, messages) {
    return new WorkersAnswer({
      ...this.callRules(options),
      ids: messages.flatMap(callsOf).map(({ id }) => id),
      mayLeak: isForced(options) ? readTools(options).functions.map(({ name }) => name) : [],
    });
  }

  /** @param {string | Options} body @param {{ status: number, headers: Headers }} [_response] */
  readFault(body, _response) {
    return readFault(body);
  }

  /** @param {Options | undefined} data @param {string} [event] */
  faultIn(data, event) {
    return faultIn(data, event);
  }
}

/** @param {Options} options @returns {boolean} */
function isForced({ tool_choice }) {
  const type = readToolChoice(tool_choice)?.type;
  return type === "any" || type === "tool";
}

/**
 * @param {ChatWorkersAI} model
 * @param {Message[]} messages
 * @param {Options} options
 * @param {boolean} isStream
 */
function inputsFor(model, messages, options, isStream) {
  /** @type {Options} */
  const inputs = {
    messages: toWorkersMessages(messages),
    temperature: model.temperature,
    ...model.modelKwargs,
  };
  addGiven(inputs, options, INPUTS);
  inputs.max_tokens = readMaxTokens(options, model.maxTokens) ?? inputs.max_tokens;
  const format = readFormat(options);
  if (format !== undefined)
    inputs.response_format = { type: "json_schema", json_schema: format.schema };
  const { functions, others } = readTools(options);
  const tools = [...functions.map(wireTool), ...others];
  if (tools.length > 0) inputs.tools = tools;
  if (tools.length > 0 && options.tool_choice !== undefined)
    inputs.tool_choice = choiceOf(options, functions);
  // The service does not stream answers that must have a form.
  if (isStream && inputs.response_format === undefined) inputs.stream = true;
  return inputs;
}

/** @param {import("../call-options.js").FunctionTool} tool */
function wireTool({ name, description, parameters }) {
  return { type: "function", function: { name, description, parameters } };
}

/**
 * "required" is only advice to the service; a name binds it.
 * @param {Options} options @param {{ name: string }[]} functions
 */
function choiceOf({ tool_choice }, functions) {
  const given = /** @type {Options} */ (readToolChoice(tool_choice) ?? {});
  const { type } = given;
  const { name } = type === "any" && functions.length === 1 ? functions[0] : given;
  if (name !== undefined) return { type: "function", function: { name } };
  return type === "any" ? "required" : type;
}

/** @param {Options | undefined} gateway @returns {Record<string, string>} */
function gatewayHeaders(gateway) {
  const { retries, ...rest } = gateway ?? {};
  return Object.fromEntries(
    Object.entries({ ...rest, ...retries })
      .filter(([key, value]) => GATEWAY_HEADERS.includes(key) && value !== undefined)
      .map(([key, value]) => [
        // Times are in ms there too, but without saying so.
        `cf-aig-${inWords(key.replace("Ms", ""), "-")}`,
        isObject(value) ? JSON.stringify(value, withoutBigInt) : String(value),
      ]),
  );
}

/** @param {string} _ @param {unknown} value */
function withoutBigInt(_, value) {
  return typeof value === "bigint" ? String(value) : value;
}
