// SPDX-License-Identifier: MIT
// Reads the state of a thread, including the states of subgraphs. Does not depend on how a run
// proceeds (js/run) or on the public methods (compiled.js).
import { RUN_STATE } from "../base/codes.js";
import { threadOf } from "../calls/call.js";
import { insideOf, shownAs, snapshotOf } from "../calls/state-snapshot.js";
import { startRun } from "../run/start.js";
import { namesOf } from "../base/namespace.js";
import { STATE_VERSION } from "../base/constants.js";

/** @typedef {import("./compiled.js").Compiled} Compiled */
/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../calls/call.js").Store} Store */
/** @typedef {import("../run/read-snapshot.js").Snapshot} Snapshot */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../types/base/common-types.js").StateSnapshot} StateSnapshot */
/** @typedef {import("../calls/config.js").Config} Config */
/**
 * @typedef {{ plan: import("../plan/definition.js").Plan, graph:
 *   import("../run/start.js").EngineGraph, store: Store | undefined }} Parts
 */

/**
 * Finds the subgraph that saves in the config's namespace.
 * @param {Pick<Compiled, "getSubgraphs">} graph
 * @param {Config} config
 * @returns {Compiled | undefined}
 */
export function graphAt(graph, { configurable }) {
  const namespace = configurable?.checkpoint_ns;
  if (!namespace) return undefined;
  for (const [, found] of graph.getSubgraphs(namesOf(namespace), true)) return found;
  return undefined;
}

/**
 * Returns the config of the namespace in which a graph saves: a graph with its own memory
 * (`checkpointer: true`) saves under its node's name, without a task id.
 * @param {Pick<Compiled, "checkpointer">} graph
 * @param {Config} config
 * @returns {Config}
 */
export function savedAt(graph, config) {
  const namespace = config.configurable?.checkpoint_ns;
  if (graph.checkpointer !== true || typeof namespace !== "string") return config;
  return {
    ...config,
    configurable: { ...config.configurable, checkpoint_ns: namespace.replace(/:[^|]*$/, "") },
  };
}

/**
 * @param {Config} config
 * @param {SaverLike} checkpointer
 * @returns {Partial<RunRequest> | undefined} the part of a request that names the thread
 */
export function placeOf(config, checkpointer) {
  if (config.configurable?.thread_id === undefined) return undefined;
  return {
    ...threadOf(checkpointer, config),
    namespace: config.configurable.checkpoint_ns || undefined,
  };
}

/**
 * @param {Parts} parts
 * @param {Partial<RunRequest>} query a request without a context: it runs no nodes
 * @returns {Promise<Snapshot[]>}
 */
export async function snapshotsOf({ graph, plan }, query) {
  const run = startRun(graph, /** @type {RunRequest} */ (query));
  await run.promise;
  if (plan.version !== undefined)
    for (const { values } of run.snapshots)
      delete (/** @type {Record<string, unknown>} */ (values)[STATE_VERSION]);
  return run.snapshots.map((snapshot) => {
    const shown = shownAs(plan.stream, snapshot);
    // Saved undefined values are loaded as null.
    return { ...shown, values: shown.values ?? null };
  });
}

/**
 * Adds to tasks of subgraphs the config of the subgraph, or its state.
 * @param {StateSnapshot} shown
 * @param {Parts} parts
 * @param {((graph: Compiled, config: Config) => Promise<StateSnapshot>) | undefined} stateOf
 */
export async function showInside(shown, { plan }, stateOf) {
  for (const task of shown.tasks) {
    const found = insideOf(plan, task, shown.config.configurable);
    if (found === undefined || found.graph.checkpointer === false) continue;
    // Keeps LangGraph.js's order of keys.
    const { result } = task;
    delete task.result;
    task.state = stateOf === undefined ? found.config : await stateOf(found.graph, found.config);
    task.result = result;
  }
  return shown;
}

/**
 * Reads one StateSnapshot.
 * @param {Parts} parts
 * @param {Config} config config of the snapshot if nothing is saved
 * @param {SaverLike} checkpointer
 * @param {boolean} inside whether the states of subgraphs are read too
 * @param {Config} [at] config whose ids select the checkpoint
 * @returns {Promise<StateSnapshot>}
 */
export async function readState(parts, config, checkpointer, inside, at = config) {
  const place = placeOf(at, checkpointer);
  if (place === undefined) return snapshotOf(undefined, config);
  const [snapshot] = await snapshotsOf(parts, {
    kind: RUN_STATE,
    ...place,
    checkpointId: at.configurable?.checkpoint_id || undefined,
  });
  /** @type {(graph: Compiled, at: Config) => Promise<StateSnapshot>} */
  const stateOf = (graph, at) =>
    graph._parts === undefined
      ? graph.getState(at, { subgraphs: true })
      : readState(graph._parts, savedAt(graph, at), checkpointer, true); // remote graphs have none
  return showInside(
    snapshotOf(snapshot, snapshot.empty ? config : at),
    parts,
    inside ? stateOf : undefined,
  );
}
