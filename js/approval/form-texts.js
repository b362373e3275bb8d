// SPDX-License-Identifier: MIT
// Reads and writes the texts of a form: labels, JSON with its hidden characters spelled out, JSON
// pointers, numbers that are exactly what was written. Does not depend on schemas.
import { showHidden } from "../base/show-hidden.js";

const MOST_LABEL = 200;
const MOST_NUMBER = 1000;
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/**
 * Controls, formats (bidi, zero-width, tags), private and unassigned characters, separators, other
 * blanks, lone surrogates. Line breaks and tabs of valid JSON stand between its tokens.
 */
const UNSEEN =
  /(?![\n\r\t])(?:[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs})/gu;
/** Strings, which may contain what looks like a number, and numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** @param {string} text @param {number} most characters */
export function cut(text, most) {
  if (text.length <= most) return showHidden(text);
  return `${showHidden(text.slice(0, most).replace(/[\ud800-\udbff]$/, ""))}…`;
}

/**
 * Returns a property's name for people: "dueDate" is "Due date".
 * @param {string} key
 */
export function labelOf(key) {
  const words = cut(key, MOST_LABEL)
    .replace(/[_\-.\s]+/g, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .trim()
    .split(" ")
    // Abbreviations stay as they are.
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word[0].toLowerCase() + word.slice(1) : word));
  const label = words.join(" ");
  return label === "" ? "(no name)" : label[0].toUpperCase() + label.slice(1);
}

/** @param {string} path @param {string | number} key */
export function pathTo(path, key) {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Writes the hidden characters of JSON text as JSON's escapes. @param {string} json */
export function spellJson(json) {
  return json.replace(UNSEEN, (found) =>
    found
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/**
 * Reads a number.
 * @param {string} text
 * @returns {number | "no number" | "inexact"} inexact: another number is nearest to it
 */
export function readNumber(text) {
  const given = text.trim();
  if (given.length > MOST_NUMBER || !NUMBER.test(given)) return "no number";
  const number = Number(given);
  return Number.isFinite(number) && digitsOf(given) === digitsOf(String(number))
    ? number
    : "inexact";
}

/** Significant digits and exponent of a decimal number. @param {string} text */
function digitsOf(text) {
  const [mantissa, exponent = "0"] = text.toLowerCase().replace("-", "").split("e");
  const [whole, part = ""] = mantissa.split(".");
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  return short === ""
    ? "0"
    : `${text.startsWith("-") ? "-" : ""}${short}e${Number(exponent) - part.length + digits.length - short.length}`;
}

/**
 * Finds a number in JSON text that would become another one.
 * @param {string} json
 * @returns {string | undefined}
 */
export function inexactIn(json) {
  for (const [token] of json.matchAll(TOKENS))
    if (token[0] !== '"' && readNumber(token) === "inexact") return token;
  return undefined;
}
