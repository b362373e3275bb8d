// SPDX-License-Identifier: MIT
// Makes the record of a run, and shows it to clients.
import { newId } from "../http/ids.js";
import { toPlain } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../run-input.js").RunRequest} RunRequest */
/**
 * @typedef {Json & { run_id: string, thread_id: string, assistant_id: string, status: "pending" |
 *   "running" | "error" | "success" | "timeout" | "interrupted", metadata: Json, kwargs: Json,
 *   multitask_strategy: string, created_at: string, updated_at: string, owner?: string, after?:
 *   string, upto?: string, error?: Json }} RunRecord
 */

/**
 * @param {string} threadId
 * @param {string} assistantId
 * @param {RunRequest} request
 * @param {string | undefined} user
 * @returns {RunRecord}
 */
export function newRun(threadId, assistantId, request, user) {
  const now = new Date().toISOString();
  return {
    run_id: newId(),
    thread_id: threadId,
    assistant_id: assistantId,
    metadata: request.metadata,
    status: "pending",
    kwargs: { input: toPlain(request.input), config: request.config, stream_mode: request.modes },
    multitask_strategy: request.strategy ?? "reject",
    created_at: now,
    updated_at: now,
    owner: user,
  };
}

/** @param {RunRecord} record @returns {Json} as a client sees it */
export function shownRun({ owner: _owner, error: _error, after: _after, upto: _upto, ...record }) {
  return record;
}
