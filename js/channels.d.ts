// SPDX-License-Identifier: MIT
// The public names of `weftgraph/channels`.
export {
  AnyValue,
  BaseChannel,
  BinaryOperatorAggregate,
  DeltaChannel,
  DynamicBarrierValue,
  EphemeralValue,
  LastValue,
  LastValueAfterFinish,
  NamedBarrierValue,
  NamedBarrierValueAfterFinish,
  Topic,
  UntrackedValueChannel,
  isDeltaChannel,
} from "./graph/state.js";
export type { BinaryOperator, DeltaReducer, WaitForNames } from "./graph/state.js";
export { channelsFromCheckpoint, createCheckpoint, deltaChannelsToSnapshot, deltaChannelsWithPendingWrites, empty, exitDeltaLateTaskId, exitDeltaTaskId } from "./graph/more-channels.js";
