// SPDX-License-Identifier: MIT
// Handles LangGraph's checkpoints as data: an empty one, copies, ids. Does not depend on savers.
import { define } from "../../base/constants.js";
import { uuid6 } from "./uuid6.js";

/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */

export { uuid6 };

/**
 * Copies plain objects and lists deeply; copies the own enumerable keys of other objects.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function deepCopy(value) {
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value))
    define(copy, key, deepCopy(/** @type {Record<PropertyKey, unknown>} */ (value)[key]));
  return /** @type {T} */ (copy);
}

/** @param {Checkpoint} checkpoint */
export function copyCheckpoint({ v, id, ts, channel_values, channel_versions, versions_seen }) {
  return {
    v,
    id,
    ts,
    channel_values: { ...channel_values },
    channel_versions: { ...channel_versions },
    versions_seen: deepCopy({ ...versions_seen }),
  };
}

/** Keys of a task's metadata that LangGraph sets itself. @type {ReadonlySet<string>} */
export const EXCLUDED_METADATA_KEYS = /* @__PURE__ */ new Set([
  "thread_id",
  "checkpoint_id",
  "checkpoint_ns",
  "checkpoint_map",
  "langgraph_step",
  "langgraph_node",
  "langgraph_triggers",
  "langgraph_path",
  "langgraph_checkpoint_ns",
]);

export function emptyCheckpoint() {
  return {
    v: 4,
    id: uuid6(0),
    ts: new Date().toISOString(),
    channel_values: {},
    channel_versions: {},
    versions_seen: {},
  };
}
