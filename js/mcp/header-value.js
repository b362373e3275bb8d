// SPDX-License-Identifier: MIT
// Writes the values of MCP's headers. Does not depend on what they say.
import { bytesToText } from "../base/base64.js";

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/**
 * Writes a header's value; what a header cannot hold, or looks like that, is base64.
 * @param {unknown} value
 */
export function headerValue(value) {
  const text = String(value);
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${bytesToText(new TextEncoder().encode(text))}?=`;
}
