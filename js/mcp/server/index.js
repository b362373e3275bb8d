// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/mcp/server`.
export { serveMcp } from "./serve.js";
