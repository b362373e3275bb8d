// SPDX-License-Identifier: MIT
// Reads when a request expires, and what happens then. Does not depend on how calls are asked
// about.
import { ERR_APPROVAL } from "../base/codes.js";
import { checkArgument, isRecord, shown } from "../base/check-arguments.js";
import { makeError } from "../base/errors.js";
import { standardAnswer } from "../calls/approval-answers.js";
import { optionOf } from "../prebuilt/tool-calls/tool-options.js";

/** @typedef {import("../prebuilt/approval/approval-log.js").Subject} Subject */
/** @typedef {{ ms: number, isAfter: boolean }} Moment ms from now, or since 1970; 0: never */
/** @typedef {{ to: string, expires?: number | string, description?: string }} Escalation */
/** @typedef {{ type: string, args?: unknown } | { escalate: Escalation }} Result */

/** Longest time to an expiry: 100 years in ms. */
const LONGEST = 100 * 365.25 * 24 * 3600 * 1000;
/** Last time of a Date in ms. */
export const LAST = 8.64e15;
/** Maximum characters of the texts of an escalation. */
const MOST_TEXT = 10_000;
const FORM = "must be milliseconds above 0 and up to 100 years, or a Date";
const TYPES = ["accept", "edit", "response", "ignore"];

/** @param {unknown} expires @param {string} what name of the option */
export function checkExpiry(expires, what) {
  checkArgument(
    expires === undefined || typeof expires === "function" || isTime(expires),
    `${what} ${FORM}, or a function that returns one, not ${shown(expires)}`,
  );
}

/** @param {unknown} time */
function isTime(time) {
  return time instanceof Date
    ? time.getTime() > 0 && time.getTime() <= LAST
    : typeof time === "number" && time > 0 && time <= LONGEST;
}

/**
 * Returns when the request about a call expires: by the tool's own option, else by the agent's.
 * @param {Subject} subject
 * @param {unknown} fallback
 * @returns {Promise<Moment>}
 */
export async function momentOf({ call }, fallback) {
  const { tool, outcome, name } = /** @type {NonNullable<Subject["call"]>} */ (call);
  const option = optionOf(tool, "expires") ?? fallback;
  const time =
    typeof option === "function"
      ? await option({ name, args: JSON.parse(outcome.canonical), id: outcome.id })
      : option;
  if (time === undefined || time === null) return { ms: 0, isAfter: false };
  if (isTime(time)) return timeOf(time);
  throw makeError(ERR_APPROVAL, [`"${name}"`, `"expires" ${FORM}, not ${shown(time)}`]);
}

/** @param {unknown} time @returns {Moment} */
export function timeOf(time) {
  return typeof time === "number"
    ? { ms: Math.ceil(time), isAfter: true }
    : { ms: new Date(/** @type {Date | string} */ (time)).getTime(), isAfter: false };
}

/**
 * Returns the earliest of several moments.
 * @param {readonly Moment[]} moments
 * @param {number} now
 * @returns {Moment}
 */
export function earliest(moments, now) {
  const set = moments.filter(({ ms }) => ms > 0);
  const at = ({ ms, isAfter } = /** @type {Moment} */ ({})) => (isAfter ? now + ms : ms);
  return set.reduce((least, one) => (at(one) < at(least) ? one : least), set[0] ?? moments[0]);
}

/**
 * Reads what an expired request becomes.
 * @param {unknown} result of `onExpire`
 * @param {(problem: string) => Error} fail makes the error for a result that cannot be used
 * @returns {Result} a copy
 */
export function readResult(result, fail) {
  if (isRecord(result) && result.escalate !== undefined)
    return { escalate: readEscalation(result.escalate, fail) };
  const said = standardAnswer(result, {});
  const { type, args } = isRecord(said) ? said : {};
  if (!TYPES.includes(/** @type {string} */ (type)))
    throw fail(`onExpire must give an answer or { escalate }, not ${shown(result)}`);
  if (type === "response" && typeof args !== "string")
    throw fail("onExpire: a response needs a text");
  return /** @type {Result} */ (copyOf({ type, args }, fail));
}

/** @param {unknown} given @param {(problem: string) => Error} fail @returns {Escalation} */
function readEscalation(given, fail) {
  const { to, expires, description } = isRecord(given) ? given : {};
  if (!isText(to)) throw fail("onExpire: escalate.to must be a text");
  if (description !== undefined && !isText(description))
    throw fail("onExpire: escalate.description must be a text");
  if (expires !== undefined && !isTime(expires)) throw fail(`onExpire: escalate.expires ${FORM}`);
  return /** @type {Escalation} */ (copyOf({ to, expires, description }, fail));
}

/** @param {unknown} text */
function isText(text) {
  return typeof text === "string" && text !== "" && text.length <= MOST_TEXT;
}

/**
 * @param {object} value
 * @param {(problem: string) => Error} fail
 * @returns {unknown}
 */
function copyOf(value, fail) {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw fail(`onExpire: ${/** @type {Error} */ (error).message}`);
  }
}
