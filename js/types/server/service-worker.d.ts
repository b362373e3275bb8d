// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/service-worker`.
/** Answers requests: a server, or a proxy of one. */
export interface AnsweringServer {
  fetch(input: any, init?: any): Promise<Response>;
  readonly basePath?: string;
}

/** A MessagePort, or a worker's own. */
export interface ServerPort {
  postMessage(message: any): void;
  addEventListener(type: "message", listener: (event: any) => void): void;
  removeEventListener(type: "message", listener: (event: any) => void): void;
  start?(): void;
  close?(): void;
}

/**
 * Answers all requests of a service worker's pages below a path (or to another origin, which need
 * not exist). Must be called while the worker's script starts.
 *
 * @param options `scope`: the server's `basePath`, or "http://weft.local"; default: `basePath`
 * @param server that answers; `serveFrom()` for one that a tab offers
 * @throws BAD_ARGUMENT outside of service workers, or for a scope that is not the server's
 * @example
 * ```ts part
 * serve(serveFrom(), { scope: "/agents" });
 * ```
 */
export function serve(server: AnsweringServer, options?: { scope?: string }): void;

/**
 * Makes a proxy that passes requests on. In a service worker, without a port: to the requesting
 * page if it offers a server for this path, else to the newest page that does; 503 without one.
 *
 * @param port port whose other end was passed to `offer`
 * @throws BAD_ARGUMENT for an invalid port, or without one outside of service workers
 */
export function serveFrom(port?: ServerPort): {
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>;
};

/**
 * Offers a page's server to its service worker while the page is open; with `port`, a worker's
 * server to the holder of the other end.
 *
 * @param server that answers the site's requests
 * @returns function that withdraws the offer: responses in progress end
 * @throws BAD_ARGUMENT for an invalid server
 * @example
 * ```ts part
 * offer(createServer({ graphs: { agent }, basePath: "/agents" }));
 * ```
 */
export function offer(server: AnsweringServer, options?: { port?: ServerPort }): () => void;

/**
 * Keeps the service worker alive while a run of a server inside of it continues.
 * @example
 * ```ts part
 * const server = createServer({ graphs: { agent }, basePath: "/agents", waitUntil });
 * ```
 */
export function waitUntil(promise: Promise<unknown>): void;
