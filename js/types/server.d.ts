// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server`.
import type { AgUiGraph, AgUiOptions } from "./ag-ui.js";
import type { BaseStore } from "./stores/stores.js";

/** A compiled graph, or a function that makes one for each call from the call's config. */
export type ServedGraph =
  | { stream(input: any, options?: any): any; getState(config: any, options?: any): any }
  | ((config: { configurable?: Record<string, any> }) => any);

/** User of a request: a name, `true` for an admitted user without a name, or none. */
export type Asker = string | { identity: string } | boolean | undefined;

/** Options of createServer; `graphs` is required. */
export interface ServerOptions {
  /** The graphs, by the names that clients use (`assistant_id`, `graph_id`). */
  graphs: Record<string, ServedGraph>;
  /**
   * Checkpointer of the threads' states. Default: each graph's own, else this server's memory.
   * The threads themselves, and runs that wait, outlive a restart only with a `store` or
   * `registry` that lasts.
   */
  saver?: unknown;
  /** Store shared by the graphs, which clients read and write at /store. */
  store?: BaseStore;
  /**
   * Store of the records of threads, runs and assistants. Default: `store`, else memory. Only one
   * server at a time may write a registry, or the servers of one name in `tabs`.
   */
  registry?: BaseStore;
  /** Prefix of all paths, such as "/api". Default: none. */
  basePath?: string;
  /**
   * Whether pages of other origins may send requests; a list names the origins. Default: all may.
   */
  cors?: boolean | string[];
  /**
   * Returns the user of a request: a name, or `{ identity }`. Threads, runs, assistants and items
   * of the store then belong to the user who made them and are not found by others (404). A request
   * without a user is refused (401). `true` admits a request without a name: what it makes belongs
   * to all users without one. Default: no authentication.
   * @param request the client's request, or the one that `connect` got; its body is for the server:
   *   read a clone
   */
  authenticate?(request: Request): Asker | Promise<Asker>;
  /** Interval in ms without an event after which a stream sends a comment. Default 5000. */
  heartbeatMs?: number;
  /** Minimum number of a run's events kept for clients that join it. Default 2000. */
  bufferLimit?: number;
  /** Maximum bytes of a request body (413). Default 10 MB. */
  maxBodyBytes?: number;
  /**
   * Name that the servers of an app's tabs share, over the same saver and registry: one tab at a
   * time runs a thread, and the others follow the run. Needs Web Locks and BroadcastChannel.
   * Default: the server is alone.
   */
  tabs?: string;
  /** Whether each stream of a run ends with an event `end`. Default false. */
  endEvent?: boolean;
  /**
   * Answers AG-UI's clients at /agui/:graph: `handleAgUi` of `weftgraph/ag-ui`. Default: they are
   * refused (501).
   * @param request POST with the AG-UI input as its body, and without the client's headers
   * @param options the assistant's graph as `graph`, the request's `signal`, and an `onError` that
   *   shows the error's message
   */
  agui?(request: Request, options: AgUiOptions & { graph: AgUiGraph }): Promise<Response>;
  /**
   * Opens the WebSocket of a request at /threads/:id/stream/events: `Deno.upgradeWebSocket`, or the
   * host's equivalent. Default: sockets are refused (405).
   * @param request the object that was passed to `fetch`, no copy
   * @example
   * ```ts part
   * const upgrade = () => {
   *   const { 0: client, 1: socket } = new WebSocketPair();
   *   socket.accept();
   *   return { socket, response: new Response(null, { status: 101, webSocket: client }) };
   * };
   * ```
   */
  upgrade?(request: Request): { socket: ServerSocket; response: Response };
  /**
   * Keeps a worker alive while a run continues after its response: `ctx.waitUntil`.
   * @param promise of a run; resolves when it has ended
   */
  waitUntil?(promise: Promise<unknown>): unknown;
  /**
   * Calls webhooks, whose URLs clients choose. Default: a run with a webhook is refused.
   * @param input address that the client named as `webhook`
   * @param init POST with the run, its `values` and its `error` as JSON
   */
  fetch?: typeof globalThis.fetch;
  /**
   * Receives the error of a request that failed inside the server (500), or of a failed run.
   * @param error what was thrown
   * @param run the failed run; undefined for any other error
   */
  onError?(error: unknown, run?: FailedRun): void;
}

/** A failed run; its clients receive only the error's name and message. */
export interface FailedRun {
  thread_id: string;
  run_id: string;
}

/** The server's end of a WebSocket: a standard one, or one of the package `ws`. */
export interface ServerSocket {
  /** @param text one message: JSON */
  send(text: string): unknown;
  /**
   * @param code 4000 plus the HTTP status of the reason, such as 4404; without one the end is
   *   normal
   * @param reason text for people
   */
  close(code?: number, reason?: string): unknown;
  /**
   * @param type "message" or "close"
   * @param listener gets the event; a message's text is its `data`
   */
  addEventListener(type: any, listener: (event: any) => void): unknown;
  /** Number of unsent bytes, if known; events wait while it exceeds a megabyte. */
  readonly bufferedAmount?: number;
}

/** An Agent Server: a function from requests to responses. */
export interface AgentServer {
  /**
   * Answers a request. Takes the arguments of the global `fetch`; rejects only when `init.signal`
   * is aborted. Bound, so that it can be passed on.
   * @param input address or Request; its path begins with `basePath`
   * @param init method, headers, body and `signal`, as of the global `fetch`
   * @example
   * ```ts part
   * const callerOptions = { fetch: server.fetch };
   * const client = new Client({ apiUrl: "http://weft.local", callerOptions });
   * ```
   */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Serves a thread on an open or opening socket: commands and events of protocol v2, for the SDK's
   * `transport: "websocket"`. The socket is closed with 4401 or 4404 when `authenticate` refuses
   * its request.
   *
   * @param socket open or opening; each message is one command, as a JSON text
   * @param threadId thread that the commands and events are of
   * @param options what is known of the socket
   * @param options.request request that opened the socket, for `authenticate`
   * @throws BAD_ARGUMENT for an invalid socket
   * @example
   * ```ts part
   * sockets.on("connection", (socket) => server.connect(socket, threadId));
   * ```
   */
  connect(
    this: void,
    socket: ServerSocket,
    threadId: string,
    options?: { request?: Request },
  ): void;
  /** Prefix of all paths. */
  readonly basePath: string;
  /**
   * Cancels running work, waits for its end, and ends the streams of threads. Runs that wait begin
   * at the next server of the same `registry`.
   */
  close(this: void): Promise<void>;
}

/**
 * Makes an Agent Server of graphs: threads, runs, assistants and a store, for LangGraph's clients.
 * `export default { fetch: server.fetch }` serves it in a Worker, `Deno.serve` and `Bun.serve`
 * accept it too.
 *
 * @param options the graphs, and how to serve them
 * @returns the server; its `fetch` answers requests as the global one does
 * @throws BAD_ARGUMENT for invalid options
 * @example
 * ```ts
 * import { MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { createServer } from "weftgraph/server";
 *
 * const agent = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile();
 * const server = createServer({ graphs: { agent } });
 * const url = "http://weft.local/runs/wait";
 * const body = JSON.stringify({ assistant_id: "agent", input: { messages: "Hi" } });
 * const response = await server.fetch(url, { method: "POST", body });
 * console.log((await response.json()).messages.at(-1).content);
 * ```
 * ```text
 * Hello
 * ```
 */
export function createServer(options: ServerOptions): AgentServer;
