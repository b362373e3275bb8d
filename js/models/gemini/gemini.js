// SPDX-License-Identifier: MIT
// Defines ChatGemini, for Google's Gemini API and Vertex AI: its options and the request. Does not
// depend on graphs.
import { isRecord } from "../../base/check-arguments.js";
import { LazyModule } from "../../base/lazy.js";
import { inWords, readFormat, readMaxTokens, readToolChoice, readTools } from "../call-options.js";
import { ServiceModel } from "../service-model.js";
import { filled } from "../shapes.js";
import { GeminiAnswer } from "./answer.js";
import { faultIn, readFault } from "./faults.js";
import { geminiSchema } from "./schema.js";
import { toContents } from "./wire.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../service-model.js").Options} Options */
/** @typedef {import("../../messages/base.js").Message} Message */

export { ModelError } from "../model-error.js";

const GOOGLE = "https://generativelanguage.googleapis.com";
const PROFILE = {
  toolCalling: true,
  toolChoice: true,
  structuredOutput: true,
  imageInputs: true,
  imageUrlInputs: true,
  pdfInputs: true,
  audioInputs: true,
  videoInputs: true,
  imageToolMessage: true,
  pdfToolMessage: true,
  reasoningOutput: true,
};
/** Models that refuse tools together with a form of the answer. */
const NOT_BOTH = /gemini-[12](\D|$)/;
const VERTEX = /\/publishers\//;
/** The service's tools that find sources, which belong to a block of the answer. */
const FINDERS = /^(google_?(search|maps)|url_?context|file_?search|enterprise_?web)/i;
const TOOL_NAME = /^[A-Za-z_][\w.:-]{0,127}$/;
/** Options of `generationConfig`, which calls and models may have in either spelling. */
const SETTINGS = [
  "temperature",
  "topP",
  "topK",
  "seed",
  "presencePenalty",
  "frequencyPenalty",
  "thinkingConfig",
  "responseModalities",
];

/**
 * Imported for calls whose arguments come in pieces, which few models send, and only if asked to.
 * @type {LazyModule<typeof import("./partial-args.js")>}
 */
const WRITER = /* @__PURE__ */ new LazyModule(
  "arguments in pieces",
  () => import("./partial-args.js"),
);
/**
 * Imported with the service's own tools: only answers of these cite sources.
 * @type {LazyModule<typeof import("./citations.js")>}
 */
const CITATIONS = /* @__PURE__ */ new LazyModule("citations", () => import("./citations.js"));

/** A chat model of Gemini. */
export class ChatGemini extends ServiceModel {
  /** @param {import("../../types/models/gemini.js").ChatGeminiOptions} options */
  constructor(options) {
    const structuredOutputWithTools = !NOT_BOTH.test(options?.model);
    super(options, { baseURL: GOOGLE, profile: { ...PROFILE, structuredOutputWithTools } });
    const { apiVersion = "v1beta", streamArguments = false } = options;
    /** Stands before the name of the model, unless the base URL ends in a version. */
    this.apiVersion = apiVersion;
    this.streamArguments = streamArguments;
    this.settings = settingsIn({ ...options });
  }

  static lc_name() {
    return "ChatGemini";
  }

  _llmType() {
    return "google";
  }

  /** @param {string | undefined} key @returns {Record<string, string>} */
  authorize(key) {
    return key ? { "x-goog-api-key": key } : {};
  }

  /** @param {Message[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    const { model, apiVersion } = this;
    const version = apiVersion === "" || /\/v\d\w*$/.test(this.baseURL) ? "" : `/${apiVersion}`;
    const place = model.includes("/") ? model : `models/${model}`;
    const name = encodeURIComponent(place).replaceAll("%2F", "/");
    const method = isStream ? "streamGenerateContent?alt=sse" : "generateContent";
    return { path: `${version}/${name}:${method}`, body: bodyFor(this, messages, options) };
  }

  /**
   * Takes tools in Gemini's own form too, such as `{ googleSearch: {} }`.
   * @param {readonly unknown[]} tools @param {Options} [options]
   */
  bindTools(tools, options) {
    const given = Array.isArray(tools) ? tools.map(marked) : tools;
    return super.bindTools(/** @type {ToolLike[]} */ (given), options);
  }

  /** @param {Options} options @param {Message[]} _messages */
  async reader(options, _messages) {
    const { others } = readTools(options);
    const { modelKwargs } = this;
    // Only the service's own tools find sources; a cache of the service may have such tools.
    const isHosted = others.length > 0 || Object.keys(modelKwargs).length > 0;
    const asBlocks = [...others, ...(modelKwargs.tools ?? [])].some((tool) =>
      [tool.type, ...Object.keys(tool)].some((name) => FINDERS.test(name)),
    );
    return new GeminiAnswer({
      ...this.callRules(options),
      maxResponseBytes: this.limits.maxResponseBytes,
      asBlocks,
      Writer: await writer(this.streamArguments),
      citationsIn: isHosted ? (await CITATIONS.load()).citationsIn : undefined,
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

/**
 * Marks a tool in Gemini's own form with an empty type, by which it is passed on.
 * @param {unknown} tool
 */
function marked(tool) {
  const isOwn =
    isRecord(tool) &&
    !["type", "name", "title", "schema"].some((key) => key in tool) &&
    Object.values(tool).every((value) => typeof value === "object");
  return isOwn ? { ...tool, type: "" } : tool;
}

/**
 * Arguments may come in pieces also where a gateway or `modelKwargs` asked for them.
 * @param {boolean} isAsked if not, answers without pieces are read all the same
 */
async function writer(isAsked) {
  try {
    return (await WRITER.load()).ArgumentsWriter;
  } catch (error) {
    if (isAsked) throw error;
    return undefined;
  }
}

/** @param {Options} options @returns {Options} */
function settingsIn(options) {
  /** @type {Options} */
  const found = {};
  for (const name of SETTINGS) {
    const { [name]: value = options[inWords(name)] } = options;
    if (value !== undefined) found[name] = value;
  }
  if (options.stop) found.stopSequences = [options.stop].flat();
  return found;
}

/** @param {ChatGemini} model @param {Message[]} messages @param {Options} options */
function bodyFor(model, messages, options) {
  const { modelKwargs } = model;
  /** @type {Options} */
  const config = {
    maxOutputTokens: readMaxTokens(options, model.maxTokens),
    ...model.settings,
    ...modelKwargs.generationConfig,
    ...settingsIn(options),
    ...formatIn(options),
  };
  return {
    ...modelKwargs,
    ...toContents(messages, model.model, model.profile.imageToolMessage ? undefined : false),
    ...toolsFor(model, options),
    generationConfig: filled(config),
    continuationToken: options.continuationToken,
  };
}

/** @param {Options} options @returns {Options} */
function formatIn(options) {
  const format = readFormat(options);
  if (format === undefined && options.response_format?.type !== "json_object") return {};
  return {
    responseMimeType: "application/json",
    ...(format && { responseJsonSchema: geminiSchema(format.schema) }),
  };
}

/** @param {ChatGemini} model @param {Options} options */
function toolsFor({ model, baseURL, modelKwargs, streamArguments }, options) {
  const { functions, others } = readTools(options);
  const functionDeclarations = functions.map(({ name, description, parameters }) => {
    if (!TOOL_NAME.test(name))
      throw new TypeError(`Gemini takes no tool "${name}": names match ${TOOL_NAME}`);
    return { name, description, parametersJsonSchema: geminiSchema(parameters) };
  });
  const tools = [
    ...(functions.length === 0 ? [] : [{ functionDeclarations }]),
    ...others.map(({ type, ...rest }) => (type ? { [type]: rest } : rest)),
    ...(modelKwargs.tools ?? []),
  ];
  const declares = (/** @type {Options} */ tool) => tool.functionDeclarations !== undefined;
  const hasFunctions = tools.some(declares);
  // Both kinds together are refused without it; Vertex AI does not know it.
  const isMixed = hasFunctions && !tools.every(declares) && !VERTEX.test(`${baseURL}/${model}`);
  const isStrict = functions.some(({ strict }) => strict === true);
  const { functionCallingConfig, ...toolConfig } = modelKwargs.toolConfig ?? {};
  const calling = {
    ...functionCallingConfig,
    ...callingFor(options, isStrict, isMixed),
    ...(streamArguments && { streamFunctionCallArguments: true }),
  };
  return {
    tools: tools.length === 0 ? undefined : tools,
    toolConfig: filled({
      ...(isMixed && { includeServerSideToolInvocations: true }),
      ...toolConfig,
      functionCallingConfig: hasFunctions ? filled(calling) : functionCallingConfig,
    }),
  };
}

/** @param {Options} options @param {boolean} isStrict @param {boolean} isMixed */
function callingFor(options, isStrict, isMixed) {
  const choice = readToolChoice(options.tool_choice);
  if (choice?.type === "tool") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  const type = choice?.type ?? (isStrict ? "auto" : undefined);
  // The service's own tools take no AUTO beside functions.
  if (type === "auto" && (isStrict || isMixed)) return { mode: "VALIDATED" };
  return type === undefined ? {} : { mode: type.toUpperCase() };
}
