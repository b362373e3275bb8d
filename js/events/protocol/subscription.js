// SPDX-License-Identifier: MIT
// Checks what users give of events and subscriptions of LangGraph's protocol, and matches them.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { SUPPORTED_CHANNELS, channelOf, isBelow, isSubscribed, nameIn } from "./matching.js";

export { SUPPORTED_CHANNELS };

/** @typedef {import("./matching.js").MatchableEvent} MatchableEvent */

/** @param {string} segment of a namespace @returns {string} the name in it */
export function normalizeNamespaceSegment(segment) {
  checkArgument(typeof segment === "string", "a segment of a namespace must be a text");
  return nameIn(segment);
}

/**
 * @param {string[]} namespace
 * @param {string[]} prefix whose segments may omit ids
 * @returns {boolean}
 */
export function isPrefixMatch(namespace, prefix) {
  checkArgument(
    Array.isArray(namespace) && Array.isArray(prefix),
    "isPrefixMatch(namespace, prefix): both must be lists of texts",
  );
  return isBelow(namespace, prefix, normalizeNamespaceSegment);
}

/** @param {string} value @returns {boolean} */
export function isSupportedChannel(value) {
  return (
    SUPPORTED_CHANNELS.has(value) || (typeof value === "string" && value.startsWith("custom:"))
  );
}

/** @param {MatchableEvent} event @returns {string | undefined} */
export function inferChannel(event) {
  checkArgument(isObject(event), "inferChannel(event): event must be an event of the protocol");
  return channelOf(event);
}

/**
 * @param {MatchableEvent} event
 * @param {{ channels: string[], namespaces?: string[][], depth?: number, since?: number }}
 *   definition
 * @returns {boolean}
 */
export function matchesSubscription(event, definition) {
  const { channels, namespaces, since } = definition ?? {};
  checkArgument(
    Array.isArray(channels),
    "matchesSubscription(event, definition): definition.channels must be a list of names",
  );
  checkArgument(
    namespaces === undefined || Array.isArray(namespaces),
    "matchesSubscription(event, definition): definition.namespaces must be a list of namespaces",
  );
  if (since !== undefined && !(event.seq !== undefined && event.seq > since)) return false;
  checkArgument(isObject(event), "inferChannel(event): event must be an event of the protocol");
  return isSubscribed(event, definition, isPrefixMatch);
}
