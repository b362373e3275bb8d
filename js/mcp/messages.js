// SPDX-License-Identifier: MIT
// Reads the JSON-RPC messages of an answer: the response to a request, and progress before it.
import { isRecord, withoutGaps } from "../base/check-arguments.js";
import { serverError, shorten } from "./mcp-error.js";

/** @typedef {import("./client.js").Progress} Progress */
/** @typedef {import("./exchange.js").Message} Message */

/**
 * Reads a message that may be the response to a request. Tells progress of the request.
 * @param {Message} message
 * @param {number} id of the request, which is its progress token, too
 * @param {number} status of the HTTP answer
 * @param {((progress: Progress) => void) | undefined} onProgress
 * @returns {Record<string, unknown> | undefined} the result; undefined if it is another message
 * @throws McpError with the server's error
 */
export function resultOf(message, id, status, onProgress) {
  if (message.method !== undefined) return void tellProgress(message, id, onProgress);
  // An error without an id is that of a request that the server could not read.
  if (isRecord(message.error) && (message.id ?? id) === id) {
    const { code, message: text, data } = message.error;
    throw serverError(`answered: ${shorten(String(text ?? "an error"))}`, {
      code: typeof code === "number" ? code : "BAD_ANSWER",
      status,
      data,
    });
  }
  return message.id === id && isRecord(message.result) ? message.result : undefined;
}

/**
 * @param {Message} message
 * @param {unknown} token of the request
 * @param {((progress: Progress) => void) | undefined} onProgress
 */
function tellProgress({ method, params }, token, onProgress) {
  if (method !== "notifications/progress" || !isRecord(params)) return;
  const { progressToken, progress, total, message: text } = params;
  if (progressToken !== token || typeof progress !== "number") return;
  const told = {
    total: typeof total === "number" ? total : undefined,
    message: typeof text === "string" ? shorten(text) : undefined,
  };
  onProgress?.({ progress, ...withoutGaps(told) });
}

/** @param {number} status @param {string} text the body */
export function statusError(status, text) {
  // A page of HTML says nothing to who reads an error.
  const said = /^\s*(<!|<html|$)/i.test(text) ? "" : `: ${shorten(text)}`;
  return serverError(`answered with the status ${status}${said}`, {
    code: status < 400 ? "BAD_ANSWER" : `HTTP_${status}`,
    status,
  });
}
