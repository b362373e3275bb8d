// SPDX-License-Identifier: MIT
// Defines the formats of JSON Schema: a pattern, which the engine runs, or a function for what
// patterns cannot express. Does not depend on schemas.
import { isHostname, isIdnEmail, isIdnHostname, isIri, isIriReference } from "./international.js";
import { isIpv6, isUri } from "./uri.js";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const TIME = "T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)";
const DAYS = "\\d+D";
const MONTHS = `\\d+M(?:${DAYS})?`;
const NAME = "(?:\\w|%[0-9A-Fa-f]{2})(?:\\.?(?:\\w|%[0-9A-Fa-f]{2}))*(?:\\*|:[1-9]\\d{0,3})?";
const DATE =
  "(?:\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))" +
  "|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)";
const POINTER = "(?:/(?:[^~/]|~[01])*)*";
const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\-]+";
const CLOCK =
  /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[zZ]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const MINUTES = 24 * 60;

/** @typedef {string | ((text: string) => boolean)} Format a pattern, or a function */

/** @type {Record<string, Format>} */
export const standardFormats = {
  date: `^${DATE}$`,
  time: isTime,
  "date-time": (text) =>
    date.test(text.slice(0, 10)) && /[tT]/.test(text[10]) && isTime(text.slice(11)),
  duration: `^P(?:\\d+W|${TIME}|(?:${DAYS}|${MONTHS}|\\d+Y(?:${MONTHS})?)(?:${TIME})?)$`,
  email: isEmail,
  "idn-email": isIdnEmail,
  hostname: isHostname,
  "idn-hostname": isIdnHostname,
  ipv4: `^(?:${OCTET}\\.){3}${OCTET}$`,
  ipv6: isIpv6,
  uri: (text) => isUri(text, false),
  "uri-reference": (text) => isUri(text, true),
  iri: isIri,
  "iri-reference": isIriReference,
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
  "uri-template": `^(?:[^\\x00-\\x20\\x7f"%<>\\\\^\`{|}]|%[0-9A-Fa-f]{2}|\\{[+#./;?&=,!@|]?${NAME}(?:,${NAME})*\\})*$`,
  "json-pointer": `^${POINTER}$`,
  "relative-json-pointer": `^(?:0|[1-9]\\d*)(?:#|${POINTER})$`,
  regex: isRegex,
};

const date = new RegExp(`^${DATE}$`);
const local = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\\\x00-\\x1f\\x7f]|\\\\[^\\x00-\\x1f\\x7f])*")$`,
);
const ipv4 = new RegExp(/** @type {string} */ (standardFormats.ipv4));

// A leap second is the last one of a UTC day.
/** @param {string} text */
function isTime(text) {
  const found = CLOCK.exec(text);
  if (found === null || found[3] !== "60") return found !== null;
  const offset =
    found[4] === undefined
      ? 0
      : (found[4] === "-" ? -1 : 1) * (Number(found[5]) * 60 + Number(found[6]));
  return (
    (Number(found[1]) * 60 + Number(found[2]) - offset + 2 * MINUTES) % MINUTES === MINUTES - 1
  );
}

/** @param {string} text */
function isEmail(text) {
  const at = text.lastIndexOf("@");
  const name = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (name.length > 64 || !local.test(name)) return false;
  if (!domain.startsWith("[")) return isHostname(domain);
  const literal = domain.slice(1, -1);
  return (
    domain.endsWith("]") &&
    (literal.startsWith("IPv6:") ? isIpv6(literal.slice(5)) : ipv4.test(literal))
  );
}

/** @param {string} text */
function isRegex(text) {
  try {
    return new RegExp(text, "u") !== undefined;
  } catch {
    return false;
  }
}
