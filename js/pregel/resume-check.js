// SPDX-License-Identifier: MIT
// Refuses a resume that names a question about a tool call which does not wait, before anything is written: an answer that
// is sent twice, or late, must not be taken for one to the next question. Questions of other kinds are answered as in
// LangGraph.js. Must not know how questions are stored.
import { isCommand } from "../constants.js";
import { UnknownInterruptError } from "../errors.js";
import { isResumeMap } from "./call.js";

/** @typedef {{ id?: string, value?: any }} Interrupt */

/**
 * Does it take a look at the thread to know whether an input answers what waits?
 * @param {any} input of a call
 */
export function namesQuestions(input) {
  const resume = isCommand(input) ? input.resume : undefined;
  if (resume === null || typeof resume !== "object") return false;
  return isResumeMap(resume) || approvalIds(resume).length > 0;
}

/**
 * @param {any} resume
 * @param {readonly Interrupt[]} waiting what the thread waits for
 */
export function checkResume(resume, waiting) {
  const asking = waiting.filter(({ value }) => requestsIn(value).length > 0);
  if (asking.length === 0) return;
  const known = waiting.flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (!isResumeMap(resume)) return checkApprovals(resume, asking);
  refuse(Object.keys(resume).filter((id) => !known.includes(id)), known);
  for (const one of asking) checkApprovals(resume[/** @type {string} */ (one.id)], [one]);
}

/** @param {any} answer @param {readonly Interrupt[]} asking */
function checkApprovals(answer, asking) {
  const known = asking.flatMap(({ value }) => requestsIn(value)).flatMap(({ approval_id }) => (approval_id === undefined ? [] : [approval_id]));
  refuse(approvalIds(answer).filter((id) => !known.includes(id)), known);
}

/** The requests about tool calls in a question: one, or the list of reviewToolCalls. @param {any} value @returns {any[]} */
function requestsIn(value) {
  return [value].flat().filter((request) => typeof request?.digest === "string" && typeof request.canonical === "string");
}

/** What an answer, or one of several in a list or by call id, names. @param {any} answer @returns {any[]} */
function approvalIds(answer) {
  const parts = [answer, ...(answer !== null && typeof answer === "object" ? Object.values(answer) : [])];
  return parts.flatMap((part) => (part !== null && typeof part === "object" && part.approval_id !== undefined ? [part.approval_id] : []));
}

/** @param {any[]} unknown @param {string[]} known */
function refuse(unknown, known) {
  if (unknown.length === 0) return;
  const ids = unknown.map((id) => (typeof id === "string" ? id : `${typeof id}`));
  const text = `The answer is for ${ids.map((id) => `"${id}"`).join(", ")}, which does not wait for one. Waiting: ${known.map((id) => `"${id}"`).join(", ") || "nothing"}.`;
  throw new UnknownInterruptError(text, { reason: "not_pending", interruptIds: ids, pendingIds: [...known] });
}
