// SPDX-License-Identifier: MIT
// Converts inputs, configs, checkpoints and states to and from an Agent Server's JSON.
import { LONGEST_MS } from "../base/waits.js";
import { messageType } from "../messages/base.js";
import { METADATA_KEYS } from "../base/merge-configs.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./remote-graph.js").Fields} Fields */

const CHECKPOINT_KEYS = ["thread_id", "checkpoint_ns", "checkpoint_id", "checkpoint_map"];

/** @param {any} node @returns {[string, unknown]} */
export function drawnNode({ id, name, data }) {
  const text = String(id);
  return [
    text,
    {
      id: text,
      name: name ?? (typeof data === "string" ? data : data?.name) ?? text,
      data: data ?? {},
      metadata: {},
    },
  ];
}

/**
 * Converts messages to plain data with roles, as the server expects.
 * @param {Value} value
 * @returns {unknown}
 */
export function plainInput(value) {
  if (Array.isArray(value)) return value.map(plainInput);
  if (typeof value !== "object" || value === null) return value;
  const role = messageType(value);
  if (role !== undefined)
    return { ...(typeof value.toDict === "function" ? value.toDict().data : value), role };
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainInput(item)]));
}

/**
 * Returns the part of a config that the server may see: without the graph's local position.
 * @param {Config} config
 */
export function plainConfig({ tags = [], metadata, configurable, recursionLimit = 25, timeout }) {
  const kept = Object.entries(configurable ?? {}).filter(
    ([key]) => !CHECKPOINT_KEYS.includes(key) && !key.startsWith("__pregel"),
  );
  const ids = METADATA_KEYS.filter((key) => configurable?.[key] !== undefined).map((key) => [
    key,
    configurable?.[key],
  ]);
  const told = { ...Object.fromEntries(ids), ...metadata, timeoutMs: timeout };
  return {
    tags: [...new Set(tags)],
    metadata: plainFields(told),
    configurable: plainFields(Object.fromEntries(kept)),
    recursion_limit: recursionLimit ?? undefined,
  };
}

/** Converts fields to plain JSON. @param {Fields} fields */
function plainFields(fields) {
  /** Objects on the path from the root to the current value. @type {unknown[]} */
  const around = [];
  const text = JSON.stringify(fields, function (_, value) {
    if (typeof value === "bigint") return String(value);
    if (typeof value !== "object" || value === null) return value;
    while (around.length > 0 && around[around.length - 1] !== this) around.pop();
    if (around.includes(value)) return "[Circular]";
    around.push(value);
    return value;
  });
  return JSON.parse(text);
}

/** @param {Config} config @returns {AbortSignal | undefined} */
export function signalOf({ signal, timeout }) {
  if (timeout === undefined) return signal;
  if (!(timeout > 0)) throw new Error("Timeout must be a positive number");
  const over = AbortSignal.timeout(Math.min(timeout, LONGEST_MS));
  return signal === undefined ? over : AbortSignal.any([signal, over]);
}

/** @param {Config} config @returns {Fields | undefined} */
export function checkpointOf({ configurable }) {
  const known = CHECKPOINT_KEYS.filter((key) => configurable?.[key] !== undefined).map((key) => [
    key,
    configurable?.[key],
  ]);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/**
 * @param {Fields | null | undefined} checkpoint
 * @param {Config | undefined} fallback
 * @returns {Config}
 */
function configOf(checkpoint, fallback) {
  const configurable = checkpointOf({ configurable: checkpoint ?? fallback?.configurable }) ?? {};
  const { checkpoint_ns, checkpoint_id, checkpoint_map } = configurable;
  return {
    configurable:
      checkpoint_ns === undefined && checkpoint_id === undefined && checkpoint_map === undefined
        ? configurable
        : { ...configurable, checkpoint_map: checkpoint_map ?? {} },
  };
}

/**
 * @param {Value} state
 * @param {Config | undefined} config of the request
 * @returns {unknown}
 */
export function snapshotOf(state, config) {
  return {
    values: state.values,
    next: state.next ?? [],
    config: configOf(state.checkpoint, config),
    metadata: state.metadata ?? undefined,
    createdAt: state.created_at ?? undefined,
    parentConfig: state.parent_checkpoint
      ? configOf(state.parent_checkpoint, undefined)
      : undefined,
    tasks: state.tasks.map((/** @type {any} */ task) => ({
      id: task.id,
      name: task.name,
      error: task.error ? { message: task.error } : undefined,
      interrupts: task.interrupts.map((/** @type {Value} */ { id, ...interrupt }) => ({
        interrupt_id: id,
        ...interrupt,
      })),
      state: task.state
        ? snapshotOf(task.state, undefined)
        : task.checkpoint
          ? { configurable: task.checkpoint }
          : undefined,
      result: task.result,
    })),
  };
}
