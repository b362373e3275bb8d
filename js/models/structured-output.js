// SPDX-License-Identifier: MIT
// Makes a model with `response_format` answer in the form of a schema, and reads and checks its
// answer. Does not depend on HTTP or agents.
import { checkArgument, isObject } from "../base/check-arguments.js";
import { Checker } from "../engine/checker.js";
import { textOf } from "../messages/index.js";
import { toolJsonSchema } from "../tools/index.js";
import { engineSchema, readInput } from "../tools/input.js";
import { refuseBadSchema } from "../tools/refuse-schema.js";
import { ModelError } from "./model-error.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./base.js").BaseChatModelLike} Model */

const METHODS = [undefined, null, "jsonSchema"];
const FORMS = 0;
const SHOWN = 200;

/**
 * Returns a Runnable that asks the model and returns the value of its answer.
 * @param {Model} model
 * @param {Value} schema JSON Schema, zod or a Standard Schema
 * @param {{ name?: string, method?: string, strict?: boolean, includeRaw?: boolean }} [options]
 */
export function structuredOutput(model, schema, options) {
  const { name = "extract", method, strict, includeRaw = false } = options ?? {};
  checkArgument(
    isObject(schema),
    "withStructuredOutput(schema): schema must be a JSON Schema, or of zod or another library of schemas",
  );
  checkArgument(
    METHODS.includes(method),
    'withStructuredOutput(schema, options): options.method must be "jsonSchema"; a tool of the schema, with tool_choice, stands for the others',
  );
  refuseBadSchema(name, schema);
  const json_schema = {
    name,
    schema: toolJsonSchema({ schema }),
    ...(strict === undefined ? {} : { strict }),
  };
  const asked = model.withConfig({ response_format: { type: "json_schema", json_schema } });
  const checked = engineSchema({ schema });
  const checker = checked === null ? undefined : new Checker(JSON.stringify({ schema: checked }));
  return {
    lc_runnable: true,
    /** @param {unknown} input @param {Config} [config] */
    async invoke(input, config) {
      const raw = await asked.invoke(input, config);
      if (!includeRaw) return readAnswer(raw, schema, checker);
      return { raw, parsed: await readAnswer(raw, schema, checker).catch(() => null) };
    },
  };
}

/**
 * @param {Message} message
 * @param {unknown} schema
 * @param {Checker | undefined} checker of a JSON Schema
 */
async function readAnswer(message, schema, checker) {
  const text = textOf(message.content);
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw misfit("is not JSON", text, error);
  }
  const problem = checker?.check(text, FORMS, () => true)?.problems[0];
  if (problem !== undefined)
    throw misfit(
      `does not fit the schema${problem.instance === "" ? "" : ` at ${problem.instance}`}: ${problem.message}`,
      text,
    );
  if (checker !== undefined) return value;
  try {
    return await readInput(schema, value);
  } catch (error) {
    throw misfit(
      `does not fit the schema: ${error instanceof Error ? error.message : String(error)}`,
      text,
      error,
    );
  }
}

/** @param {string} why @param {string} text @param {unknown} [cause] */
function misfit(why, text, cause) {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return new ModelError(
    `The model's answer ${why}; received: ${shown === "" ? "(nothing)" : shown}`,
    { code: "BAD_ANSWER", body: text, cause },
  );
}
