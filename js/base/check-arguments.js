// SPDX-License-Identifier: MIT
// Checks the arguments of public calls and makes the errors that refuse them; leaves out arguments
// that were not given.
import { ERR_ARGUMENT } from "./codes.js";
import { makeError } from "./errors.js";

/**
 * @param {string} what was expected of which argument, in the form "call(argument): argument must
 *   be …"
 */
export function badArgument(what) {
  return makeError(ERR_ARGUMENT, [what]);
}

/** @param {boolean} isRight @param {string} what as in badArgument */
export function checkArgument(isRight, what) {
  if (!isRight) throw badArgument(what);
}

/** @param {unknown} value @returns {boolean} can its properties be read? */
export function isObject(value) {
  return value !== null && (typeof value === "object" || typeof value === "function");
}

/**
 * Is it an object with fields, like an object of JSON?
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Leaves out what is undefined.
 * @template {object} Fields
 * @param {Fields} fields
 * @returns {Partial<Fields>}
 */
export function withoutGaps(fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return /** @type {Partial<Fields>} */ (Object.fromEntries(given));
}

/** @param {unknown} list @param {(item: any) => boolean} isRight @returns {boolean} */
export function isListOf(list, isRight) {
  return Array.isArray(list) && list.every(isRight);
}

/**
 * @param {unknown} value
 * @returns {boolean} Can it be converted to a string? Does not call its toString().
 */
export function hasText(value) {
  return (
    typeof value !== "symbol" &&
    !(isObject(value) && typeof (/** @type {object} */ (value).toString) !== "function")
  );
}

/**
 * Formats an argument for an error text. Does not call its toString().
 * @param {unknown} value
 * @returns {string}
 */
export function shown(value) {
  if (typeof value === "string")
    return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
  return isObject(value)
    ? typeof value === "function"
      ? "a function"
      : "an object"
    : String(value);
}

/**
 * Refuses options that have another name here and would otherwise be ignored silently.
 * @param {unknown} given
 * @param {string} call that the options are passed to
 * @param {Record<string, string>} instead the replacement, by the option's name
 */
export function refuseRenamed(given, call, instead) {
  for (const name of Object.keys(instead))
    checkArgument(
      /** @type {Record<string, unknown> | undefined} */ (given)?.[name] === undefined,
      `${call} has no option ${name}: use ${instead[name]}`,
    );
}

/**
 * Refuses options that nothing reads, such as misspelled ones.
 * @param {object} given
 * @param {string} call that the options are passed to
 * @param {readonly string[]} names of its options
 */
export function refuseUnknown(given, call, names) {
  for (const [name, value] of Object.entries(given))
    checkArgument(
      value === undefined || names.includes(name),
      `${call} has no option ${shown(name)}: it has ${names.join(", ")}`,
    );
}

/**
 * Reads an address. Node 20's `URL.canParse` refuses some with letters beyond ASCII once it has
 * been called some thousand times.
 * @param {string} text @param {string} [base]
 * @returns {URL | undefined} undefined for what is none
 */
export function readURL(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
