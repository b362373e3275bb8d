// SPDX-License-Identifier: MIT
// Marks errors of tasks and of aborts, for the engine to decide about.
import { isGraphBubbleUp, isParentCommand } from "../../base/errors.js";
import {
  ERROR_BUBBLE,
  ERROR_EXPIRED,
  ERROR_RETRY,
  ERROR_SHOWN,
  TASK_CALL,
} from "../../base/codes.js";

/**
 * Returns the error of a run that was aborted for this reason.
 * @param {unknown} reason an error may be of another realm, as those of controllers in Jest
 * @returns {unknown}
 */
export function abortError(reason) {
  return reason instanceof Error || /** @type {Partial<Error> | undefined} */ (reason)?.stack
    ? reason
    : new Error(typeof reason === "string" ? reason : "Aborted");
}

/**
 * Marks an attempt as failed. The retry policy's predicate, which is user code, says whether the
 * error may be retried.
 * @param {import("./task.js").NodeTask} task
 * @param {unknown} error
 */
export function markError(task, error) {
  const { retry, watch } = task;
  let flags = watch?.over ? ERROR_EXPIRED : 0;
  if (isGraphBubbleUp(error)) {
    const { limit, reason } = /** @type {{ limit?: unknown, reason?: unknown }} */ (error);
    // Besides a Command for the parent, a node may write to its own graph.
    const isBeside = isParentCommand(error) && task.raw !== undefined && task.raw.length > 0;
    // No parent graph receives it: the task ends, and no edge of its node fires.
    if (
      (limit ?? reason) === undefined &&
      task.run.request.parent === undefined &&
      task.kind !== TASK_CALL
    ) {
      task.writes.endsHere = true;
      if (!isBeside) task.error = error;
      return;
    }
    // Tasks of the step that have begun are finished.
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
 * Adds the node's name to an Error, in a property that comparisons and JSON ignore; other values
 * stay as thrown. In nested graphs the innermost node, which is the first to add it, is named.
 * @param {unknown} error @param {string} node
 */
function noteNode(error, node) {
  if (error instanceof Error && !("node" in error) && Object.isExtensible(error))
    Object.defineProperty(error, "node", { value: node, configurable: true, writable: true });
}
