// SPDX-License-Identifier: MIT
// Holds where the question about a call is: which request waits, and to whom it was escalated. An
// escalated question has a digest of its own, so that an answer to an earlier one is not for it.
import { PLAN_DIGEST, PLAN_RAW } from "../base/codes.js";
import { isRecord } from "../base/check-arguments.js";
import { standardAnswer } from "../calls/approval-answers.js";
import { Toolset } from "../prebuilt/tool-calls/toolset.js";
import { CLOCK } from "../run/ids.js";

/** @typedef {import("../prebuilt/approval/approval-log.js").Subject} Subject */
/** @typedef {import("./expiry-options.js").Escalation} Escalation */
/**
 * `approval`: id of the request; `digest`: of the question that was asked first; `count`: how often
 * it was escalated.
 * @typedef {{ approval?: string, digest: string, count: number, escalation?: Escalation }} Place
 */
/**
 * A question. `value`: what is shown; `requests`: the parts of it about each call.
 * @typedef {{ value: Record<string, unknown>, subjects: readonly Subject[], requests: readonly
 *   { [key: string]: unknown, approval_id?: string }[] }} Question
 */

/** Digest that no question has. */
const OTHER = "another question";

/** @type {WeakMap<Subject, Place>} */
const places = new WeakMap();

/** Returns the place of the question about a call. @param {Subject} subject @returns {Place} */
export function placeOf(subject) {
  let place = places.get(subject);
  if (place === undefined) places.set(subject, (place = { digest: subject.digest, count: 0 }));
  return place;
}

/** Returns the clock of a task's run. @param {Subject["task"]} task */
export function clockOf(task) {
  return task.run.request.clock ?? CLOCK;
}

/**
 * Makes the next question about the calls, for somebody else.
 * @param {Question} question
 * @param {Escalation} escalation
 */
export function escalate({ value, subjects }, escalation) {
  for (const subject of subjects) {
    const place = placeOf(subject);
    place.count++;
    place.escalation = escalation;
    subject.digest = digestOf(subject.digest, escalation.to, place.count);
  }
  delete value.problem;
}

/** @param {string} before digest of the question before @param {string} to @param {number} count */
function digestOf(before, to, count) {
  const name = "escalation";
  const toolset = new Toolset([{ name, schema: null }]);
  const [{ digest }] = toolset.plan(
    [{ name, id: name, args: JSON.stringify({ before, to, count }) }],
    PLAN_RAW | PLAN_DIGEST,
    name,
  );
  toolset.handle.free();
  return digest;
}

/** Adds to the shown value that the question was escalated. @param {Question} question */
export function showEscalation({ value, subjects: [first] }) {
  const { count, escalation } = placeOf(first);
  if (escalation === undefined) return;
  const { to, description } = escalation;
  Object.assign(value, { digest: first.digest, escalated_to: to, escalations: count });
  if (description === undefined) return;
  value.description = description;
  // What LangChain's interfaces show of one call.
  for (const list of [value.action_requests, value.actionRequests])
    if (Array.isArray(list) && list.length === 1) list[0].description = description;
}

/**
 * Reads a person's answer. One that bears the digest of an escalated question bears that of the
 * call afterwards.
 * @param {unknown} answer
 * @param {Question} question
 */
export function personal(answer, { value, subjects: [first] }) {
  const { digest, count } = placeOf(first);
  if (count === 0) return answer;
  const said = standardAnswer(answer, value);
  const read = (/** @type {unknown} */ one) => {
    if (!isRecord(one)) return one;
    const copy = { ...one };
    if (copy.digest !== undefined) copy.digest = copy.digest === first.digest ? digest : OTHER;
    return copy;
  };
  return Array.isArray(said) ? said.map(read) : read(said);
}
