// SPDX-License-Identifier: MIT
// Writes frames of a thread's log in the format that src/log reads: checkpoints with their whole
// state or their changes, and writes. Values are passed as texts. Owns the bytes until they are
// taken, and the end of the chain.
import { hashOf } from "./hash.js";
import { threadHash, uuidBytes } from "./hashed-ids.js";
import { HASH_CRC32C } from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";
import { DEPTH, Patch } from "./patch.js";
import { FRAME_MAGIC, HEADER, TRIM } from "./frames.js";
import {
  APPEND,
  LIST,
  NAMES,
  PATCH,
  REMOVE,
  REPLACE,
  SENDS,
  SET,
  TASK_PULL,
  TASK_PUSH,
  TASK_STORED,
} from "./record.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./record.js").Token} Token */
/** @typedef {import("./record.js").LogRecord} LogRecord */
/** @typedef {import("./record.js").SendToken} SendToken */
/** @typedef {import("./record.js").Base} Base */

const encoder = new TextEncoder();

export class LogWriter {
  #bytes = new Uint8Array(1024);
  #at = 0;
  #isPatched = false;
  #thread;

  /** @param {string} threadId @param {{ seq: number, crc: number }} head */
  constructor(threadId, head) {
    this.#thread = threadHash(threadId);
    this.seq = head.seq;
    this.crc = head.crc;
    this.firstSeq = head.seq + 1;
  }

  /** Returns the written bytes as one batch. */
  take() {
    return this.#bytes.slice(0, this.#at);
  }

  /** @param {number} count */
  #room(count) {
    if (this.#at + count <= this.#bytes.length) return;
    const more = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + count));
    more.set(this.#bytes);
    this.#bytes = more;
  }

  /** @param {number} byte */
  #byte(byte) {
    this.#room(1);
    this.#bytes[this.#at++] = byte;
  }

  /** @param {ArrayLike<number>} bytes */
  #put(bytes) {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** @param {number} value */
  #varint(value) {
    while (value > 127) {
      this.#byte((value % 128) | 128);
      value = Math.floor(value / 128);
    }
    this.#byte(value);
  }

  /** @param {number} value */
  #signed(value) {
    this.#varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** @param {string} text @param {number} scale @param {number} tag */
  #text(text, scale, tag) {
    const bytes = encoder.encode(text);
    this.#varint(bytes.length * scale + tag);
    this.#put(bytes);
  }

  /** @param {string} name */
  #name(name) {
    this.#text(name, 2, 0);
  }

  /** @param {string} id */
  #id(id) {
    const bytes = uuidBytes(id);
    if (bytes === undefined) throw new TypeError(`${JSON.stringify(id)} is not a UUID`);
    this.#put(bytes);
  }

  /** @param {Token} token @param {Base} [base] */
  #value(token, base) {
    if (token === ABSENT) this.#varint(0);
    else if (base?.value === undefined || !this.#patch(encoder.encode(String(token)), base))
      this.#text(String(token), 4, 2);
  }

  /**
   * Writes a text as one edit of the value that it replaces; returns false if that is not smaller.
   * @param {Uint8Array} text
   * @param {Base} base
   */
  #patch(text, { value, place }) {
    const { seq, index } = /** @type {import("./record.js").Place} */ (place);
    const old = value instanceof Patch ? value.bytes() : encoder.encode(String(value));
    const depth = value instanceof Patch ? (value.held.depth ?? DEPTH) + 1 : 1;
    const least = Math.min(old.length, text.length);
    let start = 0;
    let keep = 0;
    while (start < least && old[start] === text[start]) start++;
    while (keep < least - start && old[old.length - keep - 1] === text[text.length - keep - 1])
      keep++;
    const length = text.length - start - keep;
    if (length + 40 > text.length || depth > DEPTH) return false;
    for (const number of [
      PATCH,
      this.seq + 1 - seq,
      index,
      depth,
      text.length,
      1,
      keep,
      old.length - start - keep,
      length,
    ])
      this.#varint(number);
    this.#put(text.subarray(start, start + length));
    return (this.#isPatched = true);
  }

  /** @template T @param {T[]} list @param {(item: T) => void} put */
  #many(list, put) {
    this.#varint(list.length);
    for (const item of list) put(item);
  }

  /** @param {SendToken} send */
  #send({ node, args, timeout }) {
    this.#name(node);
    this.#byte(timeout === undefined ? 0 : 1);
    this.#value(args);
    if (timeout !== undefined) this.#value(timeout);
  }

  /** @param {import("./record.js").Change} change */
  #change(change) {
    this.#name(change.channel);
    this.#varint(change.version);
    this.#byte(change.form | (change.mark << 3));
    if (change.form === SET) this.#value(change.value ?? ABSENT, change.base);
    else if (change.form === LIST) this.#many(change.ops ?? [], (op) => this.#op(op));
    else if (change.form === SENDS) this.#many(change.sends ?? [], (send) => this.#send(send));
    else if (change.form === NAMES) this.#many(change.names ?? [], (name) => this.#name(name));
  }

  /** @param {Value[]} op APPEND, REPLACE, REMOVE or CLEAR */
  #op([kind, index, value, base]) {
    this.#byte(kind);
    if (kind === REPLACE || kind === REMOVE) this.#varint(index);
    if (kind === REPLACE || kind === APPEND) this.#value(value, base);
  }

  /** @param {import("./record.js").TaskRecord} task */
  #task({ key, outcome, writes }) {
    this.#byte(key.kind);
    if (key.kind === TASK_PUSH) this.#varint(key.index);
    if (key.kind === TASK_PULL || key.kind === TASK_PUSH) this.#name(key.node);
    if (key.kind === TASK_PULL) this.#name(key.trigger);
    if (key.kind === TASK_STORED) this.#id(key.id);
    this.#byte(outcome);
    this.#many(writes, ({ special, channel, index, value, base, send }) => {
      this.#byte(special | (send === undefined ? 0 : 128));
      this.#name(channel);
      this.#signed(index);
      if (send === undefined) this.#value(value ?? ABSENT, base);
      else this.#send(send);
    });
  }

  /** @param {Partial<LogRecord> & { ns: string, id: string }} record */
  add(record) {
    const mark = this.#at;
    this.#put(new Uint8Array(HEADER));
    this.#name(record.ns);
    this.#id(record.id);
    if (record.isCheckpoint) this.#head(record);
    this.#many(record.tasks ?? [], (task) => this.#task(task));
    this.#seal(mark, record.isCheckpoint ? 1 : 2);
  }

  /** Writes a TRIM: records before it no longer count. */
  trim() {
    const mark = this.#at;
    const crc = new Uint8Array(4);
    new DataView(crc.buffer).setUint32(0, this.crc, true);
    this.#put(new Uint8Array(HEADER));
    this.#varint(this.seq);
    this.#put(crc);
    this.#seal(mark, TRIM);
  }

  /** @param {Partial<LogRecord>} record */
  #head({
    source = 0,
    parent,
    keyframe,
    hidden,
    extra = ABSENT,
    step = 0,
    parents = [],
    changes = [],
    seen = [],
  }) {
    const bits = [parent !== undefined, keyframe, hidden, extra !== ABSENT];
    this.#byte(bits.reduce((flags, bit, i) => flags | (bit ? 4 << i : 0), source));
    if (parent !== undefined) this.#id(parent);
    this.#signed(step);
    if (extra !== ABSENT) this.#value(extra);
    this.#many(parents, ([ns, id]) => (this.#name(ns), this.#id(id)));
    this.#many(changes, (change) => this.#change(change));
    this.#many(
      seen,
      ([node, channel, version]) => (this.#name(node), this.#name(channel), this.#varint(version)),
    );
  }

  /**
   * Fills in the header of the frame that began at `mark`, and its checksums.
   * @param {number} mark
   * @param {number} kind
   */
  #seal(mark, kind) {
    this.#room(4);
    const bytes = this.#bytes;
    const view = new DataView(bytes.buffer);
    const length = this.#at - mark - HEADER;
    view.setUint32(mark, FRAME_MAGIC, true);
    bytes[mark + 4] = this.#isPatched ? 2 : 1;
    this.#isPatched = false;
    bytes[mark + 5] = kind;
    view.setUint32(mark + 8, length, true);
    view.setUint32(mark + 12, ++this.seq % 4294967296, true);
    view.setUint32(mark + 16, Math.floor(this.seq / 4294967296), true);
    bytes.set(this.#thread, mark + 20);
    view.setUint32(mark + 36, this.crc, true);
    const sealed = bytes.subarray(mark, mark + 40);
    bytes.set(hashOf(HASH_CRC32C, sealed), mark + 40);
    const covered = new Uint8Array(40 + length);
    covered.set(sealed);
    covered.set(bytes.subarray(mark + HEADER, this.#at), 40);
    const crc = hashOf(HASH_CRC32C, covered);
    this.#put(crc);
    this.crc = new DataView(crc.buffer, crc.byteOffset).getUint32(0, true);
  }
}
