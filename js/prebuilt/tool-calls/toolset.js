// SPDX-License-Identifier: MIT
// Lets the engine judge tool calls (wasm/README.md, "Tools"): the handle of a toolset, batches,
// plans. Does not depend on messages or on how a tool runs.
import { CALL_HAS_ID, CALL_UNREADABLE, ERR_NO_MEMORY, OK } from "../../base/codes.js";
import { drawWords } from "../../engine/entropy.js";
import { Handle } from "../../engine/handle.js";
import { hexOf } from "../../base/uuid.js";
import { lettersIn } from "../../engine/unicode-properties.js";
import { getEngine } from "../../engine/instance.js";
import { makeError } from "../../base/errors.js";

/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {{ name: string, id?: string | null, args?: unknown, unreadable?: boolean }} Call */
/**
 * The plan for one call: run `tool` with `args` (`canonical`: their JSON bytes as text; `isGiven`:
 * they are the call's own, unchanged), or answer with `text`. `id` is the call's own or an assigned
 * one; `name` is the tool's name when the toolset was made.
 * @typedef {{ status: number, tool: number, name: string, id: string, reassigned: boolean, text:
 *   string, canonical: string, args: unknown, isGiven: boolean, digest: string }} Outcome
 */

const HEAD_WORDS = 2;

export class Toolset {
  /**
   * Creates a toolset.
   * @param {{ name: string, schema?: unknown, digest?: boolean, description?: string }[]}
   *   definition `schema` null: the host validates
   * @param {readonly ToolLike[]} [tools] in the same order: an outcome's `tool` is an index into it
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

  /** Registers the tools with the current engine; throws if a schema is unusable. */
  prepare() {
    this.handle.open(getEngine());
  }

  /**
   * Plans the calls in the engine.
   * @param {readonly Call[]} calls
   * @param {number} mode PLAN_*
   * @param {string} scope identifies the message
   * @returns {Outcome[]}
   */
  plan(calls, mode, scope) {
    this.seed ??= drawWords(2);
    // Arguments may have a toJSON: run it before the batch begins, which all runs of the engine
    // share.
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
    // Reads the plan in the engine's memory and copies every text out.
    const plan = engine.wordsAt(pointer);
    const status = plan.int();
    plan.at += HEAD_WORDS - 1;
    if (status < 0) throw makeError(status, [0]);
    return calls.map((call, index) => readOutcome(plan, call, texts[index], this.names));
  }
}

/**
 * Writes the calls into the batch; returns the number of words.
 * @param {import("../../engine/batch.js").Batch} out
 * @param {readonly Call[]} calls
 * @param {readonly (string | undefined)[]} texts their arguments as JSON
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
 * Serializes a call's arguments. A model's own text is passed unchanged: the engine parses it.
 * @param {Call} call
 * @returns {string | undefined} undefined if JSON cannot represent them
 */
function argumentsText({ args }) {
  if (typeof args === "string") return args;
  try {
    const text = JSON.stringify(args ?? null);
    return text?.includes("null") ? withoutNonFinite(args) : text;
  } catch {
    return undefined;
  }
}

/**
 * Refuses NaN and Infinity, which JSON turns into null, in the very text that is passed on.
 * @param {unknown} args
 * @returns {string}
 * @throws RangeError
 */
function withoutNonFinite(args) {
  return JSON.stringify(args ?? null, (_, value) => {
    if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError("not finite");
    return value;
  });
}

/**
 * Reads one outcome of a plan.
 * @param {import("../../engine/block.js").Block} plan
 * @param {Call} call
 * @param {string | undefined} sent its arguments as they were sent
 * @param {readonly string[]} names names of the tools
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
 * Adds the letters that the tools' patterns name, when the engine reads the definition.
 * @param {object[]} tools
 */
function withLetters(tools) {
  const letters = lettersIn(JSON.stringify(tools));
  return letters === undefined ? tools : { tools, letters };
}
