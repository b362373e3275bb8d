// SPDX-License-Identifier: MIT
// Computes the changes of a checkpoint passed to put() against its parent's state, and restates the
// followers of one that is put again. Does not depend on stores.
import { encodeValue } from "../../engine/codec.js";
import { ABSENT } from "../../engine/slots.js";
import {
  APPEND,
  CLEAR,
  DEFERS,
  FINISHED,
  LIST,
  NAMES,
  PLAIN,
  REMOVE,
  REPLACE,
  SENDS,
  SET,
  UNSET,
} from "../../log/record.js";
import { SPECIALS, TASKS, sendToken } from "../../log/writes.js";
import { messageType } from "../../messages/base.js";
import { compareChannelVersions } from "./versions.js";

/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {number | string} Version of a channel */
/** @typedef {import("../../log/record.js").Change} Change */
/** @typedef {import("../../log/state.js").LogState} LogState */

/**
 * Maps versions to integers of the same order: themselves, or their rank among all.
 * @param {Record<string, Version>} versions
 * @param {Record<string, Record<string, Version>>} seen
 * @returns {(version: Version | undefined) => number}
 */
export function numbersOf(versions, seen) {
  const all = [
    ...Object.values(versions ?? {}),
    ...Object.values(seen ?? {}).flatMap((channels) => Object.values(channels ?? {})),
  ];
  if (all.every((version) => Number.isSafeInteger(version) && Number(version) >= 0))
    return (version) => /** @type {number} */ (version ?? 0);
  const sorted = [...new Set(all)].sort(compareChannelVersions);
  return (version) => sorted.indexOf(/** @type {Version} */ (version)) + 1;
}

/**
 * Lists the seen versions of a checkpoint as a record stores them.
 * @param {Record<string, Record<string, Version>>} seen
 * @param {(version: Version | undefined) => number} own
 * @returns {[string, string, number][]}
 */
export function seenOf(seen, own) {
  return Object.entries(seen ?? {}).flatMap(([node, channels]) => {
    const notes = Object.entries(channels ?? {}).map(
      ([channel, version]) =>
        /** @type {[string, string, number]} */ ([node, channel, own(version)]),
    );
    if (node !== SPECIALS[2] || notes.length === 0) return notes;
    return [[node, "", Math.max(...notes.map(([, , version]) => version))]];
  });
}

/**
 * Lists the changes of a checkpoint against its parent.
 * @param {Checkpoint} checkpoint
 * @param {LogState} base
 * @param {(version: Version | undefined) => number} own
 * @param {Record<string, unknown> | undefined} fresh
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 * @returns {Change[]}
 */
export function changesOf(
  { channel_values: values = {}, channel_versions: versions = {} },
  base,
  own,
  fresh,
  thread,
) {
  const names = new Set([
    ...Object.keys(versions),
    ...Object.keys(values),
    ...base.channels.keys(),
  ]);
  /** @type {Change[]} */
  const changes = [];
  for (const name of names) {
    // Channels not listed as new keep the parent's value, as LangGraph's checkpointer validation
    // requires.
    if (fresh !== undefined && Object.hasOwn(versions, name) && !Object.hasOwn(fresh, name))
      continue;
    const before = base.channels.get(name);
    const version = own(versions[name]);
    const holds = Object.hasOwn(values, name);
    const change = holds
      ? changeOf(name, values[name], version)
      : { channel: name, version, form: UNSET, mark: 0 };
    const held = before === undefined ? false : before.form !== UNSET;
    if (
      before === undefined ? !holds && version === 0 : !holds && !held && before.version === version
    )
      continue;
    if (before !== undefined && holds && same(before, change)) continue;
    changes.push(
      change.form === LIST
        ? listChange(change, before)
        : { ...change, base: baseOf(thread, before) },
    );
  }
  return changes;
}

/**
 * Returns the stored value that a channel's new value may be a patch of.
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 * @param {import("../../log/state.js").ChannelState} [channel]
 */
export function baseOf(thread, channel) {
  const place = channel?.place;
  return place && { place, value: thread.get(place.seq)?.slice(place.index, place.index + 1)[0] };
}

/** @param {import("../../log/state.js").ChannelState} before @param {Change} change */
function same(before, change) {
  const items = change.ops?.map(([, , item]) => item);
  return (
    JSON.stringify([
      before.version,
      before.form,
      before.mark,
      before.value,
      before.items,
      before.sends,
      before.names,
    ]) ===
    JSON.stringify([
      change.version,
      change.form,
      change.mark,
      change.value,
      items,
      change.sends,
      change.names,
    ])
  );
}

/**
 * Expresses a list's change by removed, replaced and appended items.
 * @param {Change} change
 * @param {import("../../log/state.js").ChannelState | undefined} before
 */
function listChange(change, before) {
  const ops = /** @type {unknown[][]} */ (change.ops);
  if (before !== undefined && before.form !== LIST && before.form !== UNSET)
    return { ...change, ops: [[CLEAR, 0, ABSENT], ...ops] };
  const items = (before?.items ?? []).map(String);
  const isSame = (/** @type {number} */ at) => items[at] === ops[at][2];
  let start = 0;
  while (start < items.length && start < ops.length && isSame(start)) start++;
  const removed = items
    .splice(start, Math.max(0, items.length - ops.length))
    .map(() => [REMOVE, start, ABSENT]);
  const kept = ops
    .slice(0, items.length)
    .map(([, , item], at) => [REPLACE, at, item])
    .filter(([, at]) => !isSame(/** @type {number} */ (at)));
  return { ...change, ops: [...removed, ...kept, ...ops.slice(items.length)] };
}

/** @param {unknown} value */
const isMessageList = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => messageType(item) !== undefined && typeof item.id === "string");

/**
 * Chooses the engine's form of a channel by its name and value.
 * @param {string} channel @param {unknown} value @param {number} version @returns {Change}
 */
function changeOf(channel, value, version) {
  const head = { channel, version, mark: 0 };
  const isWaiting =
    /^(branch:to|join):/.test(channel) &&
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[1] === "boolean";
  const held = isWaiting ? value[0] : value;
  // The channel class is unknown here: count the saved value as readable.
  const mark = isWaiting ? DEFERS | (value[1] ? FINISHED : 0) : FINISHED;
  if (
    channel === TASKS &&
    Array.isArray(held) &&
    held.every((send) => typeof send?.node === "string")
  )
    return { ...head, form: SENDS, sends: held.map((send) => sendToken(send, encodeValue)) };
  if (channel.startsWith("join:") && Array.isArray(held))
    return { ...head, form: NAMES, mark, names: held.map(String) };
  if (isMessageList(held))
    return {
      ...head,
      form: LIST,
      ops: held.map((/** @type {unknown} */ item) => [APPEND, 0, encodeValue(item)]),
    };
  return { ...head, form: SET, mark, value: encodeValue(held) };
}

/**
 * Rewrites a checkpoint's record against a changed parent state, so that its own state stays the
 * same.
 * @param {import("../../log/saved-thread.js").Entry} entry
 * @param {LogState} before
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 */
export function restated(entry, before, thread) {
  const { state, record } = entry;
  const bases = basesOf(entry, thread);
  // Seen versions cannot be removed: then the record must be a keyframe.
  const keyframe = [...before.seen].some(([node, channels]) =>
    Object.keys(channels).some((channel) => state.seen.get(node)?.[channel] === undefined),
  );
  const changes = keyframe
    ? []
    : [...before.channels.keys()]
        .filter((name) => !state.channels.has(name))
        .map((channel) => ({ channel, version: 0, form: UNSET, mark: 0 }));
  for (const [channel, held] of state.channels) {
    const old = keyframe ? undefined : before.channels.get(channel);
    const change = {
      channel,
      ...held,
      ops: held.items?.map((item) => [APPEND, 0, String(item), bases.get(String(item))]),
      base: baseOf(thread, held),
    };
    if (old === held || (old !== undefined && same(old, change))) continue;
    changes.push(held.form === LIST ? listChange(change, old) : change);
  }
  const seen = [...state.seen].flatMap(([node, channels]) => seenOf({ [node]: channels }, Number));
  return {
    .../** @type {import("../../log/record.js").LogRecord} */ (record),
    keyframe,
    changes,
    seen,
    tasks: tasksOf(entry, thread, bases),
  };
}

/**
 * Returns the values in a checkpoint's record by their texts.
 * @param {import("../../log/saved-thread.js").Entry} entry
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 * @returns {Map<string, import("../../log/record.js").Base>}
 */
export function basesOf({ top }, thread) {
  const { seq } = /** @type {import("../../log/saved-thread.js").Step} */ (top).frame;
  return new Map(
    /** @type {import("../../log/record.js").Token[]} */ (thread.get(seq) ?? []).map(
      (value, index) => [String(value), { place: { seq, index }, value }],
    ),
  );
}

/**
 * Replaces items that the log already contains by references.
 * @param {Change[]} changes
 * @param {Map<string, import("../../log/record.js").Base>} [bases]
 */
export function placed(changes, bases) {
  return bases === undefined
    ? changes
    : changes.map((change) => ({
        ...change,
        ops: change.ops?.map(([kind, index, item]) => [kind, index, item, bases.get(item)]),
      }));
}

/**
 * Copies the tasks of a checkpoint's record: their writes refer to values in the log.
 * @param {import("../../log/saved-thread.js").Entry} entry
 * @param {import("../../log/saved-thread.js").SavedThread} thread
 * @param {Map<string, import("../../log/record.js").Base>} [bases]
 */
export function tasksOf(entry, thread, bases = basesOf(entry, thread)) {
  const { state, record } = entry;
  return record?.tasks.map((task) => ({
    ...task,
    writes: task.writes.map((write) =>
      write.special === PLAIN
        ? {
            ...write,
            base:
              bases.get(String(write.value)) ?? baseOf(thread, state.channels.get(write.channel)),
          }
        : write,
    ),
  }));
}
