// SPDX-License-Identifier: MIT
// Signs decisions with the host's key before they are recorded. A decision that cannot be signed is
// not recorded, and its question stays open.
import { DECIDED_CHECK, ERR_APPROVAL } from "../base/codes.js";
import { checkArgument, isRecord } from "../base/check-arguments.js";
import { makeError } from "../base/errors.js";
import { rejectAnswer } from "../run/tasks/engine-queries.js";
import { clockOf, placeOf } from "./question.js";
import { ALGORITHMS, FORM, algorithmOf, hashOf, statementOf } from "./statement.js";

/** @typedef {import("../prebuilt/approval/approval-log.js").Subject} Subject */
/** @typedef {{ key: CryptoKey, keyId: string }} Signing */

/** Maximum characters of a key's id. */
const MOST_ID = 1000;

/**
 * Reads the key that signs.
 * @param {unknown} sign
 * @param {string} call
 * @returns {Signing | undefined}
 */
export function checkSigning(sign, call) {
  if (sign === undefined) return undefined;
  const { key: given, keyId } = isRecord(sign) ? sign : {};
  checkArgument(
    typeof keyId === "string" && keyId !== "" && keyId.length <= MOST_ID,
    `${call}: options.sign.keyId must be a text`,
  );
  const key = /** @type {Partial<CryptoKeyPair> & CryptoKey | undefined} */ (given);
  const own = /** @type {CryptoKey} */ (key?.privateKey ?? key);
  checkArgument(
    Array.isArray(own?.usages) &&
      own.usages.includes("sign") &&
      ALGORITHMS.includes(own.algorithm?.name),
    `${call}: options.sign.key must be a CryptoKey or CryptoKeyPair of ECDSA, Ed25519 or HMAC that may sign`,
  );
  return { key: own, keyId: /** @type {string} */ (keyId) };
}

/**
 * Makes the text that is recorded of a decision: the answer, without what only the host may say,
 * and the signature.
 * @param {Signing | undefined} signing
 * @param {Subject} subject
 * @param {string} text JSON of the answer
 * @returns {Promise<string>}
 */
export async function sealWith(signing, subject, text) {
  const { flags, task } = subject;
  // The host's decision of before is in the log.
  if (((flags ?? 0) & DECIDED_CHECK) !== 0) return text;
  const { signature: _, ...answer } = JSON.parse(text);
  const isHosts = flags !== undefined || answer.type === "escalate";
  if (answer.by === "expiry" && !isHosts) delete answer.by;
  const { approval, digest } = placeOf(subject);
  // An answer to an escalated question bears its digest in the log.
  if (answer.digest === digest) answer.digest = subject.digest;
  // What has no request that waits is not recorded.
  if (signing === undefined || approval === undefined) return JSON.stringify(answer);
  try {
    return JSON.stringify({ ...answer, signature: await sign(signing, subject, approval, answer) });
  } catch (error) {
    rejectAnswer(task.run, task);
    const said = makeError(ERR_APPROVAL, [
      `"${subject.call?.name}"`,
      `it could not be signed: ${/** @type {Error | undefined} */ (error)?.message ?? error}`,
    ]);
    said.cause = error;
    throw said;
  }
}

/**
 * @param {Signing} signing
 * @param {Subject} subject
 * @param {string} approval
 * @param {object} answer
 */
async function sign({ key, keyId }, { call, task, id, digest }, approval, answer) {
  const tool = String(call?.name);
  const args = String(call?.outcome.canonical);
  const thread = String(task.run.request.threadId);
  const head = {
    form: FORM,
    request: await hashOf({
      approval_id: approval,
      digest,
      thread_id: thread,
      tool_call_id: id,
      tool,
      args,
    }),
    decision: await hashOf(answer),
    at: new Date(clockOf(task).now()).toISOString(),
    key: keyId,
  };
  const bytes = await crypto.subtle.sign(algorithmOf(key), key, statementOf(head));
  return { ...head, thread_id: thread, tool, args, value: base64(new Uint8Array(bytes)) };
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}
