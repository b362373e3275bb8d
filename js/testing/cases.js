// SPDX-License-Identifier: MIT
// Reads the cases of an evaluation: from lists, iterables and texts. Checks them, names them and
// says which are skipped. Does not depend on how they run.
import { badArgument, checkArgument, isListOf, isRecord } from "../base/check-arguments.js";

/** @typedef {import("../types/testing/evaluate.js").EvalCase} Given */
/** @typedef {import("../types/testing/evaluate.js").NamedCase} NamedCase */
/** @typedef {{ one: NamedCase, skipped: string | undefined }} Planned */

const MOST_CASES = 100_000;
const MOST_NAME = 200;

/**
 * Reads cases from a text: a JSON list, or JSON Lines.
 * @param {string} text
 * @returns {Given[]}
 */
export function casesOf(text) {
  checkArgument(typeof text === "string", "casesOf(text): text must be a string");
  const whole = text.trim();
  if (whole.startsWith("[")) {
    const list = /** @type {unknown[]} */ (parsed(whole, "the text"));
    return list.map((one, index) => checked(one, `case ${index + 1} of the text`));
  }
  return whole.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const where = `line ${index + 1}`;
    return [checked(parsed(line, where), where)];
  });
}

/** @param {string} json @param {string} where @returns {unknown} */
function parsed(json, where) {
  try {
    return JSON.parse(json);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw badArgument(`casesOf(text): ${where} is no JSON: ${message}`);
  }
}

/**
 * Reads all cases, and decides which run.
 * @param {unknown} given a list, an iterable of either kind, or a text
 * @returns {Promise<Planned[]>}
 */
export async function planCases(given) {
  const source = typeof given === "string" ? casesOf(given) : given;
  const known = /** @type {Partial<Iterable<unknown> & AsyncIterable<unknown>> | null} */ (source);
  checkArgument(
    typeof known?.[Symbol.iterator] === "function" ||
      typeof known?.[Symbol.asyncIterator] === "function",
    "evaluate(target, options): options.cases must be a list, an iterable or a text of cases",
  );
  /** @type {NamedCase[]} */
  const cases = [];
  const names = new Set();
  for await (const one of /** @type {AsyncIterable<unknown>} */ (source)) {
    checkArgument(
      cases.length < MOST_CASES,
      `evaluate(target, options): options.cases has more than ${MOST_CASES} cases`,
    );
    const where = `case ${cases.length + 1}`;
    const known = checked(one, where);
    cases.push({ ...known, name: uniqueName(known.name, where, names) });
  }
  const hasOnly = cases.some(({ only }) => only === true);
  return cases.map((one) => ({ one, skipped: reasonToSkip(one, hasOnly) }));
}

/** @param {NamedCase} one @param {boolean} hasOnly @returns {string | undefined} */
function reasonToSkip({ skip, only }, hasOnly) {
  if (typeof skip === "string") return skip === "" ? "skipped" : skip;
  if (skip === true) return "skipped";
  return hasOnly && only !== true ? "another case is marked `only`" : undefined;
}

/** @param {string | undefined} name @param {string} otherwise @param {Set<string>} names */
function uniqueName(name, otherwise, names) {
  const wanted = name === undefined || name.trim() === "" ? otherwise : name.slice(0, MOST_NAME);
  let unique = wanted;
  for (let count = 2; names.has(unique); count++) unique = `${wanted} (${count})`;
  names.add(unique);
  return unique;
}

/** @param {unknown} value */
const isText = (value) => value === undefined || typeof value === "string";
/** @param {unknown} value */
const isMaybe = (value) => value === undefined || typeof value === "boolean";

/** @param {unknown} one @param {string} where @returns {Given} */
function checked(one, where) {
  checkArgument(isRecord(one) && "input" in one, `${where} must be an object with an input`);
  const { name, tags, skip, only, resume, trajectory, config } =
    /** @type {Record<string, unknown>} */ (one);
  /** @type {Array<[isRight: boolean, what: string]>} */
  const rules = [
    [isText(name), "name must be a text"],
    [tags === undefined || isListOf(tags, (tag) => typeof tag === "string"), "tags must be texts"],
    [isMaybe(skip) || typeof skip === "string", "skip must be a reason"],
    [isMaybe(only), "only must be true or false"],
    [
      resume === undefined || Array.isArray(resume) || typeof resume === "function",
      "resume must be a list of answers or a function",
    ],
    [trajectory === undefined || Array.isArray(trajectory), "trajectory must be a list of calls"],
    [config === undefined || isRecord(config), "config must be an object"],
    [
      !isRecord(config) ||
        /** @type {{ thread_id?: unknown } | undefined} */ (config.configurable)?.thread_id ===
          undefined,
      "config has a thread_id: each run has a thread of its own",
    ],
  ];
  for (const [isRight, what] of rules) checkArgument(isRight, `${where}: ${what}`);
  return /** @type {Given} */ (/** @type {unknown} */ (one));
}
