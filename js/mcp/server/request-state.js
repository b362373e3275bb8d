// SPDX-License-Identifier: MIT
// Names the thread of a call, and writes the state with which a client comes back to answer the
// call's questions. The thread's name is a hash of who calls what: a state that is forged, or
// presented by another user or with other arguments, leads to a thread that does not exist. One
// that was used before does not name the questions that are open.
import { bytesToText } from "../../base/base64.js";
import { isRecord } from "../../base/check-arguments.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {{ user: string | undefined, name: string, args: Json }} Caller */
/** `issued`: milliseconds since 1970. @typedef {{ issued: number, nonce: string }} Origin */

const NONCE_BYTES = 16;
const FORM = /^(\d{1,16})\.([\w-]{22})\.([\w-]{43})$/;

/** @returns {Origin} of a new call */
export function newOrigin() {
  return {
    issued: Date.now(),
    nonce: toUrlText(crypto.getRandomValues(new Uint8Array(NONCE_BYTES))),
  };
}

/**
 * @param {Origin} origin
 * @param {Caller} caller
 * @returns {Promise<string>} the thread's id
 */
export async function threadOf({ issued, nonce }, { user, name, args }) {
  return `mcp:${await digest([issued, nonce, user ?? null, name, sorted(args)])}`;
}

/**
 * @param {Origin} origin
 * @param {readonly string[]} questions ids of those that are open
 * @returns {Promise<string>}
 */
export async function writeState({ issued, nonce }, questions) {
  return `${issued}.${nonce}.${await digest(questions)}`;
}

/**
 * @param {unknown} state
 * @returns {Origin | undefined} undefined: no state has this form
 */
export function readState(state) {
  const [, issued, nonce] = (typeof state === "string" ? FORM.exec(state) : null) ?? [];
  return issued === undefined ? undefined : { issued: Number(issued), nonce };
}

/** @param {unknown} value */
async function digest(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return toUrlText(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** @param {Uint8Array} bytes */
function toUrlText(bytes) {
  return bytesToText(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Sorts keys: a client may write the same arguments in another order.
 * @param {unknown} value out of JSON of bounded depth
 * @returns {unknown} in which an object is never like a list
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return { fields: keys.map((key) => [key, sorted(value[key])]) };
}
