// SPDX-License-Identifier: MIT
// Knows: any service that speaks OpenAI's chat completions. Owns: ChatOpenAICompatible, its
// options and the request. Must not know: graphs. The key is kept where nothing prints it.
import { BaseChatModelLike } from "./base.js";
import { ModelError, errorFields, send, withRetries } from "./http.js";
import { Answer } from "./openai-answer.js";
import { toWireMessages, wireToolChoice } from "./openai-wire.js";
import { EventParser } from "./sse.js";

export { ModelError } from "./http.js";

/** @typedef {Record<string, any>} Options */

const REQUEST_FIELDS = ["temperature", "top_p", "stop", "seed", "response_format", "parallel_tool_calls", "presence_penalty", "frequency_penalty", "logit_bias", "max_tokens", "max_completion_tokens", "reasoning_effort", "user", "tools"];

/** A chat model behind any endpoint that speaks OpenAI's chat completions. */
export class ChatOpenAICompatible extends BaseChatModelLike {
  /** @param {Options} options */
  constructor(options) {
    super();
    const { baseURL = "https://api.openai.com/v1", apiKey, model, temperature, maxTokens, headers = {}, fetch, maxRetries = 2, timeout, streamUsage = true, modelKwargs = {} } = options ?? {};
    if (typeof model !== "string" || model === "") throw new TypeError("ChatOpenAICompatible needs a model name");
    if (!URL.canParse(baseURL)) throw new TypeError(`ChatOpenAICompatible: baseURL is no address: ${String(baseURL)}`);
    if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new TypeError("ChatOpenAICompatible: maxRetries must be 0 or more");
    if (timeout !== undefined && !(timeout > 0)) throw new TypeError("ChatOpenAICompatible: timeout must be more than 0 ms");
    this.baseURL = baseURL.replace(/\/+$/, "");
    this.model = model;
    this.temperature = temperature;
    this.maxTokens = maxTokens;
    this.maxRetries = maxRetries;
    this.timeout = timeout;
    this.streamUsage = streamUsage;
    this.modelKwargs = modelKwargs;
    this.fetch = fetch;
    this.requestHeaders = async () => ({ "content-type": "application/json", ...(await authorization(apiKey)), ...headers });
  }

  static lc_name() {
    return "ChatOpenAICompatible";
  }

  _llmType() {
    return "openai";
  }

  /** @param {any[]} messages @param {Options} options @returns {AsyncGenerator<any, any, void>} */
  answer(messages, options) {
    const request = requestFor(this, messages, options, true);
    return withRetries({ maxRetries: options.maxRetries ?? this.maxRetries, signal: options.signal }, () => streamAnswer(send(request)));
  }

  /** @param {any[]} messages @param {Options} options */
  async complete(messages, options) {
    const request = requestFor(this, messages, options, false);
    const pieces = withRetries({ maxRetries: options.maxRetries ?? this.maxRetries, signal: options.signal }, () => wholeAnswer(send(request)));
    const { value } = await pieces.next();
    return value;
  }
}

/** @param {ChatOpenAICompatible} model @param {any[]} messages @param {Options} options @param {boolean} stream */
function requestFor(model, messages, options, stream) {
  return {
    url: `${model.baseURL}/chat/completions`,
    headers: model.requestHeaders,
    body: JSON.stringify(bodyFor(model, messages, options, stream)),
    fetch: model.fetch ?? globalThis.fetch.bind(globalThis),
    timeout: options.timeout ?? model.timeout,
    signal: options.signal,
  };
}

/** @param {ChatOpenAICompatible} model @param {any[]} messages @param {Options} options @param {boolean} stream */
function bodyFor(model, messages, options, stream) {
  /** @type {Options} */
  const body = { model: model.model, messages: toWireMessages(messages), temperature: model.temperature, max_tokens: model.maxTokens, ...model.modelKwargs };
  for (const field of REQUEST_FIELDS) if (options[field] !== undefined) body[field] = options[field];
  if (options.maxTokens !== undefined) body.max_tokens = options.maxTokens;
  if (body.tools?.length === 0) delete body.tools;
  if (body.tools && options.tool_choice !== undefined) body.tool_choice = wireToolChoice(options.tool_choice);
  if (stream) body.stream = true;
  if (stream && model.streamUsage) body.stream_options = { include_usage: true };
  return body;
}

/** @param {any} apiKey @returns {Promise<Record<string, string>>} */
async function authorization(apiKey) {
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  return key ? { authorization: `Bearer ${key}` } : {};
}

/**
 * @param {AsyncGenerator<Response | Uint8Array, void, void>} incoming
 * @returns {AsyncGenerator<any, any, void>}
 */
async function* streamAnswer(incoming) {
  const answer = new Answer();
  const response = /** @type {Response} */ ((await incoming.next()).value);
  // Some services answer a request for a stream with a whole completion.
  if (response.headers.get("content-type")?.includes("application/json")) {
    yield* said(answer, parseData(await readText(incoming)));
    return answer.message();
  }
  let isDone = false;
  for await (const event of events(incoming)) {
    if (event.data === "[DONE]") {
      isDone = true;
      break;
    }
    if (!event.data?.trim()) continue;
    yield* said(answer, parseData(event.data, event.event));
  }
  if (!isDone && !answer.isFinished) throw new ModelError("The model service broke off its answer", { code: "STREAM_CUT", retryable: true });
  return answer.message();
}

/** @param {Answer} answer @param {any} data */
function* said(answer, data) {
  const chunk = answer.add(data);
  if (chunk !== undefined) yield chunk;
}

/**
 * @param {AsyncGenerator<Response | Uint8Array, void, void>} incoming
 * @returns {AsyncGenerator<any, any, void>}
 */
async function* wholeAnswer(incoming) {
  const answer = new Answer();
  const response = (await incoming.next()).value;
  const text = await readText(incoming);
  const data = parseData(text);
  if (!Array.isArray(data?.choices) || data.choices.length === 0) {
    throw new ModelError("The model service's answer has no choices", { status: /** @type {Response} */ (response).status, code: "BAD_ANSWER", body: text.slice(0, 2000) });
  }
  answer.add(data);
  return answer.message();
}

/** @param {AsyncGenerator<any, void, void>} incoming @returns {AsyncGenerator<import("./sse.js").ServerEvent, void, void>} */
async function* events(incoming) {
  const parser = new EventParser();
  for await (const bytes of incoming) yield* parser.push(bytes);
  yield* parser.end();
}

/** @param {AsyncGenerator<any, void, void>} incoming */
async function readText(incoming) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of incoming) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/** @param {string} text @param {string} [event] */
function parseData(text, event) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new ModelError("The model service sent data that is not JSON", { code: "BAD_ANSWER", body: text.slice(0, 2000), cause: error });
  }
  if (event === "error" || (data?.error && !data.choices)) {
    const { message, code } = errorFields(data);
    throw new ModelError(`The model service reported an error: ${message ?? "no reason given"}`, { code: code ?? "STREAM_ERROR", body: text.slice(0, 2000), retryable: code === "server_error" || code === "overloaded_error" });
  }
  return data;
}
