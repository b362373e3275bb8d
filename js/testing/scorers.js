// SPDX-License-Identifier: MIT
// Makes scorers that compare an output with what is expected: as a value, as a text, by a schema.
// Does not depend on how runs are made.
import { badArgument, checkArgument, isObject, isRecord, shown } from "../base/check-arguments.js";
import { compileSchema, formatErrors } from "../schema/index.js";
import { differenceOf, jsonText, shownValue, withoutIds } from "./compare.js";

/** @typedef {import("../types/testing/evaluate.js").EvalRun} EvalRun */
/** @typedef {import("../types/testing/evaluate.js").Scored} Scored */
/** @typedef {string | ((output: unknown) => unknown) | undefined} Key */

/**
 * Names a scorer, for lists of scorers.
 * @template {Function} Scorer
 * @param {string} name
 * @param {Scorer} scorer
 * @returns {Scorer}
 */
export function named(name, scorer) {
  return Object.defineProperty(scorer, "name", { value: name });
}

/** @param {unknown} key @param {string} call */
function checkKey(key, call) {
  checkArgument(
    key === undefined || typeof key === "string" || typeof key === "function",
    `${call}: options.key must be the name of a field or a function`,
  );
}

/** @param {unknown} value @param {Key} key @returns {unknown} */
function partOf(value, key) {
  if (typeof key === "function") return key(value);
  if (key === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** @param {EvalRun} run @returns {string} the answer's text, else the output as a text */
function textIn({ output, text }) {
  return typeof output === "string" ? output : (text ?? jsonText(output));
}

/**
 * Makes a scorer: the output equals the case's `expected`.
 * @param {{ key?: Key, normalize?: (value: unknown) => unknown }} [options]
 * @returns {(run: EvalRun) => Scored}
 */
export function exact(options) {
  const { key, normalize = withoutIds } = options ?? {};
  checkKey(key, "exact(options)");
  checkArgument(
    typeof normalize === "function",
    "exact(options): options.normalize must be a function",
  );
  return named("exact", (run) => {
    const { expected } = run;
    if (expected === undefined) throw badArgument("the case has no `expected`");
    const isText = key === undefined && typeof expected === "string";
    const actual = isText ? textIn(run) : partOf(run.output, key);
    const wanted =
      typeof key === "string" && isRecord(expected) && Object.hasOwn(expected, key)
        ? expected[key]
        : expected;
    const reason = differenceOf(normalize(actual), normalize(wanted));
    return { score: reason === undefined ? 1 : 0, reason };
  });
}

/**
 * Makes a scorer: the answer's text contains a text, or matches a pattern.
 * @param {string | RegExp | readonly (string | RegExp)[]} [wanted] default: the case's `expected`
 * @param {{ ignoreCase?: boolean, key?: Key }} [options]
 * @returns {(run: EvalRun) => Scored}
 */
export function matches(wanted, options) {
  const { ignoreCase = false, key } = options ?? {};
  checkKey(key, "matches(wanted, options)");
  if (wanted !== undefined) readWanted(wanted);
  return named("matches", (run) => {
    const list = readWanted(wanted ?? run.expected);
    const part = partOf(run.output, key);
    const text = key === undefined ? textIn(run) : typeof part === "string" ? part : jsonText(part);
    const missing = list.filter((one) => !isIn(text, one, ignoreCase));
    if (missing.length === 0) return { score: 1 };
    const names = missing.map((one) => (typeof one === "string" ? shownValue(one) : String(one)));
    return { score: 0, reason: `no ${names.join(", no ")} in ${shownValue(text)}` };
  });
}

/** @param {unknown} wanted @returns {(string | RegExp)[]} */
function readWanted(wanted) {
  const list = [wanted].flat();
  for (const one of list)
    checkArgument(
      (typeof one === "string" && one !== "") || one instanceof RegExp,
      `matches(wanted): wanted, or the case's expected, must be texts or patterns, not ${shown(one)}`,
    );
  checkArgument(list.length > 0, "matches(wanted): wanted is an empty list");
  return /** @type {(string | RegExp)[]} */ (list);
}

/** @param {string} text @param {string | RegExp} wanted @param {boolean} ignoreCase */
function isIn(text, wanted, ignoreCase) {
  if (typeof wanted !== "string") {
    const flags = wanted.flags.replace(/[gy]/g, "");
    return new RegExp(wanted, ignoreCase && !flags.includes("i") ? `${flags}i` : flags).test(text);
  }
  return ignoreCase ? text.toLowerCase().includes(wanted.toLowerCase()) : text.includes(wanted);
}

/**
 * Makes a scorer: the output fits a schema.
 * @param {unknown} given JSON Schema, zod or another Standard Schema
 * @param {{ key?: Key, json?: boolean }} [options]
 * @returns {(run: EvalRun) => Promise<Scored>}
 */
export function schema(given, options) {
  const { key, json = false } = options ?? {};
  checkKey(key, "schema(schema, options)");
  const check = checkerOf(given);
  return named("schema", async (run) => {
    let value = partOf(run.output, key);
    if (json) {
      const text = key === undefined ? textIn(run) : value;
      try {
        value = JSON.parse(/** @type {string} */ (text));
      } catch {
        return { score: 0, reason: `no JSON: ${shownValue(text)}` };
      }
    }
    const reason = await check(value);
    return { score: reason === undefined ? 1 : 0, reason };
  });
}

/**
 * Returns a function that says what does not fit; undefined if all does.
 * @param {unknown} given
 * @returns {(value: unknown) => string | undefined | Promise<string | undefined>}
 */
export function checkerOf(given) {
  checkArgument(
    isObject(given) || typeof given === "boolean",
    "schema(schema): schema must be a JSON Schema, or of zod or another library of schemas",
  );
  const standard = /** @type {{ "~standard"?: Standard }} */ (given)["~standard"];
  if (typeof standard?.validate === "function")
    return async (value) => standardReason(await standard.validate(value));
  const compiled = compileSchema(given);
  return (value) => {
    const { valid, errors } = compiled.validate(value);
    return valid ? undefined : formatErrors(errors);
  };
}

/**
 * @typedef {{ validate: (value: unknown) => Checked | Promise<Checked> }} Standard
 * @typedef {{ issues?: readonly { message: string, path?: readonly unknown[] }[] }} Checked
 */

/** @param {Checked} checked */
function standardReason({ issues }) {
  return issues
    ?.map(({ message, path = [] }) => {
      const place = path.map((step) => (isRecord(step) ? step.key : step)).join("/");
      return `✖ ${place === "" ? "(root)" : `/${place}`}: ${message}`;
    })
    .join("\n");
}
