// SPDX-License-Identifier: MIT
// Reads a model's answer in the form of a schema and checks it. Loaded at the first call of a model
// with structured output. Does not depend on how the model was asked.
import { Checker } from "../engine/checker.js";
import { textOf } from "../messages/index.js";
import { engineSchema, readInput } from "../tools/input.js";
import { ModelError } from "./model-error.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./answer-form.js").Form} Form */

const FORMS = 0;
const SHOWN = 200;
/** The whole answer is one fenced block. */
const FENCED = /^\s*```\w*\s*\n([\s\S]*?)\n?\s*```\s*$/;
/** @type {WeakMap<Form, { checker: Checker | undefined }>} */
const checkers = new WeakMap();

/**
 * Returns the value of the answer. Throws ModelError BAD_ANSWER, with the message as `raw`, if
 * there is none or it does not fit.
 * @param {Message} message
 * @param {Form} form
 * @param {Form["fit"]} [fit] in place of the form's, which several models may share
 * @returns {Promise<Value>}
 */
export async function readAnswer(message, form, fit = form.fit) {
  const text = saidIn(message, form);
  /** @param {string} why @param {unknown} [cause] */
  const misfit = (why, cause) => misfitOf(message, text, why, cause);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw misfit("is not JSON", error);
  }
  if (fit !== undefined) value = fit(value);
  if (form.wrapped) {
    if (value === null || typeof value !== "object" || !("value" in value))
      throw misfit("does not fit the schema: it has no `value`");
    value = value.value;
  }
  const checker = checkerOf(form);
  let checked = text;
  try {
    if (form.wrapped || fit !== undefined) checked = JSON.stringify(value);
  } catch (error) {
    throw misfit("is nested too deep", error);
  }
  const problem = checker?.check(checked, FORMS, () => true)?.problems[0];
  if (problem !== undefined)
    throw misfit(
      `does not fit the schema${problem.instance === "" ? "" : ` at ${problem.instance}`}: ${problem.message}`,
    );
  // A single text is asked for as the property `input`, as a tool's is.
  const { schema } = form;
  if (checker !== undefined) return schema.type === "string" ? value.input : value;
  try {
    return await readInput(schema, value);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw misfit(`does not fit the schema: ${told}`, error);
  }
}

/**
 * Returns the JSON text of the answer: the arguments of its call, else its words.
 * @param {Message} message
 * @param {Form} form
 */
function saidIn(message, { name, method }) {
  if (method === "tool") {
    const called = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])].find(
      (call) => call.name === name,
    );
    if (called !== undefined)
      return typeof called.args === "string" ? called.args : JSON.stringify(called.args ?? {});
  }
  const { content } = message;
  const text = textOf(content);
  const fenced = FENCED.exec(text)?.[1];
  if (method !== "native") return fenced ?? text;
  // Some models comment on their work first: then the last text is the answer.
  const last = Array.isArray(content) ? content.findLast(({ type }) => type === "text") : undefined;
  // Others have no structured output, and do not say so.
  return [text, last?.text, fenced].find(isJson) ?? text;
}

/** @param {unknown} text */
function isJson(text) {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

/** @param {Form} form @returns {Checker | undefined} undefined if the schema checks itself */
function checkerOf(form) {
  const known = checkers.get(form);
  if (known !== undefined) return known.checker;
  const schema = engineSchema({ schema: form.schema });
  const checker = schema === null ? undefined : new Checker(JSON.stringify({ schema }));
  checkers.set(form, { checker });
  return checker;
}

/**
 * @param {Message} message @param {string} text @param {string} why @param {unknown} [cause]
 */
function misfitOf(message, text, why, cause) {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  const error = new ModelError(
    `The model's answer ${why}; received: ${shown === "" ? "(nothing)" : shown}${endOf(message)}`,
    { code: "BAD_ANSWER", body: text, cause },
  );
  return Object.assign(error, { raw: message });
}

/** Tells why the model may not have answered in the form. @param {Message} message */
function endOf({ additional_kwargs, response_metadata }) {
  const refusal = additional_kwargs?.refusal;
  const { finish_reason: reason = response_metadata?.stop_reason } = response_metadata ?? {};
  const isCut = /length|max_?tokens/i.test(String(reason));
  const refused = typeof refusal === "string" ? `; it refused: ${refusal.slice(0, SHOWN)}` : "";
  return isCut ? `; it was cut off at the limit of tokens${refused}` : refused;
}
