// SPDX-License-Identifier: MIT
// Reads how long a service asks a client to wait: retry-after in seconds or as a date.

const DECIMAL = /^\d+(?:\.\d+)?$/;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)";

/**
 * HTTP's three forms of a date (RFC 9110, 5.6.7), with the groups of day, month, year, hour,
 * minute, second.
 * @type {[RegExp, number[]][]}
 */
const DATES = [
  [
    new RegExp(`^[A-Z][a-z]{2}, (\\d\\d) ([A-Z][a-z]{2}) (\\d{4}) ${CLOCK} GMT$`),
    [1, 2, 3, 4, 5, 6],
  ],
  [
    new RegExp(`^[A-Z][a-z]+day, (\\d\\d)-([A-Z][a-z]{2})-(\\d\\d) ${CLOCK} GMT$`),
    [1, 2, 3, 4, 5, 6],
  ],
  [new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${CLOCK} (\\d{4})$`), [2, 1, 6, 3, 4, 5]],
];

/** Returns ms since 1970; NaN if it is no date of HTTP. @param {string} text */
function readDate(text) {
  for (const [form, places] of DATES) {
    const found = form.exec(text);
    if (found === null) continue;
    const [day, month, year, ...clock] = places.map((at) => found[at]);
    const [hour, minute, second] = clock.map(Number);
    const number = MONTHS.indexOf(month);
    return number < 0
      ? NaN
      : Date.UTC(
          year.length === 2 ? 2000 + Number(year) : Number(year),
          number,
          Number(day),
          hour,
          minute,
          second,
        );
  }
  return NaN;
}

// Reads seconds or a date; some services send milliseconds in a header of their own. Ignores
// unreadable values.
/** @param {Headers} headers @returns {number | undefined} */
export function retryAfter(headers) {
  const exact = headers.get("retry-after-ms")?.trim() ?? "";
  if (DECIMAL.test(exact)) return Number(exact);
  const told = headers.get("retry-after")?.trim() ?? "";
  const ms = DECIMAL.test(told) ? Number(told) * 1000 : readDate(told) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
