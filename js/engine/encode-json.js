// SPDX-License-Identifier: MIT
// Encodes values that JSON expresses fully, and messages made of such. All others are left to
// codec.js, which few threads need.
import { messageType } from "../messages/base.js";
import { messageToRecord } from "../messages/record.js";

/** @typedef {import("../base/callable.js").Value} Value */

const MESSAGE_TABLE = '\0[["message",[]]]';
/** Deeper values are left to codec.js, which detects cycles. */
const QUICK_DEPTH = 64;

/**
 * @param {Value} value
 * @returns {string | undefined} undefined if JSON does not express it fully
 */
export function encodePlain(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (isPlain(value, 0)) return JSON.stringify(value);
  if (messageType(value) === undefined) return undefined;
  const record = messageToRecord(value);
  return isPlain(record, 0) ? JSON.stringify(record) + MESSAGE_TABLE : undefined;
}

/**
 * Does JSON express all of it? Getters of plain objects are not checked: JSON stores what they
 * return.
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isPlain(value, depth) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && (value !== 0 || 1 / value > 0);
    case "object":
      return value === null || isPlainTree(value, depth);
  }
  return false;
}

/**
 * @param {Value} value
 * @param {number} depth
 */
function isPlainTree(value, depth) {
  if (depth > QUICK_DEPTH || value.toJSON !== undefined) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlain(value[i], depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const key in value) if (!isPlain(value[key], depth + 1)) return false;
  return true;
}

/** @param {unknown} value */
export function isPlainObject(value) {
  const proto = Object.getPrototypeOf(value);
  if (proto === Object.prototype || proto === null) return true;
  return Object.getPrototypeOf(proto) === null && Object.hasOwn(proto, "hasOwnProperty");
}
