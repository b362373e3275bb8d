// SPDX-License-Identifier: MIT
// Checks JSON texts against a schema in the engine (wasm/README.md, "Schemas"). Owns the schema's
// handle. Does not depend on what formats mean or how errors are reported.
import { Block } from "./block.js";
import { ERR_NEEDS_HOST, ERR_NO_MEMORY, ERR_SCHEMA_BUDGET, OK } from "../base/codes.js";
import { LONGEST_TEXT, TapeReader } from "./tape-reader.js";
import { drawWords } from "./entropy.js";
import { Handle } from "./handle.js";
import { getEngine } from "./instance.js";
import { makeError } from "../base/errors.js";

/** @typedef {{ instance: string, keyword: string, address: string, message: string }} Problem */
/**
 * @typedef {{ pattern: number, value: number, name: string, text: string }} Question does the text
 *   have the format of this name?
 */
/**
 * @typedef {{ valid: boolean, filled: string, problems: Problem[], questions: Question[], broken?:
 *   Error }} Verdict
 */

// Drawn at the first check: import must not draw random numbers, and some hosts refuse it there.
let seed = 0;

function draw() {
  try {
    seed = drawWords(1)[0] >>> 2; // small enough to be unboxed
  } catch {
    // Without randomness (at start-up) seed 0 is safe: such texts are the developer's own.
  }
  return seed;
}

const MOST_ROUNDS = 32;
const MOST_STEPS = 1000000;
const LEAST_ROOM = 4096;
const NOWHERE = new Uint8Array(0);
const encoder = new TextEncoder();

// Schemas are often compiled again per request or agent: equal ones share one handle while it
// lives.
const MOST_SHARED = 64;
const LONGEST_SHARED = 65536;
/**
 * Handles by a sampled hash of the definition: a full hash takes as long as compiling it.
 * @type {Map<number, WeakRef<Handle>>}
 */
const shared = new Map();
const GLANCES = 64;

/** @param {string} text */
function glanceAt(text) {
  let seen = text.length;
  for (let i = 0; i < GLANCES; i++)
    seen = (Math.imul(seen, 31) + text.charCodeAt(Math.floor((i * text.length) / GLANCES))) | 0;
  return seen;
}

/** @param {string} definition */
function handleOf(definition) {
  const glance = glanceAt(definition);
  const known = shared.get(glance)?.deref();
  if (known?.definition === definition) return known;
  const handle = new Handle("weft_schema_new", "weft_schema_free", definition);
  if (typeof WeakRef === "undefined" || definition.length > LONGEST_SHARED) return handle;
  shared.delete(glance);
  if (shared.size === MOST_SHARED)
    shared.delete(/** @type {number} */ (shared.keys().next().value));
  shared.set(glance, new WeakRef(handle));
  return handle;
}

export class Checker {
  #handle;
  /** @type {import("./engine.js").Engine | undefined} the engine whose input area #view shows */
  #viewed;
  #view = NOWHERE;
  /** Address of the last valid text's tape, 0 if it cannot be read. */
  #tape = 0;
  #reader = new TapeReader();

  /** @param {string} definition the wrapped schema as JSON; throws if it cannot be used */
  constructor(definition) {
    this.#handle = handleOf(definition);
    this.#handle.open(getEngine());
  }

  /**
   * Returns null if the text is valid and no defaults are to be filled in.
   * @param {string} text
   * @param {number} flags CHECK_*
   * @param {(question: Question) => boolean} ask
   * @returns {Verdict | null}
   */
  check(text, flags, ask) {
    const first = this.#run(text, flags, NONE);
    if (first === null || first.questions.length === 0) return first;
    /** @type {number[]} */
    const answers = [];
    let verdict = /** @type {Verdict | null} */ (first);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (const question of /** @type {Verdict} */ (verdict).questions)
        answers.push(question.pattern, question.value, ask(question) ? 1 : 0);
      verdict = this.#run(text, flags, answers);
      if (verdict === null || verdict.questions.length === 0) return verdict;
    }
    throw makeError(ERR_SCHEMA_BUDGET, [MOST_STEPS]);
  }

  /** Returns the value of the text that check() has just found valid. @param {string} text */
  read(text) {
    const engine = /** @type {import("./engine.js").Engine} */ (this.#viewed);
    if (engine.u32.length === 0) engine.refresh();
    return (
      (this.#tape === 0 ? undefined : this.#reader.read(engine.u32, this.#tape, text)) ??
      JSON.parse(text)
    );
  }

  free() {
    this.#handle.free();
  }

  /**
   * @param {string} text
   * @param {number} flags
   * @param {readonly number[]} answers
   * @returns {Verdict | null}
   */
  #run(text, flags, answers) {
    const engine = getEngine();
    const handle = this.#handle.open(engine);
    const { x } = engine;
    let pointer = 0;
    let bytes = 0;
    try {
      const room = Math.max(LEAST_ROOM, answers.length * 4 + text.length * 3);
      const area = x.weft_input(room) >>> 0;
      if (area !== 0) {
        // A view of memory that has grown since is empty. Making one costs as much as writing a
        // short text.
        if (this.#view.length < room || this.#view.byteOffset !== area || this.#viewed !== engine) {
          engine.refresh();
          this.#view = engine.u8.subarray(area, area + room);
          this.#viewed = engine;
        }
        let place = this.#view;
        if (answers.length > 0) {
          if (engine.u32.length === 0) engine.refresh();
          engine.u32.set(answers, area >>> 2);
          place = place.subarray(answers.length * 4);
        }
        bytes = /** @type {number} */ (encoder.encodeInto(text, place).written);
        pointer =
          x.weft_schema_check(handle, bytes, flags, seed || draw(), answers.length / 3) >>> 0;
      }
    } catch (error) {
      throw engine.trap(error);
    }
    if (pointer % 2 === 1) {
      this.#tape = bytes === text.length && bytes <= LONGEST_TEXT ? pointer - 1 : 0;
      return null;
    }
    if (pointer === 0) throw engine.refused(ERR_NO_MEMORY);
    engine.refresh();
    return read(engine.u32, pointer);
  }
}

const NONE = Object.freeze(/** @type {number[]} */ ([]));

/** @param {Uint32Array<ArrayBuffer>} u32 @param {number} pointer @returns {Verdict} */
function read(u32, pointer) {
  const block = new Block(u32);
  block.at = pointer >>> 2;
  const status = block.int();
  if (status === ERR_SCHEMA_BUDGET) throw makeError(status, [MOST_STEPS]);
  if (status !== OK && status !== ERR_NEEDS_HOST) {
    return {
      valid: false,
      filled: "",
      problems: [],
      questions: [],
      broken: makeError(status, [block.word(), block.string()]),
    };
  }
  const valid = block.word() === 1;
  const filled = block.string();
  const problems = [];
  for (let count = block.word(); count > 0; count--) {
    problems.push({
      instance: block.string(),
      keyword: block.string(),
      address: block.string(),
      message: block.string(),
    });
  }
  const questions = [];
  for (let count = block.word(); count > 0; count--) {
    questions.push({
      pattern: block.word(),
      value: block.word(),
      name: block.string(),
      text: block.string(),
    });
  }
  return { valid, filled, problems, questions };
}
