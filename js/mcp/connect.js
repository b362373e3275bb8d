// SPDX-License-Identifier: MIT
// Connects to an MCP server over HTTP and finds out which era of the protocol it speaks.
import { isRecord } from "../base/check-arguments.js";
import { readOrigins } from "../models/redirects.js";
import { McpClient } from "./client.js";
import { originOf } from "./exchange.js";
import { connectLegacy } from "./legacy-era.js";
import { connectModern } from "./modern-era.js";
import { HEADER_MISMATCH, MISSING_CAPABILITY, McpError, UNSUPPORTED_VERSION } from "./mcp-error.js";

/** @typedef {import("./exchange.js").Wire} Wire */

const ERAS = ["auto", "modern", "legacy"];
const OPTIONS = {
  fetch: "function",
  headers: "object",
  clientInfo: "object",
  era: "string",
  timeoutMs: "number",
  maxDurationMs: "number",
  maxResponseBytes: "number",
  redirectOrigins: "object",
  onElicit: "function",
  signal: "object",
};
const TIMEOUT_MS = 30_000;
const MAX_DURATION_MS = 600_000;
const MAX_RESPONSE_BYTES = 2 ** 24;
const CLIENT_INFO = { name: "weftgraph", version: "0.1.0" };
const MODERN_ERRORS = [HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION];

/**
 * Connects to an MCP server.
 * @param {string | URL} url of its endpoint, such as "https://example.com/mcp"
 * @param {import("../types/mcp.js").ConnectMcpOptions} [options]
 * @returns {Promise<McpClient>}
 * @throws McpError
 */
export async function connectMcp(url, options = {}) {
  const { wire, era, clientInfo, onElicit, signal } = readOptions(url, options);
  const legacy = { wire, clientInfo, onElicit };
  if (era === "legacy") return new McpClient(wire.url, await connectLegacy(legacy, signal));
  try {
    return new McpClient(wire.url, await connectModern(wire, clientInfo, signal));
  } catch (error) {
    if (era === "modern" || !mayBeLegacy(error)) throw error;
    const found = await connectLegacy(legacy, signal).catch((/** @type {unknown} */ second) => {
      throw isNetwork(error) && isNetwork(second) ? unreachable(wire.url, second) : second;
    });
    return new McpClient(wire.url, found);
  }
}

/** @param {string | URL} url @param {import("../types/mcp.js").ConnectMcpOptions} options */
function readOptions(url, options) {
  const href = String(url);
  if (!URL.canParse(href) || !/^https?:$/.test(new URL(href).protocol))
    throw new TypeError("connectMcp(url): an address that begins with https:// or http://");
  /** @type {unknown} */
  const given = options;
  if (!isRecord(given)) throw new TypeError("connectMcp(url, options): options is an object");
  for (const [name, value] of Object.entries(given)) {
    const type = /** @type {Record<string, string>} */ (OPTIONS)[name];
    if (type === undefined) throw new TypeError(`connectMcp: there is no option \`${name}\``);
    const isRight = typeof value === type || (name === "headers" && typeof value === "function");
    if (value !== undefined && (!isRight || value === null))
      throw new TypeError(`connectMcp: \`${name}\` is of the type ${type}`);
  }
  const { headers, era = "auto", fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = options;
  if (!ERAS.includes(era)) throw new TypeError(`connectMcp: \`era\` is ${ERAS.join(", ")}`);
  /** @type {Wire} */
  const wire = {
    url: href,
    fetch: (input, init) => fetch(input, init),
    // Headers that are given as they are cannot answer a challenge.
    headers: async (challenge) =>
      typeof headers === "function"
        ? headers(challenge)
        : challenge === undefined
          ? { ...headers }
          : undefined,
    redirectOrigins: readOrigins(options.redirectOrigins),
    timeoutMs,
    maxDurationMs: options.maxDurationMs ?? MAX_DURATION_MS,
    maxResponseBytes: options.maxResponseBytes ?? MAX_RESPONSE_BYTES,
  };
  const { clientInfo = CLIENT_INFO, onElicit, signal } = options;
  return { wire, era, clientInfo, onElicit, signal };
}

/** May the server be of the older era, after this failure? @param {unknown} error */
function mayBeLegacy(error) {
  if (!(error instanceof McpError)) return false;
  if (error.code === UNSUPPORTED_VERSION) {
    const supported = isRecord(error.data) ? error.data.supported : undefined;
    return !Array.isArray(supported) || supported.some((one) => String(one).startsWith("2025-"));
  }
  const isFinal = ["UNAUTHORIZED", "TIMEOUT", "REDIRECT", "TOO_LARGE"].includes(String(error.code));
  return !isFinal && !MODERN_ERRORS.includes(Number(error.code));
}

/** @param {unknown} error */
function isNetwork(error) {
  return error instanceof McpError && error.code === "NETWORK";
}

/** @param {string} url @param {unknown} cause */
function unreachable(url, cause) {
  const isPage = typeof document !== "undefined";
  const hint = isPage
    ? " If it runs, its CORS must allow the headers content-type, accept, authorization, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, mcp-param-* and last-event-id, and expose mcp-session-id and www-authenticate."
    : "";
  return new McpError(`The MCP server at ${originOf(url)} could not be reached.${hint}`, {
    code: "NETWORK",
    cause,
  });
}
