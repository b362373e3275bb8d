// SPDX-License-Identifier: MIT
// Rewrites a JSON Schema to what OpenAI's strict mode takes, and takes back from a value what only
// the rewritten schema allowed. Does not depend on requests.
import { isRecord } from "../../base/check-arguments.js";
import { DEFINITIONS, FORMATS, eachSchema } from "../answer-form.js";

/** @typedef {import("../answer-parts.js").Fields} Schema */

const isSchema = /** @type {(value: unknown) => value is Schema} */ (isRecord);
/** The service's own limit of levels; also bounds the recursion. */
const MOST_LEVELS = 10;
const REFUSED =
  /^(allOf|not|oneOf|if|then|else|dependen\w+|patternProperties|prefixItems|unevaluated\w+|uniqueItems|contains|propertyNames|m(in|ax)Properties)$/;

/**
 * Returns the schema for strict mode: objects are closed and all their properties required;
 * optional ones may be null.
 * @param {Schema | undefined} schema
 * @param {boolean} [mayNull] if false, optional properties are not expressed
 * @returns {Schema | undefined} undefined if strict mode cannot express it
 */
export function strictSchema(schema, mayNull = true) {
  if (schema?.type !== "object" || schema.anyOf !== undefined) return undefined;
  try {
    return strict(schema, 0, mayNull);
  } catch {
    // Refused or malformed: it is sent as it is, and the service says what is wrong with it.
    return undefined;
  }
}

/** Ends the rewriting; `strictSchema` catches it. @returns {never} */
function refuse() {
  throw new TypeError();
}

/** @param {unknown} schema @param {number} level @param {boolean} mayNull @returns {Schema} */
function strict(schema, level, mayNull) {
  if (!isSchema(schema) || level > MOST_LEVELS) refuse();
  if (Object.keys(schema).some((key) => REFUSED.test(key) && schema[key] !== undefined)) refuse();
  const { $ref, default: _usual, ...told } = schema;
  if ($ref !== undefined) return referring($ref, told);
  const { format, properties, required, additionalProperties, ...rest } = told;
  /** @type {Schema} */
  const made = rest;
  const below = (/** @type {unknown} */ inner) => strict(inner, level + 1, mayNull);
  if (FORMATS.includes(format)) made.format = format;
  for (const key of DEFINITIONS)
    if (schema[key] !== undefined) made[key] = eachSchema(schema[key], below);
  if (schema.anyOf !== undefined) made.anyOf = schema.anyOf.map(below);
  if (schema.items !== undefined) made.items = below(schema.items);
  const types = [schema.type].flat();
  if (types.includes("object")) {
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    if (properties === undefined || isOpen) refuse();
    const needed = new Set(required);
    made.properties = eachSchema(properties, (inner, key) => {
      if (needed.has(key)) return below(inner);
      return mayNull ? nullable(below(inner)) : refuse();
    });
    made.required = Object.keys(properties);
    made.additionalProperties = false;
  }
  const isKnown = ["type", "anyOf", "enum", "const"].some((key) => key in schema);
  if (!isKnown || (types.includes("array") && schema.items === undefined)) refuse();
  return made;
}

/**
 * A reference may have nothing beside it, so that its description stands around it.
 * @param {unknown} $ref @param {Schema} told what else the schema says
 */
function referring($ref, told) {
  const keys = Object.keys(told);
  if (keys.length === 0) return { $ref };
  if (keys.some((key) => key !== "description" && key !== "title")) refuse();
  return { ...told, anyOf: [{ $ref }] };
}

/** @param {Schema} schema */
function nullable(schema) {
  const { type } = schema;
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  if (type === undefined || isFixed) return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [...new Set([type, "null"].flat())] };
}

/**
 * Removes the nulls that stand for absent properties.
 * @template T
 * @param {T} value changed in place
 * @param {Schema} schema as it was before it became strict
 * @returns {T}
 */
export function withoutNulls(value, schema) {
  removeNulls(value, schema, schema, 0);
  return value;
}

/** @param {unknown} value @param {unknown} given @param {Schema} root @param {number} level */
function removeNulls(value, given, root, level) {
  const schema = resolved(given, root);
  if (!isSchema(schema) || level > 100) return;
  if (Array.isArray(value)) {
    for (const item of value) removeNulls(item, schema.items, root, level + 1);
    return;
  }
  if (!isSchema(value)) return;
  for (const one of schema.anyOf ?? []) removeNulls(value, one, root, level + 1);
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, key)) continue;
    const isOptional = !schema.required?.includes(key);
    if (value[key] === null && isOptional && !takesNull(inner, root, 0)) delete value[key];
    else removeNulls(value[key], inner, root, level + 1);
  }
}

/** @param {unknown} given @param {Schema} root @param {number} level @returns {boolean} */
function takesNull(given, root, level) {
  const schema = resolved(given, root);
  if (!isSchema(schema) || level > MOST_LEVELS) return true;
  return (
    [schema.type].flat().includes("null") ||
    schema.const === null ||
    (schema.enum ?? []).includes(null) ||
    (schema.anyOf ?? []).some((/** @type {unknown} */ one) => takesNull(one, root, level + 1))
  );
}

/**
 * Returns the schema that a `$ref` names.
 * @param {unknown} schema @param {Schema} root
 * @returns {unknown}
 */
function resolved(schema, root) {
  const path = isSchema(schema) ? schema.$ref : undefined;
  if (typeof path !== "string" || !path.startsWith("#")) return schema;
  return path
    .split("/")
    .slice(1)
    .reduce(
      (/** @type {Schema | undefined} */ at, key) =>
        at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")],
      root,
    );
}
