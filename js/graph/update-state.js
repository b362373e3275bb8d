// SPDX-License-Identifier: MIT
// Knows: how the history of a graph's thread is read and how its state is edited.
// Must not know: how a run goes on (js/run), what users call (compiled.js).
import { RUN_HISTORY, RUN_STATE, RUN_UPDATE } from "../base/codes.js";
import { tracersLoading, withTracers } from "../callbacks/environment.js";
import { traceUpdate } from "../callbacks/trace.js";
import { checkArgument, hasText, isListOf, isObject } from "../base/check-arguments.js";
import { SCOPE, scopeOf } from "../base/ambient.js";
import { CallContext, givenFor, threadOf } from "../calls/call.js";
import { checkConfig } from "../base/merge-configs.js";
import { checkpointConfig, snapshotOf } from "../calls/state-snapshot.js";
import { startRun } from "../run/start.js";
import { gathering } from "../stores/base-store.js";
import { graphAt, placeOf, readState, savedAt, showInside, snapshotsOf } from "./get-state.js";
import { namesOf } from "../base/namespace.js";
import { requestsOf } from "./update-arguments.js";

/** @typedef {import("../savers/base-saver.js").SaverLike} SaverLike */
/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/callable.js").Value} Value */

// A history is read in parts, each behind what the one before ended with, so that who stops early
// has paid for little and who walks away holds nothing. Each part reads the log again.
const FIRST_PART = 32;
const LAST_PART = 1024;

/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("./get-state.js").Parts} Parts */

/**
 * @param {Parts} parts
 * @param {Config} config
 * @param {Value} checkpointer
 * @param {{ limit?: number, before?: Config, filter?: Record<string, Value> }} [query]
 * @returns {AsyncGenerator<Value, void, void>}
 */
export async function* readHistory(parts, config, checkpointer, query) {
  const place = placeOf(config, checkpointer);
  if (place === undefined) return yield* readAll(parts, config, checkpointer, query);
  const { limit: most = NaN, filter, before: newer } = query ?? {};
  checkArgument(
    hasText(most) && typeof most !== "bigint",
    "getStateHistory(config, options): options.limit must be a number",
  );
  if (most <= 0) return;
  const limit = Math.ceil(most) || 0;
  const wanted = Object.entries(filter ?? {});
  /** @type {Value} */
  const before = newer?.configurable?.checkpoint_id || undefined;
  const request = {
    kind: RUN_HISTORY,
    ...place,
    checkpointId: config.configurable?.checkpoint_id || undefined,
    before,
    limit: Math.min(limit || FIRST_PART, LAST_PART),
  };
  if (place.store.saver !== undefined) {
    place.store.options = query;
    request.limit = wanted.length === 0 ? limit : 0;
  }
  for (let found = 0; ; request.limit = Math.min(request.limit * 4, LAST_PART)) {
    const part = await snapshotsOf(parts, request);
    for (const snapshot of part) {
      if (snapshot.empty) return;
      if (snapshot.id >= before) continue;
      const shown = snapshotOf(snapshot, config);
      const { thread_id: _, ...metadata } = shown.metadata;
      if (!wanted.every(([key, value]) => metadata[key] === value)) continue;
      yield showInside(shown, parts, undefined);
      if (++found === limit) return;
    }
    if (request.limit === 0 || part.length < request.limit) return;
    request.before = part[part.length - 1].id;
  }
}

/**
 * Of all threads, as the saver lists them.
 * @param {Parts} parts
 * @param {Config} config
 * @param {SaverLike} checkpointer
 * @param {unknown} query
 * @returns {AsyncGenerator<unknown, void, void>}
 */
async function* readAll(parts, config, checkpointer, query) {
  for await (const { config: at } of checkpointer.list(
    { ...config, configurable: { checkpoint_ns: "", ...config.configurable } },
    query,
  ))
    yield readState(parts, at, checkpointer, false);
}

/**
 * @param {Parts} parts
 * @param {Config} config
 * @param {Value} checkpointer
 * @param {Value[]} supersteps
 * @param {any} [run] below which conditions are told
 * @returns {Promise<Config>}
 */
async function updateThread(parts, config, checkpointer, supersteps, run) {
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
  // The writers of an update are given what the update was, and no task's place.
  const amend = (/** @type {Value} */ fields, /** @type {Scope} */ scope) =>
    Object.assign(fields, {
      metadata,
      configurable: { ...config.configurable, [SCOPE]: scope },
      runName: run ? undefined : "LangGraphUpdateState",
    });
  Object.assign(context, { amend, manager: run, traces: run, heard: run && { run } });
  if (run) run.inheritableMetadata = { ...run.inheritableMetadata, ...metadata };
  let checkpointId = config.configurable?.checkpoint_id || undefined;
  for (const { updates } of supersteps) {
    for (const part of requestsOf(parts.plan, updates)) {
      const request = {
        kind: RUN_UPDATE,
        ...place,
        ...part,
        checkpointId,
        context,
        ...givenFor(config, undefined),
      };
      ({ checkpointId } = await startRun(parts.graph, /** @type {any} */ (request)).promise);
    }
  }
  const threadId = config.configurable?.thread_id;
  if (place.namespace === undefined) return checkpointConfig(threadId, "", checkpointId);
  const [{ parents }] = await snapshotsOf(parts, { kind: RUN_STATE, ...place, checkpointId });
  return checkpointConfig(threadId, place.namespace, checkpointId, parents);
}

/**
 * The same for a graph or one inside it, as its callbacks hear of it.
 * @param {any} graph
 * @param {Config} options as they were given
 * @param {Config} config with the graph's own
 * @param {unknown} checkpointer
 * @param {Value[]} supersteps
 * @returns {Promise<Config>}
 */
export async function updateGraph(graph, options, config, checkpointer, supersteps) {
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
  const update = (/** @type {unknown} */ run) =>
    updateThread((found ?? graph)._parts, at, checkpointer, supersteps, run);
  const told = config.callbacks
    ? (supersteps[0]?.updates ?? []).filter((/** @type {Value} */ one) =>
        runsWriters(graph._parts.plan, one),
      )
    : [];
  if (told.length === 0) return update(undefined);
  for (const { values } of told.slice(0, -1))
    await traceUpdate(graph, config, values, async () => {});
  return traceUpdate(graph, config, told[told.length - 1].values, update);
}

/**
 * Does an update run the writers of a node?
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
