// SPDX-License-Identifier: MIT
// Answers requests of Node's http with a function of the Web: from a Request to a Response. Bodies
// are read and written as fast as the other side takes them; a request's signal is aborted when its
// client goes. Uses nothing of Node but its two arguments, so Express, Deno and Bun can call it.
import { checkArgument, isObject } from "../base/check-arguments.js";

/** @typedef {import("node:http").IncomingMessage & { originalUrl?: string }} Incoming */
/** @typedef {import("node:http").ServerResponse} Outgoing */

const METHODS_WITHOUT_BODY = ["GET", "HEAD"];

/**
 * @param {{ fetch: (request: Request) => Response | Promise<Response> }} server
 * @param {{ onError?: (error: unknown) => void }} [options] gets what `fetch` throws, and why a
 *   body ended early
 * @returns {(incoming: Incoming, outgoing: Outgoing) => Promise<void>}
 * @throws BAD_ARGUMENT for a server without fetch
 */
export function toNodeHandler(server, options = {}) {
  checkArgument(isObject(options), "toNodeHandler(server, options): options must be an object");
  const { onError } = options;
  checkArgument(
    typeof server?.fetch === "function",
    "toNodeHandler(server): server must have a function fetch, as createServer's has",
  );
  return async (incoming, outgoing) => {
    const controller = new AbortController();
    const { signal } = controller;
    outgoing.once("close", () => {
      if (!outgoing.writableFinished)
        controller.abort(new DOMException("The client went away.", "AbortError"));
    });
    /** @type {Request} */
    let request;
    try {
      request = requestOf(incoming, signal);
    } catch {
      return refuse(outgoing, 400, "This is no request.");
    }
    try {
      await send(await server.fetch(request), outgoing, request.method, signal);
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error);
      refuse(outgoing, 500, "The server failed at this request.");
    }
  };
}

/**
 * @param {Incoming} incoming
 * @param {AbortSignal} signal
 * @returns {Request}
 * @throws TypeError for an address or a method that no Request has
 */
function requestOf(incoming, signal) {
  const { method = "GET" } = incoming;
  const hasBody = !METHODS_WITHOUT_BODY.includes(method);
  /** @type {RequestInit & { duplex: "half" }} */
  const init = {
    method,
    headers: headersOf(incoming),
    body: hasBody ? bodyOf(incoming) : undefined,
    duplex: "half",
    signal,
  };
  return new Request(addressOf(incoming), init);
}

/** @param {Incoming} incoming */
function addressOf(incoming) {
  // Express cuts off what it is mounted at.
  const path = incoming.originalUrl ?? incoming.url ?? "";
  if (!path.startsWith("/")) throw new TypeError("It names no path.");
  const host = incoming.headers[":authority"] ?? incoming.headers.host ?? "localhost";
  const { encrypted } = /** @type {{ encrypted?: boolean }} */ (incoming.socket);
  const scheme = encrypted === true ? "https" : "http";
  return `${scheme}://${host}${path}`;
}

/** @param {Incoming} incoming */
function headersOf(incoming) {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    // Of HTTP/2, whose method and path are elsewhere.
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  return headers;
}

/**
 * Reads a piece when one is asked for. Who stops reading leaves the connection as it is: it still
 * carries the answer.
 * @param {Incoming} incoming
 * @returns {ReadableStream<Uint8Array>}
 */
function bodyOf(incoming) {
  const pieces = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * @param {Response} response
 * @param {Outgoing} outgoing
 * @param {string} method
 * @param {AbortSignal} signal
 */
async function send(response, outgoing, method, signal) {
  const reader = response.body?.getReader();
  const leave = () => reader?.cancel(signal.reason).catch(() => {});
  if (signal.aborted) return leave();
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers)
    if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  if (reader === undefined || method === "HEAD") {
    leave();
    outgoing.end();
    return;
  }
  signal.addEventListener("abort", leave, { once: true });
  // A stream may have nothing to say for a while, and its client waits for its headers.
  outgoing.flushHeaders();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    if (!outgoing.write(value)) await drained(outgoing);
  }
  outgoing.end();
}

/** @param {Outgoing} outgoing @returns {Promise<void>} it takes more, or nobody reads it */
function drained(outgoing) {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off("drain", end);
      outgoing.off("close", end);
      resolve();
    };
    if (outgoing.destroyed) return resolve();
    outgoing.on("drain", end);
    outgoing.on("close", end);
  });
}

/** @param {Outgoing} outgoing @param {number} status @param {string} detail */
function refuse(outgoing, status, detail) {
  // Half an answer must not look like a whole one.
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.statusCode = status;
  outgoing.setHeader("content-type", "application/json");
  outgoing.end(JSON.stringify({ detail }));
}
