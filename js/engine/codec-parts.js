// SPDX-License-Identifier: MIT
// Converts instances of built-in classes without a JSON form to JSON parts and back: the closed set
// of classes that is ever revived. Does not depend on paths or tables.

/** @typedef {import("../base/callable.js").Value} Value */

const BYTES =
  /^(?:ArrayBuffer|DataView|(?:Uint8Clamped|(?:Ui|I)nt(?:8|16|32)|Float(?:32|64)|Big(?:Ui|I)nt64)Array)$/;
const ERRORS = /^(?:Type|Range|Syntax|Reference|Eval|URI)Error$/;
const NUMBERS = /^(?:NaN|-?Infinity|-0)$/;

const { Buffer } = /** @type {Record<PropertyKey, Value>} */ (globalThis);

/** Is it Node's Buffer, whose tag is "Uint8Array"? @param {unknown} value @returns {boolean} */
export function isBuffer(value) {
  return Buffer?.isBuffer(value) === true;
}

/**
 * Recognises a kind of bytes by its Object.prototype.toString tag; undefined for others.
 * @param {string} name
 * @returns {string | undefined}
 */
export function bytesKind(name) {
  return BYTES.test(name) ? name : undefined;
}

/** @param {Value} text @returns {number | undefined} */
export function numberOf(text) {
  return NUMBERS.test(text) ? Number(text) : undefined;
}

/**
 * @param {string} text
 * @param {string} kind a kind of bytes, or "Buffer"
 * @returns {unknown}
 */
export function bytesFromText(text, kind) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  if (kind === "Uint8Array") return bytes;
  if (kind === "ArrayBuffer") return bytes.buffer;
  if (kind === "Buffer") return Buffer?.from(bytes.buffer) ?? bytes;
  return new /** @type {Record<PropertyKey, Value>} */ (globalThis)[kind](bytes.buffer);
}

/**
 * Revives an error; its stack is only its text, as it comes from another process.
 * @param {Value} parts
 */
export function errorFromParts(parts) {
  const { name, message, ...rest } = parts;
  const error = new (
    ERRORS.test(name) ? /** @type {Record<PropertyKey, Value>} */ (globalThis)[name] : Error
  )(String(message));
  if (error.name !== name)
    Object.defineProperty(error, "name", {
      value: String(name),
      configurable: true,
      writable: true,
    });
  for (const key of Object.keys(rest)) {
    Object.defineProperty(error, key, {
      value: rest[key],
      enumerable: key !== "cause",
      configurable: true,
      writable: true,
    });
  }
  Object.defineProperty(error, "stack", {
    value: String(error),
    configurable: true,
    writable: true,
  });
  return error;
}
