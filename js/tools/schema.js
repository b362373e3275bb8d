// SPDX-License-Identifier: MIT
// Knows: in which forms a tool's arguments are described, and how to read and check each.
// Owns: the JSON Schema of a tool.
// Must not know: how tools run. Plain JSON Schema is checked by the engine, not here.
import { UnsupportedSchemaError } from "./fragments.js";
import { ToolInputParsingException } from "./result.js";
import { fromZod3, isZod3 } from "./zod3.js";
import { fromZod4, isZod4 } from "./zod4.js";

/** @typedef {Record<string, any>} Json */

const TEXT_INPUT = Object.freeze({ type: "object", properties: { input: { type: "string" } } });
const DIALECT = /^https?:\/\/json-schema\.org\/draft(?:-0[467]|\/20(?:19-09|20-12))\/schema#?$/;
/** @type {WeakMap<object, Json>} */
const known = new WeakMap();

/**
 * The JSON Schema of a described value: JSON Schema itself, zod 3 or 4, or a Standard Schema
 * that can print itself. Throws UnsupportedSchemaError.
 * @param {any} schema
 * @returns {Json}
 */
export function jsonSchemaOf(schema) {
  if (schema === undefined || schema === null) return TEXT_INPUT;
  if (typeof schema !== "object" && typeof schema !== "function") throw new UnsupportedSchemaError(`A ${typeof schema}`);
  const before = known.get(schema);
  if (before !== undefined) return before;
  const json = convert(schema);
  known.set(schema, json);
  return json;
}

/** @param {any} schema @returns {Json} */
function convert(schema) {
  const { $schema: _version, "~standard": _mark, ...json } = print(schema);
  return json;
}

/** @param {any} schema @returns {Json} */
function print(schema) {
  if (isZod4(schema)) return typeof schema.toJSONSchema === "function" ? schema.toJSONSchema({ io: "input", unrepresentable: "any" }) : fromZod4(schema);
  if (isZod3(schema)) return fromZod3(schema);
  const standard = schema["~standard"];
  if (typeof standard?.jsonSchema?.input === "function") return standard.jsonSchema.input({ target: "draft-2020-12" });
  if (typeof schema.toJsonSchema === "function") return schema.toJsonSchema();
  if (standard !== undefined) throw new UnsupportedSchemaError(`A Standard Schema of ${standard.vendor}`);
  if (isPlainObject(schema.jsonSchema)) return schema.jsonSchema;
  return schema;
}

/** @param {any} value */
function isPlainObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** Does the schema describe one text instead of named arguments? @param {any} schema */
export function isTextSchema(schema) {
  return schema === undefined || schema === null || jsonSchemaOf(schema).type === "string";
}

/**
 * The JSON Schema of the arguments of a tool of any make: ours, LangChain's, OpenAI's
 * declaration, the AI SDK's.
 * @param {any} tool
 * @returns {Json}
 */
export function toolJsonSchema(tool) {
  if (tool === null || typeof tool !== "object") throw new TypeError(`A tool must be an object, not ${tool === null ? "null" : typeof tool}`);
  if (tool.type === "function" && isPlainObject(tool.function)) return tool.function.parameters ?? { type: "object", properties: {} };
  const schema = tool.schema ?? tool.inputSchema ?? tool.input_schema ?? tool.parameters;
  const json = jsonSchemaOf(schema);
  if (json.type === "string") return { type: "object", properties: { input: json }, required: ["input"] };
  return json;
}

/**
 * The declaration that OpenAI-compatible services take. What is declared already, or is a tool
 * of the service itself, is passed on.
 * @param {any} tool
 * @returns {any}
 */
export function toOpenAITool(tool) {
  if (typeof tool?.type === "string" && typeof tool.invoke !== "function") return tool;
  if (typeof tool?.name !== "string" || tool.name === "") throw new TypeError("A tool needs a name");
  return { type: "function", function: { name: tool.name, description: tool.description ?? "", parameters: toolJsonSchema(tool) } };
}

/**
 * The schema that the engine checks arguments with; null for schemas that check by themselves (zod, Standard Schema)
 * and where there is none.
 * @param {any} described a tool, or an object with a schema
 * @returns {any}
 */
export function engineSchema(described) {
  const { schema } = described;
  if (schema === undefined || schema === null || checksItself(schema)) return null;
  const json = toolJsonSchema({ schema });
  // The model is not told the dialect, but it decides what the keywords mean.
  return DIALECT.test(schema.$schema) ? { $schema: schema.$schema, ...json } : json;
}

/** @param {any} schema */
export function checksItself(schema) {
  return typeof schema["~standard"]?.validate === "function" || typeof schema.safeParse === "function" || typeof schema.safeParseAsync === "function";
}

/** @typedef {{ input: any, verbose: boolean }} Asked `verbose`: errors bring all that the schema says */

/**
 * The checked (and, where the schema says so, transformed) arguments; at once where nothing is waited for.
 * @param {any} schema
 * @param {any} input
 * @param {boolean} [verbose]
 * @returns {any} or a promise of them
 */
export function readInput(schema, input, verbose = false) {
  const asked = { input, verbose };
  if (schema === undefined || schema === null) return readText(asked);
  const value = isTextSchema(schema) && isPlainObject(input) ? input.input : input;
  if (typeof schema["~standard"]?.validate === "function") return thenRead(schema["~standard"].validate(value), standardValue, asked);
  if (typeof schema.safeParseAsync === "function") return thenRead(schema.safeParseAsync(value), zodValue, asked);
  if (typeof schema.safeParse === "function") return zodValue(schema.safeParse(value), asked);
  return value;
}

/** @param {any} result or a promise of it @param {(result: any, asked: Asked) => any} read @param {Asked} asked */
function thenRead(result, read, asked) {
  return typeof result?.then === "function" ? result.then((/** @type {any} */ made) => read(made, asked)) : read(result, asked);
}

/** @param {Asked} asked */
function readText(asked) {
  const { input } = asked;
  const text = isPlainObject(input) ? input.input : input;
  if (text === undefined || typeof text === "string") return text;
  throw mismatch([{ message: `Expected string, received ${typeof text}`, path: ["input"] }], asked);
}

/** @param {any} result @param {Asked} asked */
function standardValue(result, asked) {
  if (result.issues) throw mismatch(result.issues, asked);
  return result.value;
}

/** @param {any} result @param {Asked} asked */
function zodValue(result, asked) {
  if (!result.success) throw mismatch(result.error.issues ?? [], asked);
  return result.data;
}

/** @param {readonly any[]} issues @param {Asked} asked */
function mismatch(issues, { input, verbose }) {
  const ordered = issues.map((issue) => ({ message: issue.message, path: pathOf(issue.path ?? []) })).sort((a, b) => a.path.length - b.path.length);
  const lines = ordered.map(({ message, path }) => `✖ ${message}${path.length > 0 ? `\n  → at ${pathText(path)}` : ""}`);
  const details = verbose ? `\nDetails: ${JSON.stringify(issues, null, 2)}` : "";
  return new ToolInputParsingException([`Received tool input did not match expected schema${details}`, lines.join("\n")].filter(Boolean).join("\n\n"), printed(input));
}

/** @param {any} input */
function printed(input) {
  try {
    return JSON.stringify(input);
  } catch {
    return String(input);
  }
}

/** @param {readonly any[]} path @returns {PropertyKey[]} */
function pathOf(path) {
  return path.map((part) => (isPlainObject(part) ? part.key : part));
}

/** @param {PropertyKey[]} path */
function pathText(path) {
  let text = "";
  for (const part of path) {
    if (typeof part === "string" && /^[A-Za-z_$][\w$]*$/.test(part)) text += text === "" ? part : `.${part}`;
    else text += typeof part === "string" ? `[${JSON.stringify(part)}]` : `[${String(part)}]`;
  }
  return text;
}
