// SPDX-License-Identifier: MIT
// LangGraph's streaming protocol, for servers and clients of it.
export {
  EventLog,
  STREAM_EVENTS_V3_MODES,
  StreamChannel,
  convertToProtocolEvent,
  isCheckpointEnvelope,
} from "./events/run.js";
export type {
  ConvertToProtocolEventOptions,
  Namespace,
  ProtocolEvent,
  ProtocolMethod,
} from "./events/run.js";
import type { StreamMode } from "./graph/streams.js";
import type { Namespace, StreamChannel } from "./events/run.js";

/** What a subscription may name. */
export type ChannelName = Exclude<StreamMode, "debug"> | "lifecycle" | "input" | `custom:${string}`;

/** What is looked at of an event. */
export interface MatchableEvent {
  readonly method: string;
  readonly seq?: number;
  readonly params: { readonly namespace: Namespace; readonly data?: unknown };
}
/** Which events a client of the protocol wants. */
export interface Subscription {
  /** Names of SUPPORTED_CHANNELS, or `custom:<name>`; "custom" is all of these. */
  channels: string[];
  /** Prefixes of namespaces; their segments may leave out ids. None: all. */
  namespaces?: string[][];
  /** How many levels below a prefix. */
  depth?: number;
  /** Only events behind this number. */
  since?: number;
}
/** The channels that a subscription may name, beside `custom:<name>`. */
export const SUPPORTED_CHANNELS: Set<ChannelName>;
/** Whether the value is a StreamChannel, of Weft or of LangGraph.js. */
export function isStreamChannel(value: unknown): value is StreamChannel<unknown>;
/** The node's name in a segment of a namespace: "agent" of "agent:1ef0…". */
export function normalizeNamespaceSegment(segment: string): string;
/** Whether the namespace is `prefix` or below it; segments of the prefix may leave out ids. */
export function isPrefixMatch(namespace: Namespace, prefix: Namespace): boolean;
/** Whether a subscription may name this channel. */
export function isSupportedChannel(value: string): value is ChannelName;
/** The channel of an event; undefined for methods that nobody can subscribe to. */
export function inferChannel(event: MatchableEvent): ChannelName | undefined;
/** Whether the event is one that the subscription wants. */
export function matchesSubscription(event: MatchableEvent, definition: Subscription): boolean;
