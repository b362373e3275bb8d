// SPDX-License-Identifier: MIT
// Which tool calls a run was resumed for: what a person was asked about is decided by the answer,
// also when the policy of its tool has become "auto" meanwhile. Must not know tools.

/**
 * @param {import("../../base/ambient.js").Scope | undefined} scope of the node
 * @param {any} id of the call
 * @param {any} name of its tool
 * @returns {boolean}
 */
export function wasAsked(scope, id, name) {
  if (typeof id !== "string") return false;
  for (
    let request = scope?.task.run.request;
    request !== undefined;
    request = request.parent?.run.request
  ) {
    if (request.context?.askedCalls?.get(id) === name) return true;
  }
  return false;
}

/**
 * The id of a task comes from its checkpoint, so that the same call at another place of the thread
 * has another name.
 * @param {any} message @param {any} config of the node
 * @returns {string}
 */
export function scopeName(message, config) {
  const id = message?.id ?? "";
  return config === undefined
    ? id
    : `${config.configurable?.thread_id ?? ""}\n${config.executionInfo?.taskId ?? ""}\n${id}`;
}
