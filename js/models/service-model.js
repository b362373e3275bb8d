// SPDX-License-Identifier: MIT
// Defines the base of models behind a service's HTTP API: options, limits, retries, keys that
// nothing prints. An adapter says what is asked (`request`) and how the answer is read (`reader`).
// Does not depend on any service's protocol.
import { checkArgument, readURL, refuseRenamed } from "../base/check-arguments.js";
import { BaseChatModelLike } from "./base.js";
import { errorFields } from "./http.js";
import { nextCallId } from "./ids.js";
import { withResults } from "./message-parts.js";
import { readOrigins } from "./redirects.js";
import { streamedAnswer, wholeAnswer } from "./service-answer.js";
import { SILENCE_MS } from "./time-limits.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Options */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("./http.js").Fault} Fault */
/** @typedef {import("./service-answer.js").Reader} Reader */
/**
 * What an adapter sends: the path after the base URL (with its query), the JSON body, headers that
 * are no secrets, and what sends it, if not the model's `fetch`.
 * @typedef {{ path: string, body: Options, headers?: Record<string, string>, fetch?: typeof
 *   globalThis.fetch }} Asked
 */

/** Default limits of an answer, and of the wait that a service may request. */
const LIMITS = {
  maxResponseBytes: 2 ** 27,
  maxEventLength: 2 ** 24,
  maxToolCalls: 1024,
  maxDurationMs: 3_600_000,
  maxRetryAfterMs: 30_000,
};

/**
 * Names of other APIs, and those used here: a key and a conversation must not go to the usual
 * address because the one that was meant is under another name.
 */
const RENAMED = {
  baseUrl: "baseURL",
  baseurl: "baseURL",
  base_url: "baseURL",
  basePath: "baseURL",
  configuration: "baseURL, headers and fetch",
  clientOptions: "baseURL, headers and fetch",
  defaultHeaders: "headers",
  apikey: "apiKey",
  api_key: "apiKey",
  openAIApiKey: "apiKey",
  anthropicApiKey: "apiKey",
  modelName: "model",
  max_tokens: "maxTokens",
  timeoutMs: "timeout",
};

/** A chat model behind a service's HTTP API. */
export class ServiceModel extends BaseChatModelLike {
  /**
   * @param {Value} options of the user
   * @param {{ baseURL: string, profile?: Options }} defaults of the service
   */
  constructor(options, defaults) {
    super();
    const given = options ?? {};
    const { model, baseURL = defaults.baseURL, apiKey, headers = {}, fetch, onRetry } = given;
    const { timeout = SILENCE_MS, maxRetries = 2, redirectOrigins, profile, modelKwargs } = given;
    const name = this.getName();
    refuseRenamed(given, name, RENAMED);
    checkOptions(name, { ...given, baseURL, headers, maxRetries });
    this.limits = Object.fromEntries(
      Object.entries(LIMITS).map(([limit, usual]) => [
        limit,
        limitFrom(name, limit, given[limit] ?? usual),
      ]),
    );
    this.redirectOrigins = readOrigins(redirectOrigins);
    this.onRetry = onRetry;
    this.baseURL = baseURL.replace(/\/+$/, "");
    this.model = model;
    this.maxRetries = maxRetries;
    this.timeout = timeout;
    this.fetch = fetch;
    this.temperature = given.temperature;
    this.maxTokens = given.maxTokens;
    /** Fields of the request as they are. @type {Options} */
    this.modelKwargs = modelKwargs ?? {};
    this.profile = { ...defaults.profile, ...profile };
    // Kept in a function, so that neither the key nor the headers are printed.
    this.requestHeaders = async () => ({
      ...this.authorize(await valueOf(apiKey)),
      ...lowerCased(await valueOf(headers)),
    });
  }

  /**
   * Returns the headers that carry the key. An adapter overrides it if they are others.
   * @param {string | undefined} key
   * @returns {Record<string, string>}
   */
  authorize(key) {
    return key ? { authorization: `Bearer ${key}` } : {};
  }

  /**
   * Returns the request for these messages. An adapter overrides it.
   * @param {Message[]} _messages
   * @param {Options} _options of the call
   * @param {boolean} _isStream
   * @returns {Asked}
   */
  request(_messages, _options, _isStream) {
    throw new TypeError(`${this.getName()} has no request()`);
  }

  /**
   * Returns what joins one answer. An adapter overrides it.
   * @param {Options} _options of the call
   * @param {Message[]} _messages that are answered
   * @returns {Reader | Promise<Reader>}
   */
  reader(_options, _messages) {
    throw new TypeError(`${this.getName()} has no reader()`);
  }

  /**
   * Returns what every reader needs to know about calls of tools.
   * @param {Options} options of the call
   */
  callRules(options) {
    return { maxToolCalls: this.limits.maxToolCalls, newCallId: () => nextCallId(options) };
  }

  /**
   * Reads an error that the service reports in the body of a refusal. An adapter overrides it for
   * codes of its own, what to retry (`retryable`) and when (`retryAfterMs`).
   * @param {string | Options} body
   * @param {{ status: number, headers: Headers }} [_response] absent for an error inside a stream
   * @returns {Fault}
   */
  readFault(body, _response) {
    return errorFields(body);
  }

  /**
   * Returns the error that the data of an event reports; undefined if it is no error.
   * @param {Value} data @param {string} [event] its name
   * @returns {Fault | undefined}
   */
  faultIn(data, event) {
    return event === "error" || (data?.error && !data.choices) ? this.readFault(data) : undefined;
  }

  /**
   * @param {Value[]} messages
   * @param {Options} options
   * @returns {AsyncGenerator<Value, Value, void>}
   */
  answer(messages, options) {
    return streamedAnswer(askingOf(this, messages, options, true));
  }

  /** @param {Value[]} messages @param {Options} options */
  async complete(messages, options) {
    return wholeAnswer(askingOf(this, messages, options, false));
  }
}

/** @param {Value} given a value, or a function that returns it or a promise of it */
function valueOf(given) {
  return typeof given === "function" ? given() : given;
}

/**
 * Makes the user's headers replace the adapter's, whatever their case.
 * @param {Record<string, string> | undefined} headers
 */
function lowerCased(headers) {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]),
  );
}

/** @param {string} name of the class @param {Options} given */
function checkOptions(name, given) {
  const { model, baseURL, apiKey, headers, fetch, timeout, maxRetries, onRetry, profile } = given;
  if (typeof model !== "string" || model === "") throw new TypeError(`${name} needs a model name`);
  const what = `new ${name}(options): options`;
  const isKind = (/** @type {unknown} */ value, /** @type {string[]} */ ...kinds) =>
    value === undefined || value === null || kinds.includes(typeof value);
  checkArgument(typeof baseURL === "string", `${what}.baseURL must be a text`);
  checkArgument(
    isKind(apiKey, "string", "function"),
    `${what}.apiKey must be a text or a function`,
  );
  checkArgument(
    isKind(headers, "object", "function"),
    `${what}.headers must be an object or a function`,
  );
  checkArgument(isKind(fetch, "function"), `${what}.fetch must be a function`);
  checkArgument(isKind(profile, "object"), `${what}.profile must be an object`);
  checkArgument(
    timeout === undefined || typeof timeout === "number",
    `${what}.timeout must be a number of ms`,
  );
  // "localhost:11434" can be parsed too: its protocol is "localhost:".
  if (!baseURL.includes("://") || readURL(baseURL) === undefined)
    throw new TypeError(`${name}: baseURL is no address with http:// or https://: ${baseURL}`);
  if (!Number.isInteger(maxRetries) || maxRetries < 0)
    throw new TypeError(`${name}: maxRetries must be 0 or more`);
  if (timeout !== undefined && !(timeout > 0))
    throw new TypeError(`${name}: timeout must be more than 0 ms`);
  if (onRetry !== undefined && typeof onRetry !== "function")
    throw new TypeError(`${name}: onRetry must be a function`);
}

/** @param {string} model its class @param {string} name @param {unknown} value @returns {number} */
function limitFrom(model, name, value) {
  if (typeof value !== "number" || !(value > 0))
    throw new TypeError(`${model}: ${name} must be a number above 0`);
  return value;
}

/**
 * @param {ServiceModel} model
 * @param {Value[]} messages
 * @param {Options} options
 * @param {boolean} isStream
 * @returns {import("./service-answer.js").Asking}
 */
function askingOf(model, messages, options, isStream) {
  const { limits } = model;
  return {
    limits,
    faultIn: (data, event) => model.faultIn(data, event),
    patience: {
      maxRetries: options.maxRetries ?? model.maxRetries,
      maxRetryAfterMs: limits.maxRetryAfterMs,
      onRetry: model.onRetry,
      signal: options.signal,
    },
    ask: (continuationToken) => {
      const asked = continuationToken === undefined ? options : { ...options, continuationToken };
      return requestOf(model, messages, asked, isStream);
    },
    reader: () => model.reader(options, messages),
  };
}

/**
 * Puts a path before the query of a base URL, such as Azure's `api-version`.
 * @param {string} base @param {string} path that may have a query of its own
 */
function addressOf(base, path) {
  const [place, query] = base.split("?", 2);
  if (query === undefined) return `${base}${path}`;
  return `${place.replace(/\/+$/, "")}${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/**
 * @param {ServiceModel} model
 * @param {Value[]} messages
 * @param {Options} options
 * @param {boolean} isStream
 * @returns {import("./http.js").Request}
 */
function requestOf(model, messages, options, isStream) {
  const { path, body, headers, fetch } = model.request(withResults(messages), options, isStream);
  return {
    url: addressOf(model.baseURL, path),
    headers: model.requestHeaders,
    openHeaders: headers,
    body: JSON.stringify(body),
    fetch: fetch ?? model.fetch ?? globalThis.fetch.bind(globalThis),
    redirectOrigins: model.redirectOrigins,
    timeout: options.timeout ?? model.timeout,
    maxDurationMs: model.limits.maxDurationMs,
    maxResponseBytes: model.limits.maxResponseBytes,
    signal: options.signal,
    readFault: (text, response) => model.readFault(text, response),
  };
}
