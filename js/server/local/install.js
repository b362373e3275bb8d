// SPDX-License-Identifier: MIT
// Lets programs that know only an address reach a server in the same program: the global fetch
// answers for one origin, and the SDK's clients find it without an address.
import { checkArgument, isObject } from "../../base/check-arguments.js";

/** @typedef {ReturnType<typeof import("../server.js").createServer>} LocalServer */
/** @typedef {typeof globalThis.fetch} Fetch */

/** Where the SDK's clients look for a server, and for what calls it. */
const API_URL = Symbol.for("langgraph_api:url");
const API_FETCH = Symbol.for("langgraph_api:fetch");
/** What they take in place of the global fetch, where somebody set it. */
const FETCH_IMPLEMENTATION = Symbol.for("lg:fetch_implementation");

const globals = /** @type {Record<PropertyKey, unknown>} */ (globalThis);

/**
 * @param {LocalServer} server
 * @param {{ origin?: string }} [options]
 * @returns {() => void} takes it back
 * @throws BAD_ARGUMENT
 */
export function installFetch(server, options = {}) {
  checkArgument(isObject(options), "installFetch(server, options): options must be an object");
  const { origin = "http://weft.local" } = options;
  checkArgument(
    typeof server?.fetch === "function" && typeof server.basePath === "string",
    "installFetch(server, options): server must be one of createServer's",
  );
  checkArgument(
    originOf(origin) === origin,
    'installFetch(server, { origin }): origin must be one like "http://weft.local"',
  );
  const { basePath } = server;
  const isServed = (/** @type {URL | undefined} */ url) =>
    url?.origin === origin &&
    (url.pathname === basePath || url.pathname.startsWith(`${basePath}/`));
  let isInstalled = true;
  /** @param {Fetch} before @returns {Fetch} */
  const wrap = (before) => (input, init) => {
    const url = isInstalled ? urlOf(input) : undefined;
    if (url === undefined || !isServed(url)) return before.call(globalThis, input, init);
    return server.fetch(input instanceof Request ? input : url.href, init);
  };
  const restore = [
    replace("fetch", wrap(globalThis.fetch)),
    replace(API_URL, origin + basePath),
    replace(API_FETCH, server.fetch),
  ];
  const implementation = globals[FETCH_IMPLEMENTATION];
  if (typeof implementation === "function")
    restore.push(replace(FETCH_IMPLEMENTATION, wrap(/** @type {Fetch} */ (implementation))));
  return () => {
    // Who wrapped it since keeps it, and is passed on.
    isInstalled = false;
    for (const one of restore) one();
  };
}

/**
 * @param {PropertyKey} key of the global object
 * @param {unknown} value
 * @returns {() => void} puts back what was there, unless somebody else put something there
 */
function replace(key, value) {
  const wasThere = key in globals;
  const before = globals[key];
  globals[key] = value;
  return () => {
    if (globals[key] !== value) return;
    if (wasThere) globals[key] = before;
    else delete globals[key];
  };
}

/** @param {unknown} input of fetch @returns {URL | undefined} undefined: it is none */
function urlOf(input) {
  const text = input instanceof Request ? input.url : String(input);
  try {
    return new URL(text, globalThis.location?.href);
  } catch {
    return undefined;
  }
}

/** @param {unknown} text @returns {string | undefined} undefined: nothing of the web */
function originOf(text) {
  const url = urlOf(text);
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
