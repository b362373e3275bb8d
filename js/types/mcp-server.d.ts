// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/mcp/server`.
import type { BaseStore } from "./stores/stores.js";
import type { ToolSchema } from "./tools/index.js";
import type { Asker } from "./server.js";

/** A compiled graph, by the methods that a server calls. */
export interface McpGraph {
  /**
   * @param input the graph's input
   * @param config config of the call
   */
  invoke(input: any, config?: any): Promise<any>;
  /**
   * @param input the graph's input, or a Command with the answers of the client's person
   * @param options config of the call: a thread, a saver, `streamMode`, `signal`
   */
  stream(input: any, options?: any): any;
  /**
   * @param config names the call's thread
   * @param options none is passed
   */
  getState(config: any, options?: any): any;
}

/** How clients see a tool, beside its name, description and arguments. */
export interface McpToolFields {
  /** Name for people. */
  title?: string;
  /** JSON Schema of the structured result; a result that does not fit is an error. */
  outputSchema?: Record<string, any>;
  /** Hints for clients, such as `readOnlyHint`. */
  annotations?: Record<string, any>;
  icons?: { src: string; mimeType?: string; sizes?: string[] }[];
}

/** A graph as a tool. */
export interface GraphToolFields extends McpToolFields {
  graph: McpGraph;
  /** Up to 128 letters, digits, `_`, `-` and `.`. */
  name: string;
  /** What the graph is for, for models. */
  description?: string;
  /** Schema of the arguments: JSON Schema, zod, a Standard Schema. */
  schema: ToolSchema;
  /**
   * Makes the graph's input of the arguments. Default: the arguments are the input.
   * @param args the arguments as the schema reads them
   */
  input?(args: any): any;
  /**
   * Makes the result of the graph's output: a text, or what JSON can hold. Default: the output's
   * `structuredResponse`, else the text of its last message, else the output.
   * @param state what the graph's `invoke` returned
   */
  output?(state: any): any;
}

/** Options of `serveMcp`. */
export interface McpServerOptions {
  /** Name and version that clients are shown. */
  serverInfo?: { name: string; version: string; title?: string; [key: string]: unknown };
  /** How to use the server, for models. */
  instructions?: string;
  /**
   * Checkpointer of calls that ask something; calls are deleted from it when they end. Default: the
   * graph's own if a single graph is served, else memory, with which a question can be answered
   * only in this process.
   */
  saver?: unknown;
  /** Store of the tools and graphs; with `authenticate` each user has a part of it. */
  store?: BaseStore;
  /**
   * Returns the user of a request: a name, or `{ identity }`, which is in the config as
   * `configurable.langgraph_auth_user_id`. A request without a user is refused (401). `true` admits
   * a request without a name. Default: no authentication.
   * @param request the client's request; its body is for the server: read a clone
   */
  authenticate?(request: Request): Asker | Promise<Asker>;
  /** Address of the OAuth metadata (RFC 9728) that a 401 names. */
  resourceMetadataUrl?: string;
  /**
   * Origins whose pages may ask; `true`: all. Default: pages of the server's own https origin, and
   * on this machine those of this machine. Others are refused (403).
   */
  cors?: boolean | string[];
  /** Hosts under which the server is asked; requests for others are refused (403). Default: any. */
  hosts?: string[];
  /** Tools on one page of the list. Default 100. */
  pageSize?: number;
  /** How long after its beginning a call's questions can be answered, in ms. Default a day. */
  answerMs?: number;
  /** Longest time of a request, in ms. Default 600,000. */
  maxDurationMs?: number;
  /** Interval in ms without a message after which a stream sends a comment. Default 5000. */
  heartbeatMs?: number;
  /** Maximum bytes of a request body (413). Default 4 MiB. */
  maxBodyBytes?: number;
  /**
   * Receives errors inside the server; clients are not told what they say.
   * @param error what a request failed with, or the deletion of a call's thread
   */
  onError?(error: unknown): void;
}

/** Options of `serveMcp` for a single graph. */
export type ServeMcpOptions = McpServerOptions & Partial<Omit<GraphToolFields, "graph">>;

/** A MessagePort, or a worker. */
export interface McpPort {
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

/** An MCP server: a function from requests to responses. */
export interface McpServer {
  /**
   * Answers a request. Takes the arguments of the global `fetch`; rejects only when the request's
   * signal is aborted. Bound, so that it can be passed on.
   * @param input address of the server or Request; the server takes any path
   * @param init method, headers, body and `signal`, as of the global `fetch`
   * @example
   * ```ts part
   * const client = await connectMcp("http://weft.local/mcp", { fetch: server.fetch });
   * ```
   */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Answers requests that come over a port; `serveFrom(port)` of `weftgraph/server/service-worker`
   * is its other end.
   *
   * @param port port whose other end is passed to `serveFrom`, or a worker's own
   * @returns ends it, and what is being answered
   * @throws BAD_ARGUMENT for an invalid port
   * @example
   * ```ts part
   * const { port1, port2 } = new MessageChannel();
   * server.listen(port1);
   * const client = await connectMcp("http://weft.local/mcp", { fetch: serveFrom(port2).fetch });
   * ```
   */
  listen(this: void, port: McpPort): () => void;
}

/**
 * Serves a graph, or tools and graphs, to clients of the Model Context Protocol: of revision
 * 2026-07-28, and of 2025-03-26 to 2025-11-25. An `interrupt()` or an approval in a call becomes a
 * question to the client's person (elicitation).
 *
 * ```ts part
 * const server = serveMcp(agent, {
 *   name: "research",
 *   description: "Answers questions from the archive",
 *   schema: z.object({ question: z.string() }),
 *   input: ({ question }) => ({ messages: question }),
 * });
 * export default { fetch: server.fetch };
 * ```
 *
 * @param graph that becomes one tool
 * @param options of the server, and the tool's name, description and schema
 * @returns the server; its `fetch` answers requests as the global one does
 * @throws BAD_ARGUMENT for invalid tools or options
 * @example
 * ```ts
 * import { tool } from "weftgraph";
 * import { connectMcp } from "weftgraph/mcp";
 * import { serveMcp } from "weftgraph/mcp/server";
 *
 * const add = tool(({ a, b }: { a: number; b: number }) => String(a + b), {
 *   name: "add",
 *   schema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
 * });
 * const server = serveMcp([add], { serverInfo: { name: "sums", version: "1.0.0" } });
 * const client = await connectMcp("http://weft.local/mcp", { fetch: server.fetch });
 * const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
 * console.log(content);
 * await client.close();
 * ```
 * ```text
 * [ { type: 'text', text: '3' } ]
 * ```
 */
export function serveMcp(
  graph: McpGraph,
  options: McpServerOptions & Omit<GraphToolFields, "graph">,
): McpServer;
/**
 * Serves a list of tools and graphs.
 *
 * @param tools Weft's tools, LangChain's, functions with a schema, or graphs with their fields. How
 *   clients see a tool is in its `metadata.mcp` ({@link McpToolFields}).
 * @param options of the server
 * @throws BAD_ARGUMENT for invalid tools or options
 */
export function serveMcp(
  tools: readonly (object | GraphToolFields)[],
  options?: McpServerOptions,
): McpServer;
