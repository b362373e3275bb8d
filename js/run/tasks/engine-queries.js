// SPDX-License-Identifier: MIT
// Sends queries of a node's code to the engine while its task runs.
import { makeError } from "../../base/errors.js";
import {
  ANSWER_ID,
  ANSWER_RESUME,
  ANSWER_STEPS,
  ANSWER_THROW,
  ASK_CHECKPOINT,
  ASK_INTERRUPT,
  ASK_NAMESPACE,
  ASK_REJECT,
  ASK_STEPS,
  ASK_TASK_ID,
  ERR_STALE_HANDLE,
} from "../../base/codes.js";
import { hexOf, uuidOf } from "../../base/uuid.js";
import { valueOf } from "./checkpoint-value.js";

/**
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 * @param {number} op
 */
function ask({ engine, handle, over }, task, op) {
  if (over) throw makeError(ERR_STALE_HANDLE, ["of a run that is over"]);
  return engine.ask(handle, task.index, task.attempt, op);
}

/**
 * Returns the value that resumes a task's next interrupt, or the id under which it interrupts.
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ resume: true, value: unknown } | { resume: false, id: string }}
 */
export function askInterrupt(run, task) {
  const answer = ask(run, task, ASK_INTERRUPT);
  if (answer.kind === ANSWER_THROW) return { resume: false, id: hexOf(answer.id) };
  if (answer.kind !== ANSWER_RESUME) throw makeError(answer.status);
  const { word } = answer;
  const { slots } = run.engine;
  if (answer.second !== 0) slots.keep(word, valueOf(run, answer.text));
  return { resume: true, value: slots.toValue(word) };
}

/**
 * Rejects the answer that a task received last, since it cannot be used.
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 */
export function rejectAnswer(run, task) {
  ask(run, task, ASK_REJECT);
}

/**
 * Returns the id of a running task, as LangGraph derives it; "" if first queried after the run.
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {string} a UUID
 */
export function askTaskId(run, task) {
  if (run.over) return "";
  const answer = ask(run, task, ASK_TASK_ID);
  if (answer.kind !== ANSWER_ID) throw makeError(answer.status);
  return uuidOf(answer.id);
}

/**
 * Returns the checkpoint that a running task belongs to.
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 */
export function askCheckpoint(run, task) {
  if (run.over) return undefined;
  const answer = ask(run, task, ASK_CHECKPOINT);
  return answer.kind === ANSWER_ID ? uuidOf(answer.id) : undefined;
}

/**
 * Returns the running step, and how many more the recursion limit allows; undefined after the
 * task's end.
 * @param {import("../run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ step: number, left: number } | undefined}
 */
export function askSteps(run, task) {
  if (run.over) return undefined;
  const answer = ask(run, task, ASK_STEPS);
  return answer.kind !== ANSWER_STEPS ? undefined : { step: answer.word | 0, left: answer.second };
}

/**
 * Returns the namespace that a run saves in; "" if first queried after the run.
 * @param {import("../run.js").Run} run
 * @returns {string}
 */
export function askNamespace({ engine, handle, over }) {
  return over ? "" : String(engine.ask(handle, 0, 0, ASK_NAMESPACE).text);
}
