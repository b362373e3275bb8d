// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/mcp`.
export { connectMcp } from "./connect.js";
export { loadMcpTools } from "./load-tools.js";
export { McpError } from "./mcp-error.js";
