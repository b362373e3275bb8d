// SPDX-License-Identifier: MIT
// Knows: how the engine judges tool calls (wasm/README.md, "Tools"): a toolset's handle, batches, plans.
// Owns the handle (a finalizer frees it). Must not know messages, or how a tool is run.
import { CALL_HAS_ID, CALL_UNREADABLE, ERR_NO_MEMORY, ERR_PATTERN, ERR_SCHEMA_BUDGET, OK } from "../engine/codes.js";
import { getEngine } from "../engine/realm.js";
import { makeError } from "../errors.js";
import { PlanWriter } from "./plan-writer.js";

/** @typedef {{ name: string, id?: string | null, args?: any, unreadable?: boolean }} Call */
/**
 * What becomes of a call: run `tool` with `args` (and `canonical`, their bytes as text), or answer with `text`.
 * `id` is the call's own or the one it was given.
 * @typedef {{ status: number, tool: number, id: string, reassigned: boolean, text: string, canonical: string, args: any, digest: string }} Outcome
 */
/** @typedef {{ call: number, pattern: number, value: number, matches: boolean }} Answer */

const MOST_ROUNDS = 32;
const HEAD_WORDS = 2;
const decoder = new TextDecoder();
/** Batches are written one at a time. @type {PlanWriter | undefined} */
let writer;

export class Toolset {
  /** @param {{ name: string, schema?: any, digest?: boolean, description?: string }[]} definition `schema` null: the host checks */
  constructor(definition) {
    this.definition = definition;
    /** @type {Held} */
    this.held = { engine: undefined, handle: 0 };
    /** @type {Uint32Array | undefined} */
    this.seed = undefined;
  }

  /** Gives the tools to the living engine; throws when a schema cannot be used. @returns {import("../engine/engine.js").Engine} */
  open() {
    const engine = getEngine();
    const { held } = this;
    if (held.engine === engine) return engine;
    const handle = engine.open("weft_tools_new", JSON.stringify(this.definition));
    if (held.engine === undefined) watch(this);
    held.engine = engine;
    held.handle = handle;
    return engine;
  }

  /**
   * @param {readonly Call[]} calls
   * @param {number} mode PLAN_*
   * @param {string} scope names the message
   * @returns {Outcome[]}
   */
  plan(calls, mode, scope) {
    this.seed ??= crypto.getRandomValues(new Uint32Array(2));
    /** @type {Answer[]} */
    const answers = [];
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const before = answers.length;
      const outcomes = this.#ask(calls, mode, scope, answers);
      if (answers.length === before) return outcomes;
    }
    throw makeError(ERR_SCHEMA_BUDGET, [MOST_ROUNDS]);
  }

  /** @param {readonly Call[]} calls @param {number} mode @param {string} scope @param {Answer[]} answers */
  #ask(calls, mode, scope, answers) {
    const engine = this.open();
    const batch = writeBatch(calls, mode, /** @type {Uint32Array} */ (this.seed), scope, answers);
    engine.input(batch);
    const pointer = engine.call("weft_tools_plan", this.held.handle, batch.length / 4) >>> 0;
    if (pointer === 0) throw engine.refused(ERR_NO_MEMORY);
    engine.refresh();
    const reader = new PlanReader(engine.u32, engine.u8, pointer >>> 2);
    if (reader.status < 0) throw makeError(reader.status, [0]);
    return calls.map((call, index) => reader.outcome(call, index, answers));
  }
}

/**
 * @param {readonly Call[]} calls @param {number} mode @param {Uint32Array} seed @param {string} scope
 * @param {readonly Answer[]} answers
 */
function writeBatch(calls, mode, seed, scope, answers) {
  const out = (writer ??= new PlanWriter()).clear();
  for (const word of [calls.length, mode, seed[0], seed[1], answers.length]) out.word(word);
  out.text(scope);
  for (const { call, pattern, value, matches } of answers) for (const word of [call, pattern, value, matches ? 1 : 0]) out.word(word);
  for (const call of calls) {
    const text = argumentsText(call);
    const id = typeof call.id === "string" ? call.id : "";
    out.word((id === "" ? 0 : CALL_HAS_ID) | (text === undefined ? CALL_UNREADABLE : 0));
    out.text(typeof call.name === "string" ? call.name : "");
    out.text(id);
    out.text(text ?? "");
  }
  return out.bytes();
}

// A model's own text goes over as it is: the engine parses it.
/** @param {Call} call @returns {string | undefined} */
function argumentsText({ args }) {
  if (typeof args === "string") return args;
  try {
    return JSON.stringify(args ?? null);
  } catch {
    return undefined;
  }
}

/** Reads a plan from the engine's memory; every text is copied out. */
class PlanReader {
  /** @param {Uint32Array} u32 @param {Uint8Array} u8 @param {number} at */
  constructor(u32, u8, at) {
    this.u32 = u32;
    this.u8 = u8;
    this.status = u32[at] | 0;
    this.at = at + HEAD_WORDS;
  }

  span() {
    const bytes = this.u32[this.at];
    const start = (this.at + 1) * 4;
    this.at += 1 + ((bytes + 3) >>> 2);
    return this.u8.subarray(start, start + bytes);
  }

  text() {
    return decoder.decode(this.span());
  }

  /** @param {Call} call @param {number} index @param {Answer[]} answers grows by the answers to the call's questions @returns {Outcome} */
  outcome(call, index, answers) {
    const status = this.u32[this.at] | 0;
    const tool = this.u32[this.at + 1];
    this.at += 2;
    const assigned = this.text();
    const text = this.text();
    const digest = hex(this.span());
    for (let questions = this.u32[this.at++]; questions > 0; questions--) {
      const pattern = this.u32[this.at];
      const value = this.u32[this.at + 1];
      this.at += 2;
      answers.push({ call: index, pattern, value, matches: matches(this.text(), this.text()) });
    }
    const runs = status === OK;
    return {
      status,
      tool,
      id: assigned === "" ? /** @type {string} */ (call.id) : assigned,
      reassigned: assigned !== "",
      text: runs ? "" : text,
      canonical: runs ? text : "",
      args: runs ? JSON.parse(text) : undefined,
      digest,
    };
  }
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** @param {string} pattern @param {string} value */
function matches(pattern, value) {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch (error) {
    throw makeError(ERR_PATTERN, [pattern, /** @type {Error} */ (error).message], { cause: error });
  }
}

/** What the finalizer frees. @typedef {{ engine: import("../engine/engine.js").Engine | undefined, handle: number }} Held */

/** @type {FinalizationRegistry<Held> | undefined} */
let registry;

/** @param {Toolset} toolset */
function watch(toolset) {
  if (typeof FinalizationRegistry === "undefined") return;
  registry ??= new FinalizationRegistry(({ engine, handle }) => {
    if (engine !== undefined && !engine.dead) engine.call("weft_tools_free", handle);
  });
  registry.register(toolset, toolset.held);
}
