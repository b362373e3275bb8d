// SPDX-License-Identifier: MIT
// Finds the handler of a request and answers what it throws: refusals with their status, the rest
// as an error of the server without its insides. Lets pages of other origins ask, where that is
// wanted.
import { objectOf, readBody } from "./http/fields.js";
import { json, notFound, Refusal } from "./http/replies.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./server.js").ServerState} ServerState */
/**
 * One request, as a handler sees it. `original`: the very object that came from the host; `params`:
 * what the path names; `fields`: those of a body that must be an object; `user`: who asks, where
 * `authenticate` says it.
 * @typedef {{ request: Request, original: Request, params: Record<string, string>, query: Json,
 *   body: () => Promise<unknown>, fields: () => Promise<Json>, user: string | undefined, signal:
 *   AbortSignal | undefined, basePath: string }} Call
 */
/** @typedef {(state: ServerState, call: Call) => Promise<Response>} Handler */
/** @typedef {[method: string, path: string, handler: Handler][]} Routes */
/** @typedef {{ method: string, parts: string[], handler: Handler }} Route ":": of a parameter */

const ADDRESS = "such address";
const METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
const EXPOSED = "content-location, location, x-pagination-total, x-pagination-next";

export class Router {
  /**
   * Routes by their number of segments.
   * @type {Map<number, Route[]>}
   */
  #routes = new Map();

  /** @param {Routes} routes */
  constructor(routes) {
    for (const [method, path, handler] of routes) {
      const parts = path.split("/").slice(1);
      const list = this.#routes.get(parts.length) ?? [];
      list.push({ method, parts, handler });
      this.#routes.set(parts.length, list);
    }
  }

  /**
   * @param {string} method
   * @param {string[]} segments of the path, decoded
   * @returns {{ handler: Handler, params: Record<string, string> }}
   * @throws {Refusal} 404 for a path that is none, 405 for a method that is none there
   */
  find(method, segments) {
    let isPath = false;
    for (const route of this.#routes.get(segments.length) ?? []) {
      if (!route.parts.every((part, at) => part[0] === ":" || part === segments[at])) continue;
      isPath = true;
      if (route.method !== method) continue;
      /** @type {Record<string, string>} */
      const params = {};
      for (const [at, part] of route.parts.entries())
        if (part[0] === ":") params[part.slice(1)] = segments[at];
      return { handler: route.handler, params };
    }
    throw isPath ? new Refusal(405, `${method} is not for this address.`) : notFound(ADDRESS);
  }
}

/**
 * @param {string} path
 * @param {string} basePath
 * @returns {string[]} decoded segments
 */
export function segmentsOf(path, basePath) {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) throw notFound(ADDRESS);
  try {
    return path
      .slice(basePath.length)
      .replace(/\/$/, "")
      .split("/")
      .slice(1)
      .map(decodeURIComponent);
  } catch {
    throw notFound(ADDRESS);
  }
}

/** @param {URLSearchParams} search @returns {Json} a list where a key stands several times */
export function queryOf(search) {
  /** @type {Json} */
  const query = Object.create(null);
  for (const key of new Set(search.keys())) {
    const values = search.getAll(key);
    query[key] = values.length === 1 ? values[0] : values;
  }
  return query;
}

/**
 * @param {Request} request
 * @param {number} most bytes
 * @returns {Pick<Call, "body" | "fields">} which read the body once
 */
export function bodyOf(request, most) {
  /** @type {Promise<unknown> | undefined} */
  let read;
  const body = () => (read ??= readBody(request, most));
  return { body, fields: async () => objectOf(await body()) };
}

/**
 * @param {unknown} error
 * @param {((error: unknown) => void) | undefined} onError
 * @returns {Response}
 */
export function refusalOf(error, onError) {
  if (error instanceof Refusal) return json({ detail: error.message }, error.status);
  const { code, name, message } = Object(error);
  // What the engine refuses of what was asked: a bad node's name, a checkpoint that is not there.
  if (CLIENT_CODES.has(code ?? name)) return json({ detail: message, code }, 422);
  onError?.(error);
  return json({ detail: "The server failed at this request." }, 500);
}

const CLIENT_CODES = new Set([
  "BAD_ARGUMENT",
  "BAD_STRING",
  "INVALID_UPDATE",
  "InvalidUpdateError",
  "UNKNOWN_NODE",
  "EMPTY_INPUT",
  "INVALID_CONCURRENT_GRAPH_UPDATE",
]);

/**
 * @param {Response} response
 * @param {Request} request
 * @param {boolean | string[]} allowed
 * @returns {Response}
 */
export function withCors(response, request, allowed) {
  // Deno has closed the request of an open socket.
  if (allowed === false || response.status === 101) return response;
  const origin = request.headers.get("origin");
  const isAny = allowed === true;
  if (!isAny && (origin === null || !allowed.includes(origin))) return response;
  response.headers.set("access-control-allow-origin", isAny ? "*" : String(origin));
  if (!isAny) response.headers.append("vary", "origin");
  response.headers.set("access-control-expose-headers", EXPOSED);
  return response;
}

/** @param {Request} request @returns {Response} the answer to a preflight */
export function preflight(request) {
  const headers = request.headers.get("access-control-request-headers") ?? "*";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-headers": headers,
      "access-control-allow-methods": METHODS,
      "access-control-allow-private-network": "true",
      "access-control-max-age": "600",
    },
  });
}
