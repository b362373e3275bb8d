// SPDX-License-Identifier: MIT
// Compares values and says where they first differ; reduces messages to what a comparison is about.
// Does not depend on scorers.
import { isRecord } from "../base/check-arguments.js";
import { isBaseMessage, messageType } from "../messages/index.js";

/** @typedef {import("../messages/base.js").Message} Message */

const DEEPEST = 500;
const SHOWN = 200;

/**
 * Formats a value for a reason: as JSON, or as a text if JSON hides what it is, cut.
 * @param {unknown} value
 * @returns {string}
 */
export function shownValue(value, most = SHOWN) {
  const isBare = typeof value === "number" || value instanceof RegExp || value instanceof Error;
  const text = typeof value === "bigint" ? `${value}n` : isBare ? String(value) : jsonText(value);
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** @param {unknown} value @returns {string} its JSON, or a text for a value without one */
export function jsonText(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

/**
 * Copies a value with messages reduced to type, content, name and tool calls: without ids, usage
 * and metadata, which differ from run to run.
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {unknown}
 */
export function withoutIds(value, depth = 0) {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, depth + 1));
  if (isBaseMessage(value)) return bareMessage(/** @type {Message} */ (value));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutIds(item, depth + 1)]),
  );
}

/** @param {Message} message */
function bareMessage(message) {
  const { content, name, tool_calls: calls } = message;
  return {
    type: messageType(message),
    content,
    ...(name === undefined ? {} : { name }),
    ...(calls === undefined || calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ name, args }) => ({ name, args })) }),
  };
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isPlain(value) {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Finds the first difference between two values: as JSON has them, also of dates, maps, sets and
 * bytes. An undefined field counts as absent.
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} [path] JSON Pointer to the values
 * @param {number} [depth]
 * @returns {string | undefined} undefined if they are equal
 */
export function differenceOf(actual, expected, path = "", depth = 0) {
  if (actual === expected || (Number.isNaN(actual) && Number.isNaN(expected))) return undefined;
  if (depth > DEEPEST) return `${at(path)}nested deeper than ${DEEPEST} levels`;
  const differ = () => `${at(path)}expected ${shownValue(expected)}, got ${shownValue(actual)}`;
  if (typeof actual !== "object" || typeof expected !== "object" || !actual || !expected)
    return differ();
  if (Array.isArray(actual) && Array.isArray(expected)) {
    for (let i = 0; i < Math.min(actual.length, expected.length); i++) {
      const found = differenceOf(actual[i], expected[i], `${path}/${i}`, depth + 1);
      if (found !== undefined) return found;
    }
    return actual.length === expected.length
      ? undefined
      : `${at(path)}expected ${expected.length} items, got ${actual.length}`;
  }
  const kind = kindOf(expected);
  if (kind !== kindOf(actual)) return differ();
  if (kind === "entries")
    return differenceOf(entriesOf(actual), entriesOf(expected), path, depth + 1);
  if (kind !== "object" && partsOf(actual) !== partsOf(expected)) return differ();
  return kind === "bytes" ? undefined : fieldsDiffer(actual, expected, path, depth);
}

/** @param {object} actual @param {object} expected @param {string} path @param {number} depth */
function fieldsDiffer(actual, expected, path, depth) {
  const [now, then] = [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
  for (const key of new Set([...then.keys(), ...now.keys()])) {
    const place = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const found = differenceOf(now.get(key), then.get(key), place, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {string} path */
const at = (path) => (path === "" ? "" : `at ${path}: `);

/** @param {object} value */
function kindOf(value) {
  if (Array.isArray(value)) return "array";
  if (value instanceof Map || value instanceof Set) return "entries";
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return "bytes";
  const kind = KINDS.find((one) => value instanceof one);
  return kind === undefined ? "object" : kind.name;
}

/** Kinds of values that their text tells apart. */
const KINDS = [Date, RegExp, Error, URL];

/** @param {object} value a Map or a Set */
const entriesOf = (value) => [.../** @type {Iterable<unknown>} */ (value)];

/** @param {object} value bytes, or of KINDS @returns {string} */
function partsOf(value) {
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof ArrayBuffer) return String(new Uint8Array(value));
  if (ArrayBuffer.isView(value))
    return `${value.constructor.name} ${new Uint8Array(value.buffer, value.byteOffset, value.byteLength)}`;
  return String(value);
}
