// SPDX-License-Identifier: MIT
// Decodes the texts of codec.js. Refuses a text that codec.js cannot have made with a plain reason;
// the caller, which knows the thread, makes the error. Revives a closed set of classes and the
// registered ones.
import { messageFromRecord } from "../messages/record.js";
import { Command, Send } from "../base/constants.js";
import { bytesFromText, bytesKind, errorFromParts, numberOf } from "./codec-parts.js";
import { codecNamed } from "./codec-registry.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** Bytes that encode no value. `what` is the reason. */
export class DamagedValue extends Error {
  /** @param {string} what */
  constructor(what) {
    super(what);
    this.name = "DamagedValue";
  }
}

const MESSAGE_TABLE = '[["message",[]]]';

/**
 * @param {string | undefined} text
 * @returns {Value}
 */
export function decodeValue(text) {
  if (text === undefined) throw new DamagedValue("it is not UTF-8");
  const cut = text.indexOf("\0");
  try {
    if (cut < 0) return JSON.parse(text);
    const parts = JSON.parse(text.slice(0, cut));
    const table = text.slice(cut + 1);
    return table === MESSAGE_TABLE ? messageFromRecord(parts) : reviveAll(parts, JSON.parse(table));
  } catch (error) {
    if (error instanceof DamagedValue) throw error;
    throw new DamagedValue(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {unknown} parts
 * @param {unknown} table
 */
function reviveAll(parts, table) {
  if (!Array.isArray(table)) throw new DamagedValue("its table is no list");
  const root = [parts];
  for (const entry of table) {
    if (!Array.isArray(entry) || !Array.isArray(entry[1]))
      throw new DamagedValue("its table has a damaged entry");
    const [tag, path, more] = entry;
    /** @type {Value} */
    let holder = root;
    /** @type {string | number} */
    let key = 0;
    for (const step of path) {
      holder = holder[key];
      key = step;
      if (holder === null || typeof holder !== "object" || !Object.hasOwn(holder, key))
        throw new DamagedValue("its table points nowhere");
    }
    const value = revive(tag, holder[key], more);
    if (key === "__proto__")
      Object.defineProperty(holder, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else holder[key] = value;
  }
  return root[0];
}

/**
 * @param {unknown} tag
 * @param {Value} parts
 * @param {Value} more
 */
function revive(tag, parts, more) {
  switch (tag) {
    case "undefined":
      return undefined;
    case "number":
      return checked(numberOf(parts));
    case "bigint":
      return BigInt(parts);
    case "date":
      return new Date(parts === null ? NaN : parts);
    case "map":
      return new Map(parts);
    case "set":
      return new Set(parts);
    case "regexp":
      return new RegExp(parts[0], parts[1]);
    case "error":
      return errorFromParts(parts);
    case "message":
      return messageFromRecord(parts);
    case "send":
      return new Send(parts.node, parts.args);
    case "command":
      return new Command(parts);
    case "bytes":
      return bytesFromText(parts, checked(more === "Buffer" ? more : bytesKind(more)));
    case "codec":
      return checked(codecNamed(more), `it has no codec ${JSON.stringify(more)}`).decode(parts);
  }
  throw new DamagedValue(`its tag ${JSON.stringify(tag)} is unknown`);
}

/**
 * @template T
 * @param {T | undefined} value
 * @param {string} [what]
 * @returns {T}
 */
function checked(value, what = "its table has a damaged entry") {
  if (value === undefined) throw new DamagedValue(what);
  return value;
}
