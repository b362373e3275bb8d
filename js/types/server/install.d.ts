// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server/install`.
import type { AgentServer } from "../server.js";

/**
 * Makes the global `fetch` answer for one origin (below the server's `basePath`) with a server of
 * the same program, and the SDK's `new Client()` without an address find it.
 *
 * @param options `origin`: default "http://weft.local"; a page's own origin needs a server with a
 *   `basePath`
 * @returns takes it back
 * @throws BAD_ARGUMENT for what is no server or no origin
 * @example
 * const undo = installFetch(server, { origin: "http://weft.local" });
 * await fetch("http://weft.local/info");
 */
export function installFetch(server: AgentServer, options?: { origin?: string }): () => void;
