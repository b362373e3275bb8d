// SPDX-License-Identifier: MIT
// Checks addresses by the grammar of RFC 3986, and of RFC 3987 with non-ASCII letters. Does not
// depend on schemas.

const PERCENT = "%[0-9A-Fa-f]{2}";
const PLAIN = "A-Za-z0-9\\-._~!$&'()*+,;=";

/** @type {Map<string, RegExp>} */
const patterns = new Map();

/**
 * Makes the pattern; its groups are the scheme and, in two places, an address in brackets.
 * @param {string} letters more letters, as ranges of a class @param {string} own letters of queries
 */
function patternOf(letters, own) {
  let pattern = patterns.get(letters);
  if (pattern === undefined) {
    const segment = `(?:[${PLAIN}${letters}:@]|${PERCENT})`;
    const name = `(?:[${PLAIN}${letters}]|${PERCENT})*`;
    const authority = `(?:(?:[${PLAIN}${letters}:]|${PERCENT})*@)?(?:\\[([^\\]]*)\\]|${name})(?::\\d*)?`;
    const path = `(?:/${segment}*)*`;
    const relative = `(?:[${PLAIN}${letters}@]|${PERCENT})+${path}`; // no colon in its first segment
    const first = `//${authority}${path}|/(?:${segment}+${path})?`;
    pattern = new RegExp(
      `^(?:([A-Za-z][A-Za-z0-9+\\-.]*):(?:${first}|${segment}+${path}|)|(?:${first}|${relative}|))` +
        `(?:\\?(?:${segment}|[/?${own}])*)?(?:#(?:${segment}|[/?])*)?$`,
      "u",
    );
    patterns.set(letters, pattern);
  }
  return pattern;
}

/**
 * @param {string} text @param {boolean} mayBeRelative
 * @param {string} [letters] @param {string} [own]
 */
export function isUri(text, mayBeRelative, letters = "", own = "") {
  const found = patternOf(letters, own).exec(text);
  if (found === null || (found[1] === undefined && !mayBeRelative)) return false;
  const literal = found[2] ?? found[3];
  return (
    literal === undefined ||
    isIpv6(literal) ||
    new RegExp(`^[vV][0-9A-Fa-f]+\\.[${PLAIN}:]+$`).test(literal)
  );
}

/** @param {string} text */
export function isIpv6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "" && halves.length === 2) continue;
    const parts = half.split(":");
    const isLast = index === halves.length - 1;
    for (const [at, part] of parts.entries()) {
      if (
        isLast &&
        at === parts.length - 1 &&
        /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(part) &&
        !part.endsWith(".")
      )
        groups += 2;
      else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups++;
      else return false;
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}
