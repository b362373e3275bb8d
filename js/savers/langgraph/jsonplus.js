// SPDX-License-Identifier: MIT
// Implements LangGraph's JsonPlus format: JSON, with `{ lc: 2 }` records for Set, Map, RegExp,
// Error, bytes and undefined, and `{ lc: 1 }` records for messages. Only these are revived; other
// records stay data.
import { ESCAPED } from "../../messages/base.js";
import { messageClass } from "../../messages/record.js";
import { DeltaSnapshot, isDeltaSnapshot } from "./delta-snapshot.js";

/** @typedef {import("../../base/callable.js").Value} Value */

const CONSTRUCTORS = /** @type {Record<string, (args: never[]) => unknown>} */ ({
  Set: ([items]) => new Set(items),
  Map: ([entries]) => new Map(entries),
  RegExp: ([source, flags]) => new RegExp(source, flags),
  Error: ([message]) => new Error(message),
  Uint8Array: ([bytes]) => Uint8Array.from(bytes),
});

/** @param {string} name @param {unknown[]} args @param {string | null} [method] */
function record(name, args, method = null) {
  return { lc: 2, type: "constructor", id: [name], method, args, kwargs: {} };
}

/**
 * Converts a value to its JSON form.
 * @param {unknown} given
 * @param {string} key
 * @param {unknown[]} above
 * @returns {unknown}
 */
function plainOf(given, key, above) {
  if (given === undefined) return { lc: 2, type: "undefined" };
  if (typeof given === "bigint") return String(given);
  if (typeof given !== "object" || given === null) return given;
  if (above.includes(given)) return "[Circular]";
  const value =
    "toJSON" in given && typeof given.toJSON === "function" && !(given instanceof Uint8Array)
      ? given.toJSON(key)
      : given;
  if (typeof value !== "object" || value === null) return plainOf(value, key, above);
  above.push(given);
  const plain = partsOf(value, above);
  above.pop();
  return plain;
}

/** @param {object} value @param {unknown[]} above */
function partsOf(value, above) {
  const list = (/** @type {unknown[]} */ items) =>
    items.map((item, index) => plainOf(item, String(index), above));
  if (Array.isArray(value)) return list(value);
  if (value instanceof Set) return record("Set", [list([...value])]);
  if (value instanceof Map) return record("Map", [[...value].map(list)]);
  if (value instanceof RegExp) return record("RegExp", [value.source, value.flags]);
  if (value instanceof Error) return record("Error", [value.message]);
  if (value instanceof Uint8Array) return record("Uint8Array", [[...value]], "from");
  if ("lg_name" in value && value.lg_name === "Send") {
    const { node, args, timeout } = /** @type {import("../../base/constants.js").Send} */ (value);
    return plainFields({ node, args, ...(timeout && { timeout }) }, above);
  }
  if (isDeltaSnapshot(value))
    return { lc: 2, type: "delta_snapshot", value: plainOf(value.value, "value", above) };
  return plainFields(value, above);
}

/** @param {object} value @param {unknown[]} above */
function plainFields(value, above) {
  /** @type {[string, unknown][]} */
  const fields = [];
  for (const key of Object.keys(value)) {
    const field = /** @type {Record<string, unknown>} */ (value)[key];
    if (typeof field !== "function") fields.push([key, plainOf(field, key, above)]);
  }
  return Object.fromEntries(fields);
}

/** @param {unknown} data @returns {[string, Uint8Array]} */
export function dumpsTyped(data) {
  if (data instanceof Uint8Array) return ["bytes", data];
  return ["json", new TextEncoder().encode(JSON.stringify(plainOf(data, "", [])))];
}

/** @param {string} type @param {Uint8Array | string} data */
export function loadsTyped(type, data) {
  if (type === "bytes") return typeof data === "string" ? new TextEncoder().encode(data) : data;
  if (type !== "json") throw new Error(`Unknown serialization type: ${type}`);
  return revive(JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data)));
}

/**
 * Revives a parsed value.
 * @param {Value} value
 * @param {boolean} [isMessage] whether it belongs to a message, whose plain data may be escaped
 * @returns {unknown}
 */
function revive(value, isMessage = false) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => revive(item, isMessage));
  const keys = Object.keys(value);
  if (isMessage && keys.length === 1 && keys[0] === ESCAPED) return value[ESCAPED];
  const Class = messageClassOf(value);
  const revived = Object.fromEntries(
    keys.map((key) => [key, revive(value[key], isMessage || Class !== undefined)]),
  );
  if (Class !== undefined) return new Class(revived.kwargs);
  if (revived.lc !== 2) return revived;
  if (revived.type === "undefined") return undefined;
  if (revived.type === "delta_snapshot") return new DeltaSnapshot(revived.value);
  const make =
    revived.type === "constructor" &&
    Array.isArray(revived.id) &&
    revived.id.length === 1 &&
    Object.hasOwn(CONSTRUCTORS, revived.id[0]) &&
    CONSTRUCTORS[revived.id[0]];
  return make && Array.isArray(revived.args)
    ? make(/** @type {never[]} */ (revived.args))
    : revived;
}

/** @param {Value} stored @returns {Value} class of the stored message, if it is one */
function messageClassOf({ lc, type, id }) {
  return lc === 1 && type === "constructor" && Array.isArray(id) && id.includes("messages")
    ? messageClass(id[id.length - 1])
    : undefined;
}
