// SPDX-License-Identifier: MIT
// Reads the errors of Workers AI: its numbers in an error's fields or words, whether the binding
// throws them, the HTTP API answers them or a stream holds them. Does not depend on HTTP.
import { isRecord } from "../../base/check-arguments.js";
import { errorFields } from "../http.js";
import { parsed } from "../shapes.js";

/** @typedef {import("../service-model.js").Options} Options */
/** @typedef {import("../http.js").Fault} Fault */

/** HTTP's numbers of the service's own. @type {Record<string, number>} */
const STATUSES = {
  3003: 400,
  3006: 413,
  3007: 408,
  3008: 408,
  3010: 400,
  3023: 403,
  3036: 429,
  3039: 400,
  3040: 429,
  3041: 403,
  3042: 404,
  5005: 405,
  5016: 403,
  5018: 403,
  5019: 405,
  10000: 401,
};
/** The account's allowance of the day is used up: another try is of no use. */
const USED_UP = "3036";
/** Its words, which come with other numbers too, or with none. */
const USED_UP_WORDS = /used up your daily/i;
const NUMBER = /\b(\d{4,5})\s*:/g;
/** Numbers of requests that the service does not take. */
const REFUSED = /^50..$/;
const TOO_LONG = /context (?:window|length)|maximum context/i;

/**
 * Returns the code and the status that an error's words stand for: those of the first number before
 * a colon that is known.
 * @param {string} words
 * @returns {{ code: string, status: number } | undefined}
 */
export function knownIn(words) {
  if (TOO_LONG.test(words)) return { code: "context_overflow", status: 400 };
  if (USED_UP_WORDS.test(words)) return { code: USED_UP, status: 429 };
  for (const [, code] of words.matchAll(NUMBER)) {
    const status = statusOf(code);
    if (status !== undefined) return { code, status };
  }
  return undefined;
}

/**
 * @param {string | Options} body of a refusal, or the data of an event
 * @returns {Fault}
 */
export function readFault(body) {
  const { message, code: told } = fieldsIn(body);
  const { code = told, status = statusOf(told) } = knownIn(message ?? "") ?? {};
  return { message, code, status, retryable: code === USED_UP ? false : undefined };
}

/**
 * Returns the error that the data of an event, or of a whole answer, reports.
 * @param {Options | undefined} data @param {string} [event] its name
 * @returns {Fault | undefined}
 */
export function faultIn(data, event) {
  const { success, errors, error, choices, object, internalCode } = Object(data);
  const isFault =
    event === "error" ||
    success === false ||
    (success !== true && Array.isArray(errors) && errors.length > 0) ||
    (error && !choices) ||
    object === "error" ||
    internalCode !== undefined;
  return isFault ? readFault(data ?? {}) : undefined;
}

/** @param {string | Options} body */
function fieldsIn(body) {
  const data = typeof body === "string" ? parsed(body) : body;
  if (!isRecord(data)) return errorFields(body);
  const error = [data.errors].flat()[0] ?? data.error ?? data;
  if (!isRecord(error)) return errorFields({ error });
  const { description, message, internalCode, code, type } = error;
  return errorFields({
    error: { message: description ?? message, code: internalCode ?? code ?? type },
  });
}

/** @param {string | undefined} code the service's own number, or one of HTTP's errors */
function statusOf(code = "") {
  if (Object.hasOwn(STATUSES, code)) return STATUSES[code];
  if (REFUSED.test(code)) return 400;
  return /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}
