// SPDX-License-Identifier: MIT
// Reads and checks a tool's arguments in every form of schema, and finds the JSON Schema of a
// schema that is one, or prints itself as one. Plain JSON Schema is checked by the engine, not
// here. Does not depend on how tools run, or how other schemas are converted for a model
// (schema.js).
import { isPromise } from "../base/callable.js";
import { mismatch } from "./mismatch.js";
import { UnsupportedSchemaError } from "../base/errors.js";

/** @typedef {import("./mismatch.js").Issue} Issue */
/** @typedef {Record<string, unknown>} Json */
/**
 * A schema in any form, by the members that libraries give it.
 * @typedef {{ "~standard"?: Standard, safeParse?: (value: unknown) => Parsed,
 *   safeParseAsync?: (value: unknown) => Parsed | Promise<Parsed>,
 *   toJSONSchema?: (options?: object) => Json, toJsonSchema?: () => Json, jsonSchema?: unknown,
 *   $schema?: unknown, _zod?: { def: Inner }, _def?: Inner }} SchemaLike
 * @typedef {{ vendor?: string, validate?: (value: unknown) => Checked | Promise<Checked>,
 *   jsonSchema?: { input?: (options: object) => Json } }} Standard
 * @typedef {{ issues?: readonly Issue[], value?: unknown }} Checked
 * @typedef {{ success: true, data: unknown } | { success: false, error: { issues?: Issue[] } }}
 *   Parsed
 */
/**
 * The definition of a zod schema: its kind, and the schemas that it may wrap.
 * @typedef {{ typeName?: string, type?: unknown, innerType?: SchemaLike, schema?: SchemaLike,
 *   getter?: () => SchemaLike, in?: SchemaLike, out?: SchemaLike }} Inner
 */

const TEXT_INPUT = Object.freeze({ type: "object", properties: { input: { type: "string" } } });
const DIALECT = /^https?:\/\/json-schema\.org\/draft(?:-0[467]|\/20(?:19-09|20-12))\/schema#?$/;
/** @type {WeakMap<object, Json>} */
const known = new WeakMap();

/**
 * Returns the JSON Schema of a schema, as `print` makes it. Throws UnsupportedSchemaError.
 * @param {unknown} schema
 * @param {(schema: SchemaLike) => Json} print
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
 * @param {SchemaLike} schema
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
  return isPlainObject(schema.jsonSchema) ? schema.jsonSchema : /** @type {Json} */ (schema);
}

/** @param {unknown} value @returns {value is Json} */
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
 * @param {SchemaLike} schema
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
 * @param {Inner} def
 * @returns {boolean}
 */
function isZodText(def) {
  const kind = /** @type {string} */ (def.typeName ?? def.type);
  if (/^(string|Zod(String|Enum))$/.test(kind)) return true;
  const within =
    kind === "ZodBranded"
      ? /** @type {SchemaLike} */ (def.type)
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
 * @param {{ schema?: unknown }} described a tool, or an object with a schema
 * @returns {unknown}
 */
export function engineSchema({ schema }) {
  if (schema === undefined || schema === null || checksItself(schema)) return null;
  const { $schema } = /** @type {{ $schema?: unknown }} */ (schema);
  const json = argumentsSchema(jsonOf(schema, printPlain));
  // The dialect is not sent to the model, but decides what the keywords mean.
  return DIALECT.test(/** @type {string} */ ($schema)) ? { $schema, ...json } : json;
}

/** @param {{}} schema */
export function checksItself(schema) {
  const known = /** @type {SchemaLike} */ (schema);
  return (
    typeof known["~standard"]?.validate === "function" ||
    typeof known.safeParse === "function" ||
    typeof known.safeParseAsync === "function"
  );
}

/**
 * @typedef {{ input: unknown, verbose: boolean }} Asked `verbose`: errors include the schema's full
 *   details
 */

/**
 * Returns the checked (and, if the schema does so, transformed) arguments; synchronously if the
 * schema is.
 * @param {unknown} given the schema
 * @param {unknown} input
 * @param {boolean} [verbose]
 * @returns {unknown} or a promise of them, which rejects if they do not fit
 */
export function readInput(given, input, verbose = false) {
  const asked = { input, verbose };
  if (given === undefined || given === null) return readText(asked);
  const schema = /** @type {SchemaLike} */ (given);
  const value = isPlainObject(input) && isText(schema) ? input.input : input;
  if (typeof schema["~standard"]?.validate === "function")
    return thenRead(schema["~standard"].validate(value), standardValue, asked);
  if (typeof schema.safeParseAsync === "function")
    return thenRead(schema.safeParseAsync(value), zodValue, asked);
  if (typeof schema.safeParse === "function") return zodValue(schema.safeParse(value), asked);
  return value;
}

/**
 * @template Result
 * @param {Result | Promise<Result>} result
 * @param {(result: Result, asked: Asked) => unknown} read
 * @param {Asked} asked
 */
function thenRead(result, read, asked) {
  return isPromise(result) ? result.then((made) => read(made, asked)) : read(result, asked);
}

/** @param {Asked} asked */
function readText(asked) {
  const { input } = asked;
  const text = isPlainObject(input) ? input.input : input;
  if (text === undefined || typeof text === "string") return text;
  return refuse([{ message: `Expected string, received ${typeof text}`, path: ["input"] }], asked);
}

/** @param {Checked} result @param {Asked} asked */
function standardValue(result, asked) {
  return result.issues ? refuse(result.issues, asked) : result.value;
}

/** @param {Parsed} result @param {Asked} asked */
function zodValue(result, asked) {
  return result.success ? result.data : refuse(result.error.issues ?? [], asked);
}

/** @param {readonly Issue[]} issues @param {Asked} asked @returns {Promise<never>} */
async function refuse(issues, { input, verbose }) {
  throw mismatch(issues, input, verbose);
}
