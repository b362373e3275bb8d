// SPDX-License-Identifier: MIT
// The public names of `weftgraph/pregel`.
export { Channel, PregelNode, ChannelWrite } from "./plan/low-level-node.js";
export { Pregel } from "./graph/pregel.js";
