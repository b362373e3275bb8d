// SPDX-License-Identifier: MIT
// Names the modes of a graph's streams. What each of them emits is in js/calls/modes.

/**
 * Each mode of the declarations, once: the compiler refuses one too many or too few.
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
/** Those that a caller may ask for. The server and the protocol's channels begin with them. */
export const MODES = Object.keys(DECLARED);
/**
 * The mode in which a checkpoint's id and place come before its values; no name that anyone asks
 * for.
 */
export const HEADS = "__heads__";
