// SPDX-License-Identifier: MIT
// Encodes a value as text: its JSON and, after a zero character, a table of what JSON cannot
// express. The table lists [tag, path, more?], inner values first; the JSON has the value's parts
// at `path`, so user data is never read as a tag. Does not depend on threads or runs.
import { messageType } from "../messages/base.js";
import { messageToRecord } from "../messages/record.js";
import { isOverflow, makeError } from "../base/errors.js";
import { ERR_ARGUMENT } from "../base/codes.js";
import { registered } from "./codec-registry.js";
import { bytesToText } from "../base/base64.js";
import { bytesKind, isBuffer } from "./codec-parts.js";
import { encodePlain, isPlainObject } from "./encode-json.js";

/** @typedef {import("../base/callable.js").Value} Value */

export { registerCodec } from "./codec-registry.js";
export { decodeValue } from "./decode.js";

/** @typedef {[tag: string, path: (string | number)[], more?: string]} Entry */
/**
 * `warn` receives the lost parts; the default logs them to the console with the thread's name.
 * @typedef {{ strict?: boolean, warn?: (lost: string[]) => void, threadId?: string }} EncodeOptions
 */
/**
 * @typedef {{ table: Entry[], path: (string | number)[], above: unknown[], strict: boolean, lost:
 *   string[] }} Walk
 */

/**
 * @param {unknown} value
 * @param {EncodeOptions} [options]
 * @returns {string}
 * @throws BAD_ARGUMENT if the value is nested deeper than the host's stack allows, some thousand
 *   levels
 */
export function encodeValue(value, options) {
  try {
    return encodePlain(value) ?? encodeSpecial(value, options);
  } catch (error) {
    throw isOverflow(error)
      ? makeError(ERR_ARGUMENT, ["a value is nested too deep to be stored"], { cause: error })
      : error;
  }
}

/**
 * @param {unknown} value
 * @param {EncodeOptions} [options]
 */
function encodeSpecial(value, options) {
  /** @type {Walk} */
  const walk = { table: [], path: [], above: [], strict: options?.strict === true, lost: [] };
  const text = JSON.stringify(partsOf(value, walk));
  if (walk.lost.length > 0) (options?.warn ?? warn)(walk.lost, options?.threadId);
  return walk.table.length === 0 ? text : `${text}\0${JSON.stringify(walk.table)}`;
}

const CLASS = "the class of an object";
/** Losses already reported: a class is reported once. @type {Set<string>} */
const warned = new Set();

/** @param {string[]} lost @param {string} [threadId] */
function warn(lost, threadId) {
  const news = lost.filter((said) => !warned.has(kindOf(said)));
  if (warned.size > 1000 || news.length === 0) return;
  for (const said of news) warned.add(kindOf(said));
  const where = threadId ? ` of thread ${JSON.stringify(threadId)}` : "";
  const way = news.some((said) => said.startsWith(CLASS))
    ? "registerCodec() keeps classes."
    : "A state holds data: keep functions and symbols outside of it.";
  console.warn(`Not kept in the checkpoint${where}: ${news.join(", ")}. ${way}`);
}

/** @param {string} said "what at where" */
function kindOf(said) {
  return said.slice(0, said.lastIndexOf(" at "));
}

/**
 * Returns the JSON form of a value; adds what JSON cannot express to the walk's table, after the
 * values inside it.
 * @param {unknown} value
 * @param {Walk} walk
 * @returns {unknown}
 */
function partsOf(value, walk) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return value;
      return tagged(walk, "number", numberText(value));
    case "undefined":
      return tagged(walk, "undefined", null);
    case "bigint":
      return tagged(walk, "bigint", value.toString());
    case "object":
      return value === null ? null : objectParts(value, walk);
  }
  return lose(walk, value, `a ${typeof value}`, null);
}

/**
 * @param {Walk} walk
 * @param {string} tag
 * @param {unknown} parts
 * @param {string} [more]
 */
function tagged(walk, tag, parts, more) {
  walk.table.push(more === undefined ? [tag, walk.path.slice()] : [tag, walk.path.slice(), more]);
  return parts;
}

/**
 * @param {Walk} walk
 * @param {unknown} value
 * @param {string} what
 * @param {unknown} substitute
 */
function lose(walk, value, what, substitute) {
  const place = walk.path.length === 0 ? "the value" : walk.path.join(".");
  const name = typeof value === "object" ? value?.constructor?.name : undefined;
  const said = `${what}${name ? ` (${name})` : ""} at ${place}`;
  if (walk.strict) throw makeError(ERR_ARGUMENT, [`${said} cannot be stored`]);
  walk.lost.push(said);
  return substitute;
}

/**
 * @param {unknown} value
 * @param {Walk} walk
 */
function objectParts(value, walk) {
  if (walk.above.includes(value))
    return lose(walk, undefined, "a circular reference", "[Circular]");
  walk.above.push(value);
  const parts = knownParts(value, walk);
  walk.above.pop();
  return parts;
}

/**
 * @param {Value} value
 * @param {Walk} walk
 */
function knownParts(value, walk) {
  if (Array.isArray(value)) return listParts(value, walk);
  if (messageType(value) !== undefined)
    return tagged(walk, "message", listParts(messageToRecord(value), walk));
  if (isPlainObject(value) && typeof value.toJSON !== "function") return fieldParts(value, walk);
  // By tag, so that objects of another realm count too (Jest's tests, another frame).
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (kind === "Date")
    return tagged(walk, "date", Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (kind === "Map") return tagged(walk, "map", listParts([...value].map(pairOf), walk));
  if (kind === "Set") return tagged(walk, "set", listParts([...value], walk));
  if (kind === "RegExp") return tagged(walk, "regexp", [value.source, value.flags]);
  const bytes = bytesKind(kind);
  if (bytes !== undefined)
    return tagged(walk, "bytes", bytesToText(value), isBuffer(value) ? "Buffer" : bytes);
  const codec = registered(value);
  if (codec !== undefined) {
    const parts = partsOf(codec.encode(value), walk);
    return tagged(walk, "codec", parts, codec.name);
  }
  if (kind === "Error" || value instanceof Error)
    return tagged(walk, "error", fieldParts(errorToParts(value), walk));
  if (["Number", "String", "Boolean"].includes(kind)) return partsOf(value.valueOf(), walk);
  return strangerParts(value, walk);
}

/**
 * Keeps the class of a Send and a Command; any other instance becomes what JSON makes of it.
 * @param {Value} value
 * @param {Walk} walk
 */
function strangerParts(value, walk) {
  const { lg_name, node, args, graph, update, resume, goto } = value;
  if (lg_name === "Send" && typeof node === "string")
    return tagged(walk, "send", fieldParts({ node, args }, walk));
  if (lg_name === "Command")
    return tagged(walk, "command", fieldParts({ graph, update, resume, goto }, walk));
  lose(walk, value, CLASS, undefined);
  return typeof value.toJSON === "function"
    ? partsOf(value.toJSON(String(walk.path.at(-1) ?? "")), walk)
    : fieldParts(value, walk);
}

/** @param {[unknown, unknown]} pair */
function pairOf(pair) {
  return [pair[0], pair[1]];
}

/**
 * @param {unknown[]} list
 * @param {Walk} walk
 */
function listParts(list, walk) {
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    walk.path.push(i);
    parts.push(partsOf(list[i], walk));
    walk.path.pop();
  }
  return parts;
}

/**
 * @param {Value} object
 * @param {Walk} walk
 */
function fieldParts(object, walk) {
  /** @type {Record<string, unknown>} */
  const parts = {};
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value === "function" || typeof value === "symbol") continue;
    walk.path.push(key);
    const part = partsOf(value, walk);
    walk.path.pop();
    if (key === "__proto__") {
      Object.defineProperty(parts, key, {
        value: part,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else parts[key] = part;
  }
  return parts;
}

/** @param {number} value */
function numberText(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** @param {Error} error */
function errorToParts(error) {
  /** @type {Record<string, unknown>} */
  const parts = { name: error.name, message: error.message };
  for (const key of Object.keys(error))
    if (key !== "name" && key !== "stack")
      parts[key] = /** @type {Error & Record<string, unknown>} */ (error)[key];
  if (error.cause !== undefined) parts.cause = error.cause;
  return parts;
}
