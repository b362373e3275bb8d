// SPDX-License-Identifier: MIT
// Defines the contents of a thread's log records (src/log/record.h): their types and numbers. Does
// not depend on bytes.

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./patch.js").Patch} Patch */
/**
 * @typedef {string | Patch | typeof import("../engine/slots.js").ABSENT} Token a value's text, or
 *   ABSENT
 */
/** @typedef {{ node: string, args: Token, timeout?: Token }} SendToken */
/** @typedef {{ kind: number, node: string, trigger: string, index: number, id: string }} TaskKey */
/** @typedef {{ value?: Token, place?: Place }} Base the value that a new one replaces */
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
 * @typedef {object} LogRecord CHECKPOINT, or WRITES (which has only `id` and tasks)
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
 *   number, shown: Uint8Array, moment: number, verdict: number, answer: Token }} DecisionRecord
 */

/** Forms of a channel's change, then operations on a list. */
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
/** Kinds of a task's writes: only PLAIN ones belong to a channel. */
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
/** Head of a value that is a patch of an earlier record's value. */
export const PATCH = 28;
/** Flag of a checkpoint that history omits. */
export const HIDDEN = 16;
/** Sources of a checkpoint, by number. */
export const SOURCES = ["input", "loop", "update", "fork"];
