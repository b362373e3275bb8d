// SPDX-License-Identifier: MIT
// Tells how a client is shown questions about tool calls: with the parts of the model's calls, if
// they are about those, else with parts of their own. Either show what would run, by the request.
import { isRecord } from "../base/check-arguments.js";

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ id: string, value: unknown }} Question */
/** @typedef {{ interrupts?: Question[], result?: unknown }} Task */
/**
 * A call that is asked about. `toolCallId`: of the part with the buttons; that of a part of its own
 * is the approval's; `about`: what the request says beside the call.
 * @typedef {{ approvalId: string, toolCallId: string, toolName: string, input: unknown, isOwn:
 *   boolean, about: Fields | undefined }} Approval
 */
/**
 * A call's place in its question.
 * @typedef {{ question: string, at: number, count: number }} Place
 */
/** @typedef {Fields & { id: string, name: string }} Call */

/** What a request may say beside the call that whoever decides should know. */
const SAID = [
  ...["problem", "note", "repaired", "changed"],
  ...["escalated_to", "escalations", "expires_at"],
];

/**
 * @param {readonly Task[]} tasks of a thread's state
 * @returns {Question[]} those that are open: a task that has ended beside others keeps its own
 */
export function questionsOf(tasks) {
  const waiting = tasks.filter(({ result }) => result === undefined);
  return waiting.flatMap(({ interrupts = [] }) => interrupts);
}

/**
 * @param {readonly Question[]} questions that are open
 * @param {ReadonlyMap<string, { name: unknown }>} step the calls without an outcome of the last
 *   step that a client shows, by their ids
 * @returns {Approval[]} the calls that they ask about
 */
export function approvalsOf(questions, step) {
  const asked = questions.flatMap((question) =>
    callsOf(question).map((call, at, calls) => ({ question, call, at, calls })),
  );
  // A wrapper's call and one of a graph within this one are others than the model's, whose
  // part has the late answer to a question that was escalated. All stand in one step: clients
  // send what is answered in the last one, once all of it is.
  const ids = new Set(asked.map(({ call }) => call.id));
  const isOwn =
    ids.size < asked.length ||
    [...step.keys()].some((id) => !ids.has(id)) ||
    asked.some(({ question, call }) => {
      const { changed, escalations } = /** @type {Fields} */ (question.value);
      return changed || escalations !== undefined || step.get(call.id)?.name !== call.name;
    });
  return asked.map(({ question, call, at, calls }) => {
    const request = /** @type {Fields} */ (question.value);
    const { canonical = calls.length === 1 ? request.canonical : undefined } = call;
    const approvalId = approvalIdOf(question, at, calls);
    return {
      approvalId,
      toolCallId: isOwn ? approvalId : call.id,
      toolName: call.name,
      input: typeof canonical === "string" ? JSON.parse(canonical) : call.args,
      isOwn,
      about: aboutOf(request, call, isOwn),
    };
  });
}

/** @param {Question} question @returns {boolean} */
export function isAboutCalls(question) {
  return callsOf(question).length > 0;
}

/** @param {Question} question @returns {[string, Place][]} by the ids of its approvals */
export function placesOf(question) {
  return callsOf(question).map((_, at, calls) => [
    approvalIdOf(question, at, calls),
    { question: question.id, at, count: calls.length },
  ]);
}

/** @param {Question} question @param {number} at @param {readonly Call[]} calls */
function approvalIdOf({ id }, at, { length }) {
  return length === 1 ? id : `${id}:${at}`;
}

/** @param {Question} question @returns {Call[]} */
function callsOf({ value }) {
  const requests = isRecord(value) ? value.action_requests : undefined;
  const areCalls =
    Array.isArray(requests) &&
    requests.every((one) => typeof one?.id === "string" && typeof one.name === "string");
  return areCalls ? requests : [];
}

/**
 * @param {Fields} request @param {Call} call @param {boolean} isOwn
 * @returns {Fields | undefined} undefined: nothing that the part does not show
 */
function aboutOf(request, call, isOwn) {
  const all = { ...request, ...call };
  const given = (/** @type {string} */ key) => all[key] !== undefined;
  if (!isOwn && !SAID.some(given)) return undefined;
  const keys = ["description", ...SAID, "digest"].filter(given);
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}

/** @param {Approval} approval @returns {Fields | undefined} of its part */
export function metadataOf({ about }) {
  return about && { weft: about };
}

/**
 * @param {Fields} part of a client
 * @returns {Fields} what it shows beside the call, as `about` of an approval
 */
export function aboutIn({ callProviderMetadata: metadata }) {
  return isRecord(metadata) && isRecord(metadata.weft) ? metadata.weft : {};
}

/**
 * @param {unknown} name of a tool @param {unknown} input @param {Fields} [about]
 * @returns {string} the same text for what a person sees as the same
 */
export function shownText(name, input, about = {}) {
  return JSON.stringify([name, input, about], (_, one) => {
    if (typeof one === "bigint") return String(one);
    return isRecord(one) ? Object.fromEntries(Object.entries(one).sort()) : one;
  });
}
