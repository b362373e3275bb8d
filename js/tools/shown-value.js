// SPDX-License-Identifier: MIT
// How the arguments that a schema made are shown to a person, and handed to a tool by value. What JSON cannot hold has a
// form of its own: {"$date": …}, {"$class": [name, fields]}; an object with such a key of its own stands in {"$object": …},
// so that no two values look alike. What has no such form (functions, promises) is refused. Must not know tools.

const MOST_DEPTH = 128;
const MOST_VALUES = 100_000;

/** What of a value can neither be shown nor copied. */
export class UnshownValueError extends Error {}

/**
 * A copy that shares nothing with the value: getters and proxies are read once. Of an instance of a class the copy has the
 * prototype and its own enumerable fields.
 * @param {any} value
 * @returns {any}
 */
export function copyValue(value) {
  return copyAt(value, "", { depth: 0, left: MOST_VALUES, around: new Set() });
}

/** @typedef {{ depth: number, left: number, around: Set<object> }} Copying */

/** @param {any} value @param {string} place as a JSON pointer @param {Copying} at @returns {any} */
function copyAt(value, place, at) {
  if (typeof value === "function" || typeof value === "symbol") throw refuse(place, `a ${typeof value}`);
  if (value === null || typeof value !== "object") return value;
  if (at.around.has(value)) throw refuse(place, "a circle");
  if (at.depth === MOST_DEPTH || at.left-- === 0) throw refuse(place, "too many values");
  at.around.add(value);
  at.depth++;
  const copy = copyObject(value, place, at);
  at.depth--;
  at.around.delete(value);
  return copy;
}

/** @param {any} value @param {string} place @param {Copying} at */
function copyObject(value, place, at) {
  if (sizeOf(value) > MOST_VALUES) throw refuse(place, "too many values");
  if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => copyAt(value[index], `${place}/${index}`, at));
  const builtIn = BUILT_IN.find(({ type }) => value instanceof type);
  if (builtIn !== undefined) return builtIn.copy(value, (inner, key) => copyAt(inner, `${place}/${key}`, at));
  if (REFUSED.some((type) => value instanceof type)) throw refuse(place, `a ${className(value)}`);
  const prototype = Object.getPrototypeOf(value);
  const copy = Object.create(prototype === null ? null : isPlain(prototype) ? Object.prototype : prototype);
  for (const key of Object.keys(value)) define(copy, key, copyAt(value[key], `${place}/${key}`, at));
  return copy;
}

/** @param {any} value */
function sizeOf(value) {
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map || value instanceof Set ? value.size : 0;
}

/** @param {string} place @param {string} what */
function refuse(place, what) {
  return new UnshownValueError(`its arguments hold ${what}${place === "" ? "" : ` at ${place}`}, which cannot be shown`);
}

// Also of another realm.
/** @param {any} prototype */
function isPlain(prototype) {
  return prototype === Object.prototype || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf"));
}

/** @param {any} target @param {string} key @param {any} value */
function define(target, key, value) {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/** @typedef {{ type: any, copy: (value: any, inner: (value: any, key: string) => any) => any, show: (value: any, inner: (value: any) => any) => any }} BuiltIn */

/** @type {BuiltIn[]} */
const BUILT_IN = [
  { type: Date, copy: (date) => new Date(date.getTime()), show: (date) => ({ $date: Number.isNaN(date.getTime()) ? null : date.toISOString() }) },
  {
    type: Map,
    copy: (map, inner) => new Map([...map].map(([key, value], index) => [inner(key, `${index}`), inner(value, `${index}`)])),
    show: (map, inner) => ({ $map: [...map].map(([key, value]) => [inner(key), inner(value)]) }),
  },
  { type: Set, copy: (set, inner) => new Set([...set].map((value, index) => inner(value, `${index}`))), show: (set, inner) => ({ $set: [...set].map(inner) }) },
  { type: RegExp, copy: ({ source, flags }) => new RegExp(source, flags), show: ({ source, flags }) => ({ $regexp: [source, flags] }) },
  { type: URL, copy: ({ href }) => new URL(href), show: ({ href }) => ({ $url: href }) },
  { type: Uint8Array, copy: (bytes) => Uint8Array.from(bytes), show: (bytes) => ({ $bytes: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") }) },
];

/** Their content is not in fields. */
const REFUSED = [Promise, WeakMap, WeakSet, WeakRef, ArrayBuffer, DataView, Object.getPrototypeOf(Uint8Array), Error, String, Number, Boolean, Symbol, BigInt, ...(typeof Blob === "function" ? [Blob] : [])];

/**
 * @param {any} value a copy (copyValue)
 * @returns {{ json: any, isTyped: boolean }} `json` holds what JSON can hold; `isTyped`: it has forms for what JSON cannot
 */
export function showValue(value) {
  const found = { isTyped: false };
  return { json: showAt(value, found), isTyped: found.isTyped };
}

/** @param {any} value @param {{ isTyped: boolean }} found @returns {any} */
function showAt(value, found) {
  const json = plainForm(value, found);
  if (json !== undefined) return json;
  found.isTyped = true;
  if (value === undefined) return { $undefined: true };
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (typeof value === "number") return { $number: Object.is(value, -0) ? "-0" : `${value}` };
  const inner = (/** @type {any} */ part) => showAt(part, found);
  const builtIn = BUILT_IN.find(({ type }) => value instanceof type);
  if (builtIn !== undefined) return builtIn.show(value, inner);
  const fields = showFields(value, found);
  return isRecord(value) ? { $object: fields } : { $class: [className(value), fields] };
}

/** As JSON has it, or undefined. @param {any} value @param {{ isTyped: boolean }} found */
function plainForm(value, found) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
  if (Array.isArray(value)) return value.map((item) => showAt(item, found));
  return typeof value === "object" && isRecord(value) && !Object.keys(value).some((key) => key.startsWith("$")) ? showFields(value, found) : undefined;
}

// A key without a value is none, as in JSON.
/** @param {any} value @param {{ isTyped: boolean }} found */
function showFields(value, found) {
  const fields = {};
  for (const key of Object.keys(value)) if (value[key] !== undefined) define(fields, key, showAt(value[key], found));
  return fields;
}

/** @param {any} value */
function isRecord(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** @param {any} value */
function className(value) {
  const { name } = Object.getPrototypeOf(value)?.constructor ?? {};
  return typeof name === "string" && name !== "" ? name : "an unnamed class";
}
