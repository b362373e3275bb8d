// SPDX-License-Identifier: MIT
// Reads and checks a tool's arguments in every form of schema, and finds the JSON Schema of a
// schema that is one, or prints itself as one. Plain JSON Schema is checked by the engine, not
// here. Does not depend on how tools run, or how other schemas are converted for a model
// (schema.js).
import { mismatch } from "./mismatch.js";
import { UnsupportedSchemaError } from "../base/errors.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {Record<string, unknown>} Json */

const TEXT_INPUT = Object.freeze({ type: "object", properties: { input: { type: "string" } } });
const DIALECT = /^https?:\/\/json-schema\.org\/draft(?:-0[467]|\/20(?:19-09|20-12))\/schema#?$/;
/** @type {WeakMap<object, Json>} */
const known = new WeakMap();

/**
 * Returns the JSON Schema of a schema, as `print` makes it. Throws UnsupportedSchemaError.
 * @param {unknown} schema
 * @param {(schema: unknown) => Json} print
 * @returns {Json}
 */
export function jsonOf(schema, print) {
  if (schema === undefined || schema === null) return TEXT_INPUT;
  if (typeof schema !== "object" && typeof schema !== "function")
    throw new UnsupportedSchemaError(`A ${typeof schema}`);
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { $schema: _version, "~standard": _mark, ...json } = print(schema);
  known.set(schema, json);
  return json;
}

/**
 * Returns JSON Schema itself, or the one that a schema prints.
 * @param {Value} schema
 * @returns {Json}
 */
export function printPlain(schema) {
  if (typeof schema.toJSONSchema === "function" && schema._zod !== undefined)
    return schema.toJSONSchema({ io: "input", unrepresentable: "any" });
  const standard = schema["~standard"];
  if (typeof standard?.jsonSchema?.input === "function")
    return standard.jsonSchema.input({ target: "draft-2020-12" });
  if (typeof schema.toJsonSchema === "function") return schema.toJsonSchema();
  if (standard !== undefined)
    throw new UnsupportedSchemaError(`A Standard Schema of ${standard.vendor}`);
  return isPlainObject(schema.jsonSchema) ? schema.jsonSchema : schema;
}

/** @param {unknown} value */
export function isPlainObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * Returns a schema of named arguments; a single text becomes their `input`.
 * @param {Json} json
 * @returns {Json}
 */
export function argumentsSchema(json) {
  return json.type === "string"
    ? { type: "object", properties: { input: json }, required: ["input"] }
    : json;
}

/**
 * Does the schema describe a single text instead of named arguments?
 * @param {Value} schema
 * @returns {boolean}
 */
function isText(schema) {
  const def = schema._zod?.def ?? schema._def;
  const printsItself = typeof schema.toJSONSchema === "function";
  return def === undefined || printsItself ? typeOf(schema) === "string" : isZodText(def);
}

/** Returns the type in its JSON Schema, if it has one. @param {unknown} schema */
function typeOf(schema) {
  try {
    return jsonOf(schema, printPlain).type;
  } catch (error) {
    if (error instanceof UnsupportedSchemaError) return undefined;
    throw error;
  }
}

/**
 * Is it a text's schema of zod 3 or zod/mini, by its internals?
 * @param {Value} def
 * @returns {boolean}
 */
function isZodText(def) {
  const kind = def.typeName ?? def.type;
  if (/^(string|Zod(String|Enum))$/.test(kind)) return true;
  const within =
    kind === "ZodBranded"
      ? def.type
      : (def.innerType ??
        def.schema ??
        def.getter?.() ??
        (def.in?._zod?.def.type === "transform" ? def.out : def.in));
  const inner = within?._zod?.def ?? within?._def;
  return inner !== undefined && !/nullable|catch/i.test(kind) && isZodText(inner);
}

/**
 * Returns the schema with which the engine checks arguments; null if there is none, or if it checks
 * them itself (zod, Standard Schema).
 * @param {Value} described a tool, or an object with a schema
 * @returns {unknown}
 */
export function engineSchema({ schema }) {
  if (schema === undefined || schema === null || checksItself(schema)) return null;
  const json = argumentsSchema(jsonOf(schema, printPlain));
  // The dialect is not sent to the model, but decides what the keywords mean.
  return DIALECT.test(schema.$schema) ? { $schema: schema.$schema, ...json } : json;
}

/** @param {Value} schema */
export function checksItself(schema) {
  return (
    typeof schema["~standard"]?.validate === "function" ||
    typeof schema.safeParse === "function" ||
    typeof schema.safeParseAsync === "function"
  );
}

/**
 * @typedef {{ input: Value, verbose: boolean }} Asked `verbose`: errors include the schema's full
 *   details
 */

/**
 * Returns the checked (and, if the schema does so, transformed) arguments; synchronously if the
 * schema is.
 * @param {Value} schema
 * @param {Value} input
 * @param {boolean} [verbose]
 * @returns {Value} or a promise of them, which rejects if they do not fit
 */
export function readInput(schema, input, verbose = false) {
  const asked = { input, verbose };
  if (schema === undefined || schema === null) return readText(asked);
  const value = isPlainObject(input) && isText(schema) ? input.input : input;
  if (typeof schema["~standard"]?.validate === "function")
    return thenRead(schema["~standard"].validate(value), standardValue, asked);
  if (typeof schema.safeParseAsync === "function")
    return thenRead(schema.safeParseAsync(value), zodValue, asked);
  if (typeof schema.safeParse === "function") return zodValue(schema.safeParse(value), asked);
  return value;
}

/**
 * @param {Value} result or a promise of it
 * @param {(result: unknown, asked: Asked) => unknown} read
 * @param {Asked} asked
 */
function thenRead(result, read, asked) {
  return typeof result?.then === "function"
    ? result.then((/** @type {unknown} */ made) => read(made, asked))
    : read(result, asked);
}

/** @param {Asked} asked */
function readText(asked) {
  const { input } = asked;
  const text = isPlainObject(input) ? input.input : input;
  if (text === undefined || typeof text === "string") return text;
  return refuse([{ message: `Expected string, received ${typeof text}`, path: ["input"] }], asked);
}

/** @param {Value} result @param {Asked} asked */
function standardValue(result, asked) {
  return result.issues ? refuse(result.issues, asked) : result.value;
}

/** @param {Value} result @param {Asked} asked */
function zodValue(result, asked) {
  return result.success ? result.data : refuse(result.error.issues ?? [], asked);
}

/** @param {readonly unknown[]} issues @param {Asked} asked @returns {Promise<never>} */
async function refuse(issues, { input, verbose }) {
  throw mismatch(issues, input, verbose);
}
