// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/service-worker`.
/** Answers requests: a server, or a proxy of one. */
export interface AnsweringServer {
  /**
   * @param input address or Request, as of the global `fetch`
   * @param init method, headers, body and `signal`, as of the global `fetch`
   */
  fetch(input: any, init?: any): Promise<Response>;
  readonly basePath?: string;
}

/** A MessagePort, or a worker's own. */
export interface ServerPort {
  /** @param message part of a request or of a response */
  postMessage(message: any): void;
  /**
   * @param type "message" alone is listened to
   * @param listener gets each message as its event's `data`
   */
  addEventListener(type: "message", listener: (event: any) => void): void;
  /**
   * @param type "message"
   * @param listener the same function that was added
   */
  removeEventListener(type: "message", listener: (event: any) => void): void;
  start?(): void;
  close?(): void;
}

/**
 * Answers all requests of a service worker's pages below a path (or to another origin, which need
 * not exist). Must be called while the worker's script starts.
 *
 * @param server that answers; `serveFrom()` for one that a tab offers
 * @param options which requests are answered
 * @param options.scope a path that leaves the site's own pages out, or another origin; default: the
 *   server's `basePath`
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
 * @returns for `serve` in a service worker; its `fetch` may be called directly as well
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
 * @param options to whom the server is offered; default: the page's service worker
 * @param options.port a MessagePort, or the worker's own; `serveFrom(port)` is at its other end
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
 * @param promise until it settles the browser does not stop the worker; ignored when no request is
 *   being answered
 * @throws nothing
 * @example
 * ```ts part
 * const server = createServer({ graphs: { agent }, basePath: "/agents", waitUntil });
 * ```
 */
export function waitUntil(promise: Promise<unknown>): void;
