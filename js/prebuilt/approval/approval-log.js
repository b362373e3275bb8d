// SPDX-License-Identifier: MIT
// Knows: how a question about tool calls and the decision about it get into the thread's log: the
// request before anybody sees it, under an id of its own; the decision once, and only if it is
// about what was shown. Must not know what is asked.
import { isGraphInterrupt } from "../../base/errors.js";
import { standardAnswer } from "../../calls/approval-answers.js";
import {
  DECIDED_CHECK,
  DECIDED_FIND,
  DECIDED_NAMED,
  INTENT_ASKS,
  INTENT_DECIDED,
} from "../../base/codes.js";

/** @typedef {import("../../run/tasks/task.js").Task} Task */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * A call that somebody is asked about. `isFirst`: the one that this task asked about first
 * @typedef {{ ledger: import("../../run/tasks/ledger.js").Ledger | undefined, task: Task, id:
 *   string, digest: string, isFirst: boolean }} Subject
 */
/**
 * What a person answered, each part read once. `asked_digest`: of what waited when it came
 * (js/calls/resume-check.js); `text`: all of it as the log keeps it.
 * @typedef {{ type: Value, args: unknown, digest: unknown, asked_digest: unknown, approval_id:
 *   unknown, text: string }} Answer
 */

/** Their place, from 1, is how the log calls them. */
const TYPES = Object.freeze(["accept", "ignore", "response", "edit", "retry"]);
/** An answer that names no request. */
const NONE = "0".repeat(32);
/** Names none that there is. */
const OTHER = "f".repeat(32);
const USED = "Nobody was asked about this call as it is now, or it was decided before.";
const UNNAMED =
  "This is another question than the one that was asked first: answer it by its interrupt id, or send its digest or approval_id along.";

/**
 * Puts a question about calls. Where the thread keeps a ledger, the log says first what is asked,
 * and under which id.
 * @param {(value: unknown, options?: unknown) => unknown} interrupt
 * @param {unknown} value of the question
 * @param {readonly Subject[]} subjects
 * @param {readonly Value[]} requests of the subjects: they get an `approval_id`
 * @returns {Promise<unknown>} the answer, if there is one
 */
export async function ask(interrupt, value, subjects, requests) {
  try {
    return interrupt(value);
  } catch (asked) {
    if (!isGraphInterrupt(asked)) throw asked;
    for (const [at, subject] of subjects.entries()) {
      const told = await subject.ledger?.tell(subject.task, subject.id, INTENT_ASKS, (batch) =>
        putDigest(batch, subject.digest),
      );
      if (told === undefined) continue;
      requests[at].approval_id = told.approval;
      asked.interrupts[0].id = told.question;
    }
    throw asked;
  }
}

/**
 * What a person answered: a copy, since whoever gave the answer may change it.
 * @param {unknown} answer of any form, or a list with one
 * @param {unknown} [request] the question, where forms of other interfaces are taken
 * @returns {Answer | undefined} undefined: it is none
 */
export function readAnswer(answer, request) {
  const said = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  const given = /** @type {any} */ (request === undefined ? said : standardAnswer(said, request));
  if (given === null || typeof given !== "object") return undefined;
  const { type, args: written, digest, asked_digest, approval_id } = given;
  const args = typeof written === "string" ? written : copyOf(written);
  return {
    type,
    args,
    digest,
    asked_digest,
    approval_id,
    text:
      textOf({ ...given, type, args, digest, approval_id }) ??
      JSON.stringify({ type: String(type) }),
  };
}

/**
 * What JSON cannot hold does not keep an answer from counting.
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
 * May the answer decide? Then the log says so before the call begins; if not, the question is open
 * again.
 * @param {Subject} subject @param {Answer} answer
 * @param {boolean} [isCheck] only whether it may: answers that come together decide together
 * @returns {Promise<string | undefined>} what is wrong with it
 */
export async function decide(
  { ledger, task, id, digest, isFirst },
  { approval_id: given, type, digest: shown, asked_digest, text },
  isCheck = false,
) {
  const named =
    given === undefined
      ? NONE
      : typeof given === "string" && /^[0-9a-f]{32}$/.test(given) && given !== NONE
        ? given
        : OTHER;
  // Without a record of what was shown an answer is taken for what waited when it came.
  if (ledger === undefined)
    return shown !== undefined || (isFirst && asked_digest !== undefined) ? undefined : UNNAMED;
  const refused = await ledger.tell(task, id, INTENT_DECIDED, (batch) => {
    batch.word(
      (TYPES.indexOf(type) + 1) |
        (shown === undefined ? 0 : DECIDED_NAMED) |
        (isCheck ? DECIDED_CHECK : 0),
    );
    putDigest(batch, digest);
    batch.id(named);
    batch.string(text);
  });
  return refused === 1 ? USED : refused === 2 ? UNNAMED : undefined;
}

/**
 * Was that decided in this thread? A copy or an import has the decision, and nobody decided there.
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

/** Is the answer about something else? @param {Value} answer @param {{ digest: string }} about */
export function isMistaken({ digest, asked_digest }, about) {
  return [digest, asked_digest].some((one) => one !== undefined && one !== about.digest);
}

/** @param {import("../../engine/batch.js").Batch} batch @param {string} digest */
function putDigest(batch, digest) {
  for (let at = 0; at < 64; at += 32) batch.id(digest.slice(at, at + 32));
}
