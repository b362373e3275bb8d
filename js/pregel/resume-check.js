// SPDX-License-Identifier: MIT
// What a resume answers, looked at before anything is written. One that names a question about a tool call which does not
// wait is refused: an answer that is sent twice, or late, must not be taken for one to the next question. On a checkpointer
// made for LangGraph.js, which keeps no record of what was shown, an answer takes along the digest of what waits when it
// comes. Questions of other kinds are answered as in LangGraph.js. Must not know how questions are stored.
import { UnknownInterruptError } from "../errors.js";
import { isResumeMap } from "./call.js";

/** @typedef {{ id?: string, value?: any }} Interrupt */

/** Does a resume name the questions that it answers? @param {any} resume */
export function namesQuestions(resume) {
  if (resume === null || typeof resume !== "object") return false;
  return isResumeMap(resume) || approvalIds(resume).length > 0;
}

/** Might it be about tool calls: a decision, or several in a list or by id? @param {any} resume @returns {boolean} */
export function decidesCalls(resume) {
  if (resume === null || typeof resume !== "object") return false;
  return typeof resume.type === "string" || Object.values(resume).some(decidesCalls);
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

/**
 * The resume, with the digests of what it answers.
 * @param {any} resume
 * @param {readonly Interrupt[]} waiting what the thread waits for
 */
export function withDigests(resume, waiting) {
  const asking = waiting.filter(({ value }) => requestsIn(value).length > 0);
  if (resume === null || typeof resume !== "object") return resume;
  if (!isResumeMap(resume)) return asking.length === 1 ? withDigest(resume, asking[0].value) : resume;
  const found = new Map(asking.map(({ id, value }) => [id, value]));
  return Object.fromEntries(Object.entries(resume).map(([id, answer]) => [id, found.has(id) ? withDigest(answer, found.get(id)) : answer]));
}

/** @param {any} answer @param {any} value a request, or the list of reviewToolCalls @returns {any} */
function withDigest(answer, value) {
  if (answer === null || typeof answer !== "object") return answer;
  if (Array.isArray(answer)) return answer.map((one, at) => withDigest(one, Array.isArray(value) ? value[at] : value));
  if (!Array.isArray(value)) return typeof value?.digest === "string" ? { ...answer, asked_digest: value.digest } : answer;
  const byCall = new Map(value.map((request) => [request?.id, request]));
  if (!Object.keys(answer).some((id) => byCall.has(id))) return value.length === 1 ? withDigest(answer, value[0]) : answer;
  return Object.fromEntries(Object.entries(answer).map(([id, one]) => [id, withDigest(one, byCall.get(id))]));
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
