// SPDX-License-Identifier: MIT
// LangGraph's streaming protocol, for servers and clients of it.
export { EventLog, STREAM_EVENTS_V3_MODES, StreamChannel, convertToProtocolEvent, isCheckpointEnvelope } from "./events/run.js";
export type { ConvertToProtocolEventOptions, Namespace, ProtocolEvent, ProtocolMethod } from "./events/run.js";
import type { Namespace } from "./events/run.js";

export interface MatchableEvent { readonly method: string; readonly seq?: number; readonly params: { readonly namespace: Namespace; readonly data?: unknown } }
export interface Subscription {
  channels: string[];
  /** Prefixes of namespaces; their segments may leave out ids. None: all. */
  namespaces?: string[][];
  /** How many levels below a prefix. */
  depth?: number;
  /** Only events behind this number. */
  since?: number;
}
/** The channels that a subscription may name, beside `custom:<name>`. */
export const SUPPORTED_CHANNELS: Set<string>;
export function isStreamChannel(value: unknown): boolean;
export function normalizeNamespaceSegment(segment: string): string;
export function isPrefixMatch(namespace: Namespace, prefix: Namespace): boolean;
export function isSupportedChannel(value: string): boolean;
/** The channel of an event; undefined for methods that nobody can subscribe to. */
export function inferChannel(event: MatchableEvent): string | undefined;
export function matchesSubscription(event: MatchableEvent, definition: Subscription): boolean;
