// SPDX-License-Identifier: MIT
// Makes the record of a run, and shows it to clients.
import { newId } from "../http/ids.js";
import { toPlain } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../run-input.js").RunRequest} RunRequest */
/**
 * What else a run needs to begin. `isProtocol`: its events are those of protocol v2; `answered`:
 * ids of questions; `tab`: where it is, or waits.
 * @typedef {{ isProtocol: boolean, answered: string[], tab?: string }} How
 */
/**
 * @typedef {Json & { run_id: string, thread_id: string, assistant_id: string, status: "pending" |
 *   "running" | "error" | "success" | "timeout" | "interrupted", metadata: Json, kwargs: Json,
 *   multitask_strategy: string, created_at: string, updated_at: string, how: How, owner?: string,
 *   after?: string, upto?: string, error?: Json }} RunRecord `kwargs`: what a client asked for;
 *   `after`, `upto`: its thread's newest checkpoints before it began, and when it was over
 */

/**
 * @param {string} threadId
 * @param {string} assistantId
 * @param {RunRequest} request
 * @param {string | undefined} user
 * @param {How} how
 * @returns {RunRecord}
 */
export function newRun(threadId, assistantId, request, user, how) {
  const now = new Date().toISOString();
  return {
    run_id: newId(),
    thread_id: threadId,
    assistant_id: assistantId,
    metadata: request.metadata,
    status: "pending",
    kwargs: {
      ...request.body,
      input: toPlain(request.input),
      config: request.config,
      stream_mode: request.modes,
    },
    multitask_strategy: request.strategy ?? "reject",
    created_at: now,
    updated_at: now,
    how,
    owner: user,
  };
}

/** @param {RunRecord} record @returns {boolean} Is it not over? */
export function isOpen({ status }) {
  return status === "pending" || status === "running";
}

/** @param {RunRecord} record @returns {Json} as a client sees it */
export function shownRun(record) {
  const { how: _how, owner: _owner, error: _error, after: _after, upto: _upto, ...shown } = record;
  return shown;
}
