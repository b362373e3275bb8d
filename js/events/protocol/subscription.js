// SPDX-License-Identifier: MIT
// Matches events of LangGraph's protocol with subscriptions. Does not depend on their sender.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { MODES } from "../../streams/stream-modes.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * Channels that a subscription may name, besides `custom:<name>`: the modes of a stream except
 * `debug`, whose events other channels have, and two of the protocol's own.
 */
export const SUPPORTED_CHANNELS = new Set([
  ...MODES.filter((mode) => mode !== "debug"),
  "lifecycle",
  "input",
]);

/**
 * @typedef {{ method: string, seq?: number, params: { namespace: string[], data?: Value } }}
 *   MatchableEvent
 */

/** @param {string} segment of a namespace @returns {string} the name in it */
export function normalizeNamespaceSegment(segment) {
  checkArgument(typeof segment === "string", "a segment of a namespace must be a text");
  return segment.split(":", 1)[0];
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
  if (prefix.length > namespace.length) return false;
  return prefix.every(
    (segment, i) =>
      segment === namespace[i] ||
      (typeof segment === "string" &&
        !segment.includes(":") &&
        segment === normalizeNamespaceSegment(namespace[i])),
  );
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
  const { method, params } = event;
  if (method === "input.requested" || method === "input.answered") return "input";
  const name = method === "custom" ? params?.data?.name : undefined;
  if (typeof name === "string") return `custom:${name}`;
  return SUPPORTED_CHANNELS.has(method) ? method : undefined;
}

/**
 * @param {MatchableEvent} event
 * @param {{ channels: string[], namespaces?: string[][], depth?: number, since?: number }}
 *   definition
 * @returns {boolean}
 */
export function matchesSubscription(event, definition) {
  const { channels, namespaces, depth, since } = definition ?? {};
  checkArgument(
    Array.isArray(channels),
    "matchesSubscription(event, definition): definition.channels must be a list of names",
  );
  checkArgument(
    namespaces === undefined || Array.isArray(namespaces),
    "matchesSubscription(event, definition): definition.namespaces must be a list of namespaces",
  );
  if (since !== undefined && !(event.seq !== undefined && event.seq > since)) return false;
  const channel = inferChannel(event);
  if (channel === undefined) return false;
  if (
    !channels.includes(channel) &&
    !(channel.startsWith("custom:") && channels.includes("custom"))
  )
    return false;
  if (namespaces === undefined || namespaces.length === 0) return true;
  const { namespace } = event.params;
  return namespaces.some(
    (prefix) =>
      isPrefixMatch(namespace, prefix) &&
      (depth === undefined || namespace.length - prefix.length <= depth),
  );
}
