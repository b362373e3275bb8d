// SPDX-License-Identifier: MIT
// Questions that code inside a node asks the engine while a task runs. Owns nothing; plans nothing.
import { makeError } from "../errors.js";
import { decodeText } from "../engine/block.js";
import {
  ANSWER_ID, ANSWER_RESUME, ANSWER_STEPS, ANSWER_THROW, ASK_INTERRUPT, ASK_STEPS, ASK_TASK_ID, ERR_STALE_HANDLE,
} from "../engine/codes.js";
import { valueOf } from "./stored-value.js";

/**
 * The value that resumes the next interrupt of a task, or the id under which it interrupts.
 * @param {import("./pump.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ resume: true, value: any } | { resume: false, id: string }}
 */
export function askInterrupt(run, task) {
  const { engine } = run;
  if (run.over) throw makeError(ERR_STALE_HANDLE, ["of a run that is over"]);
  const at = engine.ask(run.handle, task.index, task.attempt, ASK_INTERRUPT);
  const { u32, u8, slots } = engine;
  const kind = u32[at + 1];
  if (kind === ANSWER_THROW) return { resume: false, id: hexOf(u8, (at + 6) * 4) };
  if (kind !== ANSWER_RESUME) throw makeError(u32[at] | 0);
  const word = u32[at + 2];
  const pointer = u32[at + 3];
  if (pointer !== 0) slots.keep(word, valueOf(run, decodeText(u8.subarray(pointer, pointer + u32[at + 5]))));
  return { resume: true, value: slots.toValue(word) };
}

/**
 * The id of a running task, as LangGraph would number it.
 * @param {import("./pump.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {string} a UUID
 */
export function askTaskId(run, task) {
  const { engine } = run;
  if (run.over) throw makeError(ERR_STALE_HANDLE, ["of a run that is over"]);
  const at = engine.ask(run.handle, task.index, task.attempt, ASK_TASK_ID);
  if (engine.u32[at + 1] !== ANSWER_ID) throw makeError(engine.u32[at] | 0);
  const hex = hexOf(engine.u8, (at + 6) * 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * The running step, and how many more the recursion limit allows; undefined when the task does not run any more.
 * @param {import("./pump.js").Run} run
 * @param {import("./task.js").Task} task
 * @returns {{ step: number, left: number } | undefined}
 */
export function askSteps(run, task) {
  const { engine } = run;
  if (run.over) return undefined;
  const at = engine.ask(run.handle, task.index, task.attempt, ASK_STEPS);
  return engine.u32[at + 1] !== ANSWER_STEPS ? undefined : { step: engine.u32[at + 2] | 0, left: engine.u32[at + 3] };
}

/**
 * @param {Uint8Array} u8
 * @param {number} start
 */
function hexOf(u8, start) {
  let text = "";
  for (let i = 0; i < 16; i++) text += u8[start + i].toString(16).padStart(2, "0");
  return text;
}
