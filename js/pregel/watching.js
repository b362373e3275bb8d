// SPDX-License-Identifier: MIT
// What tells of a run as it goes on, loaded by the first call that has listeners: callbacks, and the stream modes that few read.
export * from "../callbacks/trace.js";
export { tellTool } from "../callbacks/tool-run.js";
export { DebugModes } from "./debug-modes.js";
export { printSteps } from "./print.js";
export { MessagesFeed } from "./messages-mode.js";
export { ToolsHandler } from "./tools-mode.js";
