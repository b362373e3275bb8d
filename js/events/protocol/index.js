// SPDX-License-Identifier: MIT
// Exports the names of events as names of this module: esbuild follows mere re-exports to their
// sources, and would put what `streamEvents` loads on demand into every bundle that names the root
// entry.
import * as chat from "./chat-stream.js";
import * as protocol from "./protocol.js";
import * as runs from "./run-stream.js";
import * as channels from "./stream-channel.js";
import * as transformers from "./transformers.js";

export const { ChatModelStreamImpl } = chat;
export const { STREAM_EVENTS_V3_MODES, convertToProtocolEvent, isCheckpointEnvelope } = protocol;
export const { GraphRunStream, SubgraphRunStream, createGraphRunStream } = runs;
export const { StreamChannel } = channels;
export const {
  createLifecycleTransformer,
  createMessagesTransformer,
  createSubgraphDiscoveryTransformer,
  createValuesTransformer,
  filterLifecycleEntries,
  filterSubgraphHandles,
  isNativeTransformer,
} = transformers;
