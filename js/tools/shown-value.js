// SPDX-License-Identifier: MIT
// Formats the arguments that a schema made for a person, and copies them for a tool. What JSON can
// express becomes JSON. Other values have a form of their own: {"$date": …}, {"$class": [name,
// fields]}; an object with such a key is then wrapped in {"$object": …}. Values without such a form
// (functions, promises) are refused. Does not depend on tools.

const MOST_DEPTH = 128;
const MOST_VALUES = 100_000;

/** A part of a value can neither be formatted nor copied. */
export class UnshownValueError extends Error {}

/**
 * Makes a copy that shares nothing with the value; reads getters and proxies once. The copy of a
 * class's instance has its prototype and its own enumerable fields.
 * @param {unknown} value
 * @returns {unknown}
 */
export function copyValue(value) {
  return copyAt(value, "", { depth: 0, left: MOST_VALUES, around: new Set() });
}

/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ depth: number, left: number, around: Set<object> }} Copying */

/**
 * @param {unknown} value
 * @param {string} place as a JSON pointer
 * @param {Copying} at
 * @returns {unknown}
 */
function copyAt(value, place, at) {
  if (typeof value === "function" || typeof value === "symbol")
    throw refuse(place, `a ${typeof value}`);
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

/** @param {object} value @param {string} place @param {Copying} at */
function copyObject(value, place, at) {
  if (sizeOf(value) > MOST_VALUES) throw refuse(place, "too many values");
  if (Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype)
    return Array.from({ length: value.length }, (_, index) =>
      copyAt(value[index], `${place}/${index}`, at),
    );
  const prototype = Object.getPrototypeOf(value);
  const builtIn = BUILT_IN.find(({ type }) => prototype === type.prototype);
  if (builtIn !== undefined)
    return builtIn.copy(/** @type {never} */ (value), (inner, key) =>
      copyAt(inner, `${place}/${key}`, at),
    );
  if (!isShown(value, prototype)) throw refuse(place, `a ${className(value)}`);
  const copy = Object.create(
    prototype === null ? null : isPlain(prototype) ? Object.prototype : prototype,
  );
  for (const key of Object.keys(value))
    define(copy, key, copyAt(/** @type {Fields} */ (value)[key], `${place}/${key}`, at));
  return copy;
}

/** @param {unknown} value */
function sizeOf(value) {
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map || value instanceof Set ? value.size : 0;
}

/** @param {string} place @param {string} what */
function refuse(place, what) {
  return new UnshownValueError(
    `its arguments hold ${what}${place === "" ? "" : ` at ${place}`}, which cannot be shown`,
  );
}

/**
 * Do its own fields contain all of it? Not for the platform's objects, a class with private fields,
 * or a prototype without a class: their hidden contents could change.
 * @param {unknown} value @param {object | null} prototype
 */
function isShown(value, prototype) {
  if (Array.isArray(value) || Object.prototype.toString.call(value) !== "[object Object]")
    return false;
  for (let at = prototype; at !== null && !isPlain(at); at = Object.getPrototypeOf(at)) {
    /** @type {unknown} */
    const made = Object.getOwnPropertyDescriptor(at, "constructor")?.value;
    if (
      typeof made !== "function" ||
      made.prototype !== at ||
      HIDDEN.test(Function.prototype.toString.call(made))
    )
      return false;
  }
  return true;
}

// Also recognises another realm's.
/** @param {object} prototype */
function isPlain(prototype) {
  return (
    prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "isPrototypeOf"))
  );
}

/** @param {unknown} target @param {string} key @param {unknown} value */
function define(target, key, value) {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/**
 * A class of the platform; each entry takes its own instances only.
 * @typedef {{ type: Function, copy: (value: never, inner: (value: unknown, key: string) =>
 *   unknown) => unknown, show: (value: never, inner: (value: unknown) => unknown) => unknown }}
 *   BuiltIn
 */
/** @typedef {Map<unknown, unknown>} AnyMap @typedef {Set<unknown>} AnySet */

/** @type {BuiltIn[]} */
const BUILT_IN = [
  {
    type: Date,
    copy: (/** @type {Date} */ date) => new Date(date.getTime()),
    show: (/** @type {Date} */ date) => ({
      $date: Number.isNaN(date.getTime()) ? null : date.toISOString(),
    }),
  },
  {
    type: Map,
    copy: (/** @type {AnyMap} */ map, inner) =>
      new Map(
        [...map].map(([key, value], index) => [inner(key, `${index}`), inner(value, `${index}`)]),
      ),
    show: (/** @type {AnyMap} */ map, inner) => ({
      $map: [...map].map(([key, value]) => [inner(key), inner(value)]),
    }),
  },
  {
    type: Set,
    copy: (/** @type {AnySet} */ set, inner) =>
      new Set([...set].map((value, index) => inner(value, `${index}`))),
    show: (/** @type {AnySet} */ set, inner) => ({ $set: [...set].map(inner) }),
  },
  {
    type: RegExp,
    copy: (/** @type {RegExp} */ { source, flags }) => new RegExp(source, flags),
    show: (/** @type {RegExp} */ { source, flags }) => ({ $regexp: [source, flags] }),
  },
  {
    type: URL,
    copy: (/** @type {URL} */ { href }) => new URL(href),
    show: (/** @type {URL} */ { href }) => ({ $url: href }),
  },
  {
    type: Uint8Array,
    copy: (/** @type {Uint8Array} */ bytes) => Uint8Array.from(bytes),
    show: (/** @type {Uint8Array} */ bytes) => ({
      $bytes: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    }),
  },
];

/** Matches the text of a class of the platform or with private names. */
const HIDDEN = /\[native code\]|#[\p{ID_Start}$_]/u;

/**
 * @param {unknown} value a copy (copyValue)
 * @returns {{ json: unknown, isTyped: boolean }} `json`: the value as JSON; `isTyped`: it has forms
 *   for what JSON cannot express
 */
export function showValue(value) {
  const isTyped = value === undefined || !isJson(value);
  return { json: isTyped ? showTyped(value) : value, isTyped };
}

/** @param {unknown} value @returns {boolean} */
function isJson(value) {
  if (
    value === null ||
    value === undefined ||
    typeof value === "string" ||
    typeof value === "boolean"
  )
    return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isJson(item));
  return (
    typeof value === "object" &&
    isRecord(value) &&
    Object.keys(value).every((key) => isJson(/** @type {Fields} */ (value)[key]))
  );
}

/** @param {unknown} value @returns {unknown} */
function showTyped(value) {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value === undefined) return { $undefined: true };
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (typeof value === "number")
    return isJson(value) ? value : { $number: Object.is(value, -0) ? "-0" : `${value}` };
  if (Array.isArray(value)) return value.map(showTyped);
  const builtIn = BUILT_IN.find(({ type }) => Object.getPrototypeOf(value) === type.prototype);
  if (builtIn !== undefined) return builtIn.show(/** @type {never} */ (value), showTyped);
  const fields = showFields(value, showTyped);
  if (!isRecord(value)) return { $class: [className(value), fields] };
  return Object.keys(fields).some((key) => key.startsWith("$")) ? { $object: fields } : fields;
}

/**
 * Formats fields; one whose value is undefined is omitted, as in JSON.
 * @param {object} value
 * @param {(part: unknown) => unknown} show
 */
function showFields(value, show) {
  const fields = {};
  for (const key of Object.keys(value))
    if (/** @type {Fields} */ (value)[key] !== undefined)
      define(fields, key, show(/** @type {Fields} */ (value)[key]));
  return fields;
}

/** @param {unknown} value */
function isRecord(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** @param {unknown} value */
function className(value) {
  const { name } = Object.getPrototypeOf(value)?.constructor ?? {};
  return typeof name === "string" && name !== "" ? name : "an unnamed class";
}
