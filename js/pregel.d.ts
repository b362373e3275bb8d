// SPDX-License-Identifier: MIT
// The public names of `weftgraph/pregel`.
export { Channel, ChannelWrite, Pregel, PregelNode } from "./pregel/machine.js";
export type { ChannelWriteEntry, PregelNodeFields, PregelParams } from "./pregel/machine.js";
