// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/pregel`.
export { Channel, PregelNode, ChannelWrite } from "./plan/low-level-node.js";
export { Pregel } from "./graph/pregel.js";
