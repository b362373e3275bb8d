// SPDX-License-Identifier: MIT
// The public names of `weftgraph/ag-ui`.
export { toAgUi } from "./run.js";
export { createAgent, handleAgUi } from "./handle.js";
