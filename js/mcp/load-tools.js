// SPDX-License-Identifier: MIT
// Makes tools of an agent from the tools of MCP servers. All that a server says is untrusted: names
// are made safe, hidden characters shown, schemas and lists bounded.
import { isRecord } from "../base/check-arguments.js";
import { checkOptions, connectMcp } from "./connect.js";
import { adaptClient } from "./official-client.js";
import { originOf } from "../models/redirects.js";
import { McpError, shorten } from "./mcp-error.js";
import { mcpTool } from "./mcp-tool.js";
import { toolNames } from "./tool-names.js";

/** @typedef {import("./client.js").McpToolInfo} McpToolInfo */
/** @typedef {import("../types/mcp.js").LoadMcpToolsOptions} Options */
/** @typedef {import("./official-client.js").ToolServer} ToolServer */
/**
 * @typedef {{ server: string, isPrefixed: boolean, client: ToolServer, options: Options }} Source
 */

/** Options of the tools; what else is given is for the connection. */
const OPTIONS = [
  "url",
  "server",
  "prefix",
  "include",
  "approval",
  "maxResultCharacters",
  "onRefused",
];
const MOST_PAGES = 100;
const MOST_TOOLS = 1000;
const MOST_SCHEMA_CHARACTERS = 2 ** 18;
const MOST_DESCRIPTION_CHARACTERS = 2 ** 15;
const MOST_RESULT_CHARACTERS = 200_000;

/**
 * Loads the tools of one server, or of several by name.
 * @param {unknown} servers an address, a client, or `{ name: address | { url, ... } | client }`
 * @param {Options} [options]
 * @returns {Promise<import("../types/tools/index.js").Tool[]>}
 */
export async function loadMcpTools(servers, options = {}) {
  const sources = await openAll(servers, options);
  const lists = await Promise.all(
    sources.map((source) => toolsOf(source).catch(naming(source.server))),
  );
  /** @type {Map<string, string>} */
  const owners = new Map();
  sources.forEach(({ server }, index) => {
    for (const name of lists[index].map((tool) => /** @type {string} */ (tool.name))) {
      const other = owners.get(name);
      if (other !== undefined) throw collision(name, other, server);
      owners.set(name, server);
    }
  });
  return /** @type {import("../types/tools/index.js").Tool[]} */ (lists.flat());
}

/** @param {unknown} servers @param {Options} options @returns {Promise<Source[]>} */
async function openAll(servers, options) {
  if (typeof servers === "string" || servers instanceof URL || isClient(servers)) {
    const client = await open(servers, options);
    const { server = nameOf(client), prefix = false } = options;
    return [{ server, isPrefixed: prefix, client, options }];
  }
  if (!isRecord(servers) || Object.keys(servers).length === 0)
    throw new TypeError(
      "loadMcpTools(servers): an address, a client, or an object of them by name",
    );
  return Promise.all(
    Object.entries(servers).map(async ([server, given]) => {
      const entry = isEntry(given) ? given : { url: given };
      /** @type {Options & { url: unknown }} */
      const own = { ...options, ...entry };
      const client = await open(own.url, own).catch(naming(server));
      return { server, isPrefixed: own.prefix ?? true, client, options: own };
    }),
  );
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isClient(value) {
  return isRecord(value) && typeof value.listTools === "function";
}

/** @param {unknown} value @returns {value is { url: unknown }} */
function isEntry(value) {
  return isRecord(value) && value.url !== undefined && !isClient(value);
}

/** @param {unknown} given @param {Options & { url?: unknown }} options */
async function open(given, options) {
  const others = Object.entries(options).filter(([name]) => !OPTIONS.includes(name));
  const connection = Object.fromEntries(others);
  if (!isClient(given)) return connectMcp(/** @type {string} */ (given), connection);
  // A misspelled `approval` must not pass.
  checkOptions(connection);
  return adaptClient(given);
}

/**
 * Makes an error say which server failed.
 * @param {string} server
 * @returns {(error: unknown) => never}
 */
function naming(server) {
  return (error) => {
    if (error instanceof McpError) error.message += ` (server: ${shorten(server)})`;
    throw error;
  };
}

/** @param {Source} source */
async function toolsOf({ server, isPrefixed, client, options }) {
  const { approval, maxResultCharacters = MOST_RESULT_CHARACTERS, onRefused = warn } = options;
  const isWanted = readInclude(options.include);
  const infos = (await listAll(client, options.signal)).filter(isWanted);
  const approvalOf = (/** @type {McpToolInfo} */ info) =>
    typeof approval === "function" ? verdictOf(approval, info, server) : approval;
  const find = finder(client, isWanted);
  const listed = infos.map(({ name }) => name);
  const names = toolNames(listed, isPrefixed ? server : undefined);
  for (const tool of Array.isArray(options.include) ? options.include : [])
    if (!listed.includes(tool))
      onRefused({ server, tool, error: badTool(tool, "is not among the server's tools") });
  return infos.flatMap((info, at) => {
    try {
      checkInfo(info, listed.indexOf(info.name) < at);
      return mcpTool(client, info, {
        server,
        name: /** @type {string} */ (names.get(info.name)),
        maxResultCharacters,
        approvalOf,
        find: () => find(info.name),
      });
    } catch (error) {
      if (error instanceof TypeError) throw error;
      onRefused({ server, tool: info.name, error });
      return [];
    }
  });
}

/**
 * Returns a function that asks how the server describes a tool now; once for all calls that ask at
 * the same time.
 * @param {ToolServer} client
 * @param {(info: McpToolInfo) => boolean} isWanted
 * @returns {(name: string) => Promise<McpToolInfo>}
 */
function finder(client, isWanted) {
  /** @type {Promise<McpToolInfo[]> | undefined} */
  let listing;
  return async (name) => {
    listing ??= listAll(client, undefined).finally(() => (listing = undefined));
    const infos = await listing.catch(
      (/** @type {{ message?: string, code?: string }} */ cause) => {
        const text = `The MCP tool ${shorten(name)} was not run: whether it is still what was approved is not known (${cause.message})`;
        throw new McpError(text, { code: cause.code ?? "BAD_ANSWER", cause });
      },
    );
    const [info, again] = infos.filter((one) => one.name === name && isWanted(one));
    if (info === undefined)
      throw badTool(name, "was not run: it is no longer among the server's tools");
    checkInfo(info, again !== undefined);
    return info;
  };
}

/**
 * @param {(info: McpToolInfo, server: string) => unknown} approval
 * @param {McpToolInfo} info @param {string} server
 */
function verdictOf(approval, info, server) {
  const verdict = /** @type {import("../types/tools/index.js").ToolApproval | undefined} */ (
    approval(info, server)
  );
  if (verdict !== undefined) return verdict;
  throw new TypeError(`loadMcpTools: \`approval\` says nothing of the tool ${shorten(info.name)}`);
}

/**
 * @param {ToolServer} client @param {AbortSignal | undefined} signal
 * @returns {Promise<McpToolInfo[]>}
 */
async function listAll(client, signal) {
  /** @type {McpToolInfo[]} */
  const found = [];
  /** @type {string | undefined} */
  let cursor;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(
      cursor === undefined ? undefined : { cursor },
      { signal },
    );
    found.push(...tools);
    if (found.length > MOST_TOOLS)
      throw new McpError(`The MCP server lists more than ${MOST_TOOLS} tools`, {
        code: "TOO_LARGE",
      });
    // Some servers end their list with an empty cursor.
    if (!nextCursor || nextCursor === cursor) return found;
    cursor = nextCursor;
  }
  throw new McpError(`The MCP server lists its tools on more than ${MOST_PAGES} pages`, {
    code: "TOO_LARGE",
  });
}

/** @param {Options["include"]} include @returns {(info: McpToolInfo) => boolean} */
function readInclude(include) {
  if (include === undefined) return () => true;
  if (typeof include === "function") return (info) => include(info) === true;
  if (!Array.isArray(include))
    throw new TypeError("loadMcpTools: `include` is a list of names, or a function");
  const names = new Set(include);
  return ({ name }) => names.has(name);
}

/** @param {McpToolInfo} info @param {boolean} isAgain whether another one has its name */
function checkInfo({ name, description, inputSchema, outputSchema }, isAgain) {
  if (name === "") throw badTool(name, "has no name");
  if (isAgain) throw badTool(name, "is listed twice");
  if (!isRecord(inputSchema)) throw badTool(name, "has no inputSchema");
  const size = JSON.stringify([inputSchema, outputSchema]).length;
  const isLarge =
    size > MOST_SCHEMA_CHARACTERS || String(description ?? "").length > MOST_DESCRIPTION_CHARACTERS;
  if (isLarge) throw badTool(name, "has a schema or description that is too large");
}

/** @param {string} name @param {string} what */
function badTool(name, what) {
  return new McpError(`The MCP tool ${shorten(name)} ${what}`, { code: "BAD_TOOL" });
}

/** @param {ToolServer} client */
function nameOf(client) {
  const info = client.serverInfo;
  if (isRecord(info) && typeof info.name === "string" && info.name !== "")
    return info.name.slice(0, 64);
  return client.url === undefined ? "mcp" : originOf(client.url);
}

/** @param {{ server: string, tool: string, error: unknown }} refused */
function warn({ server, tool, error }) {
  const reason = error instanceof Error ? error.message : String(error);
  console.warn(`The tool ${shorten(tool)} of the MCP server ${server} is left out: ${reason}`);
}

/** @param {string} tool @param {string} one @param {string} other */
function collision(tool, one, other) {
  return new McpError(
    `The MCP servers ${one} and ${other} both have a tool ${tool}: leave \`prefix\` on, or name the wanted tools in \`include\``,
    { code: "BAD_NAME" },
  );
}
