// SPDX-License-Identifier: MIT
// Reads what a server that refuses a request asks for (WWW-Authenticate, RFC 9110 and RFC 9728).

/** Maximum characters to read. */
const MOST = 8192;

/**
 * `parameters`: `resource_metadata`, `scope`, `error` and what else the server names, by lower-case
 * names.
 * @typedef {{ status: number, scheme: string, parameters: Record<string, string> }} Challenge
 */

/**
 * @param {Response} response with the status 401 or 403
 * @returns {Challenge} with the scheme "" if the server names none
 */
export function readChallenge({ status, headers }) {
  const text = (headers.get("www-authenticate") ?? "").slice(0, MOST).trim();
  const [scheme] = text.split(/\s/, 1);
  /** @type {Record<string, string>} */
  const parameters = Object.create(null);
  const pairs = /([a-zA-Z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g;
  for (const [, name, quoted, plain] of text.slice(scheme.length).matchAll(pairs))
    parameters[name.toLowerCase()] ??= plain ?? quoted.replace(/\\(.)/g, "$1");
  return { status, scheme, parameters };
}
