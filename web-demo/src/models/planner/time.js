// SPDX-License-Identifier: MIT
// Hears questions for the time and the date, here and in a city, and answers them by Intl. A place
// whose time zone it does not know is asked about.
import { bare, quoted } from "./words.js";
import { zonesFor } from "./zones.js";

/** @typedef {import("../planner.js").Heard} Heard */
/** @typedef {import("../planner.js").Reply} Reply */

const TIME =
  /\b(?:what(?:'s| is)? (?:the )?(?:current |local )?time|what time|time is it|current time|tell me the time|the time|time (?:in|at)|time zone|o'clock is it)\b|^time$/i;
const DATE =
  /\b(?:what(?:'s| is)? (?:the |today's )?(?:date|day|year|month)|what(?:'s| is) today|date today|today's date|which day|what day|what year|tell me the date)\b|^(?:date|today)$/i;
const OTHER_TIME =
  /\b(?:times? (?:table|difference|\d)|how (?:long|much time)|first time|next time|flight|train|meeting|open|close[sd]?|arrive|sunrise|sunset|until|ago|was|will)\b/i;
const IN =
  /\b(?:in|at|for|of|on)\s+(?:the\s+)?(?!(?:the )?(?:moment|world)\b)(\p{L}[\p{L}\p{M}\s.,'/_-]*?)(?:\s+(?:right now|now|today|currently|please))*$/iu;
const DAY_MS = 86_400_000;

/** @param {Heard} heard @returns {Reply | undefined} */
export function times(heard) {
  const words = bare(heard.said);
  const isDate = DATE.test(words);
  if (!isDate && !TIME.test(words)) return undefined;
  if (OTHER_TIME.test(words) && !/\bwhat (?:day|date) will\b/i.test(words)) return undefined;
  const shift = /\btomorrow\b/i.test(words) ? 1 : /\byesterday\b/i.test(words) ? -1 : 0;
  const where = placeIn(words);
  const now = new Date(heard.now.getTime() + shift * DAY_MS);
  if (where === undefined) return told(now, { isDate, shift });
  const found = zonesFor(where);
  if (found.length === 1) return told(now, { isDate, shift, zone: found[0], where });
  if (found.length > 1)
    return {
      say: `${where} has several time zones. Name a city, for example ${found.map(cityOf).join(" or ")}.`,
    };
  return {
    say: `I do not know which time zone ${quoted(where)} is in. Name a bigger city near it, or a zone such as Europe/Berlin.`,
  };
}

/** @param {string} words */
function placeIn(words) {
  const utc = /\b(?:UTC|GMT)\b/.exec(words)?.[0];
  if (utc !== undefined) return utc;
  const where = IN.exec(words.replace(/\b(?:today|tomorrow|yesterday)\b/gi, "").trim())?.[1].trim();
  if (
    where === undefined ||
    /^(?:time|date|day|it|today|here|my (?:time ?zone|city|place)|me|you)$/i.test(where)
  )
    return undefined;
  return where;
}

/**
 * @param {Date} now
 * @param {{ isDate: boolean, shift: number, zone?: string, where?: string }} asked
 * @returns {Reply}
 */
function told(now, { isDate, shift, zone, where }) {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: zone }).format(now);
  const place = where === undefined ? "" : ` in ${where}`;
  if (isDate || shift !== 0) {
    const which = shift > 0 ? "Tomorrow" : shift < 0 ? "Yesterday" : "Today";
    return { say: `${which}${place} ${shift < 0 ? "was" : "is"} ${day}.` };
  }
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: zone }).format(now);
  const shown =
    zone ?? `your browser's time zone, ${new Intl.DateTimeFormat().resolvedOptions().timeZone}`;
  return { say: `It is ${time}${place}, ${day} (${shown}).` };
}

/** @param {string} zone */
function cityOf(zone) {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}
