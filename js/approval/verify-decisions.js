// SPDX-License-Identifier: MIT
// Checks the signatures of decisions with public keys only. Reads everything as hostile: a list may
// come from anybody.
import { checkArgument, isObject, isRecord, refuseUnknown } from "../base/check-arguments.js";
import { ALGORITHMS, FORM, algorithmOf, hashOf, statementOf } from "./statement.js";

/** @typedef {import("../types/savers/weft-saver.js").ToolDecision} ToolDecision */
/** @typedef {import("../types/approval/rules.js").VerifiedDecision} VerifiedDecision */
/** @typedef {VerifiedDecision["reason"]} Reason */

const CALL = "verifyDecisions(decisions, keys, options)";

/**
 * Checks decisions.
 * @param {readonly ToolDecision[]} decisions
 * @param {Record<string, CryptoKey>} keys by their ids
 * @param {{ threadId?: string }} [options]
 * @returns {Promise<VerifiedDecision[]>}
 */
export async function verifyDecisions(decisions, keys, options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  const { threadId } = options;
  refuseUnknown(options, CALL, ["threadId"]);
  checkArgument(Array.isArray(decisions), `${CALL}: decisions must be a list`);
  checkArgument(isObject(keys), `${CALL}: keys must be an object of keys by their ids`);
  for (const [id, key] of Object.entries(keys))
    checkArgument(
      ALGORITHMS.includes(key?.algorithm?.name) && key.usages?.includes("verify"),
      `${CALL}: keys["${id}"] must be a CryptoKey of ECDSA, Ed25519 or HMAC that may verify`,
    );
  const verified = [];
  for (const decision of decisions) {
    const signature = signatureOf(decision);
    const reason = await reasonOf(decision, signature, keys, threadId);
    verified.push({
      decision,
      valid: reason === undefined,
      reason,
      key: text(signature?.key),
      at: text(signature?.at),
      thread_id: text(signature?.thread_id),
    });
  }
  return verified;
}

/** @param {unknown} value */
const text = (value) => (typeof value === "string" ? value : undefined);

/** @param {ToolDecision} decision @returns {Record<string, unknown> | undefined} */
function signatureOf(decision) {
  const signature = isRecord(decision?.answer) ? decision.answer.signature : undefined;
  return isRecord(signature) ? signature : undefined;
}

/**
 * @param {ToolDecision} decision
 * @param {Record<string, unknown> | undefined} signature
 * @param {Record<string, CryptoKey>} keys
 * @param {string | undefined} threadId
 * @returns {Promise<Reason>} undefined when it is valid
 */
async function reasonOf(decision, signature, keys, threadId) {
  if (signature === undefined) return "unsigned";
  const { form, request, decision: decided, at, key, thread_id, tool, args, value } = signature;
  const head = { form, request, decision: decided, at, key };
  const isWhole = Object.values({ ...head, thread_id, tool, args, value }).every(
    (part) => typeof part === "string",
  );
  if (!isWhole || form !== FORM) return "invalid_signature";
  const known = Object.hasOwn(keys, /** @type {string} */ (key))
    ? keys[/** @type {string} */ (key)]
    : undefined;
  if (known === undefined) return "unknown_key";
  if (!(await isSigned(known, head, value))) return "invalid_signature";
  const { id: approval_id, digest, tool_call_id, type, by } = decision;
  const asked = { approval_id, digest, thread_id, tool_call_id, tool, args };
  if (!(await hasHash(asked, request))) return "changed_request";
  const { signature: _, ...answer } = decision.answer;
  const isHosts = answer.by === "expiry";
  if (answer.type !== type || isHosts !== (by === "expiry") || !(await hasHash(answer, decided)))
    return "changed_answer";
  return threadId !== undefined && thread_id !== threadId ? "other_thread" : undefined;
}

/** @param {object} value of any depth, and of what JSON cannot represent @param {unknown} hash */
async function hasHash(value, hash) {
  try {
    return (await hashOf(value)) === hash;
  } catch {
    return false;
  }
}

/**
 * @param {CryptoKey} key
 * @param {Record<keyof import("./statement.js").Head, unknown>} head
 * @param {unknown} value base64
 */
async function isSigned(key, head, value) {
  try {
    const bytes = Uint8Array.from(atob(/** @type {string} */ (value)), (one) => one.charCodeAt(0));
    return await crypto.subtle.verify(algorithmOf(key), key, bytes, statementOf(head));
  } catch {
    return false;
  }
}
