// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server/node`.

/**
 * Makes a listener for Node's `http.createServer` (also https, http2 and Express) of a server that
 * is a function from requests to responses. Bodies are read and written as fast as the other side
 * takes them, and a request's signal is aborted when its client goes. Where something else reads
 * bodies (`express.json()`), this comes before it. In Express it sees the whole path, so
 * `createServer`'s `basePath` is the path that it is mounted at.
 *
 * @throws BAD_ARGUMENT for a server without `fetch`
 * @example
 * const server = createServer({ graphs: { agent } });
 * http.createServer(toNodeHandler(server)).listen(2024, "127.0.0.1");
 */
export function toNodeHandler(
  server: { fetch(request: Request): Response | Promise<Response> },
  options?: NodeHandlerOptions,
): (request: any, response: any) => Promise<void>;

/** What `toNodeHandler` takes besides. */
export interface NodeHandlerOptions {
  /** Gets what `fetch` threw (the client gets a 500), and why a body broke off. */
  onError?(error: unknown): void;
}
