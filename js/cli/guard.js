// SPDX-License-Identifier: MIT
// Says who may ask a server: its token aside, programs, and pages of this machine, of the server
// itself and of origins that its user named. A page of another site reaches it otherwise, under
// its own name whose address it changes to this machine's, or by a request that it does not need
// to be answered.
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { readURL } from "../base/check-arguments.js";

/** What is told of: a page could make up any number of origins and names. */
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
  const tellOnce = (/** @type {string} */ line) => {
    if (told.has(line) || told.size === MOST_TOLD) return;
    told.add(line);
    tell(line);
  };
  return (request) => {
    const url = new URL(request.url);
    if (!isName(url, host, origins)) {
      if (isLoopback(host)) return refusal(`This server is called localhost, not ${url.hostname}.`);
      tellOnce(`Refused a request to ${url.host}: --origin ${url.origin} lets it be asked so.`);
      return refusal(`This server is not called ${url.hostname}: --origin names it.`);
    }
    const origin = request.headers.get("origin");
    if (origin === null || isAllowed(origin, url, origins)) return undefined;
    tellOnce(`Refused a page of ${JSON.stringify(origin)}: --origin lets it ask.`);
    return refusal("Pages of this origin may not ask: --origin lets them.");
  };
}

/**
 * May the server be asked under this name? Only who answers for a name can lead it to another
 * address, and an address is no name.
 * @param {URL} url @param {string} host where it listens @param {string[] | undefined} origins
 */
function isName(url, host, origins) {
  const { hostname } = url;
  if (isLoopback(hostname)) return true;
  if (isLoopback(host)) return false;
  return (
    hostname === host.toLowerCase() ||
    isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 ||
    (origins?.some((origin) => new URL(origin).host === url.host) ?? true)
  );
}

/** @param {string} origin @param {URL} url @param {string[] | undefined} origins */
function isAllowed(origin, url, origins) {
  if (origins === undefined || origins.includes(origin)) return true;
  const from = readURL(origin);
  return from !== undefined && (from.host === url.host || isLoopback(from.hostname));
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
