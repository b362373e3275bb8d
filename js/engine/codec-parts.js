// SPDX-License-Identifier: MIT
// JSON parts of the built-in classes that JSON has no word for, and back: the closed set that is ever revived.
// Knows no paths and no tables; owns nothing.

/** Kinds of bytes by what Object.prototype.toString calls them. @type {ReadonlyMap<string, string>} */
export const BYTES = /* @__PURE__ */ new Map(
  ["ArrayBuffer", "DataView", "Uint8Array", "Uint8ClampedArray", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"].map((name) => [name, name]),
);

/** @type {ReadonlyMap<string, new (message: string) => Error>} */
const ERRORS = /* @__PURE__ */ new Map(
  /** @type {[string, new (message: string) => Error][]} */ ([Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError].map((type) => [type.name, type])),
);

const NUMBERS = /* @__PURE__ */ new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
]);

/** @param {number} value */
export function numberText(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** @param {any} text @returns {number | undefined} */
export function numberOf(text) {
  return NUMBERS.get(text);
}

const CHUNK = 0x8000;

/**
 * @param {any} value an ArrayBuffer or a view
 * @returns {string} base64
 */
export function bytesToText(value) {
  const bytes = ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  let text = "";
  for (let i = 0; i < bytes.length; i += CHUNK) text += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(text);
}

/**
 * @param {string} text
 * @param {string} kind a key of BYTES
 * @returns {any}
 */
export function bytesFromText(text, kind) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  if (kind === "Uint8Array") return bytes;
  if (kind === "ArrayBuffer") return bytes.buffer;
  return new (/** @type {any} */ (globalThis)[kind])(bytes.buffer);
}

/** @param {Error} error */
export function errorToParts(error) {
  /** @type {Record<string, any>} */
  const parts = { name: error.name, message: error.message };
  for (const key of Object.keys(error)) if (key !== "name" && key !== "stack") parts[key] = /** @type {any} */ (error)[key];
  if (error.cause !== undefined) parts.cause = error.cause;
  return parts;
}

/** @param {any} parts */
export function errorFromParts(parts) {
  const { name, message, ...rest } = parts;
  const error = new (ERRORS.get(name) ?? Error)(String(message));
  if (error.name !== name) Object.defineProperty(error, "name", { value: String(name), configurable: true, writable: true });
  for (const key of Object.keys(rest)) {
    Object.defineProperty(error, key, { value: rest[key], enumerable: key !== "cause", configurable: true, writable: true });
  }
  return error;
}
