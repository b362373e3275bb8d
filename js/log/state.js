// SPDX-License-Identifier: MIT
// What a checkpoint holds, made from its record and what its parent held: channels with their
// values (as texts), their versions, and what nodes have seen. A state never changes: the next one
// shares what stayed. Must not know graphs.
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
   * The state that a record makes of this one.
   * @param {LogRecord} record
   * @param {Iterable<string>} [called] nodes that Sends called in the step that the record ends
   */
  apply(record, called = []) {
    return this.fold([{ record, called }]);
  }

  /**
   * The state that records make of this one, one after the other. Those in between are nobody's, so
   * nothing is copied for them.
   * @param {Iterable<{ record: LogRecord, called: Iterable<string> }>} steps each is asked for when
   *   the one before was applied
   * @returns {LogState}
   */
  fold(steps) {
    let state = new LogState(this);
    readingCost.states++;
    /** Lists and notes of what was seen that no other state has. @type {Set<unknown>} */
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
   * The versions that breakpoints have seen: those of this state, and the next one's that are not
   * newer than `version`.
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

  /** As LangGraph keeps them. @param {Open} open @returns {Record<string, Value>} */
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
 * What was seen stands in the order in which it was.
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
 * @returns {unknown} ABSENT when it is empty
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
