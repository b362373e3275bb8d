// SPDX-License-Identifier: MIT
// Decides who may ask: which hosts and pages (a page of another site could otherwise reach a server
// of this machine by DNS rebinding), and which users.
import { readURL } from "../../base/check-arguments.js";
import { Refusal } from "../../server/http/replies.js";
import { nameOf } from "../../server/http/requests.js";

/**
 * @typedef {{ cors: boolean | readonly string[], hosts: readonly string[] | undefined,
 *   authenticate: ((request: Request) => unknown) | undefined, resourceMetadataUrl: string |
 *   undefined }} Access
 */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const ALLOWED_HEADERS =
  "content-type, accept, authorization, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id";
const EXPOSED_HEADERS = "mcp-session-id, www-authenticate";

/**
 * @param {Request} request
 * @param {Access} access
 * @throws {Refusal} 403
 */
export function checkOrigin(request, { cors, hosts }) {
  const url = new URL(request.url);
  if (hosts !== undefined && !hosts.includes(url.host) && !hosts.includes(url.hostname))
    throw new Refusal(403, "This host is not served");
  const origin = request.headers.get("origin");
  if (origin !== null && !isAllowed(origin, url, cors))
    throw new Refusal(403, "Pages of this origin may not ask");
}

/** @param {string} origin @param {URL} url @param {Access["cors"]} cors */
function isAllowed(origin, url, cors) {
  if (cors === true || (Array.isArray(cors) && cors.includes(origin))) return true;
  const from = readURL(origin);
  if (from === undefined) return false;
  // No certificate lets another site's name lead here. Without one only names of this machine are
  // sure to be its own.
  if (from.protocol === "https:" && origin === url.origin) return true;
  return LOOPBACK.test(from.hostname) && LOOPBACK.test(url.hostname);
}

/**
 * @param {Request} request that `checkOrigin` let pass
 * @param {Access} access
 * @returns {Promise<string | undefined>} the user's name
 * @throws {Refusal} 401
 */
export async function userOf(request, { authenticate }) {
  return authenticate === undefined ? undefined : nameOf(await authenticate(request));
}

/**
 * Lets pages read the answer, and says where to get an authorization.
 * @param {Response} response
 * @param {Request} request
 * @param {Access} access
 */
export function withHeaders(response, request, { cors, resourceMetadataUrl }) {
  const { headers, status } = response;
  if (status === 401) {
    const metadata =
      resourceMetadataUrl === undefined ? "" : ` resource_metadata="${resourceMetadataUrl}"`;
    headers.set("www-authenticate", `Bearer${metadata}`);
  }
  const origin = request.headers.get("origin");
  if (origin === null || status === 403) return response;
  headers.set("access-control-allow-origin", cors === true ? "*" : origin);
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  if (cors !== true) headers.append("vary", "origin");
  return response;
}

/** @param {Request} request @returns {Response} the answer to a preflight */
export function preflight(request) {
  // `mcp-param-*` are many: those that the page names are allowed.
  const asked = request.headers.get("access-control-request-headers") ?? "";
  const own = asked.split(",").filter((name) => /^\s*mcp-param-[\w-]+\s*$/i.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": [ALLOWED_HEADERS, ...own].join(","),
      "access-control-allow-private-network": "true",
      "access-control-max-age": "600",
    },
  });
}
