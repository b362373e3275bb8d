// SPDX-License-Identifier: MIT
// Reads the JSON-RPC messages of an answer: the response to a request, and progress before it.
import { isRecord } from "../base/check-arguments.js";
import { McpError, badAnswer, shorten } from "./mcp-error.js";

/** @typedef {import("./client.js").Progress} Progress */
/** @typedef {import("./exchange.js").Message} Message */

/**
 * @param {unknown} message
 * @param {number} id of the request
 * @param {number} status of the HTTP answer
 * @returns {Record<string, unknown> | undefined} the result; undefined if it is another message
 * @throws McpError with the server's error
 */
export function resultOf(message, id, status) {
  if (!isRecord(message) || message.method !== undefined) return undefined;
  if (isRecord(message.error) && (message.id === id || (message.id ?? undefined) === undefined)) {
    const { code, message: text, data } = message.error;
    throw new McpError(`The MCP server answered: ${shorten(String(text ?? "an error"))}`, {
      code: typeof code === "number" ? code : "BAD_ANSWER",
      status,
      data,
    });
  }
  return message.id === id && isRecord(message.result) ? message.result : undefined;
}

/**
 * @param {unknown} message
 * @param {unknown} token of the request
 * @param {((progress: Progress) => void) | undefined} onProgress
 */
export function tellProgress(message, token, onProgress) {
  if (onProgress === undefined || !isRecord(message)) return;
  if (message.method !== "notifications/progress" || !isRecord(message.params)) return;
  const { progressToken, progress, total, message: text } = message.params;
  if (progressToken !== token || typeof progress !== "number") return;
  onProgress({
    progress,
    ...(typeof total === "number" ? { total } : undefined),
    ...(typeof text === "string" ? { message: shorten(text) } : undefined),
  });
}

/** @param {number} status @param {string} text the body */
export function statusError(status, text) {
  // A page of HTML says nothing to who reads an error.
  const said = /^\s*(<!|<html|$)/i.test(text) ? "" : `: ${shorten(text)}`;
  return new McpError(`The MCP server answered with the status ${status}${said}`, {
    code: status < 400 ? "BAD_ANSWER" : `HTTP_${status}`,
    status,
  });
}

/** @param {string} method */
export function unanswered(method) {
  return badAnswer(`answered ${method} without a result`);
}
