// SPDX-License-Identifier: MIT
// Lets tools call through a client of the official SDK (v1 or v2), by its shape.
import { McpClient } from "./client.js";

/** @typedef {import("./client.js").Asking} Asking */
/**
 * What tools need of a connection.
 * @typedef {Pick<McpClient, "listTools" | "callTool"> & { serverInfo?: unknown, url?: string }}
 *   ToolServer
 */

/**
 * @param {Record<string, unknown>} client
 * @returns {ToolServer}
 */
export function adaptClient(client) {
  if (client instanceof McpClient) return client;
  const { listTools, callTool, getServerVersion } =
    /** @type {{ [name: string]: (...args: unknown[]) => Promise<never> }} */ (client);
  if (typeof callTool !== "function")
    throw new TypeError("loadMcpTools: a client has the methods listTools and callTool");
  // The second argument of version 1 is the schema of the result, and has a default.
  const isFirst = callTool.length < 2;
  return {
    serverInfo: /** @type {unknown} */ (getServerVersion?.call(client)),
    // Version 2 keeps a list for as long as the server says, which may hide a change.
    listTools: (params, asking) =>
      listTools.call(client, params, { ...optionsOf(asking), cacheMode: "refresh" }),
    callTool: (params, asking) => {
      const options = optionsOf(asking);
      return isFirst
        ? callTool.call(client, params, undefined, options)
        : callTool.call(client, params, { ...options, allowInputRequired: true });
    },
  };
}

/** @param {Asking | undefined} asking */
function optionsOf({ signal, onProgress } = {}) {
  return {
    ...(signal === undefined ? undefined : { signal }),
    ...(onProgress === undefined ? undefined : { onprogress: onProgress }),
  };
}
