// SPDX-License-Identifier: MIT
// Knows: how a question about tool calls and the decision about it get into the thread's log: the request before anybody
// sees it, under an id of its own; the decision once, and only if it is about what was shown. Must not know what is asked.
import { isGraphInterrupt } from "../errors.js";
import { INTENT_ASKS, INTENT_DECIDED } from "../engine/codes.js";

/** A call that somebody is asked about. @typedef {{ ledger: import("../run/ledger.js").Ledger | undefined, task: any, id: string, digest: string }} Subject */

/** Their place, from 1, is how the log calls them. */
const TYPES = Object.freeze(["accept", "ignore", "response", "edit", "retry"]);
/** An answer that names no request. */
const NONE = "0".repeat(32);
/** Names none that there is. */
const OTHER = "f".repeat(32);
export const USED = "Nobody was asked about this call as it is now, or it was decided before.";

/**
 * Puts a question about calls. Where the thread keeps a ledger, the log says first what is asked, and under which id.
 * @param {(value: any) => any} interrupt
 * @param {any} value of the question
 * @param {readonly Subject[]} subjects
 * @param {readonly any[]} requests of the subjects: they get an `approval_id`
 * @returns {Promise<any>} the answer, if there is one
 */
export async function ask(interrupt, value, subjects, requests) {
  try {
    return interrupt(value);
  } catch (asked) {
    if (!isGraphInterrupt(asked)) throw asked;
    for (const [at, subject] of subjects.entries()) {
      const id = await subject.ledger?.tell(subject.task, subject.id, INTENT_ASKS, (batch) => putDigest(batch, subject.digest));
      if (id !== undefined) requests[at].approval_id = id;
    }
    throw asked;
  }
}

/**
 * May the answer decide? Then the log says so before the call begins; if not, the question is open again.
 * @param {Subject} subject @param {any} answer
 * @returns {Promise<boolean>}
 */
export async function decide({ ledger, task, id, digest }, answer) {
  const { approval_id: given, type } = answer;
  const named = given === undefined ? NONE : typeof given === "string" && /^[0-9a-f]{32}$/.test(given) ? given : OTHER;
  /** As the log keeps it: what JSON cannot hold does not keep it from counting. */
  let text = JSON.stringify({ type });
  try {
    text = JSON.stringify(answer) ?? text;
  } catch {}
  const refused = await ledger?.tell(task, id, INTENT_DECIDED, (batch) => {
    batch.word(TYPES.indexOf(type) + 1);
    putDigest(batch, digest);
    batch.id(named);
    batch.string(text);
  });
  return refused !== 1;
}

/** Is the answer about something else? @param {any} answer @param {{ digest: string }} about */
export function isMistaken({ digest }, about) {
  return digest !== undefined && digest !== about.digest;
}

/** @param {import("../engine/batch.js").Batch} batch @param {string} digest */
function putDigest(batch, digest) {
  for (let at = 0; at < 64; at += 32) batch.id(digest.slice(at, at + 32));
}
