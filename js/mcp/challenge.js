// SPDX-License-Identifier: MIT
// Reads what a server that refuses a request asks for (WWW-Authenticate, RFC 9110 and RFC 9728),
// and has it answered.

/** @typedef {import("../types/mcp.js").McpHeaders} McpHeaders */
/**
 * What was given to challenges of a connection. `asking`: settles with the next answer.
 * @typedef {{ newest?: McpHeaders, asking?: Promise<McpHeaders | undefined> }} Answers
 */

/** Requests, by their lists of refused headers, that have asked. @type {WeakSet<McpHeaders[]>} */
const askers = new WeakSet();
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

/**
 * Asks for headers that answer a challenge, once for all requests that wait for them: a refresh
 * token may be used once. A request that was sent with older headers tries the newest answer first.
 * @param {Answers} answers of the connection
 * @param {(challenge: Challenge) => McpHeaders | undefined | Promise<McpHeaders | undefined>} ask
 * @param {Challenge} challenge
 * @param {McpHeaders[]} refused what the request was sent with; the same list for all its attempts
 * @returns {Promise<McpHeaders | undefined>} undefined when the request has asked already
 */
export async function answerOnce(answers, ask, challenge, refused) {
  if (answers.asking === undefined) {
    const newest = JSON.stringify(answers.newest);
    if (newest !== undefined && !refused.some((own) => JSON.stringify(own) === newest))
      return answers.newest;
    if (askers.has(refused)) return undefined;
    askers.add(refused);
    answers.asking = (async () => (answers.newest = await ask(challenge)))().finally(() => {
      answers.asking = undefined;
    });
  }
  return answers.asking;
}
