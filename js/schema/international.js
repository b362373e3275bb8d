// SPDX-License-Identifier: MIT
// Checks names and addresses with non-ASCII letters: IDNA 2008 (RFC 5890 to 5893), IRIs. The tables
// are JavaScript's own Unicode properties. Does not depend on schemas.
import { isUri } from "./uri.js";

const UCS =
  "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{EFFFD}";
const PRIVATE = "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}";
const MOST_NAME = 253;
const MOST_LABEL = 63;

/** @param {string} text */
export const isIri = (text) => isUri(text, false, UCS, PRIVATE);

/** @param {string} text */
export const isIriReference = (text) => isUri(text, true, UCS, PRIVATE);

/** @param {string} text */
export function isHostname(text) {
  return /^[\x21-\x7e]+$/.test(text) && isName(text.split("."));
}

/** @param {string} text */
export function isIdnHostname(text) {
  return isName(text.split(/[.\u3002\uff0e\uff61]/));
}

/** @param {string} text */
export function isIdnEmail(text) {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const atom =
    /^[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+)*$/u;
  const quoted = /^"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"$/u;
  return (
    new TextEncoder().encode(local).length <= 64 &&
    (atom.test(local) || quoted.test(local)) &&
    isIdnHostname(text.slice(at + 1).normalize("NFC"))
  );
}

/** @param {string[]} labels */
function isName(labels) {
  const decoded = labels.map(decodeLabel);
  const size = decoded.reduce((sum, label) => sum + (label?.size ?? 0) + 1, -1);
  if (size > MOST_NAME || decoded.some((label) => label === undefined)) return false;
  const texts = decoded.map((label) => /** @type {{ text: string }} */ (label).text);
  return !texts.some((text) => TURNS.test(text)) || texts.every(keepsDirection);
}

/**
 * Returns a label as Unicode with the size of its ASCII form; undefined if it is invalid.
 * @param {string} label
 */
function decodeLabel(label) {
  // Its ASCII form would be even longer, and encoding takes quadratic time.
  if (label.length > 2 * MOST_LABEL) return undefined;
  if (/^[\x00-\x7f]*$/.test(label)) {
    if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label) || label.length > MOST_LABEL)
      return undefined;
    if (!/^xn--/i.test(label)) return { text: label, size: label.length };
    const text = fromPunycode(label.slice(4));
    if (
      text === undefined ||
      /^[\x00-\x7f]*$/.test(text) ||
      toPunycode(text) !== label.slice(4).toLowerCase()
    )
      return undefined;
    return isUnicodeLabel(text) ? { text, size: label.length } : undefined;
  }
  const size = 4 + toPunycode(label).length;
  return size <= MOST_LABEL && isUnicodeLabel(label) ? { text: label, size } : undefined;
}

const LETTERS = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}-]$/u;
const ALSO = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/u;
const NEVER =
  /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
const VIRAMA =
  "\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84\\u1039\\u103a\\u1714\\u1734\\u17d2\\u1a60\\u1b44" +
  "\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{1107f}\\u{110b9}\\u{11133}\\u{11134}\\u{111c0}\\u{11235}";
const JOINS =
  "[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Phags_Pa}]";

// Rules about a character's neighbours. Each pattern finds a character in a wrong place.
const CONTEXT = [
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  new RegExp(`(?<![${VIRAMA}])\u200d`, "u"),
  new RegExp(
    `(?<![${VIRAMA}]|${JOINS}\\p{Mn}*)\u200c|(?<![${VIRAMA}])\u200c(?!\\p{Mn}*${JOINS})`,
    "u",
  ),
];
// biome-ignore lint/suspicious/noMisleadingCharacterClass: joiners by themselves are meant
const PLACED = /^[\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d\u0660-\u0669\u06f0-\u06f9]$/u;

/** @param {string} label */
function isUnicodeLabel(label) {
  if (label !== label.normalize("NFC") || /^-|-$|^..--|^\p{M}/u.test(label) || NEVER.test(label))
    return false;
  for (const letter of label) {
    if (!PLACED.test(letter) && !ALSO.test(letter) && !(LETTERS.test(letter) && isStable(letter)))
      return false;
  }
  if (
    /\u30fb/u.test(label) &&
    !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label.replaceAll("\u30fb", ""))
  )
    return false;
  if (/[\u0660-\u0669]/u.test(label) && /[\u06f0-\u06f9]/u.test(label)) return false;
  return !CONTEXT.some((wrong) => wrong.test(label));
}

/** @param {string} letter */
function isStable(letter) {
  return letter.normalize("NFKC").toLowerCase().normalize("NFKC") === letter;
}

// RFC 5893, with the blocks of right-to-left scripts for their bidirectional classes.
const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const RIGHT_LETTER =
  /^(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])[^\p{M}\p{Nd}]/u;
const TURNS = new RegExp(`${RIGHT_LETTER.source.slice(1)}|[\u0660-\u0669]`, "u");

/** @param {string} label */
function keepsDirection(label) {
  const letters = [...label];
  const end = letters.findLast((letter) => !/\p{M}/u.test(letter)) ?? "";
  const isArabicDigit = (/** @type {string} */ letter) => /[\u0660-\u0669]/u.test(letter);
  const isEuropeanDigit = (/** @type {string} */ letter) => /[0-9\u06f0-\u06f9]/u.test(letter);
  const isLeft = (/** @type {string} */ letter) => /\p{L}/u.test(letter) && !RIGHT.test(letter);
  if (RIGHT_LETTER.test(letters[0])) {
    const mixed = letters.some(isArabicDigit) && letters.some(isEuropeanDigit);
    return (
      !mixed &&
      !letters.some(isLeft) &&
      (RIGHT_LETTER.test(end) || isArabicDigit(end) || isEuropeanDigit(end))
    );
  }
  return (
    isLeft(letters[0]) &&
    !letters.some((letter) => RIGHT_LETTER.test(letter) || isArabicDigit(letter)) &&
    (isLeft(end) || isEuropeanDigit(end))
  );
}

// ---- Punycode (RFC 3492)

/** @param {number} delta @param {number} count @param {boolean} first */
function adapt(delta, count, first) {
  let left = first ? Math.floor(delta / 700) : delta >> 1;
  left += Math.floor(left / count);
  let k = 0;
  for (; left > 455; k += 36) left = Math.floor(left / 35);
  return k + Math.floor((36 * left) / (left + 38));
}

/** @param {number} k @param {number} bias */
const threshold = (k, bias) => Math.min(26, Math.max(1, k - bias));

/** @param {string} text @returns {string | undefined} */
function fromPunycode(text) {
  const cut = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(cut, 0)), (letter) => letter.charCodeAt(0));
  let at = cut < 0 ? 0 : cut + 1;
  let point = 128;
  let bias = 72;
  let i = 0;
  while (at < text.length) {
    const before = i;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = parseInt(text[at++] ?? "", 36);
      if (Number.isNaN(digit)) return undefined;
      const value = digit < 10 ? digit + 26 : digit - 10;
      i += value * weight;
      if (i > 0x7fffffff) return undefined;
      if (value < threshold(k, bias)) break;
      weight *= 36 - threshold(k, bias);
    }
    bias = adapt(i - before, points.length + 1, before === 0);
    point += Math.floor(i / (points.length + 1));
    i %= points.length + 1;
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    points.splice(i++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** @param {string} text */
function toPunycode(text) {
  const points = Array.from(text, (letter) => /** @type {number} */ (letter.codePointAt(0)));
  let out = points
    .filter((point) => point < 128)
    .map((point) => String.fromCharCode(point))
    .join("")
    .toLowerCase();
  let done = out.length;
  const basic = done;
  if (basic > 0) out += "-";
  let bias = 72;
  let delta = 0;
  for (let point = 128; done < points.length; point++, delta++) {
    const next = Math.min(...points.filter((other) => other >= point));
    delta += (next - point) * (done + 1);
    point = next;
    for (const other of points) {
      if (other < point) delta++;
      if (other !== point) continue;
      let left = delta;
      for (let k = 36; ; k += 36) {
        const least = threshold(k, bias);
        const digit = left < least ? left : least + ((left - least) % (36 - least));
        out += digit < 26 ? String.fromCharCode(digit + 97) : String.fromCharCode(digit + 22);
        if (left < least) break;
        left = Math.floor((left - least) / (36 - least));
      }
      bias = adapt(delta, done + 1, done === basic);
      delta = 0;
      done++;
    }
  }
  return out;
}
