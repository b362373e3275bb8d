// SPDX-License-Identifier: MIT
// Edits the state of a thread. Does not depend on how a run proceeds (js/run) or on the public
// methods (compiled.js).
import { RUN_STATE, RUN_UPDATE } from "../base/codes.js";
import { tracersLoading, withTracers } from "../callbacks/environment.js";
import { traceUpdate } from "../callbacks/trace.js";
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { SCOPE, scopeOf } from "../base/ambient.js";
import { CallContext, givenFor, signalOf, threadOf, turnOf } from "../calls/call.js";
import { checkConfig } from "../base/merge-configs.js";
import { checkpointConfig } from "../calls/state-snapshot.js";
import { startRun } from "../run/start.js";
import { gathering } from "../stores/base-store.js";
import { graphAt, savedAt, snapshotsOf } from "./get-state.js";
import { namesOf } from "../base/namespace.js";
import { requestsOf } from "./update-arguments.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../callbacks/manager.js").ReportedRun} ReportedRun */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("./compiled.js").Compiled} Compiled */
/** @typedef {{ updates: { values?: unknown, asNode?: string }[] }} Superstep */

/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("./get-state.js").Parts} Parts */

/**
 * Runs the updates of all supersteps.
 * @param {Parts} parts
 * @param {Config} config
 * @param {SaverLike} checkpointer
 * @param {Superstep[]} supersteps
 * @param {ReportedRun | undefined} run callback run that is the parent of the conditions
 * @param {import("../base/thread-queue.js").Turn | undefined} turn
 * @returns {Promise<Config>}
 */
async function updateThread(parts, config, checkpointer, supersteps, run, turn) {
  checkArgument(
    Array.isArray(supersteps),
    "bulkUpdateState(config, supersteps): supersteps must be a list of { updates }",
  );
  if (supersteps.length === 0) throw new Error("No supersteps provided");
  const areLists = supersteps.every((step) => isListOf(step?.updates, isObject));
  checkArgument(
    areLists,
    "bulkUpdateState(config, supersteps): the updates of a superstep must be a list of { values, asNode }",
  );
  if (supersteps.some(({ updates }) => updates.length === 0))
    throw new Error("No updates provided");
  const place = {
    ...threadOf(checkpointer, config),
    namespace: config.configurable?.checkpoint_ns || undefined,
  };
  const context = new CallContext(parts.plan, config, config.store ?? parts.store);
  if (context.gathers) context.userStore = gathering(context.userStore);
  const { ls_integration: _, ...metadata } = context.metadata;
  // The writers of an update receive its config without a task's namespace.
  const amend = (/** @type {object} */ fields, /** @type {Scope} */ scope) =>
    Object.assign(fields, {
      metadata,
      configurable: { ...config.configurable, [SCOPE]: scope },
      runName: run ? undefined : "LangGraphUpdateState",
    });
  Object.assign(context, { amend, manager: run, traces: run, heard: run && { run } });
  if (run) run.inheritableMetadata = { ...run.inheritableMetadata, ...metadata };
  const from = config.configurable?.checkpoint_id || undefined;
  let checkpointId = from;
  // An update that waits can be aborted; one that has begun writes all of its supersteps.
  let signal = turn && signalOf(config);
  for (const { updates } of supersteps) {
    for (const part of requestsOf(parts.plan, updates)) {
      /** @type {RunRequest} */
      const request = {
        kind: RUN_UPDATE,
        ...place,
        ...part,
        turn,
        signal,
        // A run may have come between two supersteps: the later one goes on from there.
        checkpointId: from === undefined && turn !== undefined ? undefined : checkpointId,
        context,
        ...givenFor(config, undefined),
      };
      ({ checkpointId } = await startRun(parts.graph, request).promise);
      signal = undefined;
    }
  }
  const threadId = config.configurable?.thread_id;
  if (place.namespace === undefined) return checkpointConfig(threadId, "", checkpointId);
  const [{ parents }] = await snapshotsOf(parts, { kind: RUN_STATE, ...place, checkpointId });
  return checkpointConfig(threadId, place.namespace, checkpointId, parents);
}

/**
 * Edits the state of a graph or subgraph and reports the updates to its callbacks.
 * @param {Compiled} graph
 * @param {Config} options as the caller passed them in
 * @param {Config} config with the graph's own merged in
 * @param {SaverLike} checkpointer
 * @param {Superstep[]} supersteps
 * @param {Scope | undefined} caller
 * @returns {Promise<Config>}
 */
export async function updateGraph(graph, options, config, checkpointer, supersteps, caller) {
  const tracers = tracersLoading();
  if (tracers !== undefined) await tracers;
  config = checkConfig(config);
  const callbacks = withTracers(config.callbacks);
  if (callbacks !== config.callbacks) config = { ...config, callbacks };
  const namespace = config.configurable?.checkpoint_ns;
  const found = graphAt(graph, config);
  if (namespace && found === undefined && scopeOf(options) === undefined)
    throw new Error(`Subgraph "${namesOf(namespace)}" not found`);
  const at = savedAt(found ?? graph, config);
  const turn = isInRun(caller, config.configurable?.thread_id)
    ? undefined
    : turnOf(checkpointer, config.multitaskStrategy ?? graph.multitaskStrategy);
  const update = (/** @type {ReportedRun | undefined} */ run) =>
    updateThread((found ?? graph)._parts, at, checkpointer, supersteps, run, turn);
  const told = config.callbacks
    ? (supersteps[0]?.updates ?? []).filter((one) => runsWriters(graph._parts.plan, one))
    : [];
  if (told.length === 0) return update(undefined);
  for (const { values } of told.slice(0, -1))
    await traceUpdate(graph, config, values, async () => {});
  return traceUpdate(graph, config, told[told.length - 1].values, update);
}

/**
 * Is the caller in a node of a run of the thread, or of a run inside that? It would wait for
 * itself.
 * @param {Scope | undefined} caller
 * @param {unknown} threadId
 */
function isInRun(caller, threadId) {
  let run = caller?.task.run;
  while (run !== undefined && (run.over || run.request.threadId !== threadId))
    run = run.request.parent?.run;
  return run !== undefined;
}

/**
 * Checks whether an update runs the writers of a node.
 * @param {import("../plan/definition.js").Plan} plan
 * @param {{ values?: unknown, asNode?: string }} update
 */
function runsWriters(plan, { values, asNode }) {
  return (
    values !== null &&
    values !== undefined &&
    (asNode === undefined || plan.nodeNumbers.has(asNode))
  );
}
