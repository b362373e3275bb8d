// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server/service-worker`.
/** Who answers requests: a server, or somebody who passes them on to one. */
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
 * In a service worker: answers all requests of its pages below a path (or at another origin, one
 * that need not be there). Called while the worker's script begins.
 *
 * @param options `scope`: the server's `basePath`, or "http://weft.local"; default: `basePath`
 * @throws BAD_ARGUMENT outside of service workers, or for a scope that is not the server's
 * @example
 * serve(serveFrom(), { scope: "/agents" });
 */
export function serve(server: AnsweringServer, options?: { scope?: string }): void;

/**
 * Passes requests on. In a service worker, without a port: to the page that asks if it offers a
 * server of this path itself, else to the newest page that does; 503 where none does.
 *
 * @param port whose other end was given to `offer`
 * @throws BAD_ARGUMENT for what is no port, or without one outside of service workers
 */
export function serveFrom(port?: ServerPort): {
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>;
};

/**
 * Offers a page's server to its service worker, for as long as the page is open; with `port` a
 * worker's server to whoever has the other end.
 *
 * @returns takes it back: what is being answered ends
 * @throws BAD_ARGUMENT for what is no server
 * @example
 * offer(createServer({ graphs: { agent }, basePath: "/agents" }));
 */
export function offer(server: AnsweringServer, options?: { port?: ServerPort }): () => void;

/**
 * For a server inside of a service worker: keeps the worker alive while a run goes on.
 *
 * @example
 * const server = createServer({ graphs: { agent }, basePath: "/agents", waitUntil });
 */
export function waitUntil(promise: Promise<unknown>): void;
