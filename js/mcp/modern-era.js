// SPDX-License-Identifier: MIT
// Speaks MCP's revision 2026-07-28: each request stands for itself, without a session. Closing the
// connection cancels a request.
import { bytesToText } from "../base/base64.js";
import { withoutGaps } from "../base/check-arguments.js";
import { ACCEPT, exchange } from "./exchange.js";
import { UNSUPPORTED_VERSION, serverError } from "./mcp-error.js";
import { resultOf } from "./messages.js";

/** @typedef {import("./client.js").Era} Era */
/** @typedef {import("./exchange.js").Wire} Wire */

export const MODERN_VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";
/** @type {readonly unknown[]} */
const RESULT_TYPES = [undefined, "complete", "input_required"];
/** What a header can hold: no space at its ends, and nothing that looks as if it were encoded. */
const PLAIN = /^(?! |=\?base64\?.*\?=$)[ -~]*[!-~]$/;

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
      progressToken: onProgress && id,
    };
    const sent = {
      method: /** @type {const} */ ("POST"),
      headers: written({
        ...ACCEPT,
        "mcp-protocol-version": MODERN_VERSION,
        "mcp-method": method,
        "mcp-name": name,
        ...headers,
      }),
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } }),
      signal,
    };
    return exchange(wire, sent, async (answer) => {
      for await (const message of answer.messages()) {
        const result = resultOf(message, id, answer.response.status, onProgress);
        if (result === undefined) continue;
        const { resultType } = result;
        if (RESULT_TYPES.includes(resultType)) return result;
        throw serverError("answered with an unknown resultType", { data: resultType });
      }
      throw serverError(`answered ${method} without a result`);
    });
  };
  const discover = () => request("server/discover", {}, { signal });
  const found = await discover().catch((error) => {
    // Did it refuse this revision of the protocol, and names it among its own?
    const { code, data } = Object(error);
    if (code === UNSUPPORTED_VERSION && speaksModern(Object(data).supported)) return discover();
    throw error;
  });
  const { supportedVersions: versions, capabilities, instructions, _meta } = found;
  if (!speaksModern(versions))
    throw serverError(`does not speak revision ${MODERN_VERSION}`, {
      code: UNSUPPORTED_VERSION,
      data: { supported: versions },
    });
  return {
    name: "modern",
    version: MODERN_VERSION,
    serverInfo: Object(_meta)[`${META}serverInfo`],
    capabilities,
    instructions,
    request,
  };
}

/** @param {unknown} versions of the protocol */
function speaksModern(versions) {
  return Array.isArray(versions) && versions.includes(MODERN_VERSION);
}

/**
 * Writes the values of headers, but for those that are undefined; what is not plain is base64.
 * @param {Record<string, unknown>} headers
 */
function written(headers) {
  const made = /** @type {Record<string, string>} */ (withoutGaps(headers));
  for (const name in made) {
    const text = (made[name] = String(made[name]));
    if (!PLAIN.test(text)) made[name] = `=?base64?${bytesToText(new TextEncoder().encode(text))}?=`;
  }
  return made;
}
