// SPDX-License-Identifier: MIT
// Reads a client's JSON-RPC message and writes the answers: results, errors, notifications. Does
// not depend on what is asked.
import { isRecord } from "../../base/check-arguments.js";
import { INTERNAL_ERROR, METHOD_NOT_FOUND } from "../mcp-error.js";
import { Refusal } from "../../server/http/replies.js";

/** @typedef {string | number} Id */
/** @typedef {Record<string, unknown>} Json */
/**
 * What a client sent: a request (`id` and `method`), a notification (`method`), or an answer to the
 * server's own request (`id`).
 * @typedef {{ id?: Id, method?: string, params: Json, result?: unknown, error?: unknown }} Message
 */

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export { INTERNAL_ERROR };

/** Ids and progress tokens are sent back, a token with each event. */
const LONGEST_ID = 256;

/** A request that is refused with an error of JSON-RPC. */
export class RpcRefusal extends Refusal {
  /**
   * @param {number} code of JSON-RPC or MCP
   * @param {string} detail
   * @param {{ status?: number, data?: unknown }} [more] `status` of the HTTP answer, default 200
   */
  constructor(code, detail, { status = 200, data } = {}) {
    super(status, detail);
    this.code = code;
    this.data = data;
  }
}

/** @param {string} detail */
export function invalidParams(detail) {
  return new RpcRefusal(INVALID_PARAMS, detail);
}

/** @param {unknown} method @param {number} [status] */
export function methodNotFound(method, status) {
  const shown = String(method).slice(0, 100);
  return new RpcRefusal(METHOD_NOT_FOUND, `Method not found: ${shown}`, { status });
}

/** @param {string} detail */
export function invalidRequest(detail) {
  return new RpcRefusal(INVALID_REQUEST, detail, { status: 400 });
}

/**
 * @param {unknown} body
 * @returns {Message}
 * @throws {RpcRefusal} for what is no single message
 */
export function readMessage(body) {
  if (Array.isArray(body)) throw invalidRequest("Batches of messages are not taken");
  if (!isRecord(body) || body.jsonrpc !== "2.0")
    throw invalidRequest("The body must be a message of JSON-RPC 2.0");
  const { id, method, params = {}, result, error } = body;
  if (id !== undefined && !isId(id))
    throw invalidRequest(
      `The message's id must be a text of up to ${LONGEST_ID} characters, or a whole number`,
    );
  if (method === undefined && id !== undefined && (result !== undefined || isRecord(error)))
    return { id, params: {}, result, error };
  if (typeof method !== "string") throw invalidRequest("The message has no method");
  if (!isRecord(params)) throw invalidRequest("The message's params must be an object");
  return { id, method, params };
}

/** @param {unknown} value @returns {value is Id} */
export function isId(value) {
  return typeof value === "string" ? value.length <= LONGEST_ID : Number.isSafeInteger(value);
}

/** @param {Id} id @param {Json} result */
export function resultMessage(id, result) {
  return { jsonrpc: "2.0", id, result };
}

/** @param {string} method @param {Json} params */
export function notification(method, params) {
  return { jsonrpc: "2.0", method, params };
}

/** @param {Id | undefined} id @param {Refusal} refusal */
export function errorMessage(id, refusal) {
  const { code, data } = /** @type {Partial<RpcRefusal>} */ (refusal);
  return {
    jsonrpc: "2.0",
    ...(id === undefined ? undefined : { id }),
    error: {
      code: code ?? (refusal.status === 422 ? PARSE_ERROR : INVALID_REQUEST),
      message: refusal.message,
      ...(data === undefined ? undefined : { data }),
    },
  };
}
