// SPDX-License-Identifier: MIT
// Questions that code inside a node asks the engine while a task runs. Owns nothing; plans nothing.
import { makeError } from "../base/errors.js";
import { decodeText } from "../engine/block.js";
import {
  ANSWER_ID, ANSWER_RESUME, ANSWER_STEPS, ANSWER_THROW, ASK_CHECKPOINT, ASK_INTERRUPT, ASK_NAMESPACE, ASK_REJECT,
  ASK_STEPS, ASK_TASK_ID,
  ERR_STALE_HANDLE,
} from "../base/codes.js";
import { hexOf, uuidOf } from "../base/uuid.js";
import { valueOf } from "./checkpoint-value.js";

/**
 * The instance, and where the answer begins in its words.
 * @param {import("./run.js").Run} run
 * @param {import("./task.js").Task} task
 * @param {number} op
 */
function ask({ engine, handle, over }, task, op) {
  if (over) throw makeError(ERR_STALE_HANDLE, ["of a run that is over"]);
  return { engine, at: engine.ask(handle, task.index, task.attempt, op) };
}

/** The 16 bytes of an id in an answer. @param {import("../engine/engine.js").Engine} engine @param {number} at */
function idAt(engine, at) {
  const start = (at + 6) * 4;
  return engine.u8.subarray(start, start + 16);
}

/**
 * The value that resumes the next interrupt of a task, or the id under which it interrupts.
 * @param {import("./run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ resume: true, value: any } | { resume: false, id: string }}
 */
export function askInterrupt(run, task) {
  const { engine, at } = ask(run, task, ASK_INTERRUPT);
  const { u32, u8, slots } = engine;
  const kind = u32[at + 1];
  if (kind === ANSWER_THROW) return { resume: false, id: hexOf(idAt(engine, at)) };
  if (kind !== ANSWER_RESUME) throw makeError(u32[at] | 0);
  const word = u32[at + 2];
  const pointer = u32[at + 3];
  if (pointer !== 0) slots.keep(word, valueOf(run, decodeText(u8.subarray(pointer, pointer + u32[at + 5]))));
  return { resume: true, value: slots.toValue(word) };
}

/** The answer that a task was given last cannot be used. @param {import("./run.js").Run} run @param {import("./task.js").Task} task */
export function rejectAnswer(run, task) {
  ask(run, task, ASK_REJECT);
}

/**
 * The id of a running task, as LangGraph would number it; "" when nobody asked before the run was over.
 * @param {import("./run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {string} a UUID
 */
export function askTaskId(run, task) {
  if (run.over) return "";
  const { engine, at } = ask(run, task, ASK_TASK_ID);
  if (engine.u32[at + 1] !== ANSWER_ID) throw makeError(engine.u32[at] | 0);
  return uuidOf(idAt(engine, at));
}

/** The checkpoint that a running task hangs on. @param {import("./run.js").Run} run @param {import("./task.js").Task} task */
export function askCheckpoint(run, task) {
  if (run.over) return undefined;
  const { engine, at } = ask(run, task, ASK_CHECKPOINT);
  return engine.u32[at + 1] === ANSWER_ID ? uuidOf(idAt(engine, at)) : undefined;
}

/**
 * The running step, and how many more the recursion limit allows; undefined when the task does not run any more.
 * @param {import("./run.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ step: number, left: number } | undefined}
 */
export function askSteps(run, task) {
  if (run.over) return undefined;
  const { engine, at } = ask(run, task, ASK_STEPS);
  return engine.u32[at + 1] !== ANSWER_STEPS ? undefined : { step: engine.u32[at + 2] | 0, left: engine.u32[at + 3] };
}

/** The namespace that a run saves in; "" when nobody asked in time. @param {import("./run.js").Run} run @returns {string} */
export function askNamespace({ engine, handle, over }) {
  if (over) return "";
  const at = engine.ask(handle, 0, 0, ASK_NAMESPACE);
  const from = engine.u32[at + 3];
  return decodeText(engine.u8.subarray(from, from + engine.u32[at + 5]));
}
