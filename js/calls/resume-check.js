// SPDX-License-Identifier: MIT
// What a resume answers, looked at before anything is written. One that names a question about a
// tool call which does not wait is refused: an answer that is sent twice, or late, must not be
// taken for one to the next question. On a checkpointer made for LangGraph.js, which keeps no
// record of what was shown, an answer takes along the digest of what waits when it comes. Questions
// of other kinds are answered as in LangGraph.js. Must not know how questions are stored.
import { UnknownInterruptError } from "../base/errors.js";
import { isApprovalAnswer, standardAnswer } from "./approval-answers.js";
import { PLAIN, isResumeMap } from "./input.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {{ id?: string, value?: unknown }} Interrupt */

/** Does a resume name the questions that it answers? @param {Value} resume */
export function namesQuestions(resume) {
  if (resume === null || typeof resume !== "object") return false;
  return isResumeMap(resume) || approvalIds(resume).length > 0;
}

/**
 * A decision may stand in a list, or under the id of its call, and that under the id of a question.
 */
const MOST_DEPTH = 2;

/**
 * Might it be about tool calls: a decision, or several in a list or by id?
 * @param {Value} resume
 * @param {number} [depth] where it stands
 * @returns {boolean}
 */
export function decidesCalls(resume, depth = 0) {
  if (isApprovalAnswer(resume)) return true;
  if (resume === null || typeof resume !== "object") return false;
  return (
    typeof resume.type === "string" ||
    (depth < MOST_DEPTH && Object.values(resume).some((part) => decidesCalls(part, depth + 1)))
  );
}

/**
 * A resume of a thread that asks about tool calls, bound to what waits now. A plain answer is for
 * the question that waits first: whatever is asked later, or is hidden beside it, it does not
 * decide about.
 * @param {Value} command
 * @param {readonly Interrupt[]} waiting what the thread waits for
 * @param {readonly Interrupt[]} listed what a state shows: with questions that were answered,
 *   beside others that wait
 * @param {boolean} isKept does the thread keep a record of what was shown?
 * @param {boolean} [isSeen] is it what the caller can have seen, whatever waits by now?
 * @returns {{ command: unknown, asked: Map<string, string> | undefined }} `asked`: the tool calls
 *   that are asked about, the names of their tools by id
 */
export function bindResume(command, waiting, listed, isKept, isSeen = false) {
  const asking = waiting.filter(asksAboutCalls);
  const { resume } = command;
  const known = waiting.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const isMap = resume !== null && typeof resume === "object" && isResumeMap(resume);
  if (isMap && asking.length > 0)
    refuse(
      Object.keys(resume).filter((id) => !listed.some((one) => one.id === id)),
      known,
    );
  checkNames(resume, isMap, asking, listed.filter(asksAboutCalls));
  if (asking.length === 0 && !isSeen) return { command, asked: undefined };
  const map = isMap ? resume : { [known[0]]: resume };
  const found = new Map(asking.map((one) => [one.id, one]));
  const answers = Object.entries(map).map(([id, answer]) => {
    const one = found.get(id);
    if (one === undefined) return [id, answer];
    const said = standardAnswer(answer, one.value);
    return [id, isKept ? said : withDigest(said, one.value, isMap)];
  });
  const bound = Object.assign(Object.create(Object.getPrototypeOf(command)), command, {
    resume: Object.fromEntries(answers),
    [PLAIN]: !isMap,
  });
  return {
    command: bound,
    asked: new Map(asking.flatMap(({ value }) => requestsIn(value)).flatMap(callsOf)),
  };
}

/**
 * What a resume is given to. A plain answer to a tool call that comes while another call of its
 * thread is under way is for what its caller can have seen by then: a second click must not decide
 * about the next question.
 * @param {Value} resume
 * @param {readonly Interrupt[]} waiting what the thread waits for
 * @param {(() => Promise<readonly Interrupt[]>) | undefined} seen what other calls have asked, or
 *   answer
 * @returns {Promise<readonly Interrupt[]>}
 */
export async function waitingFor(resume, waiting, seen) {
  if (seen === undefined || !decidesCalls(resume) || isResumeMap(resume)) return waiting;
  const known = await seen();
  if (known.length > 0) return known;
  throw new UnknownInterruptError(
    "The answer was given while another call of the thread goes on that has asked nothing yet.",
    { reason: "not_pending" },
  );
}

/**
 * In strict resume mode an answer of any kind must fit what waits. By an id that does not wait it
 * is refused, as is a map of nothing, and one value where several wait.
 * @param {Value} resume
 * @param {readonly Interrupt[]} waiting
 */
export function checkStrictly(resume, waiting) {
  const pendingIds = waiting.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const isObject = typeof resume === "object" && resume !== null && !Array.isArray(resume);
  if (isObject && Object.keys(resume).length === 0)
    throw new UnknownInterruptError("The resume map names no interrupt", {
      reason: "empty_map",
      pendingIds,
    });
  if (isObject && isResumeMap(resume))
    refuse(
      Object.keys(resume).filter((id) => !pendingIds.includes(id)),
      pendingIds,
    );
  else if (waiting.length > 1)
    throw new UnknownInterruptError(
      "When there are multiple pending interrupts, you must specify the interrupt id when resuming.",
      { reason: "ambiguous", pendingIds },
    );
}

/**
 * @param {any} request
 * @returns {[string, string][]} the call, if nobody knows yet whether it may run
 */
function callsOf({ kind, tool_call_id, id, action_request }) {
  return kind === undefined ? [[tool_call_id ?? id, action_request?.action]] : [];
}

/** @param {Interrupt} question */
const asksAboutCalls = ({ value }) => requestsIn(value).length > 0;

/**
 * An approval that an answer names must be one of its question's. A state still lists a question
 * that was answered while others of its step wait or have failed: what names that must fit it, too.
 * @param {Value} resume
 * @param {boolean} isMap
 * @param {readonly Interrupt[]} asking
 * @param {readonly Interrupt[]} listed
 */
function checkNames(resume, isMap, asking, listed) {
  if (isMap)
    for (const one of listed)
      if (Object.hasOwn(resume, /** @type {string} */ (one.id)))
        checkApprovals(resume[/** @type {string} */ (one.id)], [one]);
  const shown = asking.length > 0 ? asking : listed;
  if (!isMap && shown.length > 0) checkApprovals(resume, shown);
}

/** @param {Value} answer @param {readonly Interrupt[]} asking */
function checkApprovals(answer, asking) {
  const known = asking
    .flatMap(({ value }) => requestsIn(value))
    .flatMap(({ approval_id }) => (approval_id === undefined ? [] : [approval_id]));
  refuse(
    approvalIds(answer).filter((id) => !known.includes(id)),
    known,
  );
}

/**
 * @param {Value} answer
 * @param {Value} value a request, or the list of reviewToolCalls
 * @param {boolean} isById
 * @returns {unknown}
 */
function withDigest(answer, value, isById) {
  if (answer === null || typeof answer !== "object") return answer;
  if (Array.isArray(answer))
    return answer.map((one, at) =>
      withDigest(one, Array.isArray(value) ? value[at] : value, isById),
    );
  if (!Array.isArray(value)) {
    if (typeof value?.digest !== "string") return answer;
    // By its id the question is named.
    return isById
      ? { digest: value.digest, ...answer, asked_digest: value.digest }
      : { ...answer, asked_digest: value.digest };
  }
  const byCall = new Map(value.map((request) => [request?.id, request]));
  if (typeof answer.type === "string" && value.length === 1)
    return withDigest(answer, value[0], isById);
  return Object.fromEntries(
    Object.entries(answer).map(([id, one]) => [id, withDigest(one, byCall.get(id), isById)]),
  );
}

/**
 * The requests about tool calls in a question: one, or the list of reviewToolCalls.
 * @param {Value} value
 * @returns {Value[]}
 */
function requestsIn(value) {
  return [value]
    .flat()
    .filter(
      (request) => typeof request?.digest === "string" && typeof request.canonical === "string",
    );
}

/**
 * What an answer, or one of several in a list or by call id, names.
 * @param {unknown} answer
 * @returns {unknown[]}
 */
function approvalIds(answer) {
  const parts = [
    answer,
    ...(answer !== null && typeof answer === "object" ? Object.values(answer) : []),
  ];
  return parts.flatMap((part) =>
    part !== null && typeof part === "object" && part.approval_id !== undefined
      ? [part.approval_id]
      : [],
  );
}

/** @param {unknown[]} unknown @param {string[]} known */
function refuse(unknown, known) {
  if (unknown.length === 0) return;
  const ids = unknown.map((id) => (typeof id === "string" ? id : `${typeof id}`));
  const text = `The answer is for ${ids.map((id) => `"${id}"`).join(", ")}, which does not wait for one. Waiting: ${known.map((id) => `"${id}"`).join(", ") || "nothing"}.`;
  throw new UnknownInterruptError(text, {
    reason: "not_pending",
    interruptIds: ids,
    pendingIds: [...known],
  });
}
