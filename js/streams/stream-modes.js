// SPDX-License-Identifier: MIT
// Names the modes of a graph's streams. What each of them emits is in js/calls/modes.

/**
 * Lists each mode of the declarations: the compiler refuses a missing or an extra one.
 * @type {Record<import("../types/graph/streams.js").StreamMode, true>}
 */
const DECLARED = {
  values: true,
  updates: true,
  messages: true,
  custom: true,
  tasks: true,
  checkpoints: true,
  debug: true,
  tools: true,
};
/** Modes that a caller may request. The server's and the protocol's channels are based on them. */
export const MODES = Object.keys(DECLARED);
/**
 * Internal mode that reports a checkpoint's id and place before its values; no caller can request
 * it.
 */
export const HEADS = "__heads__";
