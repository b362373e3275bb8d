// SPDX-License-Identifier: MIT
// Names what a page asks of the worker beside the Agent Server's protocol: `engine.ask(name,
// value)`.
import { MODEL_COMMANDS } from "../models/commands.js";
import { setLimits } from "./limits.js";
import { measureOf } from "./measures.js";
import { recordedRuns, recordingOf } from "./recordings.js";
import { sourceOf } from "./sources.js";
import { stepBytes } from "./step-bytes.js";
import { changesSince } from "./thread-changes.js";
import { timeSteps } from "./time-steps.js";

/** @typedef {import("weftgraph/stores/saver").SaverStore} SaverStore */
/**
 * What a command may use.
 * @typedef {{ server: import("weftgraph/server").AgentServer, saver:
 *   import("weftgraph/savers/own").WeftSaver, store: SaverStore, graphs: typeof
 *   import("./graphs.js").graphs }} Inside
 */
/** @typedef {(value: any, inside: Inside) => unknown} Command */

/** @type {Record<string, Command>} */
export const COMMANDS = {
  ...MODEL_COMMANDS,
  "export threads": async (keys, { saver, server }) =>
    (await import("./threads-file.js")).exportAll(saver, server, keys),
  "import threads": async (file, { saver, server }) =>
    (await import("./threads-file.js")).importAll(saver, server, file),
  "recorded runs": () => recordedRuns(),
  recording: (id) => recordingOf(id),
  "thread changes": (seen, { saver }) => changesSince(seen, saver),
  source: (name) => sourceOf(name),
  limits: (value) => setLimits(value),
  "step bytes": (thread, { saver }) => stepBytes(saver, thread),
  measure: () => timeSteps(),
  meters: async (thread, { saver }) => ({
    ...(await measureOf(String(thread))),
    bytes: typeof thread === "string" && thread !== "" ? await saver.byteLength(thread) : 0,
  }),
};
