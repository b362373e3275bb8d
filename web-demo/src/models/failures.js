// SPDX-License-Identifier: MIT
// Describes why a call of a model failed, as plain data that a page can be told: never with the
// key, whatever a service wrote. Keeps the last failure of each thread.

/** @typedef {import("./choice.js").Chosen} Chosen */
/**
 * `hasBegun`: a part of the answer had come. `address`: the service's origin. `type`: content type
 * of the answer. `retryAfterMs`: how long the service asks to wait.
 * @typedef {{ name: string, message: string, code?: string, status?: number, body?: string, type?:
 *   string, retryAfterMs?: number, hasBegun?: boolean, address?: string, source?: string, model?:
 *   string, at: number }} Failure
 */

const LONGEST_MESSAGE = 1000;
const LONGEST_BODY = 2000;
const MOST_THREADS = 200;
/** Shorter ones are no secrets, and would be found in ordinary words. */
const SHORTEST_KEY = 4;

/** What is known of failed calls, by their error. @type {WeakMap<object, Partial<Failure>>} */
const notes = new WeakMap();
/** @type {Map<string, Failure>} */
const byThread = new Map();
/** Origins that the policy kept requests from. @type {Set<string>} */
const blocked = new Set();

/** Hears which addresses the worker's policy blocks: fetch does not say so. */
export function watchPolicy() {
  addEventListener("securitypolicyviolation", (event) => {
    const { effectiveDirective, blockedURI } = /** @type {SecurityPolicyViolationEvent} */ (event);
    if (effectiveDirective === "connect-src" && URL.canParse(blockedURI) && blocked.size < 1000)
      blocked.add(new URL(blockedURI).origin);
  });
}

/**
 * Takes the key out of an error, and notes what it does not say itself.
 * @param {any} error
 * @param {{ choice: Chosen, hasBegun: boolean }} call
 */
export async function noteFailure(error, { choice, hasBegun }) {
  if (typeof error !== "object" || error === null) return;
  const { source, url, model, webllm, key = "" } = choice;
  const isService = source === "service";
  const address = isService && URL.canParse(url) ? new URL(url).origin : undefined;
  withoutKey(error, key);
  // The policy's event may come after fetch has failed.
  if (error.code === "NETWORK") await new Promise((resolve) => setTimeout(resolve, 0));
  const isBlocked = error.code === "NETWORK" && address !== undefined && blocked.has(address);
  notes.set(error, {
    source,
    hasBegun,
    ...(address && { address }),
    ...(isService && model && { model }),
    ...(source === "webllm" && { model: webllm }),
    ...(isBlocked && { code: "BLOCKED" }),
  });
}

/**
 * Keeps why a run of a thread failed: for createServer's `onError`.
 * @param {unknown} error
 * @param {{ thread_id: string } | undefined} run
 */
export function keepFailure(error, run) {
  if (run === undefined) return;
  byThread.delete(run.thread_id);
  byThread.set(run.thread_id, describe(error));
  if (byThread.size > MOST_THREADS) byThread.delete([...byThread.keys()][0]);
}

/** @param {unknown} thread @returns {Failure | undefined} why its last run failed */
export function failureOf(thread) {
  return typeof thread === "string" ? byThread.get(thread) : undefined;
}

/** @param {any} error @returns {Failure} */
export function describe(error) {
  const { name, message, code, status, body, headers, retryAfterMs } = Object(error);
  const text = (/** @type {unknown} */ value, /** @type {number} */ most) =>
    typeof value === "string" && value !== "" ? value.slice(0, most) : undefined;
  const number = (/** @type {unknown} */ value) => (typeof value === "number" ? value : undefined);
  /** @type {Failure} */
  const failure = {
    name: text(name, 100) ?? "Error",
    message: text(message, LONGEST_MESSAGE) ?? String(error).slice(0, LONGEST_MESSAGE),
    code: text(code ?? error?.lc_error_code, 100),
    status: number(status),
    body: text(body, LONGEST_BODY),
    type: text(headers?.["content-type"], 100),
    retryAfterMs: number(retryAfterMs),
    ...(typeof error === "object" && error !== null ? notes.get(error) : {}),
    at: Date.now(),
  };
  return /** @type {Failure} */ (
    Object.fromEntries(Object.entries(failure).filter(([, value]) => value !== undefined))
  );
}

/** @param {any} error @param {string} key */
function withoutKey(error, key) {
  for (const field of ["message", "body", "code", "stack"])
    if (typeof error[field] === "string" && hasKey(error[field], key))
      error[field] = hideKey(error[field], key);
  for (const [name, value] of Object.entries(error.headers ?? {}))
    if (hasKey(String(value), key)) error.headers[name] = hideKey(String(value), key);
  if (hasKey(String(error.cause), key)) delete error.cause;
}

/**
 * Whether a text holds a key, in any form that one is written in.
 * @param {string} text @param {string} key
 */
export function hasKey(text, key) {
  return key.length >= SHORTEST_KEY && formsOf(key).some((form) => text.includes(form));
}

/**
 * The text without a key, in the forms in which services repeat one.
 * @param {string} text @param {string} key
 */
export function hideKey(text, key) {
  if (key.length < SHORTEST_KEY) return text;
  return formsOf(key).reduce((rest, form) => rest.replaceAll(form, "(your key)"), text);
}

/** @param {string} key */
function formsOf(key) {
  const bytes = new TextEncoder().encode(key);
  const base64 = btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");
  const escaped = JSON.stringify(key).slice(1, -1);
  // Recordings hold JSON inside JSON.
  const inside = JSON.stringify(escaped).slice(1, -1);
  return [key, encodeURIComponent(key), escaped, inside, base64];
}
