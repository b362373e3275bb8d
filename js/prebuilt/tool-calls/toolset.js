// SPDX-License-Identifier: MIT
// Knows: how the engine judges tool calls (wasm/README.md, "Tools"): a toolset's handle, batches,
// plans. Must not know messages, or how a tool is run.
import { CALL_HAS_ID, CALL_UNREADABLE, ERR_NO_MEMORY, OK } from "../../base/codes.js";
import { Handle } from "../../engine/handle.js";
import { hexOf } from "../../base/uuid.js";
import { lettersIn } from "../../engine/unicode-properties.js";
import { getEngine } from "../../engine/instance.js";
import { makeError } from "../../base/errors.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {{ name: string, id?: string | null, args?: unknown, unreadable?: boolean }} Call */
/**
 * What becomes of a call: run `tool` with `args` (and `canonical`, their bytes as text; `isGiven`:
 * they are the call's own, unchanged), or answer with `text`. `id` is the call's own or the one it
 * was given; `name` is the tool's, as it was when the toolset was made.
 * @typedef {{ status: number, tool: number, name: string, id: string, reassigned: boolean, text:
 *   string, canonical: string, args: Value, isGiven: boolean, digest: string }} Outcome
 */

const HEAD_WORDS = 2;

export class Toolset {
  /**
   * @param {{ name: string, schema?: unknown, digest?: boolean, description?: string }[]}
   *   definition `schema` null: the host checks
   * @param {readonly ToolLike[]} [tools] in the same order: what an outcome's `tool` counts
   */
  constructor(definition, tools = []) {
    this.tools = tools;
    this.names = definition.map(({ name }) => name);
    this.handle = new Handle("weft_tools_new", "weft_tools_free", {
      toJSON: () => withLetters(definition),
    });
    /** @type {Uint32Array | undefined} */
    this.seed = undefined;
  }

  /** Gives the tools to the living engine; throws when a schema cannot be used. */
  prepare() {
    this.handle.open(getEngine());
  }

  /**
   * @param {readonly Call[]} calls
   * @param {number} mode PLAN_*
   * @param {string} scope names the message
   * @returns {Outcome[]}
   */
  plan(calls, mode, scope) {
    this.seed ??= crypto.getRandomValues(new Uint32Array(2));
    // Arguments may bring a toJSON: it runs before the batch is begun, which all of the engine's
    // runs share.
    const texts = calls.map(argumentsText);
    const engine = getEngine();
    const handle = this.handle.open(engine);
    const words = writeBatch(
      engine.batch,
      calls,
      texts,
      mode,
      /** @type {Uint32Array} */ (this.seed),
      scope,
    );
    engine.input(words);
    const pointer = engine.call("weft_tools_plan", handle, words.length / 4) >>> 0;
    if (pointer === 0) throw engine.refused(ERR_NO_MEMORY);
    // Read in the engine's memory; every text is copied out.
    const plan = engine.wordsAt(pointer);
    const status = plan.int();
    plan.at += HEAD_WORDS - 1;
    if (status < 0) throw makeError(status, [0]);
    return calls.map((call, index) => readOutcome(plan, call, texts[index], this.names));
  }
}

/**
 * @param {import("../../engine/batch.js").Batch} out
 * @param {readonly Call[]} calls
 * @param {readonly (string | undefined)[]} texts their arguments
 * @param {number} mode
 * @param {Uint32Array} seed
 * @param {string} scope
 */
function writeBatch(out, calls, texts, mode, seed, scope) {
  out.start();
  for (const word of [calls.length, mode, seed[0], seed[1]]) out.word(word);
  out.string(scope);
  for (const [index, call] of calls.entries()) {
    const text = texts[index];
    const id = typeof call.id === "string" ? call.id : "";
    out.word((id === "" ? 0 : CALL_HAS_ID) | (text === undefined ? CALL_UNREADABLE : 0));
    out.string(typeof call.name === "string" ? call.name : "");
    out.string(id);
    out.string(text ?? "");
  }
  return out.written();
}

/**
 * The JSON of a call's arguments. A model's own text goes over as it is: the engine parses it.
 * @param {Call} call
 * @returns {string | undefined} undefined where JSON cannot hold them
 */
function argumentsText({ args }) {
  if (typeof args === "string") return args;
  try {
    const text = JSON.stringify(args ?? null);
    return text?.includes("null") && hasNonFinite(args) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Does it hold NaN or Infinity, which JSON would turn into null? @param {unknown} args */
function hasNonFinite(args) {
  let isFound = false;
  JSON.stringify(args, (_, value) => {
    isFound ||= typeof value === "number" && !Number.isFinite(value);
    return value;
  });
  return isFound;
}

/**
 * @param {import("../../engine/block.js").Block} plan
 * @param {Call} call
 * @param {string | undefined} sent its arguments
 * @param {readonly string[]} names of the tools
 * @returns {Outcome}
 */
function readOutcome(plan, call, sent, names) {
  const status = plan.int();
  const tool = plan.word();
  const assigned = plan.string();
  const text = plan.string(sent);
  const digest = hexOf(plan.bytes());
  const runs = status === OK;
  return {
    status,
    tool,
    name: names[tool] ?? "",
    id: assigned === "" ? /** @type {string} */ (call.id) : assigned,
    reassigned: assigned !== "",
    text: runs ? "" : text,
    canonical: runs ? text : "",
    args: runs ? JSON.parse(text) : undefined,
    isGiven: text === sent && typeof call.args !== "string",
    digest,
  };
}

/**
 * What the engine takes, when it takes it: the tools, and beside them the letters that their
 * patterns name.
 * @param {object[]} tools
 */
function withLetters(tools) {
  const letters = lettersIn(JSON.stringify(tools));
  return letters === undefined ? tools : { tools, letters };
}
