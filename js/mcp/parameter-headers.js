// SPDX-License-Identifier: MIT
// Finds which arguments of a tool travel as headers too (`x-mcp-header`, revision 2026-07-28). Does
// not depend on how requests are sent.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {{ name: string, path: readonly string[] }} HeaderParameter */
/** @typedef {(args: unknown) => Record<string, unknown>} HeadersOf headers by a call's arguments */

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES = ["string", "integer", "boolean"];
/** Maximum depth of nested properties. */
const MOST_DEPTH = 16;
const MARK = "x-mcp-header";

/**
 * Finds the arguments with a header, reached through `properties` only.
 * @param {unknown} schema of a tool's arguments
 * @returns {HeaderParameter[] | undefined} undefined if a mark is invalid: then nobody
 *   can call the tool
 */
export function headerParameters(schema) {
  /** @type {HeaderParameter[]} */
  const found = [];
  const names = new Set();
  const isValid = (/** @type {unknown} */ at, /** @type {readonly string[]} */ path) => {
    if (path.length > MOST_DEPTH || !isRecord(at)) return true;
    for (const [key, one] of Object.entries(isRecord(at.properties) ? at.properties : {})) {
      if (!isRecord(one)) continue;
      const place = [...path, key];
      const name = one[MARK];
      if (name !== undefined) {
        if (typeof name !== "string" || !TOKEN.test(name) || names.has(name.toLowerCase()))
          return false;
        if (!TYPES.includes(String(one.type))) return false;
        names.add(name.toLowerCase());
        found.push({ name, path: place });
      }
      if (!isValid(one, place)) return false;
    }
    return true;
  };
  return isValid(schema, []) ? found : undefined;
}

/**
 * Makes what finds the headers in a call's arguments.
 * @param {unknown} schema of a tool's arguments
 * @returns {HeadersOf | undefined} undefined if nobody can call the tool
 */
export function headersOf(schema) {
  const parameters = headerParameters(schema);
  return parameters && ((args) => headersIn(args, parameters));
}

/** @param {unknown} args of a call @param {readonly HeaderParameter[]} parameters */
function headersIn(args, parameters) {
  /** @type {Record<string, unknown>} */
  const headers = {};
  for (const { name, path } of parameters) {
    /** @type {unknown} */
    let value = args;
    for (const key of path)
      value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value !== undefined && value !== null) headers[`mcp-param-${name}`] = value;
  }
  return headers;
}
