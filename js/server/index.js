// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server`.
export { createServer } from "./server.js";
