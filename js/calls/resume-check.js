// SPDX-License-Identifier: MIT
// Checks the answers of a resume before anything is written. Refuses an answer that names an
// approval request which is not pending: a duplicate or late answer must not apply to the next
// request. For a checkpointer made for LangGraph.js, which stores no record of requests, adds the
// digest of the pending request to the answer. Other interrupts resume as in LangGraph.js. Does not
// depend on how interrupts are stored.
import { ERR_APPROVAL } from "../base/codes.js";
import { define } from "../base/constants.js";
import { UnknownInterruptError, _markInvalidResume, makeError } from "../base/errors.js";
import { batchProblem, isApprovalAnswer, standardAnswer } from "./approval-answers.js";
import { PLAIN, isResumeMap } from "./input.js";

/** @typedef {import("../base/constants.js").Command} Command */
/** @typedef {{ id?: string, value?: unknown }} Interrupt */
/**
 * An approval request; `kind`: of a call with an unknown outcome; `changed`: of a call that a
 * wrapper changed.
 * @typedef {{ digest: string, canonical: string, id?: string, kind?: string, changed?: boolean,
 *   tool_call_id?: string, approval_id?: string, action_request?: { action?: string },
 *   action_requests?: { id: string, name: string, approval_id?: string }[] }} Request
 */

/** Checks whether a resume names the interrupts it answers. @param {unknown} resume */
export function namesQuestions(resume) {
  if (resume === null || typeof resume !== "object") return false;
  return isResumeMap(resume) || approvalIds(resume).length > 0;
}

/** Maximum nesting of a decision: under its call's id or in a list, under an interrupt's id. */
const MOST_DEPTH = 2;
/** Lists and objects of an answer that are copied before the thread is read. */
const MOST_COPIED = 10_000;
/** Levels of it that are copied. */
const DEEPEST_COPIED = 128;

/**
 * Checks whether a resume may contain decisions about tool calls: one, or several in a list or by
 * id.
 * @param {unknown} resume
 * @param {number} [depth] its nesting
 * @returns {boolean}
 */
export function decidesCalls(resume, depth = 0) {
  if (isApprovalAnswer(resume)) return true;
  if (resume === null || typeof resume !== "object") return false;
  return (
    typeof (/** @type {{ type?: unknown }} */ (resume).type) === "string" ||
    (depth < MOST_DEPTH && Object.values(resume).some((part) => decidesCalls(part, depth + 1)))
  );
}

/**
 * Binds the resume of a thread with approval requests to the pending ones. A plain answer applies
 * to the first pending request: it never decides about later requests, or about hidden ones beside
 * it.
 * @param {Command} command
 * @param {readonly Interrupt[]} waiting pending interrupts of the thread
 * @param {readonly Interrupt[]} listed interrupts listed by the state, including answered ones
 *   beside pending ones
 * @param {boolean} isKept whether the thread records its requests
 * @param {boolean} [isSeen] whether `waiting` is what the caller may have seen instead of what is
 *   pending now
 * @returns {{ command: Command, asked: Map<string, string> | undefined }} `asked`: names of the
 *   tools that need approval, by call id
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
    const problem = batchProblem(said, one.value);
    if (problem !== undefined) throw unusable("several calls", problem);
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
 * Copies a command with the lists and plain objects of its answer.
 * @param {Command} command
 * @returns {Command}
 */
export function ownResume(command) {
  return Object.assign(Object.create(Object.getPrototypeOf(command)), command, {
    resume: ownCopy(command.resume, new Map(), 0),
  });
}

/**
 * @param {unknown} value
 * @param {Map<object, unknown>} copies by original: an answer may hold itself
 * @param {number} depth
 * @returns {unknown} other objects, and those above the maximum, as they are
 */
function ownCopy(value, copies, depth) {
  if (value === null || typeof value !== "object") return value;
  if (copies.has(value)) return copies.get(value);
  const prototype = Object.getPrototypeOf(value);
  const isList = Array.isArray(value);
  const isAbove = copies.size >= MOST_COPIED || depth > DEEPEST_COPIED;
  if (isAbove || (!isList && prototype !== Object.prototype && prototype !== null)) return value;
  const copy = isList ? new Array(value.length) : {};
  copies.set(value, copy);
  for (const key of Object.keys(value))
    define(
      copy,
      key,
      ownCopy(/** @type {Record<string, unknown>} */ (value)[key], copies, depth + 1),
    );
  return copy;
}

/**
 * Returns the interrupts that a resume answers. A plain approval that arrives while another call of
 * the thread runs answers what its caller may have seen by then: a second click must not decide
 * about the next request.
 * @param {unknown} resume
 * @param {readonly Interrupt[]} waiting pending interrupts of the thread
 * @param {(() => Promise<readonly Interrupt[]>) | undefined} seen returns the interrupts that other
 *   calls have raised or answer
 * @returns {Promise<readonly Interrupt[]>}
 */
export async function waitingFor(resume, waiting, seen) {
  if (seen === undefined || !decidesCalls(resume) || isResumeMap(/** @type {object} */ (resume)))
    return waiting;
  const known = await seen();
  if (known.length > 0) return known;
  throw new UnknownInterruptError(
    "The answer was given while another call of the thread goes on that has asked nothing yet.",
    { reason: "not_pending" },
  );
}

/**
 * Checks an answer of any kind in strict resume mode. Refuses ids that are not pending, an empty
 * map, and a single value if several interrupts are pending.
 * @param {unknown} resume
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
 * Makes the error for an answer that its question does not allow. The question stays open.
 * @param {string} about
 * @param {string} problem
 */
export function unusable(about, problem) {
  const error = makeError(ERR_APPROVAL, [about, problem.replace(/\.$/, "")]);
  _markInvalidResume(error);
  return error;
}

/**
 * Returns the ids and tools of an approval request; nothing for a call with an unknown outcome.
 * @param {Request} request
 * @returns {[string, string][]}
 */
function callsOf({ kind, tool_call_id, id, changed, action_request, action_requests: several }) {
  if (kind !== undefined) return [];
  if (action_request === undefined) return (several ?? []).map(({ id, name }) => [id, name]);
  const name = askedName(action_request.action, changed);
  return [/** @type {[string, string]} */ ([tool_call_id ?? id, name])];
}

/**
 * Returns under which name a call is asked about: one that a wrapper changed is another call than
 * the model's with its id.
 * @param {unknown} tool
 * @param {boolean | undefined} isChanged
 */
export function askedName(tool, isChanged) {
  return isChanged ? `changed\n${tool}` : tool;
}

/** @param {Interrupt} question */
const asksAboutCalls = ({ value }) => requestsIn(value).length > 0;

/**
 * Checks that the approval ids in an answer belong to their interrupt. The state lists an answered
 * interrupt while others of its step are pending or failed: answers naming it must match too.
 * @param {unknown} resume
 * @param {boolean} isMap
 * @param {readonly Interrupt[]} asking
 * @param {readonly Interrupt[]} listed
 */
function checkNames(resume, isMap, asking, listed) {
  const map = /** @type {Record<string, unknown>} */ (resume);
  if (isMap)
    for (const one of listed)
      if (Object.hasOwn(map, /** @type {string} */ (one.id)))
        checkApprovals(map[/** @type {string} */ (one.id)], [one]);
  const shown = asking.length > 0 ? asking : listed;
  if (!isMap && shown.length > 0) checkApprovals(resume, shown);
}

/** @param {unknown} answer @param {readonly Interrupt[]} asking */
function checkApprovals(answer, asking) {
  const known = asking
    .flatMap(({ value }) => requestsIn(value))
    .flatMap((request) => [request, ...(request.action_requests ?? [])])
    .flatMap(({ approval_id }) => (approval_id === undefined ? [] : [approval_id]));
  refuse(
    approvalIds(answer).filter((id) => !known.includes(/** @type {string} */ (id))),
    known,
  );
}

/**
 * Adds the digests of the pending requests to an answer.
 * @param {unknown} answer
 * @param {unknown} value a request, or the list of reviewToolCalls
 * @param {boolean} isById whether the answer named the interrupt
 * @returns {unknown}
 */
function withDigest(answer, value, isById) {
  if (answer === null || typeof answer !== "object") return answer;
  if (Array.isArray(answer))
    return answer.map((one, at) =>
      withDigest(one, Array.isArray(value) ? value[at] : value, isById),
    );
  if (!Array.isArray(value)) {
    const digest = /** @type {Partial<Request> | undefined} */ (value)?.digest;
    if (typeof digest !== "string") return answer;
    // An interrupt id also identifies the request.
    return isById
      ? { digest, ...answer, asked_digest: digest }
      : { ...answer, asked_digest: digest };
  }
  const byCall = new Map(value.map((request) => [request?.id, request]));
  const { type } = /** @type {{ type?: unknown }} */ (answer);
  if (typeof type === "string" && value.length === 1) return withDigest(answer, value[0], isById);
  return Object.fromEntries(
    Object.entries(answer).map(([id, one]) => [id, withDigest(one, byCall.get(id), isById)]),
  );
}

/**
 * Returns the approval requests of an interrupt: one, or the list of reviewToolCalls.
 * @param {unknown} value
 * @returns {Request[]}
 */
function requestsIn(value) {
  return /** @type {Request[]} */ ([value].flat()).filter(
    (request) => typeof request?.digest === "string" && typeof request.canonical === "string",
  );
}

/**
 * Returns the approval ids in an answer, or in its parts in a list or by call id.
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
