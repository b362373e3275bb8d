// SPDX-License-Identifier: MIT
// Reads what a person wrote in a form into arguments of exact types. A field that is as it was
// leaves its argument as it was, also one that is missing. Patterns are not tried: the engine
// validates the edited call. Does not depend on schemas.
import { badArgument, isRecord } from "../base/check-arguments.js";
import { inexactIn, readNumber } from "./form-texts.js";

/** @typedef {import("../types/approval/form.js").ApprovalForm} ApprovalForm */
/** @typedef {import("../types/approval/form.js").FormField} FormField */
/** @typedef {import("../types/approval/form.js").FormProblem} FormProblem */
/** @typedef {(field: FormField) => unknown} Given undefined: as it was */
/**
 * What became of a value. `value`: undefined if it is absent; `isTouched`: not as it was.
 * @typedef {{ value: unknown, isTouched: boolean, problems: FormProblem[] }} Read
 */

const MISSING = "This is required.";
const INEXACT = "has more digits than a number can hold";

/**
 * @param {ApprovalForm} form
 * @param {unknown} [values]
 * @returns {{ args: Record<string, unknown> } | { problems: FormProblem[] }}
 */
export function readForm(form, values = {}) {
  if (!isRecord(form) || !Array.isArray(form.fields))
    throw badArgument("readForm(form, values): form must be one of formOf, addItem or removeItem");
  const given = giverOf(values);
  const [first] = form.fields;
  const root = /** @type {FormField} */ ({ type: "group", required: true, fields: form.fields });
  const { value, problems } =
    first?.path === "" ? readField(first, form.args, given) : readGroup(root, form.args, given);
  if (problems.length > 0) return { problems };
  if (isRecord(value)) return { args: JSON.parse(JSON.stringify(value)) };
  return { problems: [{ path: "", message: "The arguments must be an object in braces { }." }] };
}

/**
 * Reads an object of values by path, or what a page's form was sent as.
 * @param {unknown} values
 * @returns {Given}
 */
function giverOf(values) {
  if (isSent(values))
    return ({ path, type }) => {
      // A box that is not ticked is not sent.
      if (!values.has(path)) return type === "checkbox" ? false : undefined;
      const value = values.get(path);
      return typeof value === "string" ? value.replaceAll("\r\n", "\n") : value;
    };
  if (!isRecord(values)) throw badArgument("readForm(form, values): values must be an object");
  return ({ path }) => (Object.hasOwn(values, path) ? values[path] : undefined);
}

/** @param {unknown} values @returns {values is FormData | URLSearchParams} */
function isSent(values) {
  return (
    isRecord(values) && typeof values.getAll === "function" && typeof values.has === "function"
  );
}

/** @param {FormField} field @param {unknown} base the argument as it was @param {Given} given */
function readField(field, base, given) {
  if (field.type === "group") return readGroup(field, base, given);
  if (field.type === "list") return readList(field, base, given);
  const value = given(field);
  return field.type === "checkbox" ? readBox(field, base, value) : readText(field, base, value);
}

/** @param {FormField} field @param {unknown} base @param {Given} given @returns {Read} */
function readGroup(field, base, given) {
  const held = isRecord(base) ? base : undefined;
  const reads = (field.fields ?? []).map((inner) => {
    const { key } = inner;
    const value = held !== undefined && Object.hasOwn(held, key) ? held[key] : undefined;
    return /** @type {const} */ ([String(key), readField(inner, value, given)]);
  });
  const isTouched = reads.some(([, read]) => read.isTouched);
  if (!isTouched && held === undefined && (!field.required || base === null))
    return { value: base, isTouched, problems: [] };
  const entries = new Map(Object.entries(held ?? {}));
  for (const [key, { value }] of reads) {
    if (value === undefined) entries.delete(key);
    else entries.set(key, value);
  }
  const problems = reads.flatMap(([, read]) => read.problems);
  return { value: Object.fromEntries(entries), isTouched, problems };
}

/** @param {FormField} field @param {unknown} base @param {Given} given @returns {Read} */
function readList(field, base, given) {
  const { path, required, items = [], min = 0, max = Infinity } = field;
  const held = Array.isArray(base) ? base : [];
  const reads = items.map((item) => readField(item, held[Number(item.key)], given));
  const isSame = items.length === held.length && items.every(({ key }, at) => key === at);
  const isTouched = !isSame || reads.some((read) => read.isTouched);
  if (!isTouched && !Array.isArray(base) && (!required || base === null))
    return { value: base, isTouched, problems: [] };
  const problems = reads.flatMap((read) => read.problems);
  if (isTouched && items.length < min)
    problems.push({ path, message: `This needs ${min} or more.` });
  if (isTouched && items.length > max)
    problems.push({ path, message: `Of these there can be ${max} at most.` });
  return { value: reads.map(({ value }) => value), isTouched, problems };
}

/** @param {FormField} field @param {unknown} base @param {unknown} given @returns {Read} */
function readBox(field, base, given) {
  const isOn = given === true || given === "true" || given === "on";
  const isOff = given === false || given === "false" || given === "";
  if (given === undefined || (isOn ? true : isOff ? false : undefined) === field.value)
    return { value: base ?? false, isTouched: false, problems: [] };
  return isOn || isOff
    ? { value: isOn, isTouched: true, problems: [] }
    : wrong(field, "This must be true or false.");
}

/** @param {FormField} field @param {unknown} base @param {unknown} given @returns {Read} */
function readText(field, base, given) {
  const { path, type, required, nullable } = field;
  const isScalar = typeof given === "number" || typeof given === "boolean";
  const text = isScalar && type !== "json" ? String(given) : given;
  if (text === undefined || text === field.value) {
    const problems = base === undefined && required ? [{ path, message: MISSING }] : [];
    return { value: base, isTouched: false, problems };
  }
  if (typeof text !== "string") return wrong(field, "This must be a text.");
  const reader = READERS[type];
  const isText = reader === undefined;
  if ((isText ? text : text.trim()) === "") {
    if (!required) return right(undefined);
    if (nullable) return right(null);
    if (!isText) return wrong(field, MISSING);
  }
  const { value, message = boundProblem(field, value) } = isText
    ? { value: text }
    : reader(text, field);
  return message === undefined ? right(value) : wrong(field, message);
}

/** @param {unknown} value @returns {Read} */
const right = (value) => ({ value, isTouched: true, problems: [] });

/** @param {FormField} field @param {string} message @returns {Read} */
const wrong = ({ path }, message) => ({
  value: undefined,
  isTouched: true,
  problems: [{ path, message }],
});

/** @typedef {{ value?: unknown, message?: string }} Result */

/** Of what is not a text. @type {Record<string, (text: string, field: FormField) => Result>} */
const READERS = { select: readChoice, number: readAmount, integer: readAmount, json: readJson };

/** @param {string} text @param {FormField} field @returns {Result} */
function readChoice(text, { options = [] }) {
  const option = options.find(({ key }) => key === text);
  return option === undefined
    ? { message: "This must be one of the choices." }
    : { value: option.value };
}

/** @param {string} text @param {FormField} field @returns {Result} */
function readAmount(text, { type }) {
  const value = readNumber(text);
  if (value === "inexact") return { message: `This ${INEXACT}.` };
  if (value === "no number" || (type === "integer" && !Number.isInteger(value)))
    return { message: `This must be a ${type === "integer" ? "whole " : ""}number.` };
  return { value };
}

/** @param {string} text @returns {Result} */
function readJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { message: `This is not JSON: ${/** @type {Error} */ (error).message}` };
  }
  const inexact = inexactIn(text);
  return inexact === undefined ? { value } : { message: `${inexact.slice(0, 40)} ${INEXACT}.` };
}

/** @param {FormField} field @param {unknown} value @returns {string | undefined} */
function boundProblem({ min, max, exclusiveMin, exclusiveMax, ...lengths }, value) {
  if (typeof value === "number") {
    if (min !== undefined && value < min) return `This must be ${min} or more.`;
    if (max !== undefined && value > max) return `This must be ${max} or less.`;
    if (exclusiveMin !== undefined && value <= exclusiveMin)
      return `This must be more than ${exclusiveMin}.`;
    if (exclusiveMax !== undefined && value >= exclusiveMax)
      return `This must be less than ${exclusiveMax}.`;
  }
  const { minLength = 0, maxLength = Infinity } = lengths;
  if (typeof value !== "string" || (minLength === 0 && maxLength === Infinity)) return undefined;
  const length = [...value].length;
  if (length < minLength)
    return minLength === 1 ? "This must not be empty." : `This needs ${minLength} characters.`;
  return length > maxLength ? `This can have ${maxLength} characters.` : undefined;
}
