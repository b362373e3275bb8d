// SPDX-License-Identifier: MIT
// Writes the messages that a run streams as JSON. The pieces of a model's answer differ in their
// text alone, mostly: what they have in common is written once. Does not depend on logs.
import { flatMessage, toJson } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/**
 * What was written of a model's call: `metadata` and `rest` are JSON, `rest` of all but the text;
 * `fields`: of the piece that `rest` was written of.
 * @typedef {{ metadata: string, fields?: Json, rest: string }} Written
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
    written = { metadata: toJson(metadata, true), rest: "" };
    writtenOf.set(metadata, written);
  }
  const fields = flatMessage(message, true);
  if (typeof fields?.content !== "string" || fields.type === undefined)
    return `[${toJson(message, true)},${written.metadata}]`;
  const { fields: before } = written;
  if (before === undefined || !areAlike(fields, before)) {
    const { content: _, ...others } = fields;
    written.rest = `${toJson(others, true).slice(1)},${written.metadata}]`;
    // What a list or an object has in it may be another thing at the next piece.
    written.fields = areAlike(fields, fields) ? fields : undefined;
  }
  return `[{"content":${JSON.stringify(fields.content)},${written.rest}`;
}

/**
 * Are two pieces the same but for their text? Lists and objects must be empty.
 * @param {Json} piece
 * @param {Json} before
 */
function areAlike(piece, before) {
  let rest = Object.keys(before).length;
  for (const key in piece) {
    rest--;
    if (key !== "content" && !isAlike(piece[key], before[key])) return false;
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
