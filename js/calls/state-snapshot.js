// SPDX-License-Identifier: MIT
// Builds LangGraph's StateSnapshot. Does not depend on where snapshots come from.
import { innerNamespace } from "../base/namespace.js";

/** @typedef {import("../savers/base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */
/** @typedef {import("../run/read-snapshot.js").Snapshot} Snapshot */
/** @typedef {import("../savers/base-checkpoint-saver.js").CheckpointMetadata} CheckpointMetadata */
/** @typedef {Record<string, unknown>} State */
/** @typedef {import("../types/base/common-types.js").StateSnapshot} StateSnapshot */
/** @typedef {import("./config.js").Config} Config */

/**
 * Builds a StateSnapshot.
 * @param {import("../run/read-snapshot.js").Snapshot | undefined} snapshot
 * @param {Config} config that the caller asked with
 * @returns {StateSnapshot}
 */
export function snapshotOf(snapshot, config) {
  if (snapshot === undefined || snapshot.empty) return { values: {}, next: [], config, tasks: [] };
  const { thread_id: threadId, checkpoint_ns } = config.configurable ?? {};
  const namespace = checkpoint_ns ?? "";
  const { parents } = snapshot;
  const shown = {
    values: snapshot.values,
    next: snapshot.next,
    tasks: snapshot.tasks,
    metadata: { source: snapshot.source, step: snapshot.step, parents, thread_id: threadId },
    config: checkpointConfig(threadId, namespace, snapshot.id, parents),
    createdAt: snapshot.createdAt,
    parentConfig:
      snapshot.parentId === undefined
        ? undefined
        : checkpointConfig(threadId, namespace, snapshot.parentId),
  };
  return snapshot.saved === undefined
    ? shown
    : { ...shown, ...savedOf(snapshot.saved, threadId, shown) };
}

/**
 * Reduces a snapshot to the graph's output channels; a single channel gives its bare value.
 * @param {string | string[] | undefined} keys
 * @param {Snapshot} snapshot
 * @returns {Snapshot}
 */
export function shownAs(keys, snapshot) {
  if (keys === undefined || snapshot.empty) return snapshot;
  const one = typeof keys === "string";
  const pick = (/** @type {State} */ from) =>
    Object.fromEntries(
      [keys].flat().flatMap((key) => (Object.hasOwn(from, key) ? [[key, from[key]]] : [])),
    );
  const resultOf = (/** @type {State} */ result) =>
    one ? result[keys] : Object.keys((result = pick(result))).length === 0 ? undefined : result;
  const tasks = snapshot.tasks.map((task) =>
    task.result === undefined
      ? task
      : { ...task, result: resultOf(/** @type {State} */ (task.result)) },
  );
  return {
    ...snapshot,
    values: one ? shownOf(snapshot.values, keys) : pick(/** @type {State} */ (snapshot.values)),
    tasks,
  };
}

/**
 * Returns the value of a single output channel, or the state.
 * @param {unknown} state
 * @param {string | string[] | undefined} keys
 * @returns {unknown}
 */
export function shownOf(state, keys) {
  return typeof keys !== "string" || state === undefined
    ? state
    : Object.hasOwn(/** @type {object} */ (state), keys)
      ? /** @type {State} */ (state)[keys]
      : null;
}

/**
 * Returns the fields as a saver stored them.
 * @param {CheckpointTuple} tuple
 * @param {string} threadId
 * @param {StateSnapshot} shown fields as the engine made them
 */
function savedOf({ config, metadata, checkpoint, parentConfig }, threadId, shown) {
  return {
    config: { ...config, configurable: { ...config.configurable, ...shown.config.configurable } },
    metadata: /** @type {CheckpointMetadata} */ ({ ...metadata, thread_id: threadId }),
    createdAt: checkpoint.ts,
    parentConfig,
  };
}

/**
 * Returns where the subgraph of a task saves or would save; undefined when there is none or the
 * task failed.
 * @param {Pick<import("../plan/definition.js").Plan, "nodes" | "nodeNumbers">} plan
 * @param {{ id: string, name: string }} task of a snapshot
 * @param {Config["configurable"]} configurable of the parent graph
 * @returns {{ graph: import("../graph/compiled.js").Compiled, config: Config } | undefined}
 */
export function insideOf(plan, task, { thread_id, checkpoint_ns: above } = {}) {
  const graph = plan.nodes[plan.nodeNumbers.get(task.name) ?? 0]?.inside;
  if (graph === undefined || "error" in task) return undefined;
  return {
    graph,
    config: {
      configurable: {
        thread_id,
        checkpoint_ns: innerNamespace(above ?? "", `${task.name}:${task.id}`),
      },
    },
  };
}

/**
 * Makes the config of a checkpoint.
 * @param {string} threadId
 * @param {string} namespace
 * @param {string} id
 * @param {Record<string, string>} [parents] checkpoints of the parent graphs, by namespace
 * @returns {Config}
 */
export function checkpointConfig(threadId, namespace, id, parents = {}) {
  const map =
    Object.keys(parents).length === 0 ? {} : { checkpoint_map: { ...parents, [namespace]: id } };
  return {
    configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: id, ...map },
  };
}

/**
 * @param {import("../run/start.js").RunResult} result
 * @param {{ outputKeys: string | string[] | undefined }} context
 */
export function outputOf(result, { outputKeys }) {
  return shownOf(result.hasValues ? result.state() : undefined, outputKeys);
}
