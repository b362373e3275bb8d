// SPDX-License-Identifier: MIT
// Reads the body of a record, field by field (docs/log-format.md).
import { uuidOf } from "../base/uuid.js";
import { ABSENT } from "../engine/slots.js";
import { COPIED, COPIED_MOST, DEPTH, Patch, ListSnapshot, SPLICES } from "./patch.js";
import {
  APPEND,
  HIDDEN,
  LIST,
  NAMES,
  PATCH,
  REMOVE,
  REPLACE,
  RUN,
  SENDS,
  SET,
  TASK_PULL,
  TASK_PUSH,
  TASK_STORED,
} from "./record.js";

/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {import("./reader.js").Values} Values */
/** @typedef {import("./record.js").Token} Token */
/** @typedef {import("./record.js").SendToken} SendToken */
/** @typedef {import("./record.js").WriteRecord} WriteRecord */
/** @typedef {import("./record.js").TaskKey} TaskKey */
/** @typedef {import("./record.js").TaskRecord} TaskRecord */
/** @typedef {import("./record.js").Place} Place */
/** @typedef {import("./record.js").Change} Change */
/** @typedef {import("./record.js").Seen} Seen */
/** @typedef {import("./record.js").LogRecord} LogRecord */
/** @typedef {import("./record.js").DecisionRecord} DecisionRecord */
/** @typedef {import("./reader.js").Texts} Texts */

const NAMES_LIMIT = 32;

/** Marks, instead of a value's head, a write of many consecutive values. */
const MANY = 24;

const HAS_PARENT = 4;

/** Maximum items of a list: as many as values in a log. */
const LIST_MOST = 1 << 22;

/** Immediate values by number: absent, undefined, null, false, true. @type {Token[]} */
const SPECIALS = [ABSENT, 'null\0[["undefined",[]]]', "null", "false", "true"];

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const encoder = new TextEncoder();

/** @param {Values | undefined} values @param {number} index */
const valueOf = (values, index) => values?.slice(index, index + 1)[0];

/** Reads one frame's body. */
export class Body {
  #view;
  #end;
  /** @type {string[]} */
  #names = [];
  /** Inline values, in order. @type {(string | Patch)[]} */
  texts = [];
  /** Place of the value that was referred to last. @type {Place | undefined} */
  #place;

  /**
   * @param {Frame} frame
   * @param {Texts} [earlier] without it, references to other records read as ABSENT
   * @param {Texts} [bases] of patches, for when they are opened
   */
  constructor({ bytes, at, length, seq }, earlier, bases = earlier) {
    this.bases = bases;
    this.#view = bytes;
    this.at = at;
    this.#end = at + length;
    this.seq = seq;
    this.earlier = earlier;
  }

  byte() {
    if (this.at >= this.#end) throw new RangeError("a record ends too early");
    return this.#view[this.at++];
  }

  varint() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed() {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** @param {number} length */
  bytes(length) {
    if (length > this.#end - this.at) throw new RangeError("a record ends too early");
    return this.#view.subarray(this.at, (this.at += length));
  }

  id() {
    return uuidOf(this.bytes(16));
  }

  name() {
    const head = this.varint();
    if (head === 0) return "";
    if (head % 2 === 1) return this.#names[(head - 1) / 2];
    const name = decoder.decode(this.bytes(head / 2));
    if (this.#names.length < NAMES_LIMIT) this.#names.push(name);
    return name;
  }

  /** @returns {Token} */
  value() {
    const head = this.varint();
    if (head === PATCH) return this.patch();
    const rest = Math.floor(head / 4);
    switch (head % 4) {
      case 0:
        return SPECIALS[rest] ?? ABSENT;
      case 1:
        return String(rest % 2 === 0 ? rest / 2 : -(rest + 1) / 2);
      case 2:
        this.texts.push(decoder.decode(this.bytes(rest)));
        return this.texts[this.texts.length - 1];
      default:
        return this.refer(this.seq - rest, this.varint());
    }
  }

  patch() {
    const { bases } = this;
    const [back, index, depth, length] = [1, 2, 3, 4].map(() => this.varint());
    const seq = this.seq - back;
    let count = this.varint();
    if (seq >= this.seq || depth > DEPTH || count > SPLICES)
      throw new RangeError("a record holds no patch");
    const start = this.at;
    let copied = 0;
    for (; count > 0; count--) {
      this.varint();
      this.varint();
      const inserted = this.varint();
      if (inserted < COPIED) this.bytes(inserted);
      else {
        [1, 2, 3].forEach(() => this.varint());
        copied += inserted - COPIED;
        if (inserted > COPIED + COPIED_MOST) throw new RangeError("a record holds no patch");
      }
    }
    /** @param {number} back @param {number} index */
    const held = (back, index) => {
      const below = valueOf(bases?.get(this.seq - back), index);
      if (back === 0 || below === undefined)
        throw new RangeError("a record refers to a value that is not there");
      return typeof below === "string" ? { bytes: encoder.encode(below) } : below.held;
    };
    const patch = new Patch({
      bytes: this.#view.subarray(start, this.at),
      length,
      depth,
      base: () => held(back, index),
      copied,
      source: held,
    });
    this.texts.push(patch);
    return patch;
  }

  /** @param {number} seq @param {number} index */
  refer(seq, index) {
    this.#place = { seq, index };
    if (seq !== this.seq && this.earlier === undefined) return ABSENT;
    const text = valueOf(seq === this.seq ? this.texts : this.earlier?.get(seq), index);
    if (text === undefined) throw new RangeError("a record refers to a value that is not there");
    return text;
  }

  /** @template T @param {() => T} read @returns {T[]} */
  many(read) {
    const list = [];
    for (let count = this.varint(); count > 0; count--) list.push(read());
    return list;
  }

  /**
   * Refers to values of an earlier record, which is read on demand.
   * @returns {import("./patch.js").Run}
   */
  run() {
    const [seq, first, count] = [this.seq - this.varint(), this.varint(), this.varint()];
    return {
      count,
      into: (list = [], from = 0, to = count) => {
        const texts = this.earlier?.get(seq);
        if (
          seq >= this.seq ||
          count > LIST_MOST ||
          (this.earlier !== undefined && first + count > (texts?.length ?? 0))
        )
          throw new RangeError("a record refers to a value that is not there");
        if (texts instanceof ListSnapshot) return texts.slice(first + from, first + to, list);
        for (; from < to; from++) list.push(texts?.[first + from] ?? ABSENT);
        return list;
      },
    };
  }

  /** Reads a LIST_SNAPSHOT: earlier values in an order of its own, and the text of them all. */
  listSnapshot() {
    const name = this.name();
    const [depth, length] = [this.varint(), this.varint()];
    /** @type {import("./patch.js").Run[]} */
    const runs = [];
    while (this.at < this.#end) runs.push(this.run());
    const list = new ListSnapshot(name, runs, length);
    if (depth > DEPTH || list.length > LIST_MOST) throw new RangeError("a list is too long");
    return list;
  }

  /** @returns {unknown[]} kind, index, value; of a RUN: its values */
  op() {
    const kind = this.byte();
    if (kind === RUN) return [RUN, this.run().into()];
    const index = kind === REPLACE || kind === REMOVE ? this.varint() : 0;
    return [kind, index, kind === APPEND || kind === REPLACE ? this.value() : ABSENT];
  }

  /** @returns {SendToken} */
  send() {
    const node = this.name();
    const hasTimeout = this.byte() === 1;
    const args = this.value();
    return hasTimeout ? { node, args, timeout: this.value() } : { node, args };
  }

  /** @returns {Change} */
  change() {
    const channel = this.name();
    const version = this.varint();
    const form = this.byte();
    /** @type {Change} */
    const change = { channel, version, form: form & 7, mark: form >> 3 };
    if (change.form === SET) {
      const index = this.texts.length;
      change.value = this.value();
      change.place = this.texts.length > index ? { seq: this.seq, index } : this.#place;
    } else if (change.form === LIST) change.ops = this.many(() => this.op());
    else if (change.form === SENDS) change.sends = this.many(() => this.send());
    else if (change.form === NAMES) change.names = this.many(() => this.name());
    return change;
  }

  /** Reads one write, or many of one list. @returns {WriteRecord | (() => WriteRecord[])} */
  write() {
    const head = this.byte();
    const special = head & 127;
    const channel = this.name();
    const index = this.signed();
    if (head > 127) return { special, channel, index, send: this.send() };
    if (this.#view[this.at] !== MANY) return { special, channel, index, value: this.value() };
    this.at++;
    const run = this.run();
    return () => run.into().map((value) => ({ special, channel, index, value }));
  }

  /** @returns {TaskKey} */
  key() {
    const key = { kind: this.byte(), node: "", trigger: "", index: 0, id: "" };
    if (key.kind === TASK_PUSH) key.index = this.varint();
    if (key.kind === TASK_PULL || key.kind === TASK_PUSH) key.node = this.name();
    if (key.kind === TASK_PULL) key.trigger = this.name();
    if (key.kind === TASK_STORED) key.id = this.id();
    return key;
  }

  /** @returns {TaskRecord} */
  task() {
    const [key, outcome, parts] = [this.key(), this.byte(), this.many(() => this.write())];
    // Not made for a caller that needs only the task's outcome: they may be a whole list.
    return {
      key,
      outcome,
      get writes() {
        return parts.flatMap((part) => (typeof part === "function" ? part() : part));
      },
    };
  }

  /**
   * Reads an INTENT, RESULT or DECISION. Of the first two only the values matter, to which later
   * records may refer.
   * @returns {DecisionRecord}
   */
  ledger() {
    const ns = this.name();
    this.varint();
    this.bytes(32);
    const { node } = this.key();
    const call = this.name();
    const none = new Uint8Array();
    const flags = this.byte();
    const [approval, bound, shown] =
      flags > 0 ? [this.bytes(16), this.varint(), this.bytes(32)] : [none, 0, none];
    const moment = flags > 1 ? this.varint() : 0;
    return {
      seq: this.seq,
      ns,
      node,
      call,
      approval,
      bound,
      shown,
      moment,
      verdict: this.byte(),
      answer: this.value(),
    };
  }

  /**
   * Reads the fields that an index needs of a checkpoint or writes.
   * @param {boolean} isCheckpoint
   */
  head(isCheckpoint) {
    const ns = this.name();
    const id = this.bytes(16);
    const flags = isCheckpoint ? this.byte() : 0;
    return { ns, id, flags, parent: (flags & HAS_PARENT) === 0 ? undefined : this.bytes(16) };
  }

  /** @param {boolean} isCheckpoint @returns {LogRecord} */
  record(isCheckpoint) {
    const ns = this.name();
    const id = this.id();
    const flags = isCheckpoint ? this.byte() : 0;
    return {
      seq: this.seq,
      isCheckpoint,
      ns,
      id,
      source: flags & 3,
      parent: (flags & HAS_PARENT) === 0 ? undefined : this.id(),
      keyframe: (flags & 8) !== 0,
      hidden: (flags & HIDDEN) !== 0,
      step: isCheckpoint ? this.signed() : 0,
      extra: (flags & 32) === 0 ? ABSENT : this.value(),
      parents: isCheckpoint
        ? this.many(() => /** @type {[string, string]} */ ([this.name(), this.id()]))
        : [],
      changes: isCheckpoint ? this.many(() => this.change()) : [],
      seen: isCheckpoint
        ? this.many(() => /** @type {Seen} */ ([this.name(), this.name(), this.varint()]))
        : [],
      tasks: this.many(() => this.task()),
    };
  }
}
