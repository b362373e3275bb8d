// SPDX-License-Identifier: MIT
// What a decision about a tool call is bound to beside the call: its thread, its task and its message.

/**
 * The id of a task comes from its checkpoint, so that the same call at another place of the thread has another name.
 * @param {any} message @param {any} config of the node
 * @returns {string}
 */
export function scopeName(message, config) {
  const id = message?.id ?? "";
  return config === undefined ? id : `${config.configurable?.thread_id ?? ""}\n${config.executionInfo?.taskId ?? ""}\n${id}`;
}
