// SPDX-License-Identifier: MIT
// Writes the messages that a run streams as JSON. The pieces of a model's answer differ in their
// text alone, mostly: what they have in common is written once. Does not depend on logs.
import { dictOf, flatMessage, toJson } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/**
 * What was written of a model's call: `metadata` and `rest` are JSON, `rest` of all but the text;
 * `type`, `data` and its `size`: of the piece that `rest` was written of, if the next one may share
 * it.
 * @typedef {{ metadata: string, rest: string, type?: string, data?: Json, size: number }} Written
 */

/** By a call's metadata, which all of its pieces come with. @type {WeakMap<object, Written>} */
const writtenOf = new WeakMap();

/**
 * A message or a piece of one as it is streamed, with its metadata.
 * @param {unknown} message
 * @param {object} metadata
 * @returns {string} JSON
 */
export function streamedMessage(message, metadata) {
  let written = writtenOf.get(metadata);
  if (written === undefined) {
    written = { metadata: toJson(metadata, true), rest: "", size: 0 };
    writtenOf.set(metadata, written);
  }
  const { type, data } = dictOf(message) ?? {};
  if (typeof type !== "string" || typeof data?.content !== "string")
    return `[${toJson(message, true)},${written.metadata}]`;
  if (written.type !== type || !areAlike(data, written)) writeRest(written, type, data);
  return `[{"content":${JSON.stringify(data.content)},${written.rest}`;
}

/** @param {Written} written @param {string} type @param {Json} data */
function writeRest(written, type, data) {
  const { content: _, ...others } = flatMessage({ type, data }, true);
  written.rest = `${toJson(others, true).slice(1)},${written.metadata}]`;
  written.type = type;
  written.data = data;
  written.size = Object.keys(data).length;
  // What a list or an object has in it may be another thing at the next piece.
  if (!areAlike(data, written)) written.data = undefined;
}

/**
 * Has a piece what the one before had, but for its text? Lists and objects must be empty.
 * @param {Json} piece
 * @param {Written} written
 */
function areAlike(piece, { data, size }) {
  if (data === undefined) return false;
  let rest = size;
  for (const key in piece) {
    rest--;
    if (key !== "content" && !isAlike(piece[key], data[key])) return false;
  }
  return rest === 0;
}

/** @param {unknown} value @param {unknown} before */
function isAlike(value, before) {
  if (typeof value !== "object" || value === null) return value === before;
  return Array.isArray(value)
    ? value.length === 0 && Array.isArray(before) && before.length === 0
    : isEmpty(value) && isEmpty(before);
}

/** @param {unknown} value */
function isEmpty(value) {
  if (typeof value !== "object" || value === null) return false;
  for (const _ in value) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}
