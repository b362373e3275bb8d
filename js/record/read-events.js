// SPDX-License-Identifier: MIT
// Reads the events of a recorded batch (payloads: wasm/README.md): what a run got as input and as
// answers, and the messages that its nodes wrote.
import { ENTRY_MESSAGES, ENTRY_OVERWRITE, ENTRY_WRITE } from "../base/codes.js";
import { START } from "../base/constants.js";
import { hexOf } from "../base/uuid.js";
import { isBaseMessage } from "../messages/index.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../engine/slots.js").Slots} Slots */
/** @typedef {{ channels: { name?: string }[], input?: string }} Definition of a graph */

/** Words of a batch before its events. */
const HEAD = 4;
const ID_WORDS = 4;

/**
 * @param {Uint8Array} bytes of a batch
 * @returns {{ op: number, flags: number, words: Uint32Array }[]}
 */
export function eventsIn(bytes) {
  const words = new Uint32Array(bytes.slice().buffer);
  const events = [];
  for (let i = HEAD; i + 1 < words.length; i += 2 + words[i + 1])
    events.push({
      op: words[i] & 0xffff,
      flags: words[i] >>> 16,
      words: words.subarray(i + 2, i + 2 + words[i + 1]),
    });
  return events;
}

/**
 * Returns a call's input; of a graph with several input channels, an object of their values.
 * @param {Uint32Array} words
 * @param {Slots} slots
 * @param {Definition} definition
 * @returns {unknown}
 */
export function readInput(words, slots, { channels, input }) {
  // A single input channel takes the input itself.
  const isBare = String(input).startsWith('"');
  /** @type {[string, unknown][]} */
  const fields = [];
  for (let i = 1; i + 2 < words.length && words[i] === ENTRY_WRITE; i += 3) {
    const name = channels[words[i + 1]]?.name ?? START;
    if (isBare || name === START) return slots.toValue(words[i + 2]);
    fields.push([name, slots.toValue(words[i + 2])]);
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** @param {Uint32Array} words @param {Slots} slots @returns {Record<string, unknown>} by id */
export function readAnswers(words, slots) {
  /** @type {Record<string, unknown>} */
  const answers = {};
  for (let i = 1; i + ID_WORDS < words.length; i += ID_WORDS + 1) {
    const id = words.slice(i, i + ID_WORDS);
    answers[hexOf(new Uint8Array(id.buffer))] = slots.toValue(words[i + ID_WORDS]);
  }
  return answers;
}

/**
 * Returns the messages among a task's writes.
 * @param {Uint32Array} words count, then entries: state writes first
 * @param {Slots} slots
 * @returns {Message[]}
 */
export function readWritten(words, slots) {
  const written = [];
  let at = 1;
  for (let entry = 0; entry < words[0] && at < words.length; entry++) {
    const code = words[at];
    if (code === ENTRY_MESSAGES) {
      const count = words[at + 3];
      at += 4;
      for (let item = 0; item < count && at < words.length; item++) {
        written.push(slots.toValue(words[at]));
        // Behind it: flags, and an id with its length in bytes.
        at += 3 + Math.ceil(words[at + 2] / 4);
      }
    } else if (code === ENTRY_WRITE || code === ENTRY_OVERWRITE) {
      written.push(slots.toValue(words[at + 2]));
      at += 3;
    } else break;
  }
  return /** @type {Message[]} */ (written.flat().filter(isBaseMessage));
}
