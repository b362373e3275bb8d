// SPDX-License-Identifier: MIT
// Wraps one instance of the engine; only this module touches its memory. Owns the instance, its
// slots, the host's clock of 100-ns ticks and the list of runs to notify when the instance is lost.
// Depends on the border (wasm/README.md), not on what events and commands mean.
import { makeError } from "../base/errors.js";
import { Answer } from "./answer.js";
import { Batch, HEAD } from "./batch.js";
import { Block } from "./block.js";
import { ABI_HASH, ERR_ABI_MISMATCH, ERR_NO_MEMORY, ERR_TRAPPED, OK } from "../base/codes.js";
import { Slots } from "./slots.js";

/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {{ tick: (u32: Uint32Array) => void, use: (ticks: number) => void }} Ticker the clock of
 *   a run that has its own
 */
/** @typedef {{ lose: (error: Error) => void }} Tenant a user of an instance */
/** @typedef {{ known: boolean, seq: number, crc: number }} KnownHead */

const IDLE_BYTES = 32 * 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  #msLow = 0;
  #msHigh = 0;
  dead = false;
  /** Its memory is used up: active runs may continue, new runs get a new instance. */
  full = false;
  /** Blocks in no run's use. @type {Block[]} */
  blocks = [];
  /** Batch that another run may use while one is open. @type {Batch | undefined} */
  spare;
  /** @type {Set<Tenant>} */
  tenants = new Set();
  ms = 0;
  ticks = 0;

  /**
   * @param {WebAssembly.Instance} instance of engine.wasm, fresh
   * @param {number} limit bytes that the engine may allocate
   */
  constructor(instance, limit) {
    this.limit = limit;
    this.slots = new Slots();
    this.batch = new Batch();
    /** @type {Value} */
    this.x = instance.exports;
    this.u32 = new Uint32Array(this.x.memory.buffer);
    this.u8 = new Uint8Array(this.x.memory.buffer);
    this.x._initialize();
    const abi = this.x.weft_abi() >>> 0;
    if (abi !== ABI_HASH) throw makeError(ERR_ABI_MISMATCH, [abi, ABI_HASH]);
    const status = this.x.weft_init(limit);
    if (status !== OK) throw makeError(status, [limit]);
  }

  /** Renews the views if the memory has grown. */
  refresh() {
    const { buffer } = this.x.memory;
    if (this.u32.buffer === buffer) return;
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
  }

  /**
   * Marks the instance as unusable and notifies all its tenants.
   * @param {unknown} cause
   * @returns {Error} what to throw
   */
  trap(cause) {
    const error = makeError(ERR_TRAPPED, [], { cause });
    this.dead = true;
    const tenants = [...this.tenants];
    this.tenants.clear();
    for (const tenant of tenants) tenant.lose(error);
    return error;
  }

  /**
   * Calls an export; a trap ends the instance.
   * @param {string} name
   * @param {...number} args
   * @returns {number}
   */
  call(name, ...args) {
    if (this.dead) throw makeError(ERR_TRAPPED);
    try {
      return this.x[name](...args);
    } catch (error) {
      throw this.trap(error);
    }
  }

  /**
   * Calls an export after work has ended, to free a handle or query memory. A trap ends the
   * instance but is not thrown: returns 0.
   * @param {string} name
   * @param {number} [handle]
   * @returns {number}
   */
  afterwards(name, handle) {
    try {
      if (!this.dead) return this.x[name](handle);
    } catch (error) {
      this.trap(error);
    }
    return 0;
  }

  /**
   * Copies bytes into a new input area.
   * @param {Uint8Array} bytes
   */
  input(bytes) {
    const pointer = this.call("weft_input", bytes.length) >>> 0;
    if (pointer === 0) throw this.refused(ERR_NO_MEMORY);
    this.refresh();
    this.u8.set(bytes, pointer);
  }

  /**
   * Copies a text into a new input area; short ones through the batch's buffer, as no batch is
   * open.
   * @param {string} text
   * @returns {number} bytes
   */
  #inputText(text) {
    const { u8 } = this.batch;
    const bytes =
      text.length * 3 > u8.length
        ? encoder.encode(text)
        : u8.subarray(0, encoder.encodeInto(text, u8).written);
    this.input(bytes);
    return bytes.length;
  }

  /**
   * Returns a handle of one of the *_new and *_open exports, whose input is a text.
   * @param {string} name
   * @param {string} text
   */
  open(name, text) {
    const handle = this.call(name, this.#inputText(text));
    if (handle <= 0) throw this.lastError(handle);
    return handle;
  }

  /**
   * Makes the error of a call that returned `status`, with the words that the engine provides.
   * @param {number} status
   */
  lastError(status) {
    const pointer = this.call("weft_error") >>> 0;
    this.refresh();
    let at = pointer >>> 2;
    const words = [];
    if (pointer !== 0 && (this.u32[at] | 0) === status) {
      const count = this.u32[at + 1];
      at += 2;
      for (let i = 0; i < count; i++) {
        const bytes = this.u32[at++];
        words.push(decoder.decode(this.u8.subarray(at * 4, at * 4 + bytes)));
        at += (bytes + 3) >>> 2;
      }
    }
    const error = makeError(status, words.length > 0 ? words : [this.limit]);
    return this.#judge(status, error);
  }

  /**
   * Updates the instance's state after an error.
   * @param {number} status
   * @param {Error} error
   */
  #judge(status, error) {
    if (status === ERR_NO_MEMORY) this.full = true;
    else if (status < ERR_NO_MEMORY) this.trap(error);
    return error;
  }

  /**
   * @param {number} graph
   * @param {number} thread
   */
  newRun(graph, thread) {
    const run = this.call("weft_run_new", graph, thread);
    if (run <= 0) throw this.lastError(run);
    return run;
  }

  /**
   * Makes a run of a subgraph in a task of another run.
   * @param {number} graph
   * @param {number} thread
   * @param {import("../run/tasks/task.js").Task} parent
   * @param {number} flags CHILD_*
   */
  newChild(graph, thread, { run: { handle }, index, attempt }, flags) {
    const run = this.call("weft_run_child", graph, thread, handle, index, attempt, flags);
    if (run <= 0) throw this.lastError(run);
    return run;
  }

  /**
   * Feeds the batch and copies the answer into `block`.
   * @param {number} run
   * @param {Block} block
   * @param {Ticker} [ticker] the run's own clock
   */
  feed(run, block, ticker) {
    if (this.dead) throw makeError(ERR_TRAPPED);
    const { batch, x } = this;
    const words = batch.at;
    batch.u32[0] = words - HEAD;
    batch.u32[3] = 0;
    if (ticker === undefined) this.tick(batch.u32);
    else ticker.tick(batch.u32);
    let answer = 0;
    try {
      const pointer = x.weft_input(words * 4) >>> 0;
      if (pointer !== 0) {
        this.refresh();
        const { u32 } = this;
        const from = batch.u32;
        const to = pointer >>> 2;
        if (words < 64) for (let i = 0; i < words; i++) u32[to + i] = from[i];
        else u32.set(from.subarray(0, words), to);
        answer = x.weft_feed(run, words) >>> 0;
        this.refresh();
        if (answer !== 0) block.copy(this.u32, this.u8, answer);
      }
    } catch (error) {
      throw this.trap(error);
    }
    if (answer === 0) throw this.refused(ERR_NO_MEMORY);
    if (ticker === undefined) this.ticks += block.ticks;
    else ticker.use(block.ticks);
    if (block.status < 0) throw this.refused(block.status);
  }

  /** @param {number} status */
  refused(status) {
    const error = makeError(status, [status === ERR_NO_MEMORY ? this.limit : "unknown"]);
    return this.#judge(status, error);
  }

  /**
   * Writes the time into the head of a batch. The clock rises with every feed, whatever the
   * system's clock does.
   * @param {Uint32Array} u32
   */
  tick(u32) {
    const now = Date.now();
    if (now > this.ms) this.#setClock(now, 0);
    else if (++this.ticks >= 10000)
      this.#setClock(this.ms + Math.floor(this.ticks / 10000), this.ticks % 10000);
    const low = this.#msLow + this.ticks;
    u32[1] = low >>> 0;
    u32[2] = low < 4294967296 ? this.#msHigh : this.#msHigh + 1;
  }

  /**
   * @param {number} ms
   * @param {number} ticks
   */
  #setClock(ms, ticks) {
    const high = Math.floor(ms / 65536) * 10000;
    const low = (high % 65536) * 65536 + (ms % 65536) * 10000;
    this.ms = ms;
    this.ticks = ticks;
    this.#msLow = low % 4294967296;
    this.#msHigh = Math.floor(high / 65536) + Math.floor(low / 4294967296);
  }

  /**
   * Returns the engine's answer to a node's query.
   * @param {number} run
   * @param {number} task
   * @param {number} attempt
   * @param {number} op
   */
  ask(run, task, attempt, op) {
    const pointer = this.call("weft_ask", run, task, attempt, op) >>> 0;
    this.refresh();
    return new Answer(this.u32, this.u8, pointer >>> 2);
  }

  /**
   * Returns a part of the memory; borrowed until the next call of the engine.
   * @param {number} pointer
   * @param {number} size in bytes
   */
  bytesAt(pointer, size) {
    this.refresh();
    return this.u8.subarray(pointer, pointer + size);
  }

  /**
   * Reads words that the engine returned at an address; borrowed until the next call of the engine.
   * @param {number} pointer
   */
  wordsAt(pointer) {
    this.refresh();
    const words = new Block(this.u32);
    words.at = pointer >>> 2;
    return words;
  }

  /**
   * Copies a block of commands out of the memory.
   * @param {Block} block destination
   * @param {number} pointer
   */
  readBlock(block, pointer) {
    this.refresh();
    block.copy(this.u32, this.u8, pointer);
  }

  /**
   * Copies a thread's log into a buffer of the engine's, which the engine frees after reading.
   * @param {number} run
   * @param {Uint8Array[]} pieces
   * @returns {{ pointer: number, bytes: number }}
   */
  load(run, pieces) {
    let bytes = 0;
    for (const piece of pieces) bytes += piece.length;
    const pointer = this.call("weft_load", run, bytes) >>> 0;
    if (pointer === 0 && bytes > 0) throw this.refused(ERR_NO_MEMORY);
    this.refresh();
    let at = pointer;
    for (const piece of pieces) {
      this.u8.set(piece, at);
      at += piece.length;
    }
    return { pointer, bytes };
  }

  /**
   * @param {number} thread
   * @returns {KnownHead}
   */
  head(thread) {
    const at = this.call("weft_thread_head", thread) >>> 2;
    this.refresh();
    const { u32 } = this;
    return { known: u32[at] === 1, seq: u32[at + 2] * 4294967296 + u32[at + 1], crc: u32[at + 3] };
  }

  /** Is its memory large enough that runs may have allocated a quarter of the limit? */
  get isLarge() {
    return this.u8.length > this.limit / 4;
  }

  /** Allocated bytes. */
  get taken() {
    return this.afterwards("weft_bytes") >>> 0;
  }

  /** Is a quarter of its limit allocated? Then caches are dropped. */
  get isCrowded() {
    return this.taken > this.limit / 4;
  }

  /** Wasm memory never shrinks: is a new instance worth it, if no run is active in this one? */
  get isBloated() {
    const { byteLength } = this.x.memory.buffer;
    return (
      byteLength > IDLE_BYTES &&
      this.tenants.size === 0 &&
      this.afterwards("weft_bytes") < byteLength / 4
    );
  }
}
