// SPDX-License-Identifier: MIT
// Limits where a request with a key and a person's words may be redirected: within its origin, and
// to origins that its sender named. (fetch alone follows everywhere and withholds only
// `Authorization`.) Does not depend on the request's content.
import { readURL } from "../base/check-arguments.js";

const REDIRECTS = [301, 302, 303, 307, 308];
const MOST = 20;
const LONGEST_SHOWN = 200;

/** The server redirects to where the request must not go. */
export class RedirectError extends Error {
  name = "RedirectError";
  code = "REDIRECT";
}

/**
 * Is it a whole address? Without its slashes one that begins with `https:` is relative in a page.
 * @param {unknown} text
 */
export function isWebAddress(text) {
  return typeof text === "string" && /^https?:\/\//i.test(text) && readURL(text) !== undefined;
}

/**
 * Checks the origins that redirects may lead to.
 * @param {unknown} given
 * @returns {string[]}
 */
export function readOrigins(given = []) {
  if (!Array.isArray(given) || !given.every(isWebAddress))
    throw new TypeError(
      '`redirectOrigins` is a list of origins, such as ["https://eu.example.com"]',
    );
  return given.map((item) => new URL(item).origin);
}

/**
 * Calls `fetch` within the origin of `url` and `origins`; sends `own` headers only to the origin of
 * `url`.
 * @param {string} url absolute; in a page it may be relative
 * @param {{ method: string, headers: Record<string, string>, body?: string, signal?: AbortSignal,
 *   fetch?: typeof globalThis.fetch }} request
 * @param {Record<string, string>} own headers
 * @param {readonly string[]} origins
 * @returns {Promise<Response>}
 */
export async function fetchWithin(
  url,
  { method, headers, body, signal, fetch = globalThis.fetch },
  own,
  origins,
) {
  let mayTell = true;
  /** @type {string[]} */
  let allowed = [];
  for (let count = 0; ; count++) {
    const response = await fetch(url, {
      method,
      headers: mayTell ? { ...headers, ...own } : headers,
      body,
      signal,
      redirect: "manual",
    });
    if (response.type === "opaqueredirect")
      throw new RedirectError(
        "The server redirects, and a page cannot see where to: give the address that it leads to in place of this one",
      );
    const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    response.body?.cancel().catch(() => undefined);
    if (count === MOST) throw new RedirectError(`More than ${MOST} redirects`);
    if (count === 0) allowed = [...origins, new URL(url).origin];
    const next = placeAfter(url, location, { status: response.status, method, allowed });
    mayTell &&= next.origin === new URL(url).origin;
    url = next.href;
  }
}

/**
 * @param {string} url @param {string} location
 * @param {{ status: number, method: string, allowed: string[] }} asked
 */
function placeAfter(url, location, { status, method, allowed }) {
  const next = readURL(location, url);
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new RedirectError(`The server redirects to "${location.slice(0, LONGEST_SHOWN)}"`);
  const shown = `${next.origin}${next.pathname}`.slice(0, LONGEST_SHOWN);
  // These make a GET of a POST, without its body: the response would be no answer.
  if (status <= 303 && method !== "GET")
    throw new RedirectError(
      `The server redirects a ${method} to ${shown} with the status ${status}, which would lose what is sent: give that address in place of this one`,
    );
  if (!allowed.includes(next.origin)) {
    throw new RedirectError(
      `The server redirects to ${shown}, another origin, to which nothing was sent: give that address in place of this one, or name its origin in \`redirectOrigins\``,
    );
  }
  return next;
}

/** What a failed request says; Node has the reason in the cause alone. @param {unknown} error */
export function saidBy(error) {
  const { message = error, cause } = /** @type {Partial<Error>} */ (Object(error));
  const reason = cause instanceof Error && Object(cause).code;
  return String(message) + (typeof reason === "string" ? ` (${reason})` : "");
}

/** @param {string} url @returns {string} its origin, to be shown */
export function originOf(url) {
  return readURL(url)?.origin ?? url;
}
