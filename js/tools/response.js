// SPDX-License-Identifier: MIT
// Knows: how a schema of zod 3 or mini is shown to whoever answers a question. Must not know: questions.
import { fromZod3, isZod3 } from "./zod3.js";
import { fromZod4 } from "./zod4.js";

/** @param {any} schema */
export function printResponse(schema) {
  if (isZod3(schema)) return { ...closed(fromZod3(schema)), $schema: "http://json-schema.org/draft-07/schema#" };
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...fromZod4(schema) };
}

/** As LangChain prints zod 3 (draft 7): objects say that they drop what they do not name, tuples are lists of items. @param {any} json @returns {any} */
function closed(json) {
  if (Array.isArray(json)) return json.map(closed);
  if (typeof json !== "object" || json === null) return json;
  const { prefixItems, anyOf, required, ...inner } = Object.fromEntries(Object.entries(json).map(([key, value]) => [key, closed(value)]));
  if (prefixItems !== undefined) return tuple(inner, prefixItems);
  if (anyOf !== undefined) return { ...inner, ...union(anyOf) };
  if ("const" in inner) return { type: typeOf(inner.const), ...inner };
  const isOpen = inner.type === "object" && inner.properties !== undefined && !("additionalProperties" in inner);
  return { ...inner, ...(required?.length > 0 ? { required } : {}), ...(isOpen ? { additionalProperties: false } : {}) };
}

/** @param {any} value */
function typeOf(value) {
  return value === null ? "null" : typeof value;
}

/** @param {any} json @param {any[]} items */
function tuple({ items: rest, minItems, ...json }, items) {
  const end = rest === undefined || rest === false ? { maxItems: items.length } : { additionalItems: rest };
  return { ...json, minItems: items.length, items, ...end };
}

/** Plain types and literals are told in one. @param {any[]} parts */
function union(parts) {
  const types = [...new Set(parts.map(({ type }) => type))];
  const type = types.length > 1 ? types : types[0];
  if (parts.every((part) => Object.keys(part).length === 1 && typeof part.type === "string")) return { type };
  if (parts.every((part) => Object.keys(part).length === 2 && "const" in part)) return { type, enum: parts.map((part) => part.const) };
  return { anyOf: parts };
}
