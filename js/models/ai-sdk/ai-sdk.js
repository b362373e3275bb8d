// SPDX-License-Identifier: MIT
// Makes a chat model of any language model of the AI SDK (versions 2, 3 and 4 of its
// specification), by its shape: requests, streams, retries, limits. Does not depend on the AI SDK.
import { checkArgument, isObject, isRecord, withoutGaps } from "../../base/check-arguments.js";
import { readFormat, readMaxTokens, readToolChoice, readTools } from "../call-options.js";
import { BaseChatModelLike } from "../base.js";
import { withRetries } from "../http.js";
import { nextCallId } from "../ids.js";
import { withResults } from "../message-parts.js";
import { ModelError } from "../model-error.js";
import { strictSchema, withoutNulls } from "../openai/strict-schema.js";
import { filled } from "../shapes.js";
import { looksLikeSDKModel, registerSDKAdapter } from "../sdk-models.js";
import { SILENCE_MS, watchdog } from "../time-limits.js";
import { SdkAnswer, joined } from "./answer.js";
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
const VERSION = /^v[234]$/;
/** Options of a model that were not given. */
const USUAL = {
  settings: /** @type {Options} */ ({}),
  maxRetries: 2,
  maxToolCalls: 1024,
  timeout: SILENCE_MS,
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
  return looksLikeSDKModel(given) && VERSION.test(String(given.specificationVersion));
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
    this.sdkModel = model;
    /** @type {SDKOptions & typeof USUAL} */
    this.options = { ...USUAL, ...withoutGaps(options ?? {}) };
    checkArgument(
      isObject(this.options.settings),
      "fromAISDK(model, options): options.settings must be an object",
    );
    this.profile = {
      toolCalling: true,
      structuredOutput: model.supportsStructuredOutputs !== false,
      ...(NOT_BOTH.test(idOf(model)) ? { structuredOutputWithTools: false } : {}),
      ...this.options.profile,
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
    const { pieces, first } = await beginning(this, messages, options, true);
    if (first.done) return first.value;
    try {
      yield first.value;
      return yield* pieces;
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
    return (await beginning(this, messages, options, false)).first.value;
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

/**
 * Asks, until there is a first piece or the message.
 * @param {ChatAISDK} model @param {Value[]} messages @param {Options} options
 * @param {boolean} isStream
 */
function beginning(model, messages, options, isStream) {
  const { signal, maxRetries = model.options.maxRetries } = options;
  return withRetries({ ...model.options, maxRetries, signal }, async () => {
    const pieces = answerOf(model, messages, options, isStream);
    return { pieces, first: await pieces.next() };
  });
}

/** @param {ChatAISDK} model @param {Options} options */
function readerOf(model, options) {
  const { functions, others } = readTools(options);
  const isOwn = (/** @type {unknown} */ name) => functions.some((tool) => tool.name === name);
  const hasOthers = others.length > 0 || model.options.settings.tools !== undefined;
  return new SdkAnswer({
    mayServe: (name) => hasOthers && !isOwn(name),
    maxToolCalls: model.options.maxToolCalls,
    provider: String(model.sdkModel.provider),
    newCallId: () => nextCallId(options),
  });
}

/**
 * Asks once; yields chunks if it is a stream, and returns the message.
 * @param {ChatAISDK} model @param {Value[]} messages @param {Options} options
 * @param {boolean} isStream
 * @returns {AsyncGenerator<Value, Value, void>}
 */
async function* answerOf(model, messages, options, isStream) {
  const { sdkModel } = model;
  const watch = watchdog({
    timeout: options.timeout ?? model.options.timeout,
    maxDurationMs: model.options.maxDurationMs,
    signal: options.signal,
  });
  const answer = readerOf(model, options);
  /** @type {ReadableStreamDefaultReader<Value> | undefined} */
  let reader;
  let isRead = false;
  try {
    options.signal?.throwIfAborted();
    const asked = await watch.race(requestOf(model, messages, options, watch.signal));
    const given = await watch.race(
      Promise.resolve(isStream ? sdkModel.doStream(asked) : sdkModel.doGenerate(asked)),
    );
    if (isStream) reader = given.stream.getReader();
    else answer.addWhole(given);
    while (reader && !isRead) {
      const { done, value } = await watch.race(reader.read());
      isRead = done;
      if (value?.type === "error") throw value.error;
      const chunk = done ? undefined : answer.add(value);
      if (chunk !== undefined) yield chunk;
    }
    if (!answer.isFinished)
      throw new ModelError("The model's provider broke off its answer", {
        code: "STREAM_CUT",
        retryable: true,
      });
    return answer.message();
  } catch (error) {
    throw errorOf(error, options.signal);
  } finally {
    watch.stop();
    // Not awaited: a provider that hangs must not delay an abort.
    if (!isRead) reader?.cancel().catch(() => undefined);
  }
}

/**
 * Returns the AI SDK's call options.
 * @param {ChatAISDK} model @param {Value[]} messages @param {Options} options
 * @param {AbortSignal} signal
 */
async function requestOf(model, messages, options, signal) {
  const { sdkModel } = model;
  const { settings, providerOptions, fetch = globalThis.fetch, maxFileBytes: most } = model.options;
  const version = sdkModel.specificationVersion;
  const provider = String(sdkModel.provider);
  const providerName = nameOf(provider);
  const format = readFormat(options);
  const isStrict = format !== undefined && takesStrict(sdkModel);
  const strict = isStrict ? strictSchema(format.schema) : undefined;
  const isParallel = options.parallel_tool_calls ?? undefined;
  // The AI SDK has no option of its own for calls side by side.
  const ours = filled({
    strictJsonSchema: isStrict && strict === undefined ? false : undefined,
    disableParallelToolUse:
      providerName === "anthropic" && isParallel !== undefined ? !isParallel : undefined,
    parallelToolCalls: PARALLEL.includes(providerName) ? isParallel : undefined,
  });
  const usual = ours && { [providerName]: ours };
  const choice = readToolChoice(options.tool_choice);
  const tools = toolsOf(options, version);
  /** @type {Options} */
  const asked = {
    ...settings,
    prompt: toPrompt(withResults(messages), { version, provider }),
    maxOutputTokens: readMaxTokens(options, settings.maxOutputTokens),
    abortSignal: signal,
    providerOptions: joined(usual, joined(providerOptions, options.providerOptions)),
  };
  for (const [name, own] of Object.entries(SETTINGS)) asked[own] = options[name] ?? asked[own];
  asked.stopSequences &&= [asked.stopSequences].flat();
  if (format !== undefined) {
    const { name, description } = format;
    const schema = strict ?? format.schema;
    asked.responseFormat = withoutGaps({ type: "json", schema, name, description });
  } else if (options.response_format?.type === "json_object")
    asked.responseFormat = { type: "json" };
  if (tools.length > 0) {
    asked.tools = tools;
    asked.toolChoice = choice === undefined ? asked.toolChoice : choiceOf(choice);
  }
  await loadFiles(asked.prompt, sdkModel, { fetch, most, signal });
  return withoutGaps(asked);
}

/** @param {Options} options @param {string} version */
function toolsOf(options, version) {
  const { functions, others } = readTools(options);
  return [
    ...functions.map(({ name, description, parameters, strict, extras }) =>
      withoutGaps({
        type: "function",
        name,
        description,
        inputSchema: parameters,
        strict: version === "v2" ? undefined : strict,
        providerOptions: isRecord(extras?.providerOptions) ? extras.providerOptions : undefined,
      }),
    ),
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

// From now on agents take such models as they are.
registerSDKAdapter((model) => fromAISDK(model));
