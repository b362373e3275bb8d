// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/install`.
import type { AgentServer } from "../server.js";

/**
 * Makes the global `fetch` answer requests to one origin (below the server's `basePath`) by a
 * server of the same program, and makes it the default of the SDK's `new Client()`.
 *
 * @param options `origin`: default "http://weft.local"; a page's own origin needs a server with a
 *   `basePath`
 * @returns function that undoes it
 * @throws BAD_ARGUMENT for an invalid server or origin
 * @example
 * const undo = installFetch(server, { origin: "http://weft.local" });
 * await fetch("http://weft.local/info");
 */
export function installFetch(server: AgentServer, options?: { origin?: string }): () => void;
