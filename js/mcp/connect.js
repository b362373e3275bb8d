// SPDX-License-Identifier: MIT
// Connects to an MCP server over HTTP and finds out which era of the protocol it speaks.
import { isRecord } from "../base/check-arguments.js";
import { LazyModule } from "../base/lazy.js";
import { isWebAddress, readOrigins } from "../models/redirects.js";
import { McpClient } from "./client.js";
import { CHALLENGES } from "./exchange.js";
import { connectModern } from "./modern-era.js";

/** @typedef {import("./exchange.js").Wire} Wire */

/**
 * Imported for servers of the protocol before 2026, which is longer than the newer one.
 * @type {LazyModule<typeof import("./legacy-era.js")>}
 */
const LEGACY = /* @__PURE__ */ new LazyModule("older servers", () => import("./legacy-era.js"));
const ERAS = ["auto", "modern", "legacy"];
const OPTIONS = {
  fetch: "function",
  headers: "object or function",
  clientInfo: "object",
  era: "string",
  timeoutMs: "number above 0",
  maxDurationMs: "number above 0",
  maxResponseBytes: "number above 0",
  redirectOrigins: "object",
  onElicit: "function",
  signal: "object",
};
const CLIENT_INFO = { name: "weftgraph", version: "0.1.0" };

/**
 * Connects to an MCP server.
 * @param {string | URL} url of its endpoint, such as "https://example.com/mcp"
 * @param {import("../types/mcp.js").ConnectMcpOptions} [options]
 * @returns {Promise<McpClient>}
 * @throws McpError
 */
export async function connectMcp(url, options = {}) {
  const wire = readOptions(url, options);
  const { era, clientInfo = CLIENT_INFO, onElicit, signal } = options;
  const openLegacy = async (/** @type {unknown} */ refused) => {
    const { connectLegacy } = await LEGACY.load().catch((error) => {
      throw refused ?? error;
    });
    return connectLegacy({ wire, clientInfo, onElicit }, signal, refused);
  };
  const openModern = () => connectModern(wire, clientInfo, signal);
  const opened =
    era === "legacy"
      ? openLegacy(undefined)
      : openModern().catch(era === "modern" ? undefined : openLegacy);
  return new McpClient(wire.url, await opened);
}

/**
 * @param {string | URL} url @param {import("../types/mcp.js").ConnectMcpOptions} options
 * @returns {Wire}
 */
function readOptions(url, options) {
  const href = String(url);
  if (!isWebAddress(href))
    throw new TypeError("connectMcp(url): url must begin with https:// or http://");
  checkOptions(options);
  const { headers, era = "auto", fetch, timeoutMs = 30_000, maxDurationMs = 600_000 } = options;
  const { maxResponseBytes = 2 ** 24 } = options;
  // Headers that are given as they are cannot answer a challenge.
  const ask =
    typeof headers === "function"
      ? headers
      : (/** @type {unknown} */ challenge) => (challenge ? undefined : (headers ?? {}));
  /** @type {import("./challenge.js").Answers} */
  const answers = {};
  if (!ERAS.includes(era)) throw new TypeError(`connectMcp: \`era\` is ${ERAS.join(", ")}`);
  return {
    url: href,
    fetch,
    headers: async (challenge, refused) => {
      // The part was asked for to read the challenge. Without it each request asks for itself.
      const { loaded } = CHALLENGES;
      if (challenge && loaded) return loaded.answerOnce(answers, ask, challenge, refused);
      return refused.length > 1 ? undefined : ask(challenge);
    },
    redirectOrigins: readOrigins(options.redirectOrigins),
    timeoutMs,
    maxDurationMs,
    maxResponseBytes,
  };
}

/** @param {unknown} given options of connectMcp @throws TypeError */
export function checkOptions(given) {
  if (!isRecord(given)) throw new TypeError("connectMcp: `options` is of the type object");
  for (const [name, value] of Object.entries(given)) {
    const type = /** @type {Record<string, string>} */ (OPTIONS)[name];
    if (type === undefined) throw new TypeError(`connectMcp: there is no option \`${name}\``);
    const isUseless = typeof value === "number" && !(value > 0);
    if (value !== undefined && (value === null || isUseless || !type.includes(typeof value)))
      throw new TypeError(`connectMcp: \`${name}\` is of the type ${type}`);
  }
}
