// SPDX-License-Identifier: MIT
// Matches events of LangGraph's protocol with subscriptions whose parts are checked. Does not
// depend on their sender.
import { MODES } from "../../streams/stream-modes.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {{ method: string, seq?: number, params: { namespace: string[], data?: Value } }}
 *   MatchableEvent
 */

/**
 * Channels that a subscription may name, besides `custom:<name>`: the modes of a stream except
 * `debug`, whose events other channels have, and two of the protocol's own.
 */
export const SUPPORTED_CHANNELS = new Set([
  ...MODES.filter((mode) => mode !== "debug"),
  "lifecycle",
  "input",
]);

/** @param {MatchableEvent} event @returns {string | undefined} */
export function channelOf({ method, params }) {
  if (method === "input.requested" || method === "input.answered") return "input";
  const name = method === "custom" ? params?.data?.name : undefined;
  if (typeof name === "string") return `custom:${name}`;
  return SUPPORTED_CHANNELS.has(method) ? method : undefined;
}

/**
 * @param {string[]} namespace
 * @param {string[]} prefix whose segments may omit ids
 * @param {(segment: string) => string} [nameOf]
 * @returns {boolean}
 */
export function isBelow(namespace, prefix, nameOf = nameIn) {
  return (
    prefix.length <= namespace.length &&
    prefix.every((segment, i) => segment === namespace[i] || segment === nameOf(namespace[i]))
  );
}

/** @param {string} segment of a namespace @returns {string} the name in it */
export function nameIn(segment) {
  return segment.split(":", 1)[0];
}

/**
 * @param {MatchableEvent} event
 * @param {{ channels: string[], namespaces?: string[][], depth?: number }} definition
 * @param {(namespace: string[], prefix: string[]) => boolean} [fits]
 * @returns {boolean}
 */
export function isSubscribed(event, { channels, namespaces, depth = Infinity }, fits = isBelow) {
  const channel = channelOf(event);
  if (
    channel === undefined ||
    !(channels.includes(channel) || (channel.startsWith("custom:") && channels.includes("custom")))
  )
    return false;
  if (namespaces === undefined || namespaces.length === 0) return true;
  const { namespace } = event.params;
  return namespaces.some(
    (prefix) => fits(namespace, prefix) && namespace.length - prefix.length <= depth,
  );
}
