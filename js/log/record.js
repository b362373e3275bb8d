// SPDX-License-Identifier: MIT
// What the records of a thread's log hold (src/log/record.h): their shapes, and their numbers.
// Knows no bytes.

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./patch.js").Patch} Patch */
/**
 * @typedef {string | Patch | typeof import("../engine/slots.js").ABSENT} Token a value: its text,
 *   or nothing
 */
/** @typedef {{ node: string, args: Token, timeout?: Token }} SendToken */
/** @typedef {{ kind: number, node: string, trigger: string, index: number, id: string }} TaskKey */
/** @typedef {{ value?: Token, place?: Place }} Base what a value comes in the place of */
/**
 * @typedef {{ special: number, channel: string, index: number, value?: Token, base?: Base, send?:
 *   SendToken }} WriteRecord
 */
/** @typedef {{ key: TaskKey, outcome: number, writes: WriteRecord[] }} TaskRecord */
/** @typedef {{ seq: number, index: number }} Place of a value in the log */
/**
 * @typedef {{ channel: string, version: number, form: number, mark: number, value?: Token, place?:
 *   Place, base?: Base, ops?: Value[][], sends?: SendToken[], names?: string[] }} Change
 */
/** @typedef {[node: string, channel: string, version: number]} Seen */
/**
 * @typedef {object} LogRecord CHECKPOINT, or WRITES (those of its tasks and `id` only)
 * @property {number} seq
 * @property {boolean} isCheckpoint
 * @property {string} ns
 * @property {string} id
 * @property {string | undefined} parent
 * @property {number} source
 * @property {boolean} keyframe
 * @property {boolean} hidden
 * @property {number} step
 * @property {Token} extra
 * @property {[ns: string, id: string][]} parents
 * @property {Change[]} changes
 * @property {Seen[]} seen
 * @property {TaskRecord[]} tasks
 */
/**
 * @typedef {{ seq: number, ns: string, node: string, call: string, approval: Uint8Array, bound:
 *   number, shown: Uint8Array, verdict: number, answer: Token }} DecisionRecord
 */

/** What a change does with its channel, and of a list what its operations are. */
export const KEEP = 0,
  SET = 1,
  UNSET = 2,
  LIST = 3,
  SENDS = 4,
  NAMES = 5;
export const APPEND = 0,
  REPLACE = 1,
  REMOVE = 2,
  CLEAR = 3,
  RUN = 4;
/** Kinds of tasks. */
export const TASK_NULL = 0,
  TASK_PULL = 1,
  TASK_PUSH = 2,
  TASK_STORED = 3;
/** A task's writes that belong to no channel; PLAIN ones do. */
export const PLAIN = 0,
  ERROR = 1,
  INTERRUPT = 2,
  RESUME = 3,
  SCHEDULED = 4,
  NO_WRITES = 5,
  RETURN = 6,
  ERROR_SOURCE = 7,
  OTHER = 8;
/** Bits of a write's index (src/run/record/format.h). */
export const ITEM = 1,
  LONE = 2,
  OVERWRITE = 4,
  POSITION = 8;
/** Bits of a channel's mark. */
export const FINISHED = 1,
  DEFERS = 2;
/** In the place of a value's head: it is a patch of an earlier record's value. */
export const PATCH = 28;
/** Of a checkpoint's flags: history does not show it. */
export const HIDDEN = 16;
/** What made a checkpoint, by its number. */
export const SOURCES = ["input", "loop", "update", "fork"];
