// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/pregel`.
export { Channel, ChannelWrite, Pregel, PregelNode } from "./graph/pregel.js";
export type {
  ChannelWriteEntry,
  PregelInputType,
  PregelNodeFields,
  PregelOptions,
  PregelOutputType,
  PregelParams,
} from "./graph/pregel.js";
