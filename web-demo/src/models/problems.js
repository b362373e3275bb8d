// SPDX-License-Identifier: MIT
// Says what went wrong in a person's words, and what that person can do: the table of all failures
// of models and runs. Must not know: how it is shown.

import { RUN_ROWS } from "./run-rows.js";
import { SERVICE_ROWS } from "./service-rows.js";

/** @typedef {import("./failures.js").Failure} Failure */
/**
 * `models`: choose another model or mend its settings. `retry`: go on from the last kept step.
 * `new`: begin a thread. `load`: read the thread again. `threads`: save all threads as a file.
 * @typedef {"models" | "retry" | "new" | "load" | "threads"} Act
 */
/**
 * `act`s: the first one helps most. `detail`: what was reported. `waitMs`: a service asks to wait
 * so long, from `at` on; `isGuess`: it did not say how long. `notKept`: a part of an answer had
 * come, and is not in the thread.
 * @typedef {{ kind: string, title: string, text: string, acts: Act[], detail?: string, waitMs?:
 *   number, at?: number, isGuess?: boolean, notKept?: boolean }} Problem
 */
/**
 * @typedef {{ kind: string, when: (failure: Failure, words: string) => boolean, title: string,
 *   text: string | ((failure: Failure) => string), acts: Act[] }} Row
 */

const LONGEST_DETAIL = 1500;
const USUAL_WAIT_MS = 20_000;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * What went wrong, and what helps.
 * @param {Partial<Failure> & { error?: string }} reported a failure that the worker described, or
 *   an error as the Agent Server tells it
 * @returns {Problem}
 */
export function explain(reported) {
  const failure = completed(reported);
  const { message, body = "" } = failure;
  const detail = `${message}\n${body}`.trim().slice(0, LONGEST_DETAIL);
  // The service's own words, without what the model's class says before them.
  const words = `${message.replace(/^The model service answered \d+:?/, "")}\n${body}`;
  const row = [...SERVICE_ROWS, ...RUN_ROWS].find(({ when }) => when(failure, words));
  if (row === undefined)
    return {
      kind: "run",
      title: "The run failed",
      text: "A node ended with an error. What finished before it is kept; go on from there.",
      acts: ["retry"],
      detail,
    };
  const { kind, title, text, acts } = row;
  return {
    kind,
    title,
    text: typeof text === "string" ? text : text(failure),
    acts: [...acts],
    detail,
    ...(failure.hasBegun &&
      (failure.status === undefined || failure.status < 400) &&
      isPart(kind) && { notKept: true }),
    ...(kind === "rate" && waitOf(failure, words)),
  };
}

/** @param {string} kind */
const isPart = (kind) => ["cut", "reported", "silent", "too-large", "bad-answer"].includes(kind);

/**
 * Adds what only the message says: the Agent Server tells name and message alone.
 * @param {Partial<Failure> & { error?: string }} reported
 * @returns {Failure}
 */
function completed({ error, name = error ?? "Error", message = "", at = Date.now(), ...rest }) {
  const status = rest.status ?? numberIn(/The model service answered (\d{3})/.exec(message));
  const code = rest.code ?? CODES.find(([pattern]) => pattern.test(`${name}: ${message}`))?.[1];
  return {
    ...rest,
    name,
    message,
    at,
    ...(status !== undefined && { status }),
    ...(code && { code }),
  };
}

/** @type {readonly [RegExp, string][]} */
const CODES = [
  [/offline switch is on/, "OFFLINE_SWITCH"],
  [/^GraphRecursionError/, "GRAPH_RECURSION_LIMIT"],
  [/could not be reached/, "NETWORK"],
  [/broke off/, "STREAM_CUT"],
  [/said nothing for|took longer than|timed out/i, "TIMEOUT"],
  [/sent more than/, "TOO_LARGE"],
  [/server redirects/, "REDIRECT"],
  [/^ModelError: The model service (?:sent|answered with|did not)|; received /, "BAD_ANSWER"],
  [/^ModelError: The model service reported an error/, "STREAM_ERROR"],
];

/** @param {RegExpExecArray | null} found */
const numberIn = (found) => (found === null ? undefined : Number(found[1]));

/**
 * How long a service asks to wait, by its header or its words.
 * @param {Failure} failure @param {string} words
 */
function waitOf({ retryAfterMs, at }, words) {
  const said = retryAfterMs ?? msIn(words);
  const waitMs = Math.min(Math.max(said ?? USUAL_WAIT_MS, 1000), LONGEST_WAIT_MS);
  return { waitMs, at, ...(said === undefined && { isGuess: true }) };
}

/** @param {string} words such as "try again in 1m26.3s" @returns {number | undefined} */
function msIn(words) {
  const found =
    /(?:again|retry|wait|reset)[^.\n]{0,40}?\b(?:in|after|for)\s+(?:(\d+)\s*h(?:ours?)?\s*)?(?:(\d+)\s*m(?:in(?:ute)?s?)?(?![a-z])\s*)?(?:([\d.]+)\s*(ms|milliseconds?|s(?:ec(?:ond)?s?)?))?(?![a-z])/i.exec(
      words,
    ) ?? /"retry(?:Delay|_after|After)"\s*:\s*()()"?([\d.]+)()s?"?/.exec(words);
  if (found === null) return undefined;
  const [, hours = 0, minutes = 0, seconds = 0, unit = "s"] = found;
  const ms =
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds || 0) * (/^m/i.test(unit) ? 1 : 1000);
  return ms > 0 ? ms : undefined;
}

/** The labels of the buttons. @type {Record<Act, string>} */
export const ACT_NAMES = {
  models: "Open Models",
  retry: "Try again",
  new: "New thread",
  load: "Read it again",
  threads: "Save threads",
};
