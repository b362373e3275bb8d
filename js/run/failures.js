// SPDX-License-Identifier: MIT
// The errors that a run ends with, where the engine's status alone does not make them. Owns nothing.
import { isGraphBubbleUp, makeError } from "../errors.js";
import { ERR_CONCURRENT_UPDATE, ERR_HOST, ERR_INVALID_UPDATE, ERROR_BUBBLE, ERROR_EXPIRED, ERROR_RETRY, ERROR_WAITS } from "../engine/codes.js";

/**
 * A rule of a channel was broken: the text shows the channel and what was written.
 * @param {number} status
 * @param {string[]} words channel, reason
 * @param {any[]} values
 */
export function channelError(status, [channel, reason], values) {
  const written = JSON.stringify(values) ?? "";
  if (status === ERR_CONCURRENT_UPDATE && !reason.startsWith("Ephemeral")) return makeError(status, [channel, written, reason]);
  const text = status === ERR_CONCURRENT_UPDATE ? reason : makeError(status).message;
  return makeError(ERR_INVALID_UPDATE, [`Invalid update for channel "${channel}" with values ${written}: ${text}`]);
}

export { overwriting } from "../constants.js";

/**
 * What the host kept: the errors of these tasks, or the one that belongs to none.
 * @param {import("./pump.js").Run} run
 * @param {number[]} tasks
 * @param {string[]} words
 */
export function hostError(run, tasks, words) {
  const errors = tasks.filter((task) => run.errors?.has(task)).map((task) => run.errors?.get(task));
  // What only passes through, as a Command for the graph around, is no failure: the last one counts, as in LangGraph.js.
  const failures = errors.length < 2 ? errors : errors.filter((error) => !isGraphBubbleUp(error));
  if (failures.length < 2 && errors.length > 0) return failures.length === 1 ? failures[0] : errors[errors.length - 1];
  if (errors.length === 0) return run.hostError ?? makeError(ERR_HOST, words);
  return new AggregateError(failures, `Multiple errors occurred during superstep ${words[0] ?? ""}. See the "errors" field of this exception for more details.`);
}

/** What a run ends with that was aborted for this reason. @param {unknown} reason */
export function abortError(reason) {
  return reason instanceof Error ? reason : new Error(typeof reason === "string" ? reason : "Aborted");
}

/**
 * An attempt failed. Whether its error may be tried again is the policy's predicate to say, which is user code.
 * @param {import("./task.js").Task} task
 * @param {any} error
 */
export function markError(task, error) {
  const { retry, watch } = task;
  task.failed = true;
  task.error = error;
  task.errorFlags = watch?.over ? ERROR_EXPIRED : 0;
  // At a limit the neighbours end what they have begun.
  if (isGraphBubbleUp(error)) task.errorFlags |= /** @type {any} */ (error).limit === undefined ? ERROR_BUBBLE : ERROR_BUBBLE | ERROR_WAITS;
  else if (retry !== undefined && task.attempt < retry.maxAttempts) {
    try {
      if (retry.retryOn(error)) task.errorFlags |= ERROR_RETRY;
    } catch (wrong) {
      task.error = wrong;
    }
  }
  if (task.keeps !== 0 && task.errorFlags === 0 && task.writes.count > 0) task.errorFlags = task.keeps;
  (task.run.errors ??= new Map()).set(task.index, task.error);
}
