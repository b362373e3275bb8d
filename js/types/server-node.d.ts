// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/node`.

/**
 * Makes a listener for Node's `http.createServer` (also https, http2 and Express) from a server
 * that is a function from requests to responses. Bodies are streamed with backpressure, and a
 * request's signal aborts when its client disconnects. Install it before middleware that reads
 * bodies (`express.json()`). In Express it sees the whole path, so `createServer`'s `basePath` must
 * be the mount path.
 *
 * @param server or anything with its `fetch`
 * @param server.fetch answers one request; what it throws is 500 for the client
 * @param options `onError` is told what failed
 * @returns the listener; its promise ends with the response
 * @throws BAD_ARGUMENT for a server without `fetch`
 * @example
 * ```ts part
 * const server = createServer({ graphs: { agent } });
 * http.createServer(toNodeHandler(server)).listen(2024, "127.0.0.1");
 * ```
 */
export function toNodeHandler(
  server: { fetch(request: Request): Response | Promise<Response> },
  options?: NodeHandlerOptions,
): (request: any, response: any) => Promise<void>;

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /**
   * Receives errors of `fetch` (the client receives a 500), and of broken bodies.
   * @param error what `fetch` threw, or why the body ended early
   */
  onError?(error: unknown): void;
}
