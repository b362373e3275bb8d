// SPDX-License-Identifier: MIT
// Names what a page asks of the worker beside the Agent Server's protocol: `engine.ask(name,
// value)`.
import { setLimits } from "./limits.js";
import { measureOf } from "./measures.js";

/** @typedef {import("weftgraph/stores/saver").SaverStore} SaverStore */
/**
 * What a command may use.
 * @typedef {{ server: import("weftgraph/server").AgentServer, saver:
 *   import("weftgraph/savers/idbfs").IdbfsSaver, store: SaverStore, graphs: typeof
 *   import("./graphs.js").graphs }} Inside
 */
/** @typedef {(value: any, inside: Inside) => unknown} Command */

/** @type {Record<string, Command>} */
export const COMMANDS = {
  limits: (value) => setLimits(value),
  meters: async (thread, { saver }) => ({
    ...measureOf(thread),
    bytes: typeof thread === "string" && thread !== "" ? await saver.byteLength(thread) : 0,
  }),
};
