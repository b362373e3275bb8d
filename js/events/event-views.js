// SPDX-License-Identifier: MIT
// Exports the views of a graph's events, loaded when they are requested.
export { printSteps } from "./print.js";
export { openRun } from "./protocol/v3.js";
export { showEvents } from "./langchain/stream-events.js";
export { showLog } from "../compat/streams/stream-log.js";
