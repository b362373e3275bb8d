// SPDX-License-Identifier: MIT
// Defines the error of an MCP server that refused, failed or broke off.

/** Codes of JSON-RPC and of MCP that this client tells apart. */
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** Maximum characters to show of a text that a server sent. */
const LONGEST_SHOWN = 500;

/**
 * `code`: the server's number, or NETWORK, TIMEOUT, TOO_LARGE, BAD_ANSWER, BAD_NAME, BAD_TOOL,
 * BAD_ELICITATION, NEEDS_GRAPH, TOOL_ERROR, REDIRECT, UNAUTHORIZED, CLOSED, HTTP_<status>.
 * @typedef {{ code: number | string, status?: number, data?: unknown, challenge?:
 *   import("./challenge.js").Challenge, cause?: unknown }} Details
 */

/** An MCP server refused, failed or broke off. */
export class McpError extends Error {
  /** @param {string} message @param {Details} details */
  constructor(message, { code, status, data, challenge, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.code = code;
    this.status = status;
    /** What the server sent with its error. @type {unknown} */
    this.data = data;
    /** What a 401 or 403 asks for. */
    this.challenge = challenge;
  }
}

/**
 * Makes the error of a server; without a code in the details, that of an answer which the protocol
 * does not allow.
 * @param {string} fault what the server did
 * @param {Partial<Details>} [details]
 */
export function serverError(fault, details) {
  return new McpError(`The MCP server ${fault}`, { code: "BAD_ANSWER", ...details });
}

/** @param {string} text */
export function shorten(text) {
  return text.length > LONGEST_SHOWN ? `${beginning(text, LONGEST_SHOWN)}\u2026` : text;
}

/** Cuts between characters: services refuse a text with half of one. @param {string} text
 * @param {number} most */
export function beginning(text, most) {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}
