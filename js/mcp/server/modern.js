// SPDX-License-Identifier: MIT
// Answers clients of the revision 2026-07-28: each request stands for itself, and says in its
// headers what its body says. A call that asks something ends, and begins again with the answer.
import { bytesToText } from "../../base/base64.js";
import { isRecord } from "../../base/check-arguments.js";
import { HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION } from "../mcp-error.js";
import { MODERN_VERSION } from "../modern-era.js";
import { INVALID_PARAMS, RpcRefusal, methodNotFound } from "./json-rpc.js";
import { lackingFor } from "./questions.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("./json-rpc.js").Message} Message */
/** @typedef {import("./serve.js").Core} Core */
/** @typedef {import("./serve.js").Context} Context */

const META = "io.modelcontextprotocol/";
const VERSION = `${META}protocolVersion`;
const CAPABILITIES = `${META}clientCapabilities`;
const BASE64 = /^=\?base64\?(.*)\?=$/;
/** Requests whose subject is in the header `mcp-name`, and where it is in their params. */
const SUBJECTS = /** @type {Record<string, string>} */ ({
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
});
/** How long a client may keep a list. */
const CACHE = { ttlMs: 0, cacheScope: "private" };

/** @param {Message} message @param {Request} request */
export function isModern({ params }, request) {
  const meta = isRecord(params._meta) ? params._meta : {};
  return (
    Object.hasOwn(meta, VERSION) || request.headers.get("mcp-protocol-version") === MODERN_VERSION
  );
}

/** @param {Core} core @param {Message} message @param {Context} context @returns {Promise<Json>} */
export async function answerModern(core, message, context) {
  const capabilities = checkRequest(core, message, context.request);
  const _meta = { [`${META}serverInfo`]: core.serverInfo };
  const result = await resultFor(core, message, context, capabilities);
  if (result !== undefined)
    return { resultType: "complete", ...result, _meta: { ..._meta, ...metaOf(result) } };
  throw methodNotFound(message.method, 404);
}

/** @param {Json} result */
function metaOf({ _meta }) {
  return isRecord(_meta) ? _meta : {};
}

/**
 * @param {Core} core @param {Message} message @param {Context} context
 * @param {Json} capabilities of the client
 * @returns {Promise<Json | undefined>} undefined: there is no such method
 */
async function resultFor(core, { method, params }, context, capabilities) {
  if (method === "server/discover")
    return {
      supportedVersions: [MODERN_VERSION],
      capabilities: { tools: {} },
      ...(core.instructions === undefined ? undefined : { instructions: core.instructions }),
      ...CACHE,
    };
  if (method === "tools/list") return { ...core.list(params), ...CACHE };
  if (method !== "tools/call") return undefined;
  const call = core.readCall(params, context);
  const { requestState, inputResponses } = params;
  const outcome =
    requestState === undefined
      ? await core.calls.begin(call)
      : await core.calls.resume(call, requestState, inputResponses);
  if ("result" in outcome) return outcome.result;
  const lacking = lackingFor(outcome.questions, capabilities);
  if (lacking !== undefined) {
    await core.calls.drop(outcome.thread);
    throw new RpcRefusal(MISSING_CAPABILITY, "The call asks a person, which the client cannot do", {
      status: 400,
      data: { requiredCapabilities: lacking },
    });
  }
  return {
    resultType: "input_required",
    inputRequests: Object.assign({}, ...outcome.questions.map(({ requests }) => requests)),
    requestState: outcome.state,
  };
}

/**
 * @param {Core} core @param {Message} message @param {Request} request
 * @returns {Json} the client's capabilities
 * @throws {RpcRefusal} 400
 */
function checkRequest(core, { id, method, params }, { headers }) {
  const meta = isRecord(params._meta) ? params._meta : {};
  const version = meta[VERSION];
  if (typeof version !== "string") throw lacks(VERSION);
  checkHeader(headers, "mcp-protocol-version", version);
  if (version !== MODERN_VERSION)
    throw new RpcRefusal(UNSUPPORTED_VERSION, `Unsupported protocol version: ${short(version)}`, {
      status: 400,
      data: { supported: [MODERN_VERSION], requested: short(version) },
    });
  const capabilities = meta[CAPABILITIES];
  // Notifications need none of this.
  if (id === undefined) return {};
  if (!isRecord(capabilities)) throw lacks(CAPABILITIES);
  checkHeader(headers, "mcp-method", String(method));
  const subject = params[SUBJECTS[String(method)]];
  if (typeof subject === "string") checkHeader(headers, "mcp-name", subject);
  if (method === "tools/call") checkParameters(core, params, headers);
  return capabilities;
}

/**
 * Arguments that the tool's schema marks are in headers too.
 * @param {Core} core @param {Json} params @param {Headers} headers
 */
function checkParameters(core, params, headers) {
  for (const { name, path } of core.tools.get(String(params.name))?.headers ?? []) {
    /** @type {unknown} */
    let value = params.arguments;
    for (const key of path)
      value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const header = `mcp-param-${name}`;
    if (value !== undefined && value !== null) checkHeader(headers, header, value);
    else if (headers.has(header)) throw mismatch(header);
  }
}

/**
 * @param {Headers} headers @param {string} name
 * @param {unknown} value that the body has
 */
function checkHeader(headers, name, value) {
  const given = headers.get(name);
  if (given === null) throw mismatch(name);
  const text = decoded(given);
  if (text === String(value)) return;
  // 42.0 is 42.
  const isNumber = typeof value === "number" && /^-?\d+(\.0+)?$/.test(text ?? "");
  if (!isNumber || Number(text) !== value) throw mismatch(name);
}

/** @param {string} value @returns {string | undefined} undefined: it cannot be read */
function decoded(value) {
  const [, base64] = BASE64.exec(value) ?? [];
  if (base64 === undefined) return value;
  try {
    const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    if (bytesToText(bytes) !== base64) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @param {string} header */
function mismatch(header) {
  return new RpcRefusal(
    HEADER_MISMATCH,
    `Header mismatch: ${header} is missing, or says something else than the body`,
    { status: 400 },
  );
}

/** @param {string} key */
function lacks(key) {
  return new RpcRefusal(INVALID_PARAMS, `The request has no _meta["${key}"]`, { status: 400 });
}

/** @param {unknown} text */
function short(text) {
  return String(text).slice(0, 100);
}
