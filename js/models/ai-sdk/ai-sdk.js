// SPDX-License-Identifier: MIT
// Makes a chat model of any language model of the AI SDK (versions 2, 3 and 4 of its
// specification), by its shape: requests, streams, retries, limits. Does not depend on the AI SDK.
import { checkArgument, isObject, isRecord } from "../../base/check-arguments.js";
import { readFormat, readMaxTokens, readToolChoice, readTools } from "../call-options.js";
import { BaseChatModelLike } from "../base.js";
import { withRetries } from "../http.js";
import { nextCallId } from "../ids.js";
import { ModelError } from "../model-error.js";
import { strictSchema, withoutNulls } from "../openai/strict-schema.js";
import { registerSDKAdapter } from "../sdk-models.js";
import { Unexpected } from "../shapes.js";
import { watchdog } from "../time-limits.js";
import { SdkAnswer } from "./answer.js";
import { loadFiles } from "./downloads.js";
import { errorOf } from "./errors.js";
import { nameOf, toPrompt } from "./prompt.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Options */
/**
 * @typedef {{ specificationVersion: "v2" | "v3" | "v4", provider: string, modelId: string,
 *   doGenerate: (options: Value) => PromiseLike<Value>, doStream: (options: Value) =>
 *   PromiseLike<Value>, supportedUrls?: Value, supportsStructuredOutputs?: boolean }} SDKModel
 * @typedef {{ settings?: Options, providerOptions?: Options, profile?: Options, maxRetries?:
 *   number, maxRetryAfterMs?: number, onRetry?: (retry: Value) => unknown, timeout?: number,
 *   maxDurationMs?: number, fetch?: typeof globalThis.fetch, maxFileBytes?: number, maxToolCalls?:
 *   number }} SDKOptions
 */

export { ModelError } from "../model-error.js";

/** Providers, and models of gateways, whose structured answers are strict. */
const STRICT = /^(?:openai|azure|groq)\b|\/openai\//;
/** Those that refuse tools together with a form of the answer. */
const NOT_BOTH = /^groq\b|\bgoogle\b.*gemini-[12](?:\D|$)/;
const VERSIONS = ["v2", "v3", "v4"];
const LIMITS = {
  maxToolCalls: 1024,
  maxDurationMs: 3_600_000,
  maxRetryAfterMs: 30_000,
  maxFileBytes: 2 ** 25,
};
/** Providers with OpenAI's option for calls side by side. */
const PARALLEL = ["openai", "groq", "mistral"];
/** Options of a call, and their names in the AI SDK. */
const SETTINGS = {
  temperature: "temperature",
  top_p: "topP",
  top_k: "topK",
  presence_penalty: "presencePenalty",
  frequency_penalty: "frequencyPenalty",
  seed: "seed",
  stop: "stopSequences",
  headers: "headers",
  reasoning_effort: "reasoning",
};

/**
 * Is it a language model of the AI SDK?
 * @param {Value} given
 * @returns {given is SDKModel}
 */
export function isSDKModel(given) {
  return (
    isObject(given) &&
    VERSIONS.includes(given.specificationVersion) &&
    typeof given.doStream === "function"
  );
}

/**
 * Makes a chat model of a language model of the AI SDK.
 * @param {SDKModel} model
 * @param {SDKOptions} [options]
 */
export function fromAISDK(model, options) {
  return new ChatAISDK(model, options);
}

/** A chat model of a provider of the AI SDK. */
export class ChatAISDK extends BaseChatModelLike {
  /** @param {SDKModel} model @param {SDKOptions} [options] */
  constructor(model, options) {
    super();
    checkArgument(
      isSDKModel(model),
      "fromAISDK(model): model must be a language model of the AI SDK (specification v2, v3 or v4)",
    );
    const {
      settings = {},
      providerOptions,
      profile,
      maxRetries = 2,
      timeout,
      onRetry,
    } = options ?? /** @type {SDKOptions} */ ({});
    checkArgument(
      isObject(settings),
      "fromAISDK(model, options): options.settings must be an object",
    );
    this.sdkModel = model;
    this.settings = settings;
    this.providerOptions = providerOptions;
    this.maxRetries = maxRetries;
    this.timeout = timeout;
    this.onRetry = onRetry;
    this.fetch = options?.fetch;
    this.limits = { ...LIMITS };
    for (const name of /** @type {(keyof typeof LIMITS)[]} */ (Object.keys(LIMITS)))
      this.limits[name] = options?.[name] ?? LIMITS[name];
    this.profile = {
      toolCalling: true,
      structuredOutput: model.supportsStructuredOutputs !== false,
      ...(NOT_BOTH.test(idOf(model)) ? { structuredOutputWithTools: false } : {}),
      ...profile,
    };
  }

  static lc_name() {
    return "ChatAISDK";
  }

  get model() {
    return this.sdkModel.modelId;
  }

  /**
   * @param {Value[]} messages
   * @param {Value} options
   * @returns {AsyncGenerator<Value, Value, void>}
   */
  async *answer(messages, options) {
    const { pieces, first } = await withRetries(patienceOf(this, options), async () => {
      const begun = streamed(this, messages, options);
      return { pieces: begun, first: await begun.next() };
    });
    try {
      for (let piece = first; ; piece = await pieces.next()) {
        if (piece.done) return piece.value;
        yield piece.value;
      }
    } finally {
      await pieces.return(undefined);
    }
  }

  /**
   * Takes back what a provider's strict mode demanded beyond the schema.
   * @param {unknown} value @param {Record<string, unknown>} schema
   */
  fitOutput(value, schema) {
    return takesStrict(this.sdkModel) ? withoutNulls(value, schema) : value;
  }

  /** @param {Value[]} messages @param {Value} options */
  async complete(messages, options) {
    if (typeof this.sdkModel.doGenerate !== "function") return super.complete(messages, options);
    return withRetries(patienceOf(this, options), () => whole(this, messages, options));
  }
}

/**
 * Does the provider ask for OpenAI's strict mode, which refuses most schemas as they are?
 * @param {SDKModel} model
 */
function takesStrict(model) {
  return STRICT.test(idOf(model));
}

/** @param {SDKModel} model */
function idOf({ provider, modelId }) {
  return `${provider}/${modelId}`;
}

/** @param {ChatAISDK} model @param {Options} options */
function patienceOf(model, options) {
  return {
    maxRetries: options.maxRetries ?? model.maxRetries,
    maxRetryAfterMs: model.limits.maxRetryAfterMs,
    onRetry: model.onRetry,
    signal: options.signal,
  };
}

/** @param {ChatAISDK} model @param {Options} options */
function readerOf(model, options) {
  const { functions, others } = readTools(options);
  const isOwn = (/** @type {unknown} */ name) => functions.some((tool) => tool.name === name);
  const hasOthers = others.length > 0 || model.settings.tools !== undefined;
  return new SdkAnswer({
    mayServe: (name) => hasOthers && !isOwn(name),
    maxToolCalls: model.limits.maxToolCalls,
    provider: String(model.sdkModel.provider),
    newCallId: () => nextCallId(options),
  });
}

/** @param {ChatAISDK} model @param {Options} options */
function watchOf(model, options) {
  return watchdog({
    timeout: options.timeout ?? model.timeout,
    maxDurationMs: model.limits.maxDurationMs,
    signal: options.signal,
  });
}

/**
 * @param {ChatAISDK} model @param {Value[]} messages @param {Options} options
 * @returns {AsyncGenerator<Value, Value, void>}
 */
async function* streamed(model, messages, options) {
  const watch = watchOf(model, options);
  const answer = readerOf(model, options);
  /** @type {ReadableStreamDefaultReader<Value> | undefined} */
  let reader;
  let isRead = false;
  try {
    options.signal?.throwIfAborted();
    const asked = await watch.race(requestOf(model, messages, options, watch.signal));
    const { stream } = await watch.race(Promise.resolve(model.sdkModel.doStream(asked)));
    reader = /** @type {ReadableStreamDefaultReader<Value>} */ (stream.getReader());
    for (;;) {
      const { done, value } = await watch.race(reader.read());
      isRead = done;
      if (done) break;
      if (value?.type === "error") throw value.error;
      const chunk = answer.add(value);
      if (chunk !== undefined) yield chunk;
    }
  } catch (error) {
    throw failure(error, options.signal);
  } finally {
    watch.stop();
    // Not awaited: a provider that hangs must not delay an abort.
    if (!isRead) reader?.cancel().catch(() => undefined);
  }
  return wholeMessage(answer);
}

/** @param {ChatAISDK} model @param {Value[]} messages @param {Options} options */
async function whole(model, messages, options) {
  const watch = watchOf(model, options);
  try {
    options.signal?.throwIfAborted();
    const asked = await watch.race(requestOf(model, messages, options, watch.signal));
    const result = await watch.race(Promise.resolve(model.sdkModel.doGenerate(asked)));
    const answer = readerOf(model, options);
    answer.addWhole(result);
    return wholeMessage(answer);
  } catch (error) {
    throw failure(error, options.signal);
  } finally {
    watch.stop();
  }
}

/** @param {SdkAnswer} answer */
function wholeMessage(answer) {
  if (!answer.isFinished)
    throw new ModelError("The model's provider broke off its answer", {
      code: "STREAM_CUT",
      retryable: true,
    });
  return answer.message();
}

/** @param {unknown} error @param {AbortSignal | undefined} signal */
function failure(error, signal) {
  if (error instanceof Unexpected)
    return new ModelError(`The model provider's answer cannot be read: ${error.message}`, {
      code: error.code ?? "BAD_ANSWER",
    });
  // A message that the model cannot take is the caller's error.
  return error instanceof TypeError && error.message.startsWith("Message ")
    ? error
    : errorOf(error, signal);
}

/**
 * Returns the AI SDK's call options.
 * @param {ChatAISDK} model @param {Value[]} messages @param {Options} options
 * @param {AbortSignal} signal
 */
async function requestOf(model, messages, options, signal) {
  const { sdkModel, settings } = model;
  const version = sdkModel.specificationVersion;
  const provider = String(sdkModel.provider);
  const format = readFormat(options);
  const isStrict = format !== undefined && takesStrict(sdkModel);
  const strict = isStrict ? strictSchema(format.schema) : undefined;
  const ours = {
    ...(isStrict && strict === undefined ? { strictJsonSchema: false } : {}),
    ...parallelOf(nameOf(provider), options.parallel_tool_calls),
  };
  const usual = Object.keys(ours).length === 0 ? undefined : { [nameOf(provider)]: ours };
  const choice = readToolChoice(options.tool_choice);
  const tools = toolsOf(options, version);
  /** @type {Options} */
  const asked = {
    ...settings,
    prompt: toPrompt(messages, { version, provider }),
    maxOutputTokens: readMaxTokens(options, settings.maxOutputTokens),
    abortSignal: signal,
    providerOptions: merged(usual, merged(model.providerOptions, options.providerOptions)),
    includeRawChunks: false,
  };
  for (const [name, own] of Object.entries(SETTINGS))
    if (options[name] !== undefined) asked[own] = options[name];
  if (typeof asked.stopSequences === "string") asked.stopSequences = [asked.stopSequences];
  if (options.response_format?.type === "json_object") asked.responseFormat = { type: "json" };
  if (format !== undefined)
    asked.responseFormat = {
      type: "json",
      schema: strict ?? format.schema,
      name: format.name,
      ...(format.description === undefined ? {} : { description: format.description }),
    };
  if (tools.length > 0) asked.tools = tools;
  if (tools.length > 0 && choice !== undefined) asked.toolChoice = choiceOf(choice);
  for (const key of Object.keys(asked)) if (asked[key] === undefined) delete asked[key];
  const { fetch = globalThis.fetch } = model;
  await loadFiles(asked.prompt, sdkModel, { fetch, most: model.limits.maxFileBytes, signal });
  return asked;
}

/**
 * Returns the provider's own option for calls side by side; the AI SDK has none for all.
 * @param {string} provider @param {unknown} isParallel
 */
function parallelOf(provider, isParallel) {
  if (typeof isParallel !== "boolean") return {};
  return provider === "anthropic"
    ? { disableParallelToolUse: !isParallel }
    : PARALLEL.includes(provider)
      ? { parallelToolCalls: isParallel }
      : {};
}

/** @param {Options} options @param {string} version */
function toolsOf(options, version) {
  const { functions, others } = readTools(options);
  return [
    ...functions.map(({ name, description, parameters, strict, extras }) => ({
      type: "function",
      name,
      description,
      inputSchema: parameters,
      ...(strict === undefined || version === "v2" ? {} : { strict }),
      ...(isRecord(extras?.providerOptions) ? { providerOptions: extras.providerOptions } : {}),
    })),
    ...others.map((tool) => ({
      // The AI SDK's own functions name a tool by its key among others.
      name: tool.args?.name ?? String(tool.id).replace(/^[^.]*\./, ""),
      ...tool,
      type: version === "v2" ? "provider-defined" : "provider",
      args: tool.args ?? {},
    })),
  ];
}

/** @param {NonNullable<ReturnType<typeof readToolChoice>>} choice */
function choiceOf(choice) {
  if (choice.type === "tool") return { type: "tool", toolName: choice.name };
  return { type: choice.type === "any" ? "required" : choice.type };
}

/** @param {Options | undefined} usual @param {Options | undefined} given */
function merged(usual, given) {
  if (usual === undefined || given === undefined) return given ?? usual;
  const all = { ...usual };
  for (const [provider, fields] of Object.entries(given))
    all[provider] = { ...all[provider], ...fields };
  return all;
}

// From now on agents take such models as they are.
registerSDKAdapter((model) => fromAISDK(model));
