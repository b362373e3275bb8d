// SPDX-License-Identifier: MIT
// What shows the events of a graph, loaded when they are asked for.
export { openRun } from "./v3.js";
export { showEvents } from "./stream-events.js";
export { showLog } from "./stream-log.js";
