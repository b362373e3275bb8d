// SPDX-License-Identifier: MIT
// Records approval requests and decisions in the thread's log: each request before anybody sees it,
// under its own id; each decision once, and only if it is about the presented call. Does not depend
// on what is requested.
import { isGraphInterrupt } from "../../base/errors.js";
import { standardAnswer } from "../../calls/approval-answers.js";
import {
  DECIDED_CHECK,
  DECIDED_FIND,
  DECIDED_NAMED,
  INTENT_APART,
  INTENT_ASKS,
  INTENT_DECIDED,
} from "../../base/codes.js";

/** @typedef {import("../../run/tasks/task.js").Task} Task */

/**
 * A call that needs a decision. `isFirst`: it is the first request of this task for the call;
 * `isApart`: the call is not the model's: a wrapper changed it, or it was in flight;
 * `flags`: DECIDED_* beside the answer's type; `more`: writes the end of that event; `said`: the
 * text for the model, if the call does not run and no person said so.
 * @typedef {{ ledger: import("../../run/tasks/ledger.js").Ledger | undefined, task: Task, id:
 *   string, digest: string, isFirst: boolean, isApart?: boolean, rules?: Rules, call?: AskedCall,
 *   flags?: number, more?: Put, said?: { text: string } }} Subject
 */
/** @typedef {(batch: import("../../engine/batch.js").Batch) => void} Put */
/** @typedef {Pick<import("./bound-call.js").BoundCall, "tool" | "name" | "outcome">} AskedCall */
/**
 * What approvalRules of weftgraph/approval adds. `ask`: asks, or lets a request expire; `seal`:
 * makes the recorded text of a decision.
 * @typedef {{ ask: typeof ask, seal: (subject: Subject, text: string) => Promise<string> }} Rules
 */
/**
 * A person's answer, each part read once. `asked_digest`: digest of the request that was open when
 * the answer arrived (js/calls/resume-check.js); `text`: the whole answer as the log stores it.
 * @typedef {{ type: unknown, args: unknown, digest: unknown, asked_digest: unknown, approval_id:
 *   unknown, text: string }} Answer
 */

/** Answer types; the log stores their position, counted from 1. */
export const TYPES = Object.freeze(["accept", "ignore", "response", "edit", "retry", "escalate"]);
/** Approval id of an answer that names no request. */
export const NONE = "0".repeat(32);
/** Approval id that matches no request, for malformed ids. */
const OTHER = "f".repeat(32);
const USED = "Nobody was asked about this call as it is now, or it was decided before.";
const UNNAMED =
  "This is another question than the one that was asked first: answer it by its interrupt id, or send its digest or approval_id along.";

/**
 * Raises an approval request, as the rules of the subjects say. If the thread keeps a ledger, the
 * log first records the request and its id.
 * @param {(value: unknown, options?: unknown) => unknown} interrupt
 * @param {unknown} value of the interrupt
 * @param {readonly Subject[]} subjects
 * @param {readonly { [key: string]: unknown, approval_id?: string }[]} requests requests of the
 *   subjects: each gets an `approval_id`
 * @returns {Promise<unknown>} the answer, if the run was resumed with one
 */
export async function ask(interrupt, value, subjects, requests) {
  const { rules } = subjects[0];
  if (rules !== undefined) return rules.ask(interrupt, value, subjects, requests);
  try {
    return interrupt(value);
  } catch (asked) {
    if (!isGraphInterrupt(asked)) throw asked;
    // All at once: the requests of one question stand side by side in the log.
    const said = subjects.map((subject) =>
      subject.ledger?.tell(subject.task, subject.id, asksFlags(subject), (batch) =>
        putDigest(batch, subject.digest),
      ),
    );
    for (const [at, told] of (await Promise.all(said)).entries()) {
      if (told === undefined) continue;
      requests[at].approval_id = told.approval;
      asked.interrupts[0].id = told.question;
    }
    throw asked;
  }
}

/** Returns the flags of a request's event. @param {Subject} subject */
export function asksFlags({ isApart }) {
  return isApart ? INTENT_ASKS | INTENT_APART : INTENT_ASKS;
}

/**
 * Selects the answer for a call: from a list no longer than theirs, by its id, or the only answer.
 * @param {unknown} answers
 * @param {string} id
 * @param {number} at
 * @param {number} count number of calls
 */
export function answerFor(answers, id, at, count) {
  if (Array.isArray(answers)) return answers.length > count ? undefined : answers[at];
  if (answers === null || typeof answers !== "object") return count === 1 ? answers : undefined;
  const given = /** @type {Record<string, unknown>} */ (answers);
  if (count === 1 && typeof given.type === "string") return answers;
  return Object.hasOwn(given, id) ? given[id] : count === 1 ? answers : undefined;
}

/**
 * Reads a person's answer into a copy, since the caller may change the original.
 * @param {unknown} answer of any form, or a list with one answer
 * @param {unknown} [request] the request, if forms of other interfaces are accepted
 * @returns {Answer | undefined} undefined when it is no answer
 */
export function readAnswer(answer, request) {
  const said = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  const given = /** @type {Partial<Answer> | null} */ (
    request === undefined ? said : standardAnswer(said, request)
  );
  if (given === null || typeof given !== "object") return undefined;
  const { type, args: written, digest, asked_digest, approval_id } = given;
  const args = copyOf(written);
  return {
    type,
    args,
    digest,
    asked_digest,
    approval_id,
    text:
      textOf({ ...given, type, args, digest, approval_id, toJSON: undefined }) ??
      JSON.stringify({ type: String(type) }),
  };
}

/**
 * Serializes an answer. Parts that JSON cannot represent do not invalidate the answer.
 * @param {unknown} value
 * @returns {string | undefined}
 */
function textOf(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function copyOf(value) {
  const text = textOf(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Checks whether the answer may decide and records it in the log before the call begins; if it may
 * not, the request is open again.
 * @param {Subject} subject @param {Answer} answer
 * @param {boolean} [isCheck] only check: answers that arrive together decide together
 * @returns {Promise<string | undefined>} what is wrong with the answer
 */
export async function decide(
  subject,
  { approval_id: given, type, digest: shown, asked_digest, text },
  isCheck = false,
) {
  const { ledger, task, id, digest, isFirst, rules, flags = 0, more } = subject;
  if (isCheck && flags !== 0) return undefined;
  const named =
    given === undefined
      ? NONE
      : typeof given === "string" && /^[0-9a-f]{32}$/.test(given) && given !== NONE
        ? given
        : OTHER;
  // Without a ledger, an answer counts for the request that was open when it arrived.
  if (ledger === undefined)
    return shown !== undefined || (isFirst && asked_digest !== undefined) ? undefined : UNNAMED;
  const written = isCheck || rules === undefined ? text : await rules.seal(subject, text);
  const refused = await ledger.tell(task, id, INTENT_DECIDED, (batch) => {
    batch.word(
      (TYPES.indexOf(/** @type {string} */ (type)) + 1) |
        (shown === undefined ? 0 : DECIDED_NAMED) |
        (isCheck ? DECIDED_CHECK : 0) |
        flags,
    );
    putDigest(batch, digest);
    batch.id(named);
    batch.string(written);
    more?.(batch);
  });
  return refused === 1 ? USED : refused === 2 ? UNNAMED : undefined;
}

/**
 * Checks that this thread recorded the decision. A copied or imported thread contains the saved
 * decision, but nobody decided there.
 * @param {Subject} subject
 * @returns {Promise<boolean>}
 */
export async function isDecided({ ledger, task, id, digest }) {
  const said = await ledger?.tell(task, id, INTENT_DECIDED, (batch) => {
    batch.word(DECIDED_FIND);
    putDigest(batch, digest);
    batch.id(NONE);
    batch.string("");
  });
  return said !== 1;
}

/**
 * Checks whether the answer names another call.
 * @param {{ digest?: unknown, asked_digest?: unknown }} answer
 * @param {{ digest: string }} about
 */
export function isMistaken({ digest, asked_digest }, about) {
  return [digest, asked_digest].some((one) => one !== undefined && one !== about.digest);
}

/** @param {import("../../engine/batch.js").Batch} batch @param {string} digest */
export function putDigest(batch, digest) {
  for (let at = 0; at < 64; at += 32) batch.id(digest.slice(at, at + 32));
}
