// SPDX-License-Identifier: MIT
// Reads the errors of Gemini's API: Google's status names, waits in the details, blocked prompts.
// Does not depend on HTTP.
import { errorFields } from "../http.js";
import { parsed } from "../shapes.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */
/** @typedef {import("../http.js").Fault} Fault */

/** HTTP's numbers of Google's status names, for errors that come without a number. */
const NUMBERS = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};
const TOO_LONG = /token count.{0,40}exceeds|exceeds the maximum number of tokens/i;
const DELAY = /^(\d{1,10}(?:\.\d{1,9})?)s$/;

/**
 * @param {string | Fields} body of a refusal, or the data of an event
 * @returns {Fault}
 */
export function readFault(body) {
  const told = errorIn(body);
  if (told === undefined) return errorFields(body);
  const { message, code } = errorFields({ error: told });
  const { status: name, details } = told;
  return {
    message,
    code: TOO_LONG.test(message ?? "") ? "context_overflow" : isName(name) ? name : code,
    status: numberIn(told),
    retryAfterMs: delayIn(details),
  };
}

/**
 * Returns the error that the data of an event reports; a prompt that was blocked is one.
 * @param {Fields | undefined} data @param {string} [event] its name
 * @returns {Fault | undefined}
 */
export function faultIn(data, event) {
  if (event === "error" || data?.error || errorIn(data) !== undefined) return readFault(data ?? {});
  const { candidates, promptFeedback } = Object(Array.isArray(data) ? data[0] : data);
  const reason = promptFeedback?.blockReason;
  const isAnswered = Array.isArray(candidates) && candidates.length > 0;
  if (typeof reason !== "string" || isAnswered) return undefined;
  return {
    message: `the prompt was blocked (${reason})`,
    code: "PROMPT_BLOCKED",
    retryable: false,
  };
}

/**
 * Without `alt=sse` a stream is a list, and so is its refusal.
 * @param {string | Fields | undefined} body
 * @returns {Fields | undefined}
 */
function errorIn(body) {
  const data = typeof body === "string" ? parsed(body) : body;
  const error = Array.isArray(data) ? data.find((item) => item?.error)?.error : data?.error;
  return error !== null && typeof error === "object" ? error : undefined;
}

/** @param {Fields} error */
function numberIn({ code, status }) {
  if (Number.isInteger(code) && code >= 100 && code < 600) return code;
  return isName(status) ? NUMBERS[status] : undefined;
}

/** @param {unknown} status @returns {status is keyof typeof NUMBERS} */
function isName(status) {
  return typeof status === "string" && Object.hasOwn(NUMBERS, status);
}

/** Returns the wait in ms that a RetryInfo asks for. @param {unknown} details */
function delayIn(details) {
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = detail?.retryDelay;
    const found = typeof delay === "string" ? DELAY.exec(delay) : null;
    if (found !== null) return Number(found[1]) * 1000;
  }
  return undefined;
}
