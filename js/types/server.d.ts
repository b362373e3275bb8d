// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server`.
import type { AgUiGraph, AgUiOptions } from "./ag-ui.js";
import type { BaseStore } from "./stores/stores.js";

/** A compiled graph, or a function that makes one for each call, of the call's config. */
export type ServedGraph =
  | { stream(input: any, options?: any): any; getState(config: any, options?: any): any }
  | ((config: { configurable?: Record<string, any> }) => any);

/** Who asks: a name, somebody who may ask without one (`true`), or nobody. */
export type Asker = string | { identity: string } | boolean | undefined;

/** What createServer takes; `graphs` is needed. */
export interface ServerOptions {
  /** The graphs, by the names that clients call them by (`assistant_id`, `graph_id`). */
  graphs: Record<string, ServedGraph>;
  /** Where threads are kept. Default: each graph's own checkpointer, else this server's memory. */
  saver?: unknown;
  /** What graphs share, and clients read and write at /store. */
  store?: BaseStore;
  /**
   * Where records of threads, runs and assistants are kept. Default: `store`, else memory. One
   * server at a time writes a registry.
   */
  registry?: BaseStore;
  /** What all addresses begin with, such as "/api". Default: nothing. */
  basePath?: string;
  /** May pages of other origins ask? A list names them. Default: all may. */
  cors?: boolean | string[];
  /**
   * Says who asks: a name, or `{ identity }`. Threads, runs, assistants and items of the store then
   * belong to who made them, and nobody else finds them (404). Whom it names nobody is refused
   * (401). `true` lets somebody in without a name: what they make is theirs who have none. Default:
   * nobody is asked.
   */
  authenticate?(request: Request): Asker | Promise<Asker>;
  /** After so many ms without an event a stream sends a comment. Default 5000. */
  heartbeatMs?: number;
  /** Events of a run that are kept for those who join it, at least. Default 2000. */
  bufferLimit?: number;
  /** A longer body is refused (413). Default 10 MB. */
  maxBodyBytes?: number;
  /** Does each stream of a run end with an event `end`? Default false. */
  endEvent?: boolean;
  /**
   * What answers AG-UI's clients at /agui/:graph: `handleAgUi` of `weftgraph/ag-ui`. Default: they
   * are refused (501).
   */
  agui?(request: Request, options: AgUiOptions & { graph: AgUiGraph }): Promise<Response>;
  /**
   * Makes a socket of a request whose client asks for one, at /threads/:id/stream/events:
   * `Deno.upgradeWebSocket`, or what the host has for it. Default: sockets are refused (405).
   *
   * @example
   * const upgrade = () => {
   *   const { 0: client, 1: socket } = new WebSocketPair();
   *   socket.accept();
   *   return { socket, response: new Response(null, { status: 101, webSocket: client }) };
   * };
   */
  upgrade?(request: Request): { socket: ServerSocket; response: Response };
  /** Keeps a worker alive while a run goes on behind its answer: `ctx.waitUntil`. */
  waitUntil?(promise: Promise<unknown>): unknown;
  /**
   * What webhooks are called with: they go where a client says. Default: a run with a webhook is
   * refused.
   */
  fetch?: typeof globalThis.fetch;
  /** Gets what a request failed with inside the server (500), and what a run failed with. */
  onError?(error: unknown, run?: FailedRun): void;
}

/** A run that failed, as its clients see it too: there the error is its name and message. */
export interface FailedRun {
  thread_id: string;
  run_id: string;
}

/** The server's end of a WebSocket: a standard one, or one of the package `ws`. */
export interface ServerSocket {
  send(text: string): unknown;
  close(code?: number, reason?: string): unknown;
  addEventListener(type: any, listener: (event: any) => void): unknown;
  /** Where it is told, events wait while more than a megabyte does. */
  readonly bufferedAmount?: number;
}

/** An Agent Server: a function from requests to responses. */
export interface AgentServer {
  /**
   * Answers a request. Takes what the global `fetch` takes; rejects only when `init.signal` is
   * aborted. Bound, so that it can be handed on.
   *
   * @example
   * const callerOptions = { fetch: server.fetch };
   * const client = new Client({ apiUrl: "http://weft.local", callerOptions });
   */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves a thread on a socket that is open or opens: commands and events of protocol v2, for the
   * SDK's `transport: "websocket"`. It is closed with 4401 or 4404 where `authenticate` says so.
   *
   * @param request that the socket was made of, for `authenticate`
   * @throws BAD_ARGUMENT for what is no socket
   * @example
   * sockets.on("connection", (socket) => server.connect(socket, threadId));
   */
  connect(
    this: void,
    socket: ServerSocket,
    threadId: string,
    options?: { request?: Request },
  ): void;
  /** What all addresses begin with. */
  readonly basePath: string;
  /** Cancels what is at work, waits for its end, and ends the streams of threads. */
  close(this: void): Promise<void>;
}

/**
 * Makes an Agent Server of graphs: threads, runs, assistants and a store, as LangGraph's clients
 * know them. `export default { fetch: server.fetch }` serves it in a Worker, `Deno.serve` and
 * `Bun.serve` take it too.
 *
 * @throws BAD_ARGUMENT for options that are none
 * @example
 * const server = createServer({ graphs: { agent } });
 * await server.fetch("http://weft.local/info");
 */
export function createServer(options: ServerOptions): AgentServer;
