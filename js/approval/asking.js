// SPDX-License-Identifier: MIT
// Asks about tool calls with requests that expire: the engine records when, and refuses answers
// after that; then the host decides, or asks somebody else. Does not depend on who signs.
import { isGraphInterrupt, makeError } from "../base/errors.js";
import {
  DECIDED_CHECK,
  DECIDED_EXPIRED,
  DECIDED_NAMED,
  ERR_APPROVAL,
  INTENT_DECIDED,
  INTENT_TIMED,
  TIMED_AFTER,
  TIMED_LOOK,
} from "../base/codes.js";
import { isRecord } from "../base/check-arguments.js";
import { NONE, TYPES, asksFlags, putDigest } from "../prebuilt/approval/approval-log.js";
import { optionOf } from "../prebuilt/tool-calls/tool-options.js";
import { LAST, earliest, momentOf, readResult, timeOf } from "./expiry-options.js";
import { clockOf, escalate, personal, placeOf, showEscalation } from "./question.js";

/** @typedef {import("../prebuilt/approval/approval-log.js").Subject} Subject */
/** @typedef {import("./expiry-options.js").Escalation} Escalation */
/** @typedef {import("./expiry-options.js").Moment} Moment */
/** @typedef {import("./question.js").Question} Question */
/** @typedef {{ type: string, by: "expiry", args?: unknown, escalate?: Escalation }} HostAnswer */
/**
 * What INTENDED says of a request.
 * @typedef {{ approval: string, question: string, expires: number, hasExpired: boolean }} Told
 */
/** @typedef {InstanceType<typeof import("../base/errors.js").GraphInterrupt>} GraphInterrupt */

/** Maximum number of escalations of one question by a function, and by an answer. */
const MOST = 10;
const NEVER = { ms: 0, isAfter: false };
const HOSTS = DECIDED_EXPIRED | DECIDED_NAMED;

export class Asking {
  /**
   * @param {{ expires: unknown, onExpire: unknown, seal:
   *   import("../prebuilt/approval/approval-log.js").Rules["seal"] }} options
   */
  constructor(options) {
    this.options = options;
  }

  /** @type {import("../prebuilt/approval/approval-log.js").Rules["ask"]} */
  async ask(interrupt, value, subjects, requests) {
    const question = { value: /** @type {Question["value"]} */ (value), subjects, requests };
    const [first] = subjects;
    if (first.flags !== undefined) throw unusable(first, String(question.value.problem));
    for (;;) {
      showEscalation(question);
      const { answer, asked } = raise(interrupt, value);
      if (first.ledger === undefined)
        throw unusable(first, "approvalRules needs a thread of a Weft saver, which keeps requests");
      const given = asked === undefined ? hostAnswers(answer, subjects.length) : undefined;
      if (given !== undefined) {
        // Somebody may have written the same form: the log says whether the host did.
        if (!(await wasDecided(subjects))) continue;
        if (given[0].escalate === undefined) return take(subjects, given);
        escalate(question, given[0].escalate);
        continue;
      }
      const told = await this.#tell(question, asked === undefined);
      if (told === undefined && asked === undefined) return personal(answer, question);
      if (told === undefined) throw asked;
      if (asked !== undefined) asked.interrupts[0].id = told.question;
      if (!told.hasExpired && asked === undefined) return personal(answer, question);
      if (!told.hasExpired) throw asked;
      // Calls that were decided before a process died are asked about again beside the others.
      if (asked === undefined) await this.#tell(question, false);
      const results = await this.#expire(question);
      const [{ escalate: next }] = results;
      const written = JSON.stringify(results.length === 1 ? results[0] : results);
      if (next === undefined) return take(subjects, results, written);
      for (const subject of subjects) await this.#record(subject, written);
      escalate(question, next);
    }
  }

  /**
   * Records the requests, or looks for those that wait.
   * @param {Question} question
   * @param {boolean} isLook
   * @returns {Promise<Told | undefined>} undefined when none waits
   */
  async #tell({ value, subjects, requests }, isLook) {
    const { ms, isAfter } = isLook ? NEVER : await this.#moment(value, subjects);
    /** @type {Told | undefined} */
    let told;
    // All at once: the requests of one question stand side by side in the log.
    const said = subjects.map((subject) =>
      subject.ledger?.tell(subject.task, subject.id, asksFlags(subject) | INTENT_TIMED, (batch) => {
        putDigest(batch, subject.digest);
        batch.word((isAfter ? TIMED_AFTER : 0) | (isLook ? TIMED_LOOK : 0));
        batch.word(ms % 2 ** 32);
        batch.word(ms / 2 ** 32);
      }),
    );
    for (const [at, one] of (await Promise.all(said)).entries()) {
      if (one === undefined && !isLook) return undefined;
      // Of several calls some may have been decided when a process died.
      if (one === undefined) continue;
      placeOf(subjects[at]).approval = requests[at].approval_id = one.approval;
      // The id to ask under is the last one's.
      told = one;
    }
    const { expires = 0 } = told ?? {};
    if (expires > 0 && expires <= LAST) value.expires_at = new Date(expires).toISOString();
    return told;
  }

  /**
   * @param {Question["value"]} value
   * @param {readonly Subject[]} subjects
   * @returns {Promise<Moment>}
   */
  async #moment(value, subjects) {
    // What a call in flight did is as unknown later.
    if (value.kind !== undefined) return NEVER;
    const { escalation } = placeOf(subjects[0]);
    if (escalation?.expires !== undefined) return timeOf(escalation.expires);
    const moments = [];
    for (const subject of subjects) moments.push(await momentOf(subject, this.options.expires));
    return earliest(moments, clockOf(subjects[0].task).now());
  }

  /**
   * Asks the host what becomes of the calls of an expired question.
   * @param {Question} question
   * @returns {Promise<HostAnswer[]>} one for each call, or an escalation of all of them
   */
  async #expire({ value, subjects, requests }) {
    /** @type {HostAnswer[]} */
    const results = [];
    for (const [at, subject] of subjects.entries()) {
      const call = /** @type {NonNullable<Subject["call"]>} */ (subject.call);
      const { count, escalation, approval } = placeOf(subject);
      const onExpire = optionOf(call.tool, "onExpire") ?? this.options.onExpire;
      const decide = typeof onExpire === "function" ? onExpire : () => onExpire;
      const result = readResult(
        (await decide({
          name: call.name,
          args: JSON.parse(call.outcome.canonical),
          id: call.outcome.id,
          approval_id: approval,
          description: requests[at].description,
          expires_at: value.expires_at,
          escalated_to: escalation?.to,
          escalations: count,
        })) ?? { type: "ignore" },
        (problem) => unusable(subject, problem),
      );
      if (!("escalate" in result)) results.push({ ...result, by: "expiry" });
      else if (count >= (typeof onExpire === "function" ? MOST : 1))
        results.push({ type: "ignore", by: "expiry" });
      else return [{ type: "escalate", escalate: result.escalate, by: "expiry" }];
    }
    return results;
  }

  /** Records an escalation. @param {Subject} subject @param {string} written */
  async #record(subject, written) {
    const { ledger, task, id, digest } = subject;
    const text = await this.options.seal(subject, written);
    const refused = await ledger?.tell(task, id, INTENT_DECIDED, (batch) => {
      batch.word((TYPES.indexOf("escalate") + 1) | HOSTS);
      putDigest(batch, digest);
      batch.id(NONE);
      batch.string(text);
      batch.string(written);
    });
    if (refused !== 0) throw unusable(subject, "its request was decided before");
  }
}

/** @param {Subject} subject @param {string} problem */
function unusable({ call }, problem) {
  return makeError(ERR_APPROVAL, [`"${call?.name}"`, problem.replace(/\.$/, "")]);
}

/**
 * @param {(value: unknown) => unknown} interrupt
 * @param {unknown} value
 * @returns {{ answer?: unknown, asked?: { interrupts: { id?: string }[] } }} `asked`: without an
 *   answer
 */
function raise(interrupt, value) {
  try {
    return { answer: interrupt(value) };
  } catch (asked) {
    if (!isGraphInterrupt(asked)) throw asked;
    return { asked: /** @type {GraphInterrupt} */ (asked) };
  }
}

/**
 * Reads answers in the host's form.
 * @param {unknown} answer
 * @param {number} count
 * @returns {HostAnswer[] | undefined}
 */
function hostAnswers(answer, count) {
  const list = /** @type {HostAnswer[]} */ (Array.isArray(answer) ? answer : [answer]);
  const isRight =
    list.every((one) => isRecord(one) && one.by === "expiry") &&
    (list.length === count || (list.length === 1 && list[0].escalate !== undefined));
  return isRight ? list : undefined;
}

/**
 * Checks whether the host answered in an earlier attempt or run. If not, the answer is dropped.
 * @param {readonly Subject[]} subjects
 */
async function wasDecided(subjects) {
  for (const { ledger, task, id, digest } of subjects) {
    const refused = await ledger?.tell(task, id, INTENT_DECIDED, (batch) => {
      batch.word(HOSTS | DECIDED_CHECK);
      putDigest(batch, digest);
      batch.id(NONE);
      batch.string("");
    });
    if (refused !== 0) return false;
  }
  return true;
}

/**
 * Makes the host's answers the ones that decide.
 * @param {readonly Subject[]} subjects
 * @param {readonly HostAnswer[]} answers
 * @param {string} [written] what the task gets as its answer; else it has it
 */
function take(subjects, answers, written) {
  for (const [at, subject] of subjects.entries()) {
    const { type, args } = answers[at];
    subject.flags = written === undefined ? HOSTS | DECIDED_CHECK : HOSTS;
    if (written !== undefined) subject.more = (batch) => batch.string(written);
    if (type === "ignore" || type === "response")
      subject.said = { text: expiredText(subject, type === "response" ? String(args) : "") };
  }
  return answers.length === 1 ? answers[0] : answers;
}

/** Text for the model. @param {Subject} subject @param {string} reason */
function expiredText({ call }, reason) {
  const why = reason.trim() === "" ? "nobody answered in time" : reason;
  return `The request to approve the call of "${call?.name}" expired; it was not run. Reason: ${why}`;
}
