// SPDX-License-Identifier: MIT
// Makes the text that a host signs about a decision: JSON in one form (RFC 8785), over hashes of
// the request and of the decision, so that a check can say which of them was changed.
import { isRecord } from "../base/check-arguments.js";

/** Name of the form. */
export const FORM = "weft.decision.1";

/**
 * What was asked.
 * @typedef {{ approval_id: string, digest: string, thread_id: string, tool_call_id: string, tool:
 *   string, args: string }} AskedPart
 */
/** @typedef {{ form: string, request: string, decision: string, at: string, key: string }} Head */

/**
 * Writes a value of JSON in one form: keys in the order of their UTF-16 code units, no spaces,
 * numbers and texts as JSON.stringify writes them.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}

/** Hashes a value of JSON. @param {unknown} value @returns {Promise<string>} SHA-256 in hex */
export async function hashOf(value) {
  const bytes = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(value))),
  );
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the signed bytes. @param {Record<keyof Head, unknown>} head */
export function statementOf({ form, request, decision, at, key }) {
  return new TextEncoder().encode(canonicalJson({ form, request, decision, at, key }));
}

/** Returns how a key signs. @param {CryptoKey} key @returns {AlgorithmIdentifier | EcdsaParams} */
export function algorithmOf({ algorithm: { name } }) {
  return name === "ECDSA" ? { name, hash: "SHA-256" } : { name };
}

/** Algorithms of keys. */
export const ALGORITHMS = ["ECDSA", "Ed25519", "HMAC"];
