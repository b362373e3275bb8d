// SPDX-License-Identifier: MIT
// Declares LangGraph's streaming protocol, for servers and clients.
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

/** A channel that a subscription may name. */
export type ChannelName = Exclude<StreamMode, "debug"> | "lifecycle" | "input" | `custom:${string}`;

/** The part of an event that matching uses. */
export interface MatchableEvent {
  readonly method: string;
  readonly seq?: number;
  readonly params: { readonly namespace: Namespace; readonly data?: unknown };
}
/** Selects the events that a client of the protocol receives. */
export interface Subscription {
  /** Names of SUPPORTED_CHANNELS, or `custom:<name>`; "custom" selects all of these. */
  channels: string[];
  /** Prefixes of namespaces; their segments may omit ids. Default: all. */
  namespaces?: string[][];
  /** Maximum number of levels below a prefix. */
  depth?: number;
  /** Only events after this number. */
  since?: number;
}
/** Channels that a subscription may name, beside `custom:<name>`. */
export const SUPPORTED_CHANNELS: Set<ChannelName>;
/**
 * Checks for a StreamChannel of Weft or of LangGraph.js.
 * @param value any value; other asynchronous iterables give false
 */
export function isStreamChannel(value: unknown): value is StreamChannel<unknown>;
/**
 * Returns the node's name in a segment of a namespace: "agent" of "agent:1ef0…".
 * @param segment a node's name, with or without the id of its task
 * @throws BAD_ARGUMENT if segment is no text
 */
export function normalizeNamespaceSegment(segment: string): string;
/**
 * Checks whether the namespace is `prefix` or below it; segments of the prefix may omit ids.
 * @param namespace position of a graph in the run
 * @param prefix its beginning; `[]` fits every namespace, "agent" also "agent:1ef0…"
 * @throws BAD_ARGUMENT if one of them is no list of texts
 */
export function isPrefixMatch(namespace: Namespace, prefix: Namespace): boolean;
/**
 * Checks whether a subscription may name this channel.
 * @param value name to check: every stream mode but debug passes, `lifecycle`, `input` and
 *   `custom:<name>`
 */
export function isSupportedChannel(value: string): value is ChannelName;
/**
 * Returns the channel of an event; undefined for methods without a channel.
 * @param event event of a run; a custom one with a name has the channel `custom:<name>`
 * @throws BAD_ARGUMENT if event is no object
 */
export function inferChannel(event: MatchableEvent): ChannelName | undefined;
/**
 * Checks whether the subscription selects the event.
 * @param event event of a run, with its number if the subscription has `since`
 * @param definition channels, and beneath which namespaces and how deep; without namespaces all
 * @throws BAD_ARGUMENT for an event or a subscription of another form
 * @example
 * ```ts
 * import {
 *   EventLog,
 *   SUPPORTED_CHANNELS,
 *   inferChannel,
 *   isPrefixMatch,
 *   isStreamChannel,
 *   isSupportedChannel,
 *   matchesSubscription,
 *   normalizeNamespaceSegment,
 * } from "weftgraph/stream";
 *
 * const event = { method: "updates", params: { namespace: ["agent:1"], data: {} } };
 * console.log(inferChannel(event), matchesSubscription(event, { channels: ["updates"] }));
 * console.log(isPrefixMatch(["agent:1", "tools:2"], ["agent"]));
 * console.log(normalizeNamespaceSegment("agent:1"));
 * console.log(SUPPORTED_CHANNELS.has("updates"), isSupportedChannel("custom:progress"));
 * console.log(isStreamChannel(new EventLog<string>()));
 * ```
 * ```text
 * updates true
 * true
 * agent
 * true true
 * true
 * ```
 */
export function matchesSubscription(event: MatchableEvent, definition: Subscription): boolean;
