// SPDX-License-Identifier: MIT
// Knows: how a graph's threads are read and edited: state, history, updates, those of graphs inside too.
// Must not know: how a run goes on (js/run), what users call (compiled.js).
import { RUN_HISTORY, RUN_STATE, RUN_UPDATE } from "../engine/codes.js";
import { CallContext, threadOf } from "../pregel/call.js";
import { checkpointConfig, insideOf, shownAs, snapshotOf } from "../pregel/snapshot.js";
import { startRun } from "../run/run.js";
import { namesOf } from "./subgraphs.js";
import { requestsOf } from "./updates.js";
import { STATE_VERSION } from "./version.js";

/** @typedef {import("../pregel/config.js").Config} Config */
/** @typedef {{ plan: import("./definition.js").Plan, graph: import("../run/run.js").EngineGraph, store: any }} Parts */

/** The graph inside that saves in the config's namespace. @param {any} graph @param {Config} config @returns {any} */
export function graphAt(graph, { configurable }) {
  const namespace = configurable?.checkpoint_ns;
  if (!namespace) return undefined;
  for (const [, found] of graph.getSubgraphs(namesOf(namespace), true)) return found;
  return undefined;
}

/** @param {Config} config @param {any} checkpointer @returns {any} */
function placeOf(config, checkpointer) {
  if (config.configurable?.thread_id === undefined) return undefined;
  return { ...threadOf(checkpointer, config, false), namespace: config.configurable.checkpoint_ns || undefined };
}

/** @param {Parts} parts @param {any} request @returns {Promise<any[]>} */
async function snapshotsOf({ graph, plan }, request) {
  const run = startRun(graph, request);
  await run.promise;
  if (plan.version !== undefined) for (const { values } of run.snapshots) delete values[STATE_VERSION];
  return run.snapshots.map((snapshot) => shownAs(plan.stream, snapshot));
}

/**
 * Adds to tasks that hold graphs where these save, or how they stand.
 * @param {any} shown a snapshot
 * @param {Parts} parts
 * @param {((graph: any, config: Config) => Promise<any>) | undefined} stateOf
 */
async function showInside(shown, { plan }, stateOf) {
  for (const task of shown.tasks) {
    const found = insideOf(plan, task, shown.config.configurable);
    if (found !== undefined) task.state = stateOf === undefined ? found.config : await stateOf(found.graph, found.config);
  }
  return shown;
}

/** @param {Parts} parts @param {Config} config @param {any} checkpointer @param {boolean} inside @returns {Promise<any>} */
export async function readState(parts, config, checkpointer, inside) {
  const place = placeOf(config, checkpointer);
  if (place === undefined) return snapshotOf(undefined, config);
  const [snapshot] = await snapshotsOf(parts, { kind: RUN_STATE, ...place, checkpointId: config.configurable?.checkpoint_id || undefined });
  /** @type {(graph: any, at: Config) => Promise<any>} */
  const stateOf = ({ _parts }, at) => readState(_parts, at, checkpointer, true);
  return showInside(snapshotOf(snapshot, config), parts, inside ? stateOf : undefined);
}

/**
 * @param {Parts} parts
 * @param {Config} config
 * @param {any} checkpointer
 * @param {{ limit?: number, before?: Config, filter?: Record<string, any> }} [query]
 * @returns {AsyncGenerator<any, void, void>}
 */
export async function* readHistory(parts, config, checkpointer, query) {
  const place = placeOf(config, checkpointer);
  if (place === undefined) return;
  const filter = Object.entries(query?.filter ?? {});
  const limit = query?.limit ?? 0;
  const request = {
    kind: RUN_HISTORY,
    ...place,
    checkpointId: config.configurable?.checkpoint_id || undefined,
    before: query?.before?.configurable?.checkpoint_id || undefined,
    limit: filter.length === 0 ? limit : 0,
  };
  if (place.store.query !== undefined) place.store.query(query);
  let found = 0;
  for (const snapshot of await snapshotsOf(parts, request)) {
    if (snapshot.empty) return;
    const shown = snapshotOf(snapshot, config);
    if (!filter.every(([key, value]) => shown.metadata[key] === value)) continue;
    yield showInside(shown, parts, undefined);
    if (++found === limit) return;
  }
}

/** @param {Parts} parts @param {Config} config @param {any} checkpointer @param {any[]} supersteps @returns {Promise<Config>} */
export async function updateThread(parts, config, checkpointer, supersteps) {
  if (supersteps.length === 0) throw new Error("No supersteps provided");
  if (supersteps.some(({ updates }) => updates.length === 0)) throw new Error("No updates provided");
  const place = { ...threadOf(checkpointer, config, false), namespace: config.configurable?.checkpoint_ns || undefined };
  const context = new CallContext(parts.plan, config, config.store ?? parts.store);
  let checkpointId = config.configurable?.checkpoint_id || undefined;
  for (const { updates } of supersteps) {
    for (const part of requestsOf(parts.plan, updates)) {
      const request = { kind: RUN_UPDATE, ...place, ...part, checkpointId, context };
      ({ checkpointId } = await startRun(parts.graph, /** @type {any} */ (request)).promise);
    }
  }
  const threadId = config.configurable?.thread_id;
  if (place.namespace === undefined) return checkpointConfig(threadId, "", checkpointId);
  const [{ parents }] = await snapshotsOf(parts, { kind: RUN_STATE, ...place, checkpointId });
  return checkpointConfig(threadId, place.namespace, checkpointId, parents);
}
