// SPDX-License-Identifier: MIT
// Reads the form in which an agent's answer is requested: by tools with the schemas (tool
// strategy), or by the service's own structured output (provider strategy). Does not depend on
// models or graphs.
import { badArgument, isObject, shown } from "../base/check-arguments.js";
import { LazyModule } from "../base/lazy.js";
import { formOf } from "../models/answer-form.js";
import { StructuredOutputParsingError } from "./errors.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../models/answer-form.js").Form} Form */
/**
 * Takes back from a value what a service demanded beyond the schema.
 * @typedef {(value: unknown, schema: Record<string, unknown>) => unknown} Fit
 */
/**
 * @typedef {{ toolMessageContent?: string, handleError?: boolean | string | ((error: Error) =>
 *   string | Promise<string>) }} ToolStrategyOptions
 */
/**
 * The forms of the answer that an agent accepts. `tools`: a strategy by the name of its tool.
 * @typedef {{ tools: ReadonlyMap<string, ToolStrategy>, provider: ProviderStrategy | undefined }}
 *   ResponseFormat
 */

/**
 * Imported for agents with a `responseFormat`: the reader and the checker of schemas, which other
 * agents do not need and which would be a fifth of what createAgent adds to a page.
 * @type {LazyModule<typeof import("../models/structured-answer.js")>}
 */
const READER = /* @__PURE__ */ new LazyModule(
  "responseFormat",
  () => import("../models/structured-answer.js"),
);

const DESCRIPTION = "Tool for extracting structured output from the model's response.";
/** What services refuse in the name of a tool. */
const UNNAMEABLE = /[^a-zA-Z0-9_-]/g;

/** Requests the answer as the arguments of a tool. */
export class ToolStrategy {
  /** @type {Form} */
  #form;

  /** @param {unknown} schema @param {ToolStrategyOptions} [options] */
  constructor(schema, options) {
    this.#form = formOf("extract", checkedSchema(schema), "tool");
    this.options = options;
  }

  /** @param {unknown} schema @param {ToolStrategyOptions} [options] */
  static fromSchema(schema, options) {
    return new ToolStrategy(schema, options);
  }

  /** The JSON Schema. */
  get schema() {
    return this.#form.json;
  }

  /** Name of the tool, if the schema has a title. */
  get name() {
    const { title } = this.#form.json;
    return typeof title === "string" && title !== ""
      ? title.replace(UNNAMEABLE, "_").slice(0, 128)
      : "extract";
  }

  get tool() {
    return this._declare(this.name);
  }

  /** @param {string} name of the tool within an agent */
  _declare(name) {
    const { description } = this.#form.json;
    return {
      type: /** @type {const} */ ("function"),
      function: {
        name,
        description: typeof description === "string" ? description : DESCRIPTION,
        parameters: this.#form.json,
      },
    };
  }

  /**
   * Returns the value of a call's arguments.
   * @param {unknown} args
   * @param {string} [name] of the tool within an agent
   * @returns {Promise<unknown>}
   * @throws StructuredOutputParsingError if they do not fit the schema
   */
  async parse(args, name = this.name) {
    const call = { name: this.#form.name, args };
    return read(this.#form, /** @type {Message} */ ({ content: "", tool_calls: [call] }), name);
  }
}

/** Requests the answer through the service's own structured output. */
export class ProviderStrategy {
  /** @type {Form} */
  #form;

  /** @param {unknown} schema @param {boolean} [strict] */
  constructor(schema, strict) {
    this.#form = formOf("extract", checkedSchema(schema), "native");
    this.strict = strict;
  }

  /** @param {unknown} schema @param {boolean} [strict] */
  static fromSchema(schema, strict) {
    return new ProviderStrategy(schema, strict);
  }

  /** The JSON Schema. */
  get schema() {
    return this.#form.json;
  }

  /**
   * Returns the value of an answer.
   * @param {Message} message
   * @param {Fit} [fit] of the model
   * @returns {Promise<unknown>}
   * @throws StructuredOutputParsingError if it does not fit the schema
   */
  async parse(message, fit) {
    return read(this.#form, message, "providerStrategy", fit);
  }
}

/**
 * @param {Form} form @param {Message} message
 * @param {string} name for the error text @param {Fit} [fit]
 */
async function read(form, message, name, fit) {
  const { readAnswer } = await READER.load();
  try {
    return await readAnswer(message, form, fit && ((value) => fit(value, form.json)));
  } catch (error) {
    throw new StructuredOutputParsingError(name, [/** @type {Error} */ (error).message]);
  }
}

/** @param {unknown} schema */
function checkedSchema(schema) {
  if (!isSchema(schema))
    throw badArgument(
      `responseFormat must be a schema of zod or another library, or a JSON Schema, not ${shown(schema)}`,
    );
  return schema;
}

/** @param {unknown} given */
function isSchema(given) {
  const schema = /** @type {Record<string, unknown>} */ (given);
  return (
    isObject(schema) &&
    (typeof schema.parse === "function" ||
      schema["~standard"] !== undefined ||
      typeof schema.type === "string" ||
      isObject(schema.properties))
  );
}

/**
 * Requests the answer as the arguments of a tool, or of one of several.
 * @param {unknown} format a schema, or a list of schemas
 * @param {ToolStrategyOptions} [options]
 * @returns {ToolStrategy[]}
 */
export function toolStrategy(format, options) {
  return (Array.isArray(format) ? format : [format]).map((schema) => strategyOf(schema, options));
}

/**
 * Requests the answer through the service's own structured output.
 * @param {unknown} format a schema, or { schema, strict }
 * @returns {ProviderStrategy}
 */
export function providerStrategy(format) {
  const { schema, strict } = /** @type {{ schema?: unknown, strict?: boolean }} */ (format ?? {});
  return isSchema(schema) && !isSchema(format)
    ? new ProviderStrategy(schema, strict)
    : new ProviderStrategy(format);
}

/** @param {unknown} given @param {ToolStrategyOptions} [options] @returns {ToolStrategy} */
function strategyOf(given, options) {
  return isToolStrategy(given) ? given : new ToolStrategy(given, options);
}

// Strategies are recognised by shape, so that those of another copy of the package work too.
/** @param {unknown} given @returns {given is ToolStrategy} */
function isToolStrategy(given) {
  return typeof (/** @type {Partial<ToolStrategy> | null} */ (given)?._declare) === "function";
}

/** @param {unknown} given @returns {given is ProviderStrategy} */
function isProviderStrategy(given) {
  const strategy = /** @type {{ parse?: unknown, strict?: unknown }} */ (given);
  // A schema of zod has both as functions.
  return (
    typeof strategy.parse === "function" &&
    "strict" in strategy &&
    typeof strategy.strict !== "function"
  );
}

/**
 * Reads a responseFormat, and names the tools: after a schema's title, else "extract-1" and so on.
 * @param {unknown} format
 * @param {boolean} isNative whether the model has structured output of its own
 * @param {(name: string) => boolean} isTaken whether a tool of the agent has this name
 * @returns {ResponseFormat}
 */
export function readResponseFormat(format, isNative, isTaken) {
  if (isProviderStrategy(format)) return { tools: new Map(), provider: format };
  if (isNative && !Array.isArray(format) && !isToolStrategy(format))
    return { tools: new Map(), provider: new ProviderStrategy(format) };
  /** @type {Map<string, ToolStrategy>} */
  const tools = new Map();
  let untitled = 0;
  for (const strategy of toolStrategy(format)) {
    const { name } = strategy;
    const isFree = (/** @type {string} */ text) => !tools.has(text) && !isTaken(text);
    let free = name;
    if (name === "extract" || !isFree(name))
      do free = `${name}-${++untitled}`;
      while (!isFree(free));
    tools.set(free, strategy);
  }
  return { tools, provider: undefined };
}
