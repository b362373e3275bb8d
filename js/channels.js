// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/channels`.
export {
  channelsFromCheckpoint,
  createCheckpoint,
  deltaChannelsToSnapshot,
  deltaChannelsWithPendingWrites,
  empty,
  exitDeltaLateTaskId,
  exitDeltaTaskId,
} from "./savers/langgraph/channel-sets.js";
export {
  DynamicBarrierValue,
  LastValueAfterFinish,
  NamedBarrierValue,
  NamedBarrierValueAfterFinish,
} from "./state/barriers.js";
export {
  AnyValue,
  BaseChannel,
  BinaryOperatorAggregate,
  EphemeralValue,
  LastValue,
  Topic,
  UntrackedValueChannel,
} from "./state/channels.js";
export { DeltaChannel, isDeltaChannel } from "./state/delta.js";
