// SPDX-License-Identifier: MIT
// Reads what a client sent: a body of bounded size, and the fields of its JSON, each of the kind
// that is expected. What is not known is passed over.
import { isRecord } from "../../base/check-arguments.js";
import { isTooDeep, parseFinite } from "../../messages/tool-arguments.js";
import { Refusal, invalid } from "./replies.js";

/** @typedef {Record<string, unknown>} Json an object out of JSON */

const MOST_TEXT = 1024;
/** What is nested deeper is no message, and would exhaust the stack of who copies it. */
const MOST_DEPTH = 200;
const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * @param {Request} request
 * @param {number} most bytes
 * @returns {Promise<unknown>} what its body says; undefined: it has none
 * @throws {Refusal} 413 beyond `most` bytes, 422 for what is no JSON
 */
export async function readBody(request, most) {
  if (request.body === null) return undefined;
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  let size = 0;
  try {
    // Firefox has no `body` of requests.
    const body = request.body ?? new Blob([await request.arrayBuffer()]).stream();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > most) {
        reader.cancel().catch(() => {});
        throw new Refusal(413, `The body has more than ${most} bytes.`);
      }
      pieces.push(value);
    }
    const whole = pieces.length === 1 ? pieces[0] : await new Blob(pieces).arrayBuffer();
    const text = decoder.decode(whole);
    return text.trim() === "" ? undefined : parseJson(text);
  } catch (error) {
    if (error instanceof Refusal || /** @type {Error} */ (error).name === "AbortError") throw error;
    throw invalid("The body is no JSON.");
  }
}

/**
 * @param {string} text
 * @returns {unknown}
 * @throws {Refusal} 422 for what is no JSON, or too deep
 */
export function parseJson(text) {
  if (isTooDeep(text, MOST_DEPTH))
    throw invalid(`The body is nested more than ${MOST_DEPTH} deep.`);
  try {
    return parseFinite(text);
  } catch {
    throw invalid("The body is no JSON.");
  }
}

/** @param {unknown} body @returns {Json} an empty one where there is none */
export function objectOf(body) {
  if (body === undefined || body === null) return {};
  if (!isRecord(body)) throw invalid("The body must be an object.");
  return body;
}

/**
 * @param {Json} from
 * @param {string} key
 * @returns {string | undefined} a text of up to 1,024 characters
 */
export function textIn(from, key) {
  const value = from[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string" || value.length > MOST_TEXT)
    throw invalid(`${key} must be a text of up to ${MOST_TEXT} characters.`);
  return value;
}

/** @param {Json} from @param {string} key @returns {Json | undefined} */
export function objectIn(from, key) {
  const value = from[key];
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw invalid(`${key} must be an object.`);
  return value;
}

/**
 * @template {number | undefined} Fallback
 * @param {Json} from
 * @param {string} key
 * @param {Fallback} fallback where nothing is given
 * @param {number} most what is more counts as so many
 * @returns {number | Fallback} a whole number from 0 on
 */
export function countIn(from, key, fallback, most) {
  const value = from[key];
  if (value === undefined || value === null) return fallback;
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 0)
    throw invalid(`${key} must be a whole number from 0 on.`);
  return Math.min(count, most);
}

/**
 * @template {string} Name
 * @param {Json} from
 * @param {string} key
 * @param {readonly Name[]} names that are allowed
 * @returns {Name | undefined}
 */
export function oneOf(from, key, names) {
  const value = from[key];
  if (value === undefined || value === null) return undefined;
  const found = names.find((name) => name === value);
  if (found === undefined) throw invalid(`${key} must be one of ${names.join(", ")}.`);
  return found;
}

/**
 * @param {Json} from
 * @param {string} key
 * @returns {string[] | undefined} one text counts as a list
 */
export function textsIn(from, key) {
  const value = from[key];
  if (value === undefined || value === null) return undefined;
  const list = Array.isArray(value) ? value : [value];
  if (list.some((one) => typeof one !== "string" || one.length > MOST_TEXT))
    throw invalid(`${key} must be a list of texts.`);
  return list;
}

/**
 * @param {Json} query of an address
 * @param {string} key
 * @returns {string[] | undefined} also of one text with commas, or of JSON, as older clients
 *   write it
 */
export function namesIn(query, key) {
  return textsIn(query, key)?.flatMap((text) => {
    if (!text.startsWith("[")) return text.split(",");
    return textsIn({ [key]: parseJson(text) }, key) ?? [];
  });
}

/** Nothing is deleted by time. @param {Json} from @throws {Refusal} where that is expected */
export function refuseTtl({ ttl }) {
  if (ttl !== undefined && ttl !== null) throw invalid("ttl is not served: delete it yourself.");
}

/** @param {unknown} value of a query or a body @returns {boolean} */
export function isTrue(value) {
  return value === "true" || value === "1" || value === true;
}

/**
 * Whether a record has all that is asked for, as PostgreSQL compares JSON with "contains".
 * @param {unknown} value
 * @param {unknown} wanted
 * @returns {boolean}
 */
export function contains(value, wanted) {
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((one) => value.some((own) => contains(own, one)));
  if (isRecord(wanted))
    return (
      isRecord(value) &&
      Object.keys(wanted).every(
        (key) => Object.hasOwn(value, key) && contains(value[key], wanted[key]),
      )
    );
  return value === wanted;
}
