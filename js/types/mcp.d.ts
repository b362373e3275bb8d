// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/mcp`.
import type { Tool } from "./tools/index.js";

/** What a server that refuses a request (401, 403) asks for in `WWW-Authenticate`. */
export interface McpChallenge {
  status: number;
  /** "Bearer", for example; "" if the server names none. */
  scheme: string;
  /** `resource_metadata`, `scope`, `error` and others, by lower-case names. */
  parameters: Record<string, string>;
}

/** Headers by name; those that are undefined are left out. */
export type McpHeaders = Record<string, string | undefined>;

/** Options of `connectMcp`. */
export interface ConnectMcpOptions {
  /**
   * Sends the requests; the platform's by default.
   * @param input address of the server, or one that it redirects to
   * @param init method, headers, `signal`, `redirect: "manual"`, and JSON as the `body` of a POST
   */
  fetch?: typeof globalThis.fetch;
  /**
   * Headers of each request, or a function that returns them. A function is called once more with
   * what a server demands that refused a request, once for all requests that are refused at the
   * same time. Values that are undefined are left out. They are not sent to another origin.
   * @param challenge what the server that refused the request demands (401, 403); undefined before
   *   a request is sent
   */
  headers?:
    | McpHeaders
    | ((challenge?: McpChallenge) => McpHeaders | undefined | Promise<McpHeaders | undefined>);
  /** Name and version that the server is told. */
  clientInfo?: { name: string; version: string; [key: string]: unknown };
  /**
   * The protocol's era: "modern" is revision 2026-07-28, "legacy" 2025-03-26 to 2025-11-25. "auto"
   * (default) asks the server.
   */
  era?: "auto" | "modern" | "legacy";
  /**
   * Longest silence of the server, in milliseconds, unless it waits for the answer of `onElicit`.
   * Default 30,000.
   */
  timeoutMs?: number;
  /**
   * Longest time of one request, in milliseconds, with the time in which `onElicit` answers.
   * Default 600,000.
   */
  maxDurationMs?: number;
  /** Maximum bytes of one answer. Default 16 MiB. */
  maxResponseBytes?: number;
  /** Origins besides that of the address to which redirects are followed, without `headers`. */
  redirectOrigins?: string[];
  /**
   * Answers a question that a legacy server asks in the middle of a call, in the form of
   * {@link McpElicitationAnswer}. Without it the server is told that nobody can be asked. (A modern
   * server's question becomes an interrupt.)
   * @param params the server's question, as MCP has it: `message`, and `requestedSchema` of a form
   *   or the `url` of a page
   * @param options `{ signal }`
   * @param options.signal aborted when the call is over
   */
  onElicit?: (
    params: Record<string, any>,
    options: { signal?: AbortSignal },
  ) => McpElicitationAnswer | Promise<McpElicitationAnswer>;
  /** Aborts the connecting. */
  signal?: AbortSignal;
}

/** Answer to one question of a server. Defaults of the form are filled in. */
export interface McpElicitationAnswer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, any>;
}

/**
 * Value of the interrupt that a modern server's question becomes. Resume with an object that has an
 * {@link McpElicitationAnswer} for each key of `requests`.
 */
export interface McpElicitation {
  type: "mcp_elicitation";
  /** Name of the server. */
  server: string;
  /** The server's own name of the tool. */
  tool: string;
  requests: Record<string, { method: "elicitation/create"; params: Record<string, any> }>;
  /** State of the server, which is sent back unchanged. */
  requestState?: unknown;
}

/** Progress of a call. */
export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** Options of a request. */
export interface McpRequestOptions {
  signal?: AbortSignal;
  /**
   * @param progress `progress` grows up to `total`, where the server tells that; `message` is text
   *   for people
   */
  onProgress?: (progress: McpProgress) => void;
}

/** A tool as a server lists it. Untrusted. */
export interface McpToolInfo {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, any>;
  outputSchema?: Record<string, any>;
  annotations?: Record<string, any>;
  [key: string]: any;
}

/** A connection to an MCP server; {@link connectMcp} makes it. */
export interface McpClient {
  readonly url: string;
  readonly era: "modern" | "legacy";
  readonly protocolVersion: string;
  /** Name and version, as the server gives them. */
  readonly serverInfo: any;
  readonly capabilities: any;
  readonly instructions: string | undefined;
  /**
   * Lists a page of tools. Leaves out those whose arguments cannot be sent.
   * @param params which page; default: the first
   * @param params.cursor `nextCursor` of the page before
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  listTools(
    params?: { cursor?: string },
    options?: McpRequestOptions,
  ): Promise<{ tools: McpToolInfo[]; nextCursor?: string }>;
  /**
   * Calls a tool. If the result's `resultType` is "input_required" the server asks for its
   * `inputRequests`: call again with `inputResponses` and its `requestState`.
   * @param params the tool, its arguments, and answers to its questions
   * @param params.name the server's own name of the tool
   * @param params.arguments as its `inputSchema` demands; checked by the server alone
   * @param params.inputResponses an answer for each key of the `inputRequests` of the result before
   * @param params.requestState that of the result before, unchanged
   * @param options `signal`, which aborts the call, and `onProgress`
   * @throws McpError
   */
  callTool(
    params: {
      name: string;
      arguments?: Record<string, unknown>;
      inputResponses?: Record<string, McpElicitationAnswer>;
      requestState?: unknown;
    },
    options?: McpRequestOptions,
  ): Promise<Record<string, any>>;
  /**
   * Lists a page of resources.
   * @param params which page; default: the first
   * @param params.cursor `nextCursor` of the page before
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  listResources(
    params?: { cursor?: string },
    options?: McpRequestOptions,
  ): Promise<{ resources: any[]; nextCursor?: string }>;
  /**
   * Lists a page of templates of resources.
   * @param params which page; default: the first
   * @param params.cursor `nextCursor` of the page before
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  listResourceTemplates(
    params?: { cursor?: string },
    options?: McpRequestOptions,
  ): Promise<{ resourceTemplates: any[]; nextCursor?: string }>;
  /**
   * Reads a resource.
   * @param params which resource
   * @param params.uri as listed, or made of a template
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  readResource(params: { uri: string }, options?: McpRequestOptions): Promise<Record<string, any>>;
  /**
   * Lists a page of prompts.
   * @param params which page; default: the first
   * @param params.cursor `nextCursor` of the page before
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  listPrompts(
    params?: { cursor?: string },
    options?: McpRequestOptions,
  ): Promise<{ prompts: any[]; nextCursor?: string }>;
  /**
   * Fills in a prompt.
   * @param params which prompt, and what is filled in
   * @param params.name as listed
   * @param params.arguments texts by the names of the prompt's arguments
   * @param options `signal`, which aborts the request, and `onProgress`
   */
  getPrompt(
    params: { name: string; arguments?: Record<string, string> },
    options?: McpRequestOptions,
  ): Promise<Record<string, any>>;
  /** Ends requests under way, and the session of a legacy server. */
  close(): Promise<void>;
}

/**
 * Connects to an MCP server over HTTP, in a page, a Worker or on a server.
 *
 * ```ts part
 * const server = await connectMcp("https://example.com/mcp", {
 *   headers: { authorization: `Bearer ${token}` },
 * });
 * const tools = await loadMcpTools(server);
 * ```
 *
 * @param url of the server's endpoint
 * @param options of the connection
 * @returns the client, after the server has told its protocol and what it can; close it at the end
 * @throws McpError UNAUTHORIZED, NETWORK, TIMEOUT, REDIRECT, BAD_ANSWER, or the server's code
 * @throws TypeError for what is no address of HTTP, or an unknown option
 */
export function connectMcp(url: string | URL, options?: ConnectMcpOptions): Promise<McpClient>;

/** A client of the official SDK, version 1 or 2, by its shape. */
export interface McpClientLike {
  /**
   * @param params `{ cursor }`; undefined: the first page
   * @param options the SDK's: `signal`, `onprogress`, `cacheMode`
   */
  listTools(params?: any, options?: any): Promise<{ tools: any[]; nextCursor?: string }>;
  /**
   * @param params `{ name, arguments }`, and `inputResponses` with `requestState` to answer
   *   questions
   * @param rest the SDK's options, in version 1 behind the schema of the result
   */
  callTool(params: any, ...rest: any[]): Promise<any>;
}

/** Options of `loadMcpTools`; those of the connection count for addresses. */
export interface LoadMcpToolsOptions extends ConnectMcpOptions {
  /** Name of the server, for one without. By default what the server calls itself. */
  server?: string;
  /**
   * Whether tools are called `server__tool`. Default: true with several servers, whose names are
   * their keys.
   */
  prefix?: boolean;
  /**
   * Names of the wanted tools, or a function that chooses.
   * @param tool as the server lists it; only true includes it
   */
  include?: readonly string[] | ((tool: McpToolInfo) => boolean);
  /**
   * Whether a person is asked before a tool runs. A server's own hints (`annotations`) are no
   * reason not to ask.
   * @param tool as the server lists it
   * @param server name of the server
   */
  approval?:
    | "auto"
    | "ask"
    | "deny"
    | ((tool: McpToolInfo, server: string) => "auto" | "ask" | "deny" | undefined);
  /** Maximum characters of all texts in a result; the rest is left out. Default 200,000. */
  maxResultCharacters?: number;
  /**
   * Receives the tools that are left out because they cannot be used. Default: a warning.
   * @param refused the tool, and why
   * @param refused.server name of the server
   * @param refused.tool the server's own name of the tool
   * @param refused.error says what is wrong with it, or that `include` names a tool that is not
   *   there
   */
  onRefused?: (refused: { server: string; tool: string; error: unknown }) => void;
}

/** A server, where several are named. */
export type McpServerEntry =
  | string
  | URL
  | McpClient
  | McpClientLike
  | (ConnectMcpOptions & { url: string | URL } & Pick<LoadMcpToolsOptions, "approval" | "include">);

/**
 * Loads the tools of one MCP server, or of several, as tools of an agent. Failed calls are told to
 * the model, progress goes to the streams `tools` and `custom`, and a question of the server
 * interrupts the graph.
 *
 * ```ts part
 * const tools = await loadMcpTools(
 *   { docs: "https://docs.example.com/mcp", crm: { url: "https://crm.example.com/mcp", headers } },
 *   { approval: ({ name }) => (name.startsWith("delete") ? "ask" : "auto") },
 * );
 * ```
 *
 * @param servers an address, a client, or an object of them by name
 * @param options of the tools
 * @returns tools for an agent or a ToolNode
 * @throws McpError as `connectMcp`, BAD_NAME if two servers have a tool of the same name
 * @throws TypeError for what is no server, or an unknown option
 */
export function loadMcpTools(
  servers: string | URL | McpClient | McpClientLike | Record<string, McpServerEntry>,
  options?: LoadMcpToolsOptions,
): Promise<Tool[]>;

/** An MCP server refused, failed or broke off. */
export class McpError extends Error {
  /**
   * The server's number, or NETWORK, TIMEOUT, TOO_LARGE, BAD_ANSWER, BAD_NAME, BAD_TOOL,
   * BAD_ELICITATION, NEEDS_GRAPH, TOOL_ERROR, REDIRECT, UNAUTHORIZED, CLOSED, HTTP_<status>.
   */
  code: number | string;
  status?: number;
  /** What the server sent with its error. */
  data?: unknown;
  challenge?: McpChallenge;
  /**
   * @param message text for people, which may change: programs go by `code`
   * @param details what is known of the failure; only `code` is required
   * @param details.code the server's number, or one of the names above
   * @param details.status HTTP status of the answer, if there was one
   * @param details.data what the server sent with its error, unchecked
   * @param details.challenge what a 401 or 403 asks for in `WWW-Authenticate`
   * @param details.cause the error below it, of `fetch` for example
   */
  constructor(
    message: string,
    details: {
      code: number | string;
      status?: number;
      data?: unknown;
      challenge?: McpChallenge;
      cause?: unknown;
    },
  );
}
