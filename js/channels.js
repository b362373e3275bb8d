// SPDX-License-Identifier: MIT
// The public names of `weftgraph/channels`.
export { channelsFromCheckpoint, createCheckpoint, deltaChannelsToSnapshot, deltaChannelsWithPendingWrites, empty, exitDeltaLateTaskId, exitDeltaTaskId } from "./graph/channel-sets.js";
export { DynamicBarrierValue, LastValueAfterFinish, NamedBarrierValue, NamedBarrierValueAfterFinish } from "./graph/barriers.js";
export {
  AnyValue,
  BaseChannel,
  BinaryOperatorAggregate,
  EphemeralValue,
  LastValue,
  Topic,
  UntrackedValueChannel,
} from "./graph/channels.js";
export { DeltaChannel, isDeltaChannel } from "./graph/delta.js";
