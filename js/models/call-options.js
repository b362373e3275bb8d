// SPDX-License-Identifier: MIT
// Reads the options of a call that every model takes, in each form that LangChain's code writes
// them: the choice of a tool, a form for the answer, the tools. Does not depend on any service.

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Options */
/**
 * `extras`: of the tool, for its service.
 * @typedef {{ name: string, description: string, parameters: Value, strict?: boolean, extras?:
 *   Options }} FunctionTool
 */

/** @type {Record<string, "auto" | "none" | "any">} */
const WORDS = { auto: "auto", none: "none", any: "any", required: "any" };

/** Key of a tool's `extras` in its declaration, of which they are no part on the wire. */
export const EXTRAS = Symbol("extras");

/** Keywords that say what an object has in another way than a list of properties. */
const OTHER_OBJECTS = ["additionalProperties", "anyOf", "oneOf", "allOf", "$ref"];

/** Services refuse schemas with such patterns. */
const LOOKAROUND = /\(\?<?[=!]/;

/**
 * Reads the choice of a tool: a word, a tool's name, or a service's object.
 * @param {Value} choice
 * @returns {{ type: "auto" | "none" | "any" } | { type: "tool", name: string } | undefined}
 *   undefined if there is none
 */
export function readToolChoice(choice) {
  if (choice === undefined || choice === null) return undefined;
  if (choice === true) return { type: "any" };
  const text = typeof choice === "string" ? choice : choice.type;
  const name = choice.function?.name ?? choice.name ?? choice.toolName;
  if (typeof name === "string") return { type: "tool", name };
  if (Object.hasOwn(WORDS, text)) return { type: WORDS[text] };
  if (typeof choice === "string") return { type: "tool", name: choice };
  throw new TypeError(`tool_choice has an unknown form: ${JSON.stringify(choice)}`);
}

/**
 * Reads the form that the answer shall have.
 * @param {Options} options
 * @returns {{ name: string, schema: Value, description?: string, strict?: boolean } | undefined}
 *   undefined if there is none
 */
export function readFormat({ response_format: format }) {
  if (format?.type !== "json_schema") return undefined;
  const { name = "extract", schema, description, strict } = format.json_schema ?? format;
  return { name, schema: sendable(schema), description, strict };
}

/**
 * Separates the tools with a schema from the service's own, which are passed on as they are.
 * @param {Options} options
 * @returns {{ functions: FunctionTool[], others: Value[] }}
 */
export function readTools({ tools }) {
  const given = Array.isArray(tools) ? tools : [];
  const isFunction = (/** @type {Value} */ tool) => typeof tool?.function?.name === "string";
  return {
    functions: given.filter(isFunction).map((tool) => ({
      ...tool.function,
      description: tool.function.description ?? "",
      parameters: parametersOf(tool.function.parameters),
      extras: tool[EXTRAS],
    })),
    others: given.filter((tool) => !isFunction(tool)),
  };
}

/**
 * Returns the schema of a tool's parameters with a list of them: OpenAI refuses an object without,
 * such as MCP's tools without parameters have.
 * @param {Options | undefined} given
 * @returns {Options}
 */
export function parametersOf(given) {
  const isOther = OTHER_OBJECTS.some((key) => given?.[key] && given[key] !== true);
  const schema = sendable(given ?? {});
  return isOther ? schema : { type: "object", properties: {}, ...schema };
}

/**
 * Returns the schema without patterns that services refuse; values are checked with them.
 * @template T
 * @param {T} schema
 * @returns {T}
 */
function sendable(schema) {
  const text = JSON.stringify(schema) ?? "";
  if (!LOOKAROUND.test(text)) return schema;
  const isRefused = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === "pattern" && LOOKAROUND.test(String(value));
  return JSON.parse(text, (key, value) => (isRefused(key, value) ? undefined : value));
}

/**
 * Returns a name in small letters: `topP` as `top_p`, as LangChain writes it.
 * @param {string} name
 * @param {string} [mark] that stands between its words
 */
export function inWords(name, mark = "_") {
  return name.replace(/[A-Z]/g, (letter) => mark + letter.toLowerCase());
}

/**
 * Sets those fields of a request that a call has as options of the same name.
 * @param {Options} body @param {Options} options @param {readonly string[]} fields
 */
export function addGiven(body, options, fields) {
  for (const field of fields) if (options[field] !== undefined) body[field] = options[field];
}

/**
 * Returns the maximum number of tokens of the answer.
 * @param {Options} options
 * @param {number | undefined} usual of the model
 */
export function readMaxTokens({ maxTokens, max_tokens, max_completion_tokens }, usual) {
  return maxTokens ?? max_tokens ?? max_completion_tokens ?? usual;
}
