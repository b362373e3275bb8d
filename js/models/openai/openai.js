// SPDX-License-Identifier: MIT
// Defines ChatOpenAICompatible, for any service with OpenAI's chat completions: its options and the
// request. The key is kept where nothing prints it. Does not depend on graphs.
import { checkArgument } from "../../base/check-arguments.js";
import { BaseChatModelLike } from "../base.js";
import { errorFields, send, withRetries } from "../http.js";
import { Answer, Unexpected } from "./answer.js";
import { toWireMessages, wireToolChoice } from "./wire.js";
import { readOrigins } from "../redirects.js";
import { EventParser } from "../sse.js";
import { structuredOutput } from "../structured-output.js";

/** @typedef {import("../../base/callable.js").Value} Value */

export { ModelError } from "../model-error.js";

/** @typedef {Record<string, Value>} Options */
/** @typedef {import("../http.js").Arrival} Arrival */
/** @typedef {AsyncGenerator<Arrival | Uint8Array, void, void>} Incoming */

/** Default limits of an answer, and of the wait that a service may request. */
const LIMITS = {
  maxResponseBytes: 2 ** 27,
  maxEventLength: 2 ** 24,
  maxToolCalls: 1024,
  maxDurationMs: 3_600_000,
  maxRetryAfterMs: 30_000,
};

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
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "user",
  "tools",
];

/** A chat model behind any endpoint with OpenAI's chat completions. */
export class ChatOpenAICompatible extends BaseChatModelLike {
  /** @param {Options} options */
  constructor(options) {
    super();
    const {
      baseURL = "https://api.openai.com/v1",
      apiKey,
      model,
      temperature,
      maxTokens,
      headers = {},
      fetch,
      maxRetries = 2,
      timeout,
      streamUsage = true,
      modelKwargs = {},
      redirectOrigins,
      onRetry,
      ...rest
    } = options ?? {};
    if (typeof model !== "string" || model === "")
      throw new TypeError("ChatOpenAICompatible needs a model name");
    checkArgument(
      typeof baseURL === "string",
      "new ChatOpenAICompatible(options): options.baseURL must be a text",
    );
    checkArgument(
      apiKey === undefined ||
        apiKey === null ||
        typeof apiKey === "string" ||
        typeof apiKey === "function",
      "new ChatOpenAICompatible(options): options.apiKey must be a text or a function",
    );
    checkArgument(
      fetch === undefined || fetch === null || typeof fetch === "function",
      "new ChatOpenAICompatible(options): options.fetch must be a function",
    );
    checkArgument(
      timeout === undefined || typeof timeout === "number",
      "new ChatOpenAICompatible(options): options.timeout must be a number of ms",
    );
    if (!URL.canParse(baseURL))
      throw new TypeError(`ChatOpenAICompatible: baseURL is no address: ${baseURL}`);
    if (!Number.isInteger(maxRetries) || maxRetries < 0)
      throw new TypeError("ChatOpenAICompatible: maxRetries must be 0 or more");
    if (timeout !== undefined && !(timeout > 0))
      throw new TypeError("ChatOpenAICompatible: timeout must be more than 0 ms");
    if (onRetry !== undefined && typeof onRetry !== "function")
      throw new TypeError("ChatOpenAICompatible: onRetry must be a function");
    this.limits = Object.fromEntries(
      Object.entries(LIMITS).map(([name, usual]) => [name, limitFrom(name, rest[name] ?? usual)]),
    );
    this.redirectOrigins = readOrigins(redirectOrigins);
    this.onRetry = onRetry;
    this.baseURL = baseURL.replace(/\/+$/, "");
    this.model = model;
    this.temperature = temperature;
    this.maxTokens = maxTokens;
    this.maxRetries = maxRetries;
    this.timeout = timeout;
    this.streamUsage = streamUsage;
    this.modelKwargs = modelKwargs;
    this.fetch = fetch;
    this.requestHeaders = async () => ({ ...(await authorization(apiKey)), ...headers });
  }

  static lc_name() {
    return "ChatOpenAICompatible";
  }

  _llmType() {
    return "openai";
  }

  /**
   * Returns a Runnable that asks this model for a value that fits a schema.
   * @param {Value} schema
   * @param {Options} [options]
   */
  withStructuredOutput(schema, options) {
    return structuredOutput(this, schema, options);
  }

  /**
   * @param {unknown[]} messages
   * @param {Options} options
   * @returns {AsyncGenerator<Value, Value, void>}
   */
  answer(messages, options) {
    const request = requestFor(this, messages, options, true);
    return withRetries(patienceOf(this, options), () => streamAnswer(send(request), this.limits));
  }

  /** @param {unknown[]} messages @param {Options} options */
  async complete(messages, options) {
    const request = requestFor(this, messages, options, false);
    const pieces = withRetries(patienceOf(this, options), () =>
      wholeAnswer(send(request), this.limits),
    );
    const { value } = await pieces.next();
    return value;
  }
}

/** @param {string} name @param {unknown} value @returns {number} */
function limitFrom(name, value) {
  if (typeof value !== "number" || !(value > 0))
    throw new TypeError(`ChatOpenAICompatible: ${name} must be a number above 0`);
  return value;
}

/**
 * @param {ChatOpenAICompatible} model
 * @param {Options} options
 * @returns {import("../http.js").Patience}
 */
function patienceOf(model, options) {
  return {
    maxRetries: options.maxRetries ?? model.maxRetries,
    maxRetryAfterMs: model.limits.maxRetryAfterMs,
    onRetry: model.onRetry,
    signal: options.signal,
  };
}

/**
 * @param {ChatOpenAICompatible} model
 * @param {unknown[]} messages
 * @param {Options} options
 * @param {boolean} stream
 * @returns {import("../http.js").Request}
 */
function requestFor(model, messages, options, stream) {
  return {
    url: `${model.baseURL}/chat/completions`,
    headers: model.requestHeaders,
    body: JSON.stringify(bodyFor(model, messages, options, stream)),
    fetch: model.fetch ?? globalThis.fetch.bind(globalThis),
    redirectOrigins: model.redirectOrigins,
    timeout: options.timeout ?? model.timeout,
    maxDurationMs: model.limits.maxDurationMs,
    maxResponseBytes: model.limits.maxResponseBytes,
    signal: options.signal,
  };
}

/**
 * @param {ChatOpenAICompatible} model
 * @param {unknown[]} messages
 * @param {Options} options
 * @param {boolean} stream
 */
function bodyFor(model, messages, options, stream) {
  /** @type {Options} */
  const body = {
    model: model.model,
    messages: toWireMessages(messages),
    temperature: model.temperature,
    max_tokens: model.maxTokens,
    ...model.modelKwargs,
  };
  for (const field of REQUEST_FIELDS)
    if (options[field] !== undefined) body[field] = options[field];
  if (options.maxTokens !== undefined) body.max_tokens = options.maxTokens;
  if (body.tools?.length === 0) delete body.tools;
  if (body.tools && options.tool_choice !== undefined)
    body.tool_choice = wireToolChoice(options.tool_choice);
  if (stream) body.stream = true;
  if (stream && model.streamUsage) body.stream_options = { include_usage: true };
  return body;
}

/** @param {Value} apiKey @returns {Promise<Record<string, string>>} */
async function authorization(apiKey) {
  const key = typeof apiKey === "function" ? await apiKey() : apiKey;
  return key ? { authorization: `Bearer ${key}` } : {};
}

/**
 * @param {Incoming} incoming
 * @param {Record<string, number>} limits
 * @returns {AsyncGenerator<Value, Value, void>}
 */
async function* streamAnswer(incoming, limits) {
  const answer = new Answer(limits.maxToolCalls);
  const arrival = /** @type {Arrival} */ ((await incoming.next()).value);
  // Some services answer a request for a stream with a whole completion.
  if (arrival.type.includes("application/json")) {
    const chunk = await readWhole(arrival, incoming, answer, limits);
    if (chunk !== undefined) yield chunk;
    return answer.message();
  }
  let isDone = false;
  for await (const event of events(arrival, incoming, limits)) {
    if (event.data === "[DONE]") {
      isDone = true;
      break;
    }
    if (!event.data?.trim()) continue;
    const chunk = said(arrival, answer, event.data, event.event);
    if (chunk !== undefined) yield chunk;
  }
  const isStream = arrival.type === "" || arrival.type.includes("text/event-stream");
  if (!answer.hasBegun && (isDone || !isStream))
    throw arrival.fault("The model service's answer has no choices");
  if (!isDone && !answer.isFinished)
    throw arrival.error("The model service broke off its answer", {
      code: "STREAM_CUT",
      retryable: true,
    });
  return answer.message();
}

/**
 * @param {Incoming} incoming
 * @param {Record<string, number>} limits
 * @returns {AsyncGenerator<Value, Value, void>}
 */
// biome-ignore lint/correctness/useYield: read like an answer in pieces, and has none
async function* wholeAnswer(incoming, limits) {
  const answer = new Answer(limits.maxToolCalls);
  await readWhole(/** @type {Arrival} */ ((await incoming.next()).value), incoming, answer, limits);
  return answer.message();
}

/**
 * @param {Arrival} arrival
 * @param {Incoming} incoming
 * @param {Answer} answer
 * @param {Record<string, number>} limits
 */
async function readWhole(arrival, incoming, answer, limits) {
  const chunk = said(arrival, answer, await readText(arrival, incoming, limits));
  if (!answer.hasBegun) throw arrival.fault("The model service's answer has no choices");
  return chunk;
}

/**
 * Adds the text of one event, or of a whole answer; returns its addition, if any.
 * @param {Arrival} arrival
 * @param {Answer} answer
 * @param {string} text
 * @param {string} [event]
 */
function said(arrival, answer, text, event) {
  const data = parseData(arrival, text, event);
  try {
    return answer.add(data);
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    throw arrival.fault(
      `The model service's answer cannot be read: ${error.message}`,
      text,
      error.code === undefined ? {} : { code: error.code },
    );
  }
}

/**
 * @param {Arrival} arrival
 * @param {Incoming} incoming
 * @param {Record<string, number>} limits
 * @returns {AsyncGenerator<import("../sse.js").ServerEvent, void, void>}
 */
async function* events(arrival, incoming, { maxEventLength }) {
  const parser = new EventParser(maxEventLength);
  /** @param {() => import("../sse.js").ServerEvent[]} read */
  const within = (read) => {
    try {
      return read();
    } catch (/** @type {Value} */ error) {
      throw error?.code === "EVENT_TOO_LONG" ? tooLong(arrival, maxEventLength) : error;
    }
  };
  for await (const bytes of incoming)
    yield* within(() => parser.push(/** @type {Uint8Array} */ (bytes)));
  yield* within(() => parser.end());
}

/** @param {Arrival} arrival @param {number} most */
function tooLong(arrival, most) {
  return arrival.fault(
    `The model service sent more than ${most} characters in one piece (\`maxEventLength\`)`,
    undefined,
    { code: "TOO_LARGE" },
  );
}

/** @param {Arrival} arrival @param {Incoming} incoming @param {Record<string, number>} limits */
async function readText(arrival, incoming, { maxEventLength }) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of incoming) {
    text += decoder.decode(/** @type {Uint8Array} */ (bytes), { stream: true });
    if (text.length > maxEventLength) throw tooLong(arrival, maxEventLength);
  }
  return text + decoder.decode();
}

/** @param {Arrival} arrival @param {string} text @param {string} [event] @returns {unknown} */
function parseData(arrival, text, event) {
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw arrival.fault("The model service sent data that is not JSON", text, { cause: error });
  }
  if (event === "error" || (data?.error && !data.choices)) {
    const { message, code } = errorFields(data);
    throw arrival.error(`The model service reported an error: ${message ?? "no reason given"}`, {
      code: code ?? "STREAM_ERROR",
      body: text,
      retryable: code === "server_error" || code === "overloaded_error",
    });
  }
  return data;
}
