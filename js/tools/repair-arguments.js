// SPDX-License-Identifier: MIT
// Repairs arguments that do not fit a JSON Schema, where exactly one change makes them fit. Leaves
// everything else to the model. Does not depend on messages or tools.
import { isRecord } from "../base/check-arguments.js";
import { CHECK_FILL } from "../base/codes.js";
import { Checker } from "../engine/checker.js";
import { lettersIn } from "../engine/unicode-properties.js";
import { closeJson } from "./close-json.js";
import { isWanted, keywordValue, namesBelow, placeOf, tokensOf } from "./schema-places.js";

/** @typedef {Record<string, unknown>} Json */
/** @typedef {import("../engine/checker.js").Problem} Problem */
/** @typedef {import("../types/tools/repair.js").ToolCallRepair} Repair */
/**
 * `change` undefined: the value would lose digits, so it only makes the others uncertain.
 * @typedef {{ value: unknown, change: string | undefined }} Candidate
 */

/** Maximum length of arguments that are repaired, in UTF-16 units. */
const MOST_TEXT = 262_144;
/** Maximum number of changes of a call. */
const MOST_REPAIRS = 64;
/** Maximum number of UTF-16 units that are checked for one call; each check adds CHECK_COST. */
const MOST_CHECKED = 8_388_608;
const CHECK_COST = 1024;
/** What it costs to compare two keys. */
const COMPARE_COST = 16;
const MOST_SHOWN = 100;
/** What toPrecision takes. */
const MOST_DIGITS = 100;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const CHOICE = /\/(?:anyOf|oneOf)$/;
const EXTRA = /\/(?:additional|unevaluated)Properties$/;
const REQUIRED = /\/required$/;
/** What a keyword stands in, also behind a reference. */
const LAST = /(?:\/\$ref)?\/[^/]*$/;
/** @type {Candidate} */
const NONE = { value: undefined, change: undefined };
const ANY = '{"schema":true}';

/**
 * @param {Json} schema JSON Schema of the arguments
 * @param {unknown} given the arguments, or a model's text
 * @param {boolean} isCut whether the service cut the answer, so that a missing end is unknown
 * @returns {{ args: unknown, repaired: Repair[] } | undefined} no repairs if they fit already;
 *   undefined if no change is certain
 */
export function repairArguments(schema, given, isCut) {
  const text = typeof given === "string" ? given : written(given ?? {});
  if (text === undefined || text.length > MOST_TEXT) return undefined;
  const definition = JSON.stringify(schema);
  const letters = lettersIn(definition);
  const around = letters === undefined ? "" : `,"letters":${JSON.stringify(letters)}`;
  try {
    return new Repairs(schema, `{"schema":${definition}${around}}`).of(text, isCut);
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code === "SCHEMA_BUDGET") return undefined;
    throw error;
  }
}

/** @param {unknown} value @returns {string | undefined} undefined if it has no JSON */
function written(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

class Repairs {
  #schema;
  #checker;
  #left = MOST_CHECKED;
  /** @type {Repair[]} */
  #repairs = [];
  /** @type {unknown} the arguments as repaired so far */
  #value;
  /** Numbers as they are written in the arguments. @type {Set<string>} */
  #numbers = new Set();

  /** @param {Json} schema @param {string} definition */
  constructor(schema, definition) {
    this.#schema = schema;
    this.#checker = new Checker(definition);
  }

  /** @param {string} given @param {boolean} isCut */
  of(given, isCut) {
    this.#numbers = new Set(given.match(/-?\d[\d.eE+-]*/g));
    let text = given;
    let verdict = this.#check(text);
    if (verdict?.broken !== undefined) {
      const closed = isCut ? undefined : closeJson(text);
      if (closed === undefined) return undefined;
      this.#repairs.push({ path: "", change: "JSON completed", from: shown(text) });
      verdict = this.#check((text = closed));
      if (verdict?.broken !== undefined) return undefined;
    }
    this.#value = JSON.parse(text);
    while (verdict !== null && !verdict.valid) {
      if (this.#repairs.length >= MOST_REPAIRS || !this.#mendOne(verdict.problems))
        return undefined;
      verdict = this.#check(JSON.stringify(this.#value));
    }
    return { args: this.#value, repaired: this.#repairs };
  }

  /** Checks with defaults filled in, as the call is planned. @param {string} text */
  #check(text) {
    this.#left -= text.length + CHECK_COST;
    return this.#checker.check(text, CHECK_FILL, () => true);
  }

  /** Makes the first change that is certain. @param {readonly Problem[]} problems */
  #mendOne(problems) {
    const choices = problems.filter(({ keyword }) => CHOICE.test(keyword));
    for (const problem of problems) {
      // Which alternative was meant is not known, so what is wrong in one of them says nothing.
      const isInside = choices.some(
        ({ instance }) =>
          (instance === problem.instance && !choices.includes(problem)) ||
          problem.instance.startsWith(`${instance}/`),
      );
      if (!isInside && this.#mend(problem)) return true;
    }
    return false;
  }

  /** @param {Problem} problem */
  #mend(problem) {
    const found = placeOf(this.#value, problem.instance);
    if (found === undefined) return false;
    if (REQUIRED.test(problem.keyword)) return false;
    if (EXTRA.test(problem.keyword)) return this.#drop(problem, found.value);
    const wanted = keywordValue(this.#schema, problem.keyword.replace(LAST, ""));
    const fitting = this.#candidates(found.value, problem).filter(
      ({ value }) => isWanted(this.#schema, wanted, value) && this.#fits(problem.instance, value),
    );
    const [{ value, change } = NONE] = fitting;
    if (fitting.length !== 1 || change === undefined) return false;
    this.#note(problem.instance, change, found.value);
    this.#value = withValue(this.#value, problem.instance, value);
    return true;
  }

  /**
   * Drops the member that the problem names: without it, the problem is gone or names another.
   * Not one whose key may be another one misspelt, in whose place a default would come.
   * @param {Problem} problem @param {unknown} value
   */
  #drop({ instance, keyword, message }, value) {
    if (!isRecord(value)) return false;
    const names = namesBelow(keywordValue(this.#schema, keyword.replace(EXTRA, "")));
    for (const key of Object.keys(value)) {
      this.#left -= COMPARE_COST * names.length;
      if (this.#left <= 0) return false;
      // A name that is the key itself stands deeper in the schema: the member is misplaced.
      const isMeant = (/** @type {string} */ name) =>
        name === key || (!Object.hasOwn(value, name) && isAlike(key, name));
      if (names.some(isMeant)) continue;
      const { [key]: dropped, ...rest } = value;
      const without = withValue(this.#value, instance, rest);
      const problems = this.#problemsOf(without);
      const isNamed = !problems?.some(
        (other) =>
          other.instance === instance && other.keyword === keyword && other.message === message,
      );
      if (problems === undefined || !isNamed) continue;
      this.#note(`${instance}/${escaped(key)}`, "unknown key dropped", dropped);
      this.#value = without;
      return true;
    }
    return false;
  }

  /**
   * Is the value at the path accepted? Members may still be missing, too many or unfit.
   * @param {string} path @param {unknown} value
   */
  #fits(path, value) {
    const problems = this.#problemsOf(withValue(this.#value, path, value));
    return (
      problems !== undefined &&
      !problems.some(
        ({ instance, keyword }) =>
          instance === path && !REQUIRED.test(keyword) && !EXTRA.test(keyword),
      )
    );
  }

  /** @param {unknown} value @returns {readonly Problem[] | undefined} undefined: not checked */
  #problemsOf(value) {
    if (this.#left <= 0) return undefined;
    const verdict = this.#check(JSON.stringify(value));
    return verdict === null ? [] : verdict.broken === undefined ? verdict.problems : undefined;
  }

  /** @param {unknown} value @param {Problem} problem @returns {Candidate[]} */
  #candidates(value, problem) {
    if (typeof value === "number" || typeof value === "boolean") {
      const text = String(value);
      const isSame = typeof value === "boolean" || (this.#numbers.has(text) && isExact(text));
      return [
        { value: text, change: isSame ? `${typeof value} to text` : undefined },
        listOf(value),
      ];
    }
    if (isRecord(value)) return [listOf(value)];
    if (typeof value !== "string") return [];
    const plain = value.trim();
    if (/^[[{]/.test(plain)) return parsed(plain);
    const candidates = [listOf(value), ...this.#namesLike(plain, problem)];
    if (NUMBER.test(plain))
      candidates.push({
        value: Number(plain),
        change: isExact(plain) ? "text to number" : undefined,
      });
    if (/^(?:true|false)$/i.test(plain))
      candidates.push({ value: plain.toLowerCase() === "true", change: "text to boolean" });
    if (plain === "null") candidates.push({ value: null, change: "text to null" });
    return candidates;
  }

  /**
   * Values of an enum or a const that differ by case only.
   * @param {string} text @param {Problem} problem @returns {Candidate[]}
   */
  #namesLike(text, { keyword }) {
    if (!/\/(?:enum|const)$/.test(keyword)) return [];
    const named = keywordValue(this.#schema, keyword);
    return (Array.isArray(named) ? named : [named])
      .filter((one) => typeof one === "string" && one.toLowerCase() === text.toLowerCase())
      .map((value) => ({ value, change: "case of an allowed value" }));
  }

  /** @param {string} path @param {string} change @param {unknown} before */
  #note(path, change, before) {
    this.#repairs.push({ path, change, from: shown(before) });
  }
}

/** @param {unknown} value @returns {Candidate} */
function listOf(value) {
  return { value: [value], change: "single value to list" };
}

/** @param {string} text JSON of a list or an object @returns {Candidate[]} */
function parsed(text) {
  // The engine refuses what JSON.parse lets pass: a key that occurs twice, too many levels.
  const verdict = new Checker(ANY).check(text, 0, () => true);
  return verdict === null ? [{ value: JSON.parse(text), change: "JSON text to value" }] : [];
}

/** Does the number keep its digits as a double? @param {string} text */
function isExact(text) {
  const value = Number(text);
  const digits = digitsOf(text);
  return (
    Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value)) &&
    digits.length <= MOST_DIGITS &&
    digitsOf(value.toPrecision(digits.length || 1)) === digits
  );
}

/** Without sign, point, exponent, and zeros at either end. @param {string} number */
function digitsOf(number) {
  return number
    .replace(/[eE].*/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
}

/**
 * Might one key be meant by the other: in other letter case, with other marks, with more words or
 * one slip of the pen?
 * @param {string} one @param {string} other
 */
function isAlike(one, other) {
  const [a, b] = [one, other].map((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return true;
  let before = 0;
  while (before < short.length && a[before] === b[before]) before++;
  let after = 0;
  while (after < short.length - before && a.at(-1 - after) === b.at(-1 - after)) after++;
  return before + after >= 2 && long.length - before - after <= 2;
}

/** @param {unknown} value */
function shown(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** @param {string} key */
function escaped(key) {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * Copies what leads to the place and puts the value there.
 * @param {unknown} root @param {string} pointer a place that exists @param {unknown} value
 * @returns {unknown}
 */
function withValue(root, pointer, value) {
  const set = (/** @type {unknown} */ at, /** @type {string[]} */ [token, ...rest]) => {
    if (token === undefined) return value;
    const copy = Array.isArray(at) ? [...at] : { .../** @type {Json} */ (at) };
    // Not by assignment: a key may be "__proto__".
    Object.defineProperty(copy, token, {
      value: set(/** @type {Json} */ (at)[token], rest),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return copy;
  };
  return set(root, tokensOf(pointer));
}
