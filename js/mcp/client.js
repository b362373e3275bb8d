// SPDX-License-Identifier: MIT
// Defines a connection to an MCP server: what can be asked of it, in either era of the protocol. An
// era (modern-era.js, legacy-era.js) says how a request travels.
import { isRecord, withoutGaps } from "../base/check-arguments.js";
import { LazyModule } from "../base/lazy.js";
import { McpError, serverError } from "./mcp-error.js";

/** @typedef {import("./parameter-headers.js").HeadersOf} HeadersOf */
/** @typedef {{ progress: number, total?: number, message?: string }} Progress */
/**
 * `name`: of the tool, prompt or resource that is asked for. `headers`: of its arguments.
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: Progress) => void }} Asking
 * @typedef {Asking & { name?: string, headers?: Record<string, unknown> }} Request
 * @typedef {{ name: "modern" | "legacy", version: string, serverInfo: unknown, capabilities:
 *   unknown, instructions: unknown, request: (method: string, params: Record<string,
 *   unknown>, request: Request) => Promise<Record<string, unknown>>, close?: () => Promise<void> }}
 *   Era
 * @typedef {{ name: string, title?: string, description?: string, inputSchema: Record<string,
 *   unknown>, outputSchema?: Record<string, unknown>, annotations?: Record<string, unknown>,
 *   icons?: unknown, [key: string]: unknown }} McpToolInfo
 */

/** Marks arguments that travel as headers too. */
const MARK = "x-mcp-header";
/**
 * Imported for servers with such tools, which are rare.
 * @type {LazyModule<typeof import("./parameter-headers.js")>}
 */
const HEADERS = /* @__PURE__ */ new LazyModule(
  "arguments in headers",
  () => import("./parameter-headers.js"),
);
/** Maximum pages that are read to find a tool. */
const MOST_PAGES = 100;

/** A connection to an MCP server. `connectMcp` makes it. */
export class McpClient {
  #era;
  #end = new AbortController();
  /** What makes the headers of a tool's arguments, by tool. @type {Map<string, HeadersOf>} */
  #headers = new Map();

  /** @param {string} url @param {Era} era */
  constructor(url, era) {
    this.url = url;
    this.#era = era;
    /** The era of the protocol that the server speaks. */
    this.era = era.name;
    this.protocolVersion = era.version;
    /** Name and version, as the server gives them. */
    this.serverInfo = era.serverInfo;
    this.capabilities = era.capabilities;
    this.instructions = typeof era.instructions === "string" ? era.instructions : undefined;
  }

  /**
   * Lists a page of tools. Leaves out those whose arguments cannot be sent.
   * @param {{ cursor?: string }} [params] @param {Asking} [asking]
   * @returns {Promise<{ tools: McpToolInfo[], nextCursor?: string }>}
   */
  async listTools(params, asking) {
    const page = await this.#list("tools/list", "tools", params, asking);
    const tools = [];
    for (const tool of page.tools) if (await this.#takeTool(tool)) tools.push(tool);
    return { ...page, tools: /** @type {McpToolInfo[]} */ (tools) };
  }

  /** @param {unknown} tool */
  async #takeTool(tool) {
    if (!isRecord(tool) || typeof tool.name !== "string") return false;
    const isMarked = this.era === "modern" && JSON.stringify([tool.inputSchema]).includes(MARK);
    const headersOf = isMarked ? (await HEADERS.load()).headersOf(tool.inputSchema) : () => ({});
    if (headersOf !== undefined) this.#headers.set(tool.name, headersOf);
    return headersOf !== undefined;
  }

  /**
   * Calls a tool.
   * @param {{ name: string, arguments?: Record<string, unknown>, inputResponses?: unknown,
   *   requestState?: unknown }} params
   * @param {Asking} [asking]
   * @returns {Promise<Record<string, unknown>>} the result; with `resultType` "input_required" the
   *   server asks for `inputRequests`: call again with `inputResponses` and its `requestState`
   */
  async callTool(params, asking) {
    const { name } = params;
    if (this.era === "modern") await this.#find(name, asking);
    const headers = this.#headers.get(name)?.(params.arguments);
    return this.#ask("tools/call", params, { ...asking, name, headers });
  }

  /** Reads pages of tools until the tool is known. @param {string} name @param {Asking} [asking] */
  async #find(name, asking) {
    /** @type {string | undefined} */
    let cursor;
    for (let page = 0; page < MOST_PAGES && !this.#headers.has(name); page++) {
      ({ nextCursor: cursor } = await this.listTools({ cursor }, { signal: asking?.signal }));
      if (cursor === undefined) return;
    }
  }

  /** @param {{ cursor?: string }} [params] @param {Asking} [asking] */
  listResources(params, asking) {
    return this.#list("resources/list", "resources", params, asking);
  }

  /** @param {{ cursor?: string }} [params] @param {Asking} [asking] */
  listResourceTemplates(params, asking) {
    return this.#list("resources/templates/list", "resourceTemplates", params, asking);
  }

  /** @param {{ uri: string }} params @param {Asking} [asking] */
  readResource(params, asking) {
    return this.#ask("resources/read", params, { ...asking, name: params.uri });
  }

  /** @param {{ cursor?: string }} [params] @param {Asking} [asking] */
  listPrompts(params, asking) {
    return this.#list("prompts/list", "prompts", params, asking);
  }

  /**
   * @param {{ name: string, arguments?: Record<string, string> }} params
   * @param {Asking} [asking]
   */
  getPrompt(params, asking) {
    return this.#ask("prompts/get", params, { ...asking, name: params.name });
  }

  /** Ends requests under way, and the session of a server that has one. */
  async close() {
    this.#end.abort(
      new McpError("The connection to the MCP server was closed", { code: "CLOSED" }),
    );
    await this.#era.close?.();
  }

  /**
   * @template {string} Key
   * @param {string} method @param {Key} key of the list
   * @param {{ cursor?: string }} [params] @param {Asking} [asking]
   * @returns {Promise<{ [key in Key]: unknown[] } & { nextCursor?: string }>}
   */
  async #list(method, key, { cursor } = {}, asking = {}) {
    const page = await this.#ask(method, { cursor }, asking);
    const list = page[key];
    if (!Array.isArray(list)) throw serverError(`answered ${method} without a list \`${key}\``);
    const { nextCursor: next } = page;
    // Some servers end their list with an empty cursor.
    const isMore = typeof next === "string" && next !== "" && next !== cursor;
    const read = { [key]: list, nextCursor: isMore ? next : undefined };
    return /** @type {{ [key in Key]: unknown[] }} */ (withoutGaps(read));
  }

  /**
   * @param {string} method @param {Record<string, unknown>} params @param {Request} asking
   * @returns {Promise<Record<string, unknown>>}
   */
  #ask(method, params, asking) {
    const { signal } = this.#end;
    return this.#era.request(method, params, {
      ...asking,
      signal: asking.signal === undefined ? signal : AbortSignal.any([asking.signal, signal]),
    });
  }
}
