// SPDX-License-Identifier: MIT
// The public names of `weftgraph/pregel`.
export { Channel, ChannelWrite, Pregel, PregelNode } from "./graph/machine.js";
export type {
  ChannelWriteEntry,
  PregelInputType,
  PregelNodeFields,
  PregelOptions,
  PregelOutputType,
  PregelParams,
} from "./graph/machine.js";
