// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/install`.
import type { AgentServer } from "../server.js";

/**
 * Makes the global `fetch` answer requests to one origin (below the server's `basePath`) by a
 * server of the same program, and makes it the default of the SDK's `new Client()`.
 *
 * @param server that answers
 * @param options under which address the server is found
 * @param options.origin scheme and host, no path; default "http://weft.local". A page's own origin
 *   needs a server with a `basePath`
 * @returns function that undoes it
 * @throws BAD_ARGUMENT for an invalid server or origin
 * @example
 * ```ts
 * import { MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { createServer } from "weftgraph/server";
 * import { installFetch } from "weftgraph/server/install";
 *
 * const agent = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [] }))
 *   .addEdge(START, "answer")
 *   .compile();
 * const server = createServer({ graphs: { agent } });
 * const undo = installFetch(server, { origin: "http://weft.local" });
 * console.log((await fetch("http://weft.local/ok")).status);
 * undo();
 * ```
 * ```text
 * 200
 * ```
 */
export function installFetch(server: AgentServer, options?: { origin?: string }): () => void;
