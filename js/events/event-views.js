// SPDX-License-Identifier: MIT
// What shows the events of a graph, loaded when they are asked for.
export { openRun } from "./protocol/v3.js";
export { showEvents } from "./langchain/stream-events.js";
export { showLog } from "../compat/streams/stream-log.js";
