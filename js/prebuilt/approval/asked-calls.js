// SPDX-License-Identifier: MIT
// Finds the tool calls that somebody was asked about: the answer decides about them, even if their
// tool's policy has become "auto". Does not depend on tools.
import { askedName } from "../../calls/resume-check.js";

/**
 * Checks whether somebody was asked about the call: by the thread's own record, or because this run
 * was resumed with an answer about it.
 * @param {import("../../base/ambient.js").Scope | undefined} scope of the node
 * @param {unknown} id of the call
 * @param {unknown} name of its tool
 * @param {boolean} [isChanged] as a wrapper changed it: another call than the model's
 * @returns {boolean}
 */
export function wasAsked(scope, id, name, isChanged = false) {
  if (typeof id !== "string") return false;
  if (!isChanged && scope?.task.run.asked.has(id)) return true;
  const asked = askedName(name, isChanged);
  for (
    let request = scope?.task.run.request;
    request !== undefined;
    request = request.parent?.run.request
  ) {
    if (request.context?.askedCalls?.get(id) === asked) return true;
  }
  return false;
}

/**
 * Identifies a message by thread, task and message id. The task id depends on the checkpoint, so
 * the same call elsewhere in the thread has another scope.
 * @param {{ id?: string } | undefined} message
 * @param {import("../../base/merge-configs.js").Config | undefined} config of the node
 * @returns {string}
 */
export function scopeName(message, config) {
  const id = message?.id ?? "";
  return config === undefined
    ? id
    : `${config.configurable?.thread_id ?? ""}\n${config.executionInfo?.taskId ?? ""}\n${id}`;
}
