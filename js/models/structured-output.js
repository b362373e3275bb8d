// SPDX-License-Identifier: MIT
// Makes a model answer in the form of a schema: by the service's own structured output, by a tool
// with that schema, or by its words alone. Does not depend on how the answer is read and checked
// (structured-answer.js).
import { checkArgument, isObject } from "../base/check-arguments.js";
import { SystemMessage } from "../messages/index.js";
import { refuseBadSchema } from "../tools/refuse-schema.js";
import { formOf } from "./answer-form.js";
import { readAnswer } from "./structured-answer.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./base.js").BaseChatModelLike} Model */
/** @typedef {import("./answer-form.js").Method} Method */
/** @typedef {import("./answer-form.js").Form} Form */

/**
 * @typedef {{ name?: string, method?: string, strict?: boolean, includeRaw?: boolean }}
 *   OutputOptions
 */

/** Weft's names of the methods, and LangChain's. @type {Record<string, Method>} */
const METHODS = {
  native: "native",
  tool: "tool",
  text: "text",
  jsonSchema: "native",
  functionCalling: "tool",
  jsonMode: "text",
};

/**
 * Returns a Runnable that asks the model and returns the value of its answer.
 * @param {Value} model
 * @param {Value} schema JSON Schema, zod or a Standard Schema
 * @param {OutputOptions} [options]
 */
export function structuredOutput(model, schema, options) {
  const { name = "extract", method, strict, includeRaw = false } = options ?? {};
  checkArgument(
    isObject(schema),
    "withStructuredOutput(schema): schema must be a JSON Schema, or of zod or another library of schemas",
  );
  refuseBadSchema(name, schema);
  const form = formOf(name, schema, readMethod(method, model.profile ?? {}));
  if (form.method === "native" && typeof model.fitOutput === "function")
    form.fit = (value) => model.fitOutput(value, form.json);
  const { asked, ask } = waysOf(model, form, strict);
  return {
    lc_runnable: /** @type {const} */ (true),
    /** @param {unknown} input @param {Config} [config] */
    async invoke(input, config) {
      const raw = await asked.invoke(ask(input), config);
      if (!includeRaw) return readAnswer(raw, form);
      return { raw, parsed: await readAnswer(raw, form).catch(() => null) };
    },
  };
}

/** @param {string | undefined | null} given @param {Record<string, Value>} profile */
function readMethod(given, profile) {
  if (given === undefined || given === null || given === "auto") {
    if (profile.structuredOutput) return "native";
    return profile.toolCalling === false ? "text" : "tool";
  }
  const known = Object.hasOwn(METHODS, given);
  checkArgument(
    known,
    'withStructuredOutput(schema, options): options.method must be "auto", "native", "tool" or "text"',
  );
  return METHODS[given];
}

/**
 * Returns the model as it is asked, and what is done to its input.
 * @param {Value} model @param {Form} form @param {boolean | undefined} strict
 * @returns {{ asked: Value, ask: (input: Value) => Value }}
 */
function waysOf(model, { name, json, method }, strict) {
  const given = strict === undefined ? {} : { strict };
  const asItIs = (/** @type {Value} */ input) => input;
  if (method === "native") {
    const json_schema = { name, schema: json, ...given };
    const asked = model.withConfig({ response_format: { type: "json_schema", json_schema } });
    return { asked, ask: asItIs };
  }
  if (method === "tool") {
    const description =
      typeof json.description === "string" ? json.description : "Gives the answer in this form.";
    const declared = { name, description, parameters: json, ...given };
    const asked = model.bindTools(
      [{ type: "function", function: declared }],
      model.profile?.toolChoice === false ? {} : { tool_choice: name },
    );
    return { asked, ask: asItIs };
  }
  return { asked: model, ask: (input) => withWords(input, json) };
}

/** @param {Value} input @param {Record<string, Value>} json */
function withWords(input, json) {
  const words = new SystemMessage(
    `Answer with JSON that fits this JSON Schema, and with nothing else:\n${JSON.stringify(json)}`,
  );
  if (typeof input === "string") return [words, input];
  const messages = typeof input?.toChatMessages === "function" ? input.toChatMessages() : input;
  return Array.isArray(messages) ? [words, ...messages] : input;
}
