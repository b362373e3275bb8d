// SPDX-License-Identifier: MIT
// Names the modes of a graph's streams.

/** Those that a caller may ask for. */
export const MODES = [
  "values",
  "updates",
  "messages",
  "custom",
  "tasks",
  "checkpoints",
  "debug",
  "tools",
];
/**
 * The mode in which a checkpoint's id and place come before its values; no name that anyone asks
 * for.
 */
export const HEADS = "__heads__";
