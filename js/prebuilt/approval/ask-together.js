// SPDX-License-Identifier: MIT
// Asks a person about several tool calls of a message with one question. Its answer has a decision
// for each call, and counts for all of them or for none. Does not depend on how tools run.
import { PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { standardAnswer } from "../../calls/approval-answers.js";
import { unusable } from "../../calls/resume-check.js";
import { Toolset } from "../tool-calls/toolset.js";
import { batchRequest } from "./approval-request.js";
import { askPerson, readDecision, requestOf, subjectOf, withHint } from "./approval.js";
import { ask, decide, isMistaken, readAnswer } from "./approval-log.js";

/** @typedef {import("./approval.js").Desk} Desk */
/** @typedef {import("./approval.js").Decision} Decision */
/** @typedef {import("./approval-log.js").Answer} Answer */
/** @typedef {import("./bound-call.js").BoundCall} BoundCall */

/** Name under which the calls of a question have one digest. */
const ALL = "calls";
const OTHERS = "The answer is about other calls than these.";

/**
 * Presents the calls and waits for the person's decisions. If the calls are no longer those of the
 * question that was answered, they are presented again; an answer that they do not allow is an
 * error, and the question stays open. Edits that nobody has seen as they would run are presented
 * one by one after that.
 * @param {Desk} desk
 * @param {readonly BoundCall[]} calls at least two
 * @param {() => void} reject drops the answer
 * @returns {Promise<Decision[]>} in the order of the calls
 */
export async function askTogether(desk, calls, reject) {
  const all = digestOf(calls, desk.scope);
  const { view } = desk;
  const subjects = calls.map((call) => subjectOf(desk, call, true, all.digest));
  /** @type {string | undefined} */
  let problem;
  for (;;) {
    /** @type {import("./approval.js").Shown[]} */
    const shown = [];
    if (view !== undefined) for (const call of calls) shown.push(await view.describe(call));
    const requests = calls.map((call, at) => requestOf(call, undefined, shown[at]));
    const made = batchRequest(requests, all, problem);
    const request = view?.form(made) ?? made;
    const said = await ask(desk.interrupt, request, subjects, request.action_requests);
    const answers = answersIn(standardAnswer(said, request), requests);
    problem =
      answers === undefined || answers.some((one) => isMistaken(one, all))
        ? OTHERS
        : await decideAll(calls, subjects, answers, true);
    if (problem !== undefined || answers === undefined) continue;
    const read = [];
    for (const [at, call] of calls.entries()) {
      const own = { ...answers[at], digest: undefined, asked_digest: undefined };
      const verdict = await readDecision(desk, call, own);
      if (typeof verdict !== "string") read.push(verdict);
      else {
        reject();
        throw unusable(`"${call.name}" (${call.outcome.id})`, verdict);
      }
    }
    problem = await decideAll(calls, subjects, answers, false);
    if (problem !== undefined) continue;
    const decisions = [];
    for (const [at, verdict] of read.entries())
      decisions.push({
        ...("ask" in verdict
          ? await askPerson(desk, verdict.ask, calls[at], verdict.edit)
          : { ...verdict, ...subjects[at].said, shown: calls[at].outcome.digest }),
        asked: all.digest,
      });
    return decisions;
  }
}

/**
 * Computes the text of all calls, and its digest.
 * @param {readonly BoundCall[]} calls
 * @param {string} scope identifies the message
 */
function digestOf(calls, scope) {
  const toolset = new Toolset([{ name: ALL, schema: null, digest: true }]);
  const texts = calls.map(
    ({ name, outcome: { id, canonical, digest } }) =>
      `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${canonical},"digest":"${digest}"}`,
  );
  const [{ canonical, digest }] = toolset.plan(
    [{ name: ALL, id: ALL, args: `{"calls":[${texts.join(",")}]}` }],
    PLAN_RAW | PLAN_DIGEST,
    scope,
  );
  toolset.handle.free();
  return { canonical, digest };
}

/**
 * @param {unknown} said a list with one answer for each call
 * @param {readonly unknown[]} requests
 * @returns {Answer[] | undefined} undefined when it is no such list
 */
function answersIn(said, requests) {
  if (!Array.isArray(said) || said.length !== requests.length) return undefined;
  const read = requests.map((request, at) => readAnswer(said[at], request));
  return read.every((answer) => answer !== undefined) ? read : undefined;
}

/**
 * Checks the answers against the log, or records them as decisions.
 * @param {readonly BoundCall[]} calls
 * @param {readonly import("./approval-log.js").Subject[]} subjects
 * @param {readonly Answer[]} answers
 * @param {boolean} isCheck
 * @returns {Promise<string | undefined>} why one of them does not count
 */
async function decideAll(calls, subjects, answers, isCheck) {
  for (const [at, call] of calls.entries()) {
    const problem = withHint(call, await decide(subjects[at], answers[at], isCheck));
    if (problem !== undefined) return problem;
  }
  return undefined;
}
