// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/channels`.
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
} from "./state/state.js";
export type { BinaryOperator, DeltaReducer, WaitForNames } from "./state/state.js";
export {
  channelsFromCheckpoint,
  createCheckpoint,
  deltaChannelsToSnapshot,
  deltaChannelsWithPendingWrites,
  empty,
  exitDeltaLateTaskId,
  exitDeltaTaskId,
} from "./state/more-channels.js";
