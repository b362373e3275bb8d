// SPDX-License-Identifier: MIT
// Speaks MCP's revision 2026-07-28: each request stands for itself, without a session. Closing the
// connection cancels a request.
import { isRecord } from "../base/check-arguments.js";
import { ACCEPT, exchange } from "./exchange.js";
import { headerValue } from "./header-value.js";
import { McpError, UNSUPPORTED_VERSION, badAnswer } from "./mcp-error.js";
import { resultOf, statusError, tellProgress, unanswered } from "./messages.js";

/** @typedef {import("./client.js").Era} Era */
/** @typedef {import("./exchange.js").Wire} Wire */

export const MODERN_VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";
/** @type {readonly unknown[]} */
const RESULT_TYPES = [undefined, "complete", "input_required"];

/**
 * Asks the server what it is.
 * @param {Wire} wire
 * @param {unknown} clientInfo
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Era>}
 */
export async function connectModern(wire, clientInfo, signal) {
  let last = 0;
  /** @type {Era["request"]} */
  const request = (method, params, { signal, onProgress, name, headers }) => {
    const id = ++last;
    const meta = {
      .../** @type {object | undefined} */ (params._meta),
      [`${META}protocolVersion`]: MODERN_VERSION,
      [`${META}clientInfo`]: clientInfo,
      [`${META}clientCapabilities`]: { elicitation: { form: {}, url: {} } },
      ...(onProgress === undefined ? undefined : { progressToken: id }),
    };
    const sent = {
      method: /** @type {const} */ ("POST"),
      headers: {
        ...ACCEPT,
        "mcp-protocol-version": MODERN_VERSION,
        "mcp-method": method,
        ...(name === undefined ? undefined : { "mcp-name": headerValue(name) }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }),
      signal,
    };
    return exchange(wire, sent, async (answer) => {
      const { ok, status } = answer.response;
      if (!answer.isReadable) throw statusError(status, await answer.text(true));
      for await (const message of answer.messages()) {
        const result = resultOf(message, id, status);
        if (result === undefined) tellProgress(message, id, onProgress);
        else if (RESULT_TYPES.includes(result.resultType)) return result;
        else throw badAnswer("answered with an unknown resultType", { data: result.resultType });
      }
      throw ok ? unanswered(method) : statusError(status, "");
    });
  };
  const discover = () => request("server/discover", {}, { signal });
  const found = await discover().catch((/** @type {unknown} */ error) => {
    if (isOwnVersion(error)) return discover();
    throw error;
  });
  const { supportedVersions: versions, capabilities, instructions } = found;
  if (!speaksModern(versions))
    throw new McpError(`The MCP server does not speak revision ${MODERN_VERSION}`, {
      code: UNSUPPORTED_VERSION,
      data: { supported: versions },
    });
  const meta = /** @type {Record<string, unknown> | undefined} */ (found._meta);
  return {
    name: "modern",
    version: MODERN_VERSION,
    serverInfo: meta?.[`${META}serverInfo`],
    capabilities,
    instructions: typeof instructions === "string" ? instructions : undefined,
    request,
    close: async () => {},
  };
}

/**
 * Did the server refuse this client's revision of the protocol, and names it among its own?
 * @param {unknown} error
 */
function isOwnVersion(error) {
  if (!(error instanceof McpError) || error.code !== UNSUPPORTED_VERSION) return false;
  return isRecord(error.data) && speaksModern(error.data.supported);
}

/** @param {unknown} versions of the protocol */
function speaksModern(versions) {
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}
