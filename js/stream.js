// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/stream`: LangGraph's streaming protocol, for servers and
// clients.
export {
  STREAM_EVENTS_V3_MODES,
  convertToProtocolEvent,
  isCheckpointEnvelope,
} from "./events/protocol/protocol.js";
export {
  StreamChannel,
  StreamChannel as EventLog,
  isStreamChannel,
} from "./events/protocol/stream-channel.js";
export {
  SUPPORTED_CHANNELS,
  inferChannel,
  isPrefixMatch,
  isSupportedChannel,
  matchesSubscription,
  normalizeNamespaceSegment,
} from "./events/protocol/subscription.js";
