// SPDX-License-Identifier: MIT
// Reads texts of arguments that are not yet a call's. Does not depend on answers.

/** @typedef {import("../answer-parts.js").Fields} Fields */

/**
 * Will the value of a text be written as `raw` again?
 * @param {string} text @param {string} raw
 */
export function isWritten(text, raw) {
  try {
    return JSON.stringify(JSON.parse(text)) === raw;
  } catch {
    return true;
  }
}

/** @param {string} text @returns {Fields[] | undefined} the calls in a wrapper */
export function usesIn(text) {
  try {
    const { tool_uses } = JSON.parse(text);
    const isList =
      tool_uses.length > 0 &&
      tool_uses.every((/** @type {Fields} */ use) => typeof use.recipient_name === "string");
    return isList ? tool_uses : undefined;
  } catch {
    return undefined;
  }
}
