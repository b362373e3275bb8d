// SPDX-License-Identifier: MIT
// What becomes of an error of a task or of an abort, until the engine has judged it. Owns nothing.
import { isGraphBubbleUp, isParentCommand } from "../../base/errors.js";
import {
  ERROR_BUBBLE,
  ERROR_EXPIRED,
  ERROR_RETRY,
  ERROR_SHOWN,
  TASK_CALL,
} from "../../base/codes.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * What a run ends with that was aborted for this reason.
 * @param {Value} reason an error may be of another realm, as those of controllers in Jest
 */
export function abortError(reason) {
  return reason instanceof Error || reason?.stack
    ? reason
    : new Error(typeof reason === "string" ? reason : "Aborted");
}

/**
 * An attempt failed. Whether its error may be tried again is the policy's predicate to say, which
 * is user code.
 * @param {import("./task.js").Task} task
 * @param {unknown} error
 */
export function markError(task, error) {
  const { retry, watch } = task;
  let flags = watch?.over ? ERROR_EXPIRED : 0;
  if (isGraphBubbleUp(error)) {
    const { limit, reason } = /** @type {Record<PropertyKey, Value>} */ (error);
    // Beside a Command for the parent a node may write to its own graph.
    const isBeside =
      isParentCommand(error) && /** @type {Record<PropertyKey, Value>} */ (task).raw?.length > 0;
    // A message to a graph above that nobody takes: the task ends, and no edge of its node fires.
    if (
      (limit ?? reason) === undefined &&
      task.run.request.parent === undefined &&
      task.kind !== TASK_CALL
    ) {
      task.writes.endsHere = true;
      if (!isBeside) task.error = error;
      return;
    }
    // The neighbours end what they have begun.
    flags |= ERROR_BUBBLE;
    if (isBeside) flags |= ERROR_SHOWN;
  }
  task.failed = true;
  task.error = error;
  noteNode(error, task.name);
  task.errorFlags = flags;
  if (!(flags & ERROR_BUBBLE) && retry !== undefined && task.attempt < retry.maxAttempts) {
    try {
      if (retry.retryOn(error)) task.errorFlags |= ERROR_RETRY;
    } catch (wrong) {
      task.error = wrong;
    }
  }
  if (task.keeps !== 0 && task.errorFlags === 0 && task.writes.count > 0)
    task.errorFlags = task.keeps;
  (task.run.errors ??= new Map()).set(task.index, task.error);
}

/**
 * What is thrown comes out as it is; which node threw it an Error says in a property that no
 * comparison and no JSON sees. Of graphs inside one another the innermost node, which is the first
 * to know, is named.
 * @param {unknown} error @param {string} node
 */
function noteNode(error, node) {
  if (error instanceof Error && !("node" in error) && Object.isExtensible(error))
    Object.defineProperty(error, "node", { value: node, configurable: true, writable: true });
}
