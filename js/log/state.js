// SPDX-License-Identifier: MIT
// Computes a checkpoint's state from its record and its parent's state: channels with their values
// (as texts), their versions, and the versions seen by nodes. States are immutable: the next one
// shares what stayed. Does not depend on graphs.
import { Send, define } from "../base/constants.js";
import { ABSENT } from "../engine/slots.js";
import { readingCost } from "./patch.js";
import {
  APPEND,
  CLEAR,
  DEFERS,
  FINISHED,
  KEEP,
  LIST,
  NAMES,
  REMOVE,
  REPLACE,
  RUN,
  SENDS,
  SET,
  UNSET,
} from "./record.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./record.js").Token} Token */
/** @typedef {import("./record.js").LogRecord} LogRecord */
/**
 * @typedef {{ version: number, form: number, mark: number, value?: Token, place?:
 *   import("./record.js").Place, items?: Token[], sends?: import("./record.js").SendToken[],
 *   names?: string[] }} ChannelState
 */
/** @typedef {(text: string) => unknown} Open */

const INTERRUPT = "__interrupt__";

export class LogState {
  /** @type {Map<string, ChannelState>} */
  channels;
  /** @type {Map<string, Record<string, number>>} */
  seen;

  /** @param {LogState} [base] */
  constructor(base) {
    this.channels = new Map(base?.channels);
    this.seen = new Map(base?.seen);
  }

  /**
   * Applies a record to this state and returns the new one.
   * @param {LogRecord} record
   * @param {Iterable<string>} [called] nodes that Sends called in the step that the record ends
   */
  apply(record, called = []) {
    return this.fold([{ record, called }]);
  }

  /**
   * Applies records to this state in order. Intermediate states are not visible, so nothing is
   * copied for them.
   * @param {Iterable<{ record: LogRecord, called: Iterable<string> }>} steps each is taken after
   *   the one before was applied
   *   the one before was applied
   * @returns {LogState}
   */
  fold(steps) {
    let state = new LogState(this);
    readingCost.states++;
    /** Lists and seen versions that no other state shares. @type {Set<unknown>} */
    const own = new Set();
    for (const { record, called } of steps) {
      readingCost.steps++;
      const before = state;
      if (record.keyframe || record.seen.some(([node]) => node === INTERRUPT)) {
        state = new LogState(record.keyframe ? undefined : before);
        own.clear();
      }
      for (const node of called) if (!state.seen.has(node)) state.seen.set(node, {});
      for (const change of record.changes)
        state.channels.set(
          change.channel,
          changed(state.channels.get(change.channel), change, own),
        );
      for (const [node, channel, version] of record.seen) {
        let notes = node === INTERRUPT ? before.#upTo(state, version) : state.seen.get(node);
        if (node !== INTERRUPT) {
          if (notes === undefined || !own.has(notes)) own.add((notes = { ...notes }));
          define(notes, channel, version);
        }
        state.seen.set(node, /** @type {Record<string, number>} */ (notes));
      }
    }
    return state;
  }

  /**
   * Lists the versions that breakpoints have seen: this state's, and the next one's up to
   * `version`.
   * @param {LogState} next
   * @param {number} version
   */
  #upTo(next, version) {
    /** @type {Record<string, number>} */
    const versions = {};
    for (const [name, channel] of next.channels) {
      const known = channel.version <= version ? channel.version : this.channels.get(name)?.version;
      if (known !== undefined && known > 0) versions[name] = known;
    }
    return versions;
  }

  /** @returns {Record<string, number>} */
  get versions() {
    /** @type {Record<string, number>} */
    const versions = {};
    for (const [name, { version }] of this.channels) if (version > 0) versions[name] = version;
    return versions;
  }

  /** Returns the values in LangGraph's form. @param {Open} open @returns {Record<string, Value>} */
  values(open) {
    /** @type {Record<string, unknown>} */
    const values = {};
    for (const [name, channel] of this.channels) {
      const value = valueOf(channel, open);
      if (value !== ABSENT) define(values, name, value);
    }
    return values;
  }
}

/**
 * @param {ChannelState | undefined} old
 * @param {import("./record.js").Change} change
 * @param {Set<unknown>} own lists that may be changed in place
 * @returns {ChannelState}
 */
function changed(old, { version, form, mark, value, place, ops, sends, names }, own) {
  if (form === KEEP) return { ...(old ?? { form: UNSET }), version, mark };
  if (form === NAMES)
    return { version, form, mark, names: inOrder(old?.names, /** @type {string[]} */ (names)) };
  if (form !== LIST) return { version, form, mark, value, place, sends };
  const items =
    old?.items !== undefined && own.has(old.items) ? old.items : (old?.items?.slice() ?? []);
  own.add(items);
  for (const [kind, index, item] of /** @type {Value[][]} */ (ops)) {
    if (kind === APPEND) items.push(item);
    else if (kind === REPLACE) items[index] = item;
    else if (kind === REMOVE) items.splice(index, 1);
    else if (kind === CLEAR) items.length = 0;
    else if (kind === RUN) for (const one of index) items.push(one);
  }
  return { version, form, mark, items };
}

/**
 * Keeps the names in the order in which they were seen.
 * @param {string[] | undefined} old
 * @param {string[]} names
 */
function inOrder(old, names) {
  const before = (old ?? []).filter((name) => names.includes(name));
  return [...before, ...names.filter((name) => !before.includes(name))];
}

/**
 * @param {ChannelState} channel
 * @param {Open} open
 * @returns {unknown} ABSENT if it is empty
 */
function valueOf({ form, mark, value, items, sends, names }, open) {
  const finish = (/** @type {unknown} */ held) =>
    (mark & DEFERS) === 0 ? held : [held, (mark & FINISHED) !== 0];
  switch (form) {
    case SET:
      return value === ABSENT ? ABSENT : finish(open(/** @type {string} */ (value)));
    case LIST:
      return /** @type {Token[]} */ (items).map((item) => open(/** @type {string} */ (item)));
    case SENDS:
      return /** @type {Value[]} */ (sends).map((send) => sendOf(send, open));
    case NAMES:
      return finish(names?.slice());
    default:
      return ABSENT;
  }
}

/** @param {import("./record.js").SendToken} send @param {Open} open @returns {unknown} */
export function sendOf({ node, args, timeout }, open) {
  const given = args === ABSENT ? undefined : open(/** @type {string} */ (args));
  if (timeout === undefined || timeout === ABSENT) return new Send(node, given);
  return new /** @type {Value} */ (Send)(node, given, {
    timeout: open(/** @type {string} */ (timeout)),
  });
}
