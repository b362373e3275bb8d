// SPDX-License-Identifier: MIT
// Converts a store's items to records of a log: a commit contains the changes of a batch, or all
// items. Does not depend on stores.
import { LogWriter } from "../log/writer.js";
import { decodeValue, encodeValue } from "../engine/codec.js";
import { ABSENT } from "../engine/slots.js";
import { PLAIN, TASK_NULL } from "../log/record.js";
import { NULL_TASK_ID } from "../log/writes.js";
import { START, sameHead } from "../log/log-store.js";

/** @typedef {import("../log/log-store.js").LogHead} LogHead */
/** @typedef {import("../log/record.js").LogRecord} LogRecord */
/** @typedef {import("../log/record.js").WriteRecord} WriteRecord */
/** @typedef {import("./memory.js").Change} Change */

/**
 * Prefix of the log's id in its partition, before the store's name; frames of threads never have
 * it.
 */
export const LOG = "items";
/** Namespace of a record with all items, which replaces all earlier records. */
const ALL = "all";
const DONE = 1;

/** @param {string} channel @param {unknown} value @returns {WriteRecord} */
export function writeTo(channel, value) {
  return { special: PLAIN, channel, index: 0, value: value === null ? ABSENT : encodeValue(value) };
}

/** @param {Change} change @returns {WriteRecord} */
export function writeOf({ namespace, key, value, at, since, vectors }) {
  const held = since === undefined ? { value, at, vectors } : { value, at, since, vectors };
  return writeTo(JSON.stringify([namespace, key]), value === null ? null : held);
}

/** @param {WriteRecord} write @returns {Change} */
export function changeOf({ channel, value: token }) {
  const [namespace, key] = JSON.parse(channel);
  if (token === ABSENT) return { namespace, key, value: null, at: new Date(0), vectors: [] };
  return { namespace, key, ...decodeValue(String(token)) };
}

/**
 * Makes a commit that continues `before`.
 * @param {LogHead} before
 * @param {WriteRecord[]} writes
 * @param {boolean} isAll
 * @param {string} [id]
 */
export function recordOf(before, writes, isAll, id = LOG) {
  const writer = new LogWriter(id, before);
  if (isAll && !sameHead(before, START)) writer.trim();
  writer.add({
    ns: isAll ? ALL : "",
    id: NULL_TASK_ID,
    tasks: [
      { key: { kind: TASK_NULL, node: "", trigger: "", index: 0, id: "" }, outcome: DONE, writes },
    ],
  });
  return {
    commit: { firstSeq: writer.firstSeq, seq: writer.seq, crc: writer.crc },
    bytes: writer.take(),
  };
}

/** @param {LogRecord} record */
export function holdsAll({ ns }) {
  return ns === ALL;
}

/** @param {WriteRecord} write */
function isChange({ special, channel, send }) {
  if (special !== PLAIN || send !== undefined) return false;
  try {
    const place = JSON.parse(channel);
    return Array.isArray(place) && place.length === 2 && Array.isArray(place[0]);
  } catch {
    return false;
  }
}

/**
 * Checks whether a record of a thread was written by a store: its writes belong to no checkpoint.
 * @param {LogRecord} record
 */
export function isOfStore({ isCheckpoint, ns, id, tasks }) {
  return (
    !isCheckpoint &&
    ns === "" &&
    id === NULL_TASK_ID &&
    tasks.length === 1 &&
    tasks[0].key.kind === TASK_NULL &&
    tasks[0].writes.every(isChange)
  );
}
