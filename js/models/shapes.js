// SPDX-License-Identifier: MIT
// Checks the shape of what a model service sent, value by value, before it is used. Does not depend
// on any service.
import { isRecord, withoutGaps } from "../base/check-arguments.js";

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * The received data has another shape than the service's protocol says; `code` is set if another
 * one than BAD_ANSWER is more precise.
 */
export class Unexpected extends Error {
  /** @type {string | undefined} */
  code = undefined;
}

/** @param {string} what @param {unknown} value */
export function unexpected(what, value) {
  const kind =
    value === null
      ? "null"
      : Array.isArray(value)
        ? "a list"
        : typeof value === "object"
          ? "an object"
          : `a ${typeof value}`;
  return new Unexpected(`expected ${what}, found ${kind}`);
}

/** @param {unknown} value @param {string} name @returns {Record<string, Value>} */
export function objectOf(value, name) {
  if (!isRecord(value)) throw unexpected(`${name} to be an object`, value);
  return value;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {Value[]} empty if it is absent or null
 */
export function listOf(value, name) {
  if (value !== undefined && value !== null && !Array.isArray(value))
    throw unexpected(`${name} to be a list`, value);
  return value ?? [];
}

/**
 * Returns that of several answers which is read: the one with the index 0.
 * @param {unknown} list
 * @param {string} name
 * @returns {Record<string, Value> | undefined}
 */
export function firstOf(list, name) {
  let first;
  for (const given of listOf(list, name)) {
    const one = objectOf(given, `each of ${name}`);
    if (first === undefined && (one.index ?? 0) === 0) first = one;
  }
  return first;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string | undefined} undefined if it is absent, null or empty
 */
export function textOrNone(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw unexpected(`${name} to be a string`, value);
  return value || undefined;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number | undefined} undefined if it is absent or null
 */
export function indexOrNone(value, name) {
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw unexpected(`${name} to be a whole number from 0 on`, value);
  return Number(value);
}

/**
 * @param {Value} value
 * @returns {number | undefined} a number of tokens; undefined for anything else
 */
export function countOrNone(value) {
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * Makes an answer's `usage_metadata` of a service's counts, as far as they are numbers of tokens.
 * @param {unknown} input
 * @param {unknown} output
 * @param {unknown} total
 * @param {Record<string, unknown>} [inputs] parts of the input
 * @param {Record<string, unknown>} [outputs] parts of the output
 */
export function usageOf(input, output, total, inputs, outputs) {
  const input_tokens = countOrNone(input) ?? 0;
  const output_tokens = countOrNone(output) ?? 0;
  const total_tokens = countOrNone(total) ?? input_tokens + output_tokens;
  /** @type {Record<string, Value>} */
  const usage = { input_tokens, output_tokens, total_tokens };
  addKnown(usage, "input_token_details", inputs);
  addKnown(usage, "output_token_details", outputs);
  return usage;
}

/**
 * @param {Record<string, Value>} usage @param {string} name
 * @param {Record<string, unknown>} [counts]
 */
function addKnown(usage, name, counts) {
  for (const key in counts) {
    const count = countOrNone(counts[key]);
    if (count !== undefined) (usage[name] ??= {})[key] = count;
  }
}

/** Maximum levels of what is kept as it came. */
const MOST_LEVELS = 100;

/**
 * Returns a value that is kept as it came; refuses one nested so deep that it could not be written
 * again.
 * @template T
 * @param {T} value of JSON
 * @param {string} name
 * @returns {T}
 */
export function shallow(value, name) {
  if (!isShallow(value, MOST_LEVELS))
    throw new Unexpected(`expected ${name} of at most ${MOST_LEVELS} levels`);
  return value;
}

/** @param {unknown} value @param {number} levels @returns {boolean} */
function isShallow(value, levels) {
  if (value === null || typeof value !== "object") return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/**
 * Leaves out fields that are undefined.
 * @param {Record<string, Value>} fields
 * @returns {Record<string, Value> | undefined} undefined if none is left
 */
export function filled(fields) {
  const given = withoutGaps(fields);
  return Object.keys(given).length === 0 ? undefined : given;
}

/**
 * Returns the value of a text of JSON.
 * @param {string} text
 * @returns {Value} undefined if it is none
 */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} given some services send an object instead of its text @returns {string} */
export function argumentsText(given) {
  if (typeof given === "string") return given;
  if (given === undefined || given === null) return "";
  try {
    return JSON.stringify(given);
  } catch {
    throw new Unexpected("expected a tool call's arguments that are not nested so deep");
  }
}

/**
 * Returns what the pieces of a text left out, if they began as the whole does.
 * @param {string} whole @param {string} before
 */
export function restOf(whole, before) {
  return whole.startsWith(before) ? whole.slice(before.length) : "";
}

/** @param {number} most */
export function tooManyCalls(most) {
  return tooLarge(`at most ${most} tool calls (\`maxToolCalls\`)`);
}

/** @param {string} what was expected */
export function tooLarge(what) {
  return Object.assign(new Unexpected(`expected ${what}`), { code: "TOO_LARGE" });
}
