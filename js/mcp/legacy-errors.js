// SPDX-License-Identifier: MIT
// Tells what a failure at a server of the older era means: another era, a session that is gone, or
// a server that is not there.
import { isRecord } from "../base/check-arguments.js";
import { originOf } from "../models/redirects.js";
import { HEADER_MISMATCH, MISSING_CAPABILITY, McpError, UNSUPPORTED_VERSION } from "./mcp-error.js";

/** @typedef {import("./legacy-era.js").Heard} Heard */

const MODERN_ERRORS = [HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION];
/** The whole of a refusal by a server that does not know the session. */
const NO_SESSION = new RegExp(
  "^[^:]*: ((bad request|not found): )?" +
    "((there is )?no (such|valid) session( id)?( provided)?" +
    "|(unknown|expired|invalid|invalid or (expired|missing)) session( id)?" +
    "|session( id)? (not found|unknown|expired|invalid))\\.?$",
  "i",
);

/** May the server be of the older era, after this failure? @param {unknown} error */
export function mayBeLegacy(error) {
  if (!(error instanceof McpError)) return false;
  if (error.code === UNSUPPORTED_VERSION) {
    const supported = isRecord(error.data) ? error.data.supported : undefined;
    return !Array.isArray(supported) || supported.some((one) => String(one).startsWith("2025-"));
  }
  const isFinal = ["UNAUTHORIZED", "TIMEOUT", "REDIRECT", "TOO_LARGE"].includes(String(error.code));
  return !isFinal && !MODERN_ERRORS.includes(Number(error.code));
}

/** @param {unknown} error */
export function isNetwork(error) {
  return error instanceof McpError && error.code === "NETWORK";
}

/**
 * Did the server refuse a request unread, as it does not know the session? Those made after the
 * SDKs' examples say so with 400, some with the request's id. In doubt it was read: what it asks
 * for must not be done twice.
 * @param {unknown} error @param {Heard} heard
 */
export function isForgotten(error, { isTaken, isAnswered }) {
  if (!(error instanceof McpError) || isTaken) return false;
  const isNamed = NO_SESSION.test(error.message);
  if (error.status === 404) return isNamed || !isAnswered;
  return error.status === 400 && isNamed && !isAnswered;
}

/** @param {McpError} cause */
export function unreachable(cause) {
  const isPage = typeof document !== "undefined";
  const hint = isPage
    ? " If it runs, its CORS must allow the headers content-type, accept, authorization, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, mcp-param-* and last-event-id, and expose mcp-session-id and www-authenticate."
    : "";
  return new McpError(`${cause.message}.${hint}`, { code: "NETWORK", cause });
}

/**
 * May the server speak the transport of 2024-11-05, after this failure of the handshake? Such a one
 * takes messages at another address.
 * @param {unknown} error
 * @returns {error is McpError}
 */
export function mayBeOlder(error) {
  return (
    error instanceof McpError && ["HTTP_400", "HTTP_404", "HTTP_405"].includes(String(error.code))
  );
}

/** @param {string} url @param {McpError} error */
export function olderTransport(url, error) {
  const { code, status, message } = error;
  return new McpError(
    `${message}. Perhaps ${originOf(url)} has its MCP server at another path; or it speaks the old HTTP+SSE transport, which weftgraph does not: connect the official client to it (SSEClientTransport), which loadMcpTools takes`,
    { code, status, cause: error },
  );
}
