// SPDX-License-Identifier: MIT
// Says who may ask a server on this machine: whoever has the token, where there is one; without
// one, programs of this machine, and pages of origins that its user named. A page of another site
// reaches it otherwise, under its own name whose address it changes to this machine's, or by a
// request that it does not need to be answered.
import { createHash, timingSafeEqual } from "node:crypto";

/** Origins that are told of: a page could make up any number. */
const MOST_TOLD = 20;

/** @param {string} host a name or an address @returns {boolean} does it mean this machine? */
export function isLoopback(host) {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/**
 * @param {{ host: string, origins: string[] | undefined }} options
 * @param {(line: string) => void} tell
 * @returns {(request: Request) => Response | undefined} why not
 */
export function makeGuard({ host, origins }, tell) {
  /** @type {Set<string>} */
  const told = new Set();
  return (request) => {
    const { hostname } = new URL(request.url);
    if (isLoopback(host) && !isLoopback(hostname))
      return refusal(`This server is called localhost, not ${hostname}.`);
    const origin = request.headers.get("origin");
    if (origin === null || isAllowed(origin, origins)) return undefined;
    if (!told.has(origin) && told.size < MOST_TOLD) {
      told.add(origin);
      tell(`Refused a page of ${JSON.stringify(origin)}: --origin lets it ask.`);
    }
    return refusal("Pages of this origin may not ask: --origin lets them.");
  };
}

/** @param {string} origin @param {string[] | undefined} origins */
function isAllowed(origin, origins) {
  if (origins === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

/** @param {string} detail */
function refusal(detail) {
  return Response.json({ detail }, { status: 403 });
}

/**
 * @param {string} token
 * @returns {(request: Request) => boolean} does it bring the token?
 */
export function tokenCheck(token) {
  const expected = digest(token);
  return ({ headers }) => {
    const bearer = /^Bearer +(.*)$/i.exec(headers.get("authorization") ?? "")?.[1];
    return [headers.get("x-api-key"), bearer].some(
      (given) => typeof given === "string" && timingSafeEqual(digest(given), expected),
    );
  };
}

/** @param {string} text */
function digest(text) {
  return createHash("sha256").update(text).digest();
}
