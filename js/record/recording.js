// SPDX-License-Identifier: MIT
// Knows: how everything that crosses the border of an engine is written down: what the host gives (bytes, values by number)
// and what the engine answers, in order. The engine is a pure machine, so that is the whole run.
// Must not know: what commands and events mean, but where they hold addresses.
import { makeError } from "../base/errors.js";
import { ANSWER_RESUME, COMMAND_SAVE, COMMAND_TEXT, ERR_ARGUMENT } from "../base/codes.js";
import { encodeValue } from "../engine/codec.js";
import { bytesToText } from "../base/base64.js";
import { spareEngine } from "../engine/instance.js";

/** @typedef {import("../engine/engine.js").Engine} Engine */
/** One call: name, arguments, answer. Or a value: "value", its word, its text. Or one that a foreign checkpointer's log has a number for: "kept", its text. @typedef {[name: string, given: number[], answer: number | number[], bytes?: string] | ["value", number, string | null] | ["kept", string | null]} Entry */

/** What a caller was told of a failure; of what is no Error its text too, if there is one. @typedef {{ name: string, message: string, thrown?: string }} Told */

export const FORMAT = 1;
const ANSWER_WORDS = 10;
/** Calls that change nothing. */
const SILENT = new Set(["_initialize", "weft_abi", "weft_bytes", "weft_live", "weft_error", "weft_thread_head"]);
/** Calls that lend an area to be written to: which of their arguments says its bytes. */
const LENDING = new Map([["weft_input", 0], ["weft_load", 1]]);

/** @param {Uint8Array} bytes FNV-1a */
function digest(bytes) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i], 0x01000193);
  return hash >>> 0;
}

/**
 * A block of the engine's, with digests in place of addresses.
 * @param {ArrayBuffer} memory
 * @param {number} pointer
 * @returns {number[]} flags, status, then the records
 */
export function readBlock(memory, pointer) {
  if (pointer === 0) return [];
  const u32 = new Uint32Array(memory);
  const at = pointer >>> 2;
  const words = Array.from(u32.subarray(at + 4, at + 4 + u32[at]));
  for (let i = 0; i < words.length; i += 2 + words[i + 1]) {
    const op = words[i] & 0xffff;
    const end = i + 2 + words[i + 1];
    if (op === COMMAND_TEXT) for (let text = i + 3; text < end; text += 4) hide(memory, words, text);
    else if (op === COMMAND_SAVE) hide(memory, words, end - 3);
  }
  return [u32[at + 1], u32[at + 3], ...words];
}

/** @param {ArrayBuffer} memory @param {number[]} words @param {number} at where an address and a length stand */
function hide(memory, words, at) {
  words[at] = digest(new Uint8Array(memory, words[at], words[at + 2]));
}

/** @param {ArrayBuffer} memory @param {number} pointer @returns {number[]} */
function readAnswer(memory, pointer) {
  if (pointer === 0) return [];
  const words = Array.from(new Uint32Array(memory, pointer, ANSWER_WORDS));
  if (words[1] === ANSWER_RESUME && words[3] !== 0) hide(memory, words, 3);
  return words;
}

/**
 * What a call answered, as it is compared.
 * @param {string} name
 * @param {ArrayBuffer} memory
 * @param {number} answer
 * @returns {number | number[]}
 */
export function answerOf(name, memory, answer) {
  if (name === "weft_feed" || name === "weft_next") return readBlock(memory, answer >>> 0);
  if (name === "weft_ask") return readAnswer(memory, answer >>> 0);
  return LENDING.has(name) ? (answer === 0 ? 0 : 1) : (answer ?? 0);
}

export class Tape {
  /** @type {Entry[]} */
  entries = [];
  /** What the logs of foreign checkpointers refer to, by number. @type {any[]} */
  values = [];
  /** @type {(() => void) | undefined} */
  #flush;
  #used = false;
  /** The one channel whose bare value the run shows, and what it failed with. @type {{ shows?: string, error?: Told }} */
  #outside = {};

  /** An engine for the one run that is recorded, and for what runs inside it. @param {import("../run/run.js").Run} run @returns {Engine} */
  open({ promise, request: { context } }) {
    if (this.#used) throw makeError(ERR_ARGUMENT, ["a recording holds one run"]);
    this.#used = true;
    const { outputKeys } = context;
    if (typeof outputKeys === "string") this.#outside.shows = outputKeys;
    promise.catch((error) => {
      this.#outside.error = told(error);
    });
    const engine = spareEngine();
    /** @type {any} */ (engine).tape = this;
    const { x, slots } = engine;
    const calls = Object.entries(x).filter(([, call]) => typeof call === "function");
    engine.x = Object.fromEntries(calls.map(([name, call]) => [name, SILENT.has(name) ? call : this.#listen(x.memory, name, call)]));
    engine.x.memory = x.memory;
    const toWord = slots.toWord.bind(slots);
    slots.toWord = (value) => {
      const word = toWord(value);
      if ((word & 7) === 2) this.entries.push(["value", word, textOf(value)]);
      return word;
    };
    return engine;
  }

  /** @param {any} value that gets the next number */
  keep(value) {
    this.entries.push(["kept", textOf(value)]);
  }

  /** @param {WebAssembly.Memory} memory @param {string} name @param {(...given: number[]) => number} call */
  #listen(memory, name, call) {
    return (/** @type {number[]} */ ...given) => {
      this.#flush?.();
      this.#flush = undefined;
      const answer = call(...given);
      const entry = /** @type {any} */ ([name, given, answerOf(name, memory.buffer, answer)]);
      this.entries.push(entry);
      const size = given[LENDING.get(name) ?? given.length];
      // What the host writes into a lent area is there when it calls again.
      if (size !== undefined && answer !== 0) this.#flush = () => entry.push(bytesToText(new Uint8Array(memory.buffer, answer >>> 0, size)));
      return answer;
    };
  }

  /** The recording as one text, to be kept in a file. @returns {string} */
  text() {
    return JSON.stringify({ weft: "recording", format: FORMAT, ...this.#outside, entries: this.entries });
  }
}

/** @param {any} error @returns {Told} */
function told(error) {
  const isError = error instanceof Error;
  const thrown = isError ? undefined : (textOf(error) ?? undefined);
  return { name: String(error?.name || "Error"), message: String(error?.message ?? (typeof error === "object" ? thrown : error)), thrown };
}

/** @param {any} value @returns {string | null} */
function textOf(value) {
  try {
    return encodeValue(value, { warn: () => {} });
  } catch {
    return null;
  }
}
