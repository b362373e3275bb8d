// SPDX-License-Identifier: MIT
// Finds personal data in texts that may be long and hostile: each detector takes time in proportion
// to the text. Does not depend on what is done with what it finds.
import { badArgument, checkArgument, shown } from "../../base/check-arguments.js";

/** @typedef {{ text: string, start: number, end: number }} PIIMatch `end`: behind the last unit */
/** @typedef {(content: string) => PIIMatch[]} PIIDetector */

const LOCAL = /[A-Za-z0-9._%+-]/;
const DOMAIN = /[A-Za-z0-9.-]/;
const WORD = /[A-Za-z0-9_]/;
const CARD = /\b(?:\d{4}[-\s]?\d{4}[-\s]?\d{4}[-\s]?\d{4}|3[47]\d{2}[-\s]?\d{6}[-\s]?\d{5})\b/g;
const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
/** Units of which an IPv6 address consists; checked further by readIPv6. */
const IPV6 = /[0-9A-Fa-f:.]+/g;
const LONGEST_IPV6 = 45;
const MAC = /\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b/g;
const TOKEN = /[^\s<>"'`{}|\\^]+/g;
const TRAILING = ".,;:!?)]*_";

/** @param {string} content @param {number} start @param {number} end @returns {PIIMatch} */
const matchAt = (content, start, end) => ({ text: content.slice(start, end), start, end });

/** @type {PIIDetector} */
export function detectEmail(content) {
  const found = [];
  let from = 0;
  for (let at = content.indexOf("@"); at >= 0; at = content.indexOf("@", at + 1)) {
    let start = at;
    while (start > from && LOCAL.test(content[start - 1])) start--;
    while (start < at && !WORD.test(content[start])) start++;
    const end = start === at ? -1 : domainEnd(content, at + 1);
    if (end >= 0) found.push(matchAt(content, start, end));
    from = Math.max(from, end, at + 1);
  }
  return found;
}

/**
 * Returns where a domain ends: behind the letters of its last part.
 * @param {string} content @param {number} start
 * @returns {number} -1 if there is none
 */
function domainEnd(content, start) {
  let stop = start;
  while (stop < content.length && DOMAIN.test(content[stop])) stop++;
  for (let dot = stop - 1; dot > start; dot--) {
    if (content[dot] !== ".") continue;
    let end = dot + 1;
    while (end < stop && /[A-Za-z]/.test(content[end])) end++;
    if (end - dot > 2 && !(end < content.length && WORD.test(content[end]))) return end;
    stop = dot;
  }
  return -1;
}

/** @type {PIIDetector} */
export function detectCreditCard(content) {
  return allOf(content, CARD).filter(({ text }) => hasCheckDigit(text.replace(/\D/g, "")));
}

/** Does the number pass the Luhn test? @param {string} digits */
function hasCheckDigit(digits) {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** IPv4 and IPv6. @type {PIIDetector} */
export function detectIP(content) {
  const found = allOf(content, IPV4).filter(({ text }) =>
    text.split(".").every((part) => Number(part) <= 255),
  );
  for (const match of allOf(content, IPV6)) {
    const { text, start, end } = match;
    const before = start > 0 && WORD.test(content[start - 1]);
    const after = end < content.length && WORD.test(content[end]);
    const address = text.replace(/(?<!:):$|\.$/, "");
    if (!before && !after && isIPv6(address))
      found.push(matchAt(content, start, start + address.length));
  }
  return found.sort((one, other) => one.start - other.start);
}

/**
 * Is it an IPv6 address? One without any digit is taken for a name of a program, like `a::b`.
 * @param {string} text
 */
function isIPv6(text) {
  if (text.length > LONGEST_IPV6 || !/\d/.test(text) || !text.includes(":")) return false;
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (halves.length > 2 || !groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length > 0 && groups.length < 8 : groups.length === 8;
}

/** @type {PIIDetector} */
export function detectMacAddress(content) {
  return allOf(content, MAC);
}

/** With a scheme, or beginning with "www.". @type {PIIDetector} */
export function detectUrl(content) {
  const found = [];
  for (const { text, start } of allOf(content, TOKEN)) {
    const at = text.search(/(?<![A-Za-z0-9_])(?:https?:\/\/|www\.)/i);
    if (at < 0) continue;
    let end = text.length;
    while (end > at && TRAILING.includes(text[end - 1])) end--;
    if (/^(?:https?:\/\/[^/.]|www\.[^.]+\.)/i.test(text.slice(at, Math.min(end, at + 300))))
      found.push(matchAt(content, start + at, start + end));
  }
  return found;
}

/** @param {string} content @param {RegExp} pattern global @returns {PIIMatch[]} */
function allOf(content, pattern) {
  const found = [];
  for (const { 0: text, index } of content.matchAll(pattern))
    if (text !== "") found.push({ text, start: index, end: index + text.length });
  return found;
}

/** @type {Record<string, PIIDetector>} */
const KNOWN = {
  email: detectEmail,
  credit_card: detectCreditCard,
  ip: detectIP,
  mac_address: detectMacAddress,
  url: detectUrl,
};

/**
 * Returns the detector of a type.
 * @param {string} type
 * @param {unknown} given a function, a pattern, or its text
 * @param {string} call for the error text
 * @returns {PIIDetector}
 * @throws WeftError BAD_ARGUMENT if there is none
 */
export function detectorOf(type, given, call) {
  if (given === undefined) {
    checkArgument(
      Object.hasOwn(KNOWN, type),
      `${call}: type must be one of ${Object.keys(KNOWN).join(", ")}, or options.detector be given; it is ${shown(type)}`,
    );
    return KNOWN[type];
  }
  if (typeof given === "function") return (content) => checked(given(content), content, call);
  checkArgument(
    typeof given === "string" || given instanceof RegExp,
    `${call}: options.detector must be a function, a pattern or its text`,
  );
  const pattern = patternOf(/** @type {string | RegExp} */ (given), call);
  return (content) => allOf(content, pattern);
}

/** @param {string | RegExp} given @param {string} call @returns {RegExp} */
function patternOf(given, call) {
  const { source, flags } = typeof given === "string" ? { source: given, flags: "" } : given;
  try {
    return new RegExp(source, flags.includes("g") ? flags : `${flags}g`);
  } catch (error) {
    throw badArgument(
      `${call}: options.detector is no pattern: ${/** @type {Error} */ (error).message}`,
    );
  }
}

/**
 * Checks what a function of the user found, puts it in order and joins what overlaps.
 * @param {unknown} given
 * @param {string} content
 * @param {string} call for the error text
 * @returns {PIIMatch[]}
 */
function checked(given, content, call) {
  const isMatch = (/** @type {PIIMatch | null | undefined} */ match) =>
    match !== null &&
    match !== undefined &&
    Number.isSafeInteger(match.start) &&
    Number.isSafeInteger(match.end) &&
    match.start >= 0 &&
    match.start < match.end &&
    match.end <= content.length;
  if (!Array.isArray(given) || !given.every(isMatch))
    throw new TypeError(
      `${call}: options.detector must return a list of { text, start, end } within the text`,
    );
  /** @type {PIIMatch[]} */
  const joined = [];
  for (const { start, end } of [...given].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end)
      joined[joined.length - 1] = matchAt(content, last.start, Math.max(end, last.end));
    else joined.push(matchAt(content, start, end));
  }
  return joined;
}
