// SPDX-License-Identifier: MIT
// Reads and rewrites texts of arguments that are not yet a call's. Does not depend on answers.
import { isListOf } from "../../base/check-arguments.js";
import { parsed } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/**
 * Returns a text of JSON as it is written with another value.
 * @param {string} text
 * @param {(value: Fields[string]) => unknown} [change]
 * @returns {string | undefined} undefined if it cannot be read, or is nested too deep
 */
export function rewritten(text, change = (value) => value) {
  try {
    return JSON.stringify(change(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

/** @param {string} text @returns {Fields[] | undefined} the calls in a wrapper */
export function usesIn(text) {
  const uses = parsed(text)?.tool_uses;
  const isCalls = isListOf(uses, (use) => typeof use?.recipient_name === "string");
  return isCalls && uses.length > 0 ? uses : undefined;
}
