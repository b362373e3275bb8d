// SPDX-License-Identifier: MIT
// Reads the arguments of a tool call from their text, strictly: JSON of bounded depth. Numbers are
// JavaScript's, so integers beyond 2^53 are rounded (docs/malformed-output.md). A text that a
// message holds unread is parsed by the engine (src/value/json.c). Does not depend on the forms of
// calls, tools or models.

/** @typedef {import("./tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("./tool-calls.js").InvalidToolCall} InvalidToolCall */

/**
 * Maximum levels of lists and objects in arguments; deeper ones could be read but not written again
 * (JSON.stringify is recursive).
 */
const MOST_LEVELS = 1000;

/** A text that does not match has no number beyond JavaScript's range. */
const MAY_OVERFLOW = /[eE]\+?\d{3}|\d{300}/;

/** @param {string} _ @param {unknown} value */
function refuseInfinite(_, value) {
  if (value === Infinity || value === -Infinity)
    throw new RangeError("they hold a number that is not finite");
  return value;
}

/**
 * @param {string} text JSON
 * @returns {unknown}
 * @throws for what is no JSON, or holds a number that JavaScript cannot
 */
export function parseFinite(text) {
  return JSON.parse(text, MAY_OVERFLOW.test(text) ? refuseInfinite : undefined);
}

/** @param {string} text JSON @param {number} most levels of lists and objects */
export function isTooDeep(text, most) {
  let level = 0;
  let inside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inside && code === 92)
      at++; // the escaped letter
    else if (code === 34) inside = !inside;
    else if (!inside && (code | 32) === 123 && ++level > most) return true;
    else if (!inside && (code | 32) === 125) level--;
  }
  return false;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isArguments(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/**
 * Reads one call from its name, id and the text of its arguments, strictly. Empty text means no
 * arguments, as some providers send it.
 * @param {string | undefined} name
 * @param {string | undefined} text
 * @param {string | undefined} id
 * @returns {{ call?: ToolCall, invalid?: InvalidToolCall }}
 */
export function readToolCall(name, text, id) {
  try {
    const args = text === undefined || text.trim() === "" ? {} : parseFinite(text);
    if (text !== undefined && text.length > 2 * MOST_LEVELS && isTooDeep(text, MOST_LEVELS))
      return {
        invalid: invalidCall(
          name,
          text,
          id,
          `Tool arguments are nested deeper than ${MOST_LEVELS} levels.`,
        ),
      };
    if (isArguments(args)) return { call: { name: name ?? "", args, id, type: "tool_call" } };
    return { invalid: invalidCall(name, text, id, "Tool arguments must be a JSON object.") };
  } catch (error) {
    return {
      invalid: invalidCall(
        name,
        text,
        id,
        `Tool arguments are not valid JSON: ${/** @type {Error} */ (error).message}`,
      ),
    };
  }
}

/**
 * @param {string | undefined} name @param {string | undefined} args
 * @param {string | undefined} id @param {string} error
 * @returns {InvalidToolCall}
 */
export function invalidCall(name, args, id, error) {
  return { name, args, id, error, type: "invalid_tool_call" };
}
