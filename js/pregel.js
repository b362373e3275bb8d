// SPDX-License-Identifier: MIT
// The public names of `weftgraph/pregel`.
export { Channel, PregelNode, ChannelWrite } from "./pregel/node.js";
export { Pregel } from "./pregel/pregel.js";
