// SPDX-License-Identifier: MIT
// Reads an answer of Workers AI in either of its forms, whole or in pieces: its own is converted to
// that of OpenAI's chat completions, and of both the faults are mended that OpenAI does not have.
// Does not depend on HTTP.
import { isListOf, isRecord } from "../../base/check-arguments.js";
import { textOf } from "../../messages/index.js";
import { Answer } from "../openai/answer.js";
import { firstOf, indexOrNone, listOf, objectOf, parsed, shallow } from "../shapes.js";
import { PROVIDER } from "./wire.js";

/** @typedef {import("../answer-parts.js").Fields} Fields */

/** Joins one answer. */
export class WorkersAnswer extends Answer {
  /** Ids that a call of this answer must not have. @type {Set<string>} */
  #ids;
  /** By the service's index of a call: its place. @type {Map<number, number>} */
  #places = new Map();
  #calls = 0;
  /** Names of the tools whose call may come as text. @type {readonly string[]} */
  #mayLeak;
  /** A text that may be a call; undefined once it cannot be. @type {string[] | undefined} */
  #held;
  /** May that text be JSON? */
  #isJson = false;

  /**
   * @param {{ maxToolCalls: number, newCallId: () => string, ids: readonly string[], mayLeak:
   *   readonly string[] }} options `ids`: those of earlier calls; `mayLeak`: the tools, if one of
   *   them must be called
   */
  constructor({ ids, mayLeak, ...rules }) {
    super({ ...rules, provider: PROVIDER });
    this.#ids = new Set(ids);
    this.#mayLeak = mayLeak;
    this.#held = mayLeak.length === 0 ? undefined : [];
  }

  /** Adds an answer that is not streamed. @param {unknown} given */
  addWhole(given) {
    const told = objectOf(given, "an answer");
    return this.#read(isRecord(told.result) ? told.result : told, true);
  }

  /** Adds the data of an event; returns its addition, if any. @param {unknown} given */
  add(given) {
    return this.#read(objectOf(given, "an answer"), false);
  }

  /**
   * Mends what was received in place: copies of each token's data would take twice the time.
   * @param {Fields} data @param {boolean} isWhole is it no piece of a stream?
   */
  #read(data, isWhole) {
    const choice = choiceIn(data);
    data.choices = [];
    if (choice !== undefined) {
      choice.delta = this.#deltaOf(choice, isWhole);
      if (isWhole) {
        Object.assign(choice.delta, this.#release());
        choice.finish_reason ??= this.#reason();
      }
      data.choices.push(choice);
    }
    return super.add(data);
  }

  /** Ends a stream: returns what was held back and what the service left unsaid, if anything. */
  end() {
    const delta = this.#release();
    if (delta === undefined && this.isFinished) return undefined;
    return super.add({ choices: [{ delta: delta ?? {}, finish_reason: this.#reason() }] });
  }

  #reason() {
    return this.#calls > 0 ? "tool_calls" : "stop";
  }

  /** @param {Fields} choice @param {boolean} isWhole @returns {Fields} */
  #deltaOf(choice, isWhole) {
    const delta = objectOf(choice.delta ?? choice.message ?? {}, "a choice's `message` or `delta`");
    delta.content = textFrom(delta.content);
    if (delta.tool_calls)
      delta.tool_calls = this.#tidy(listOf(delta.tool_calls, "`tool_calls`"), isWhole);
    if (this.#held !== undefined) this.#hold(delta, this.#held);
    return delta;
  }

  /**
   * Takes the text out of a piece of the answer as long as it may be a call.
   * @param {Fields} delta @param {string[]} held
   */
  #hold(delta, held) {
    const text = delta.content.trimStart();
    this.#isJson ||= /^[{[]/.test(text);
    const isText = text !== "" && !this.#isJson;
    held.push(delta.content);
    if (this.#calls === 0 && !isText) delta.content = "";
    else {
      this.#held = undefined;
      delta.content = held.join("");
    }
  }

  /** Returns what was held back, as calls if it is some. @returns {Fields | undefined} */
  #release() {
    const text = this.#held?.join("") ?? "";
    this.#held = undefined;
    if (text === "") return undefined;
    const calls = leakedCalls(text, this.#mayLeak);
    return calls.length === 0
      ? { content: text }
      : { content: "", tool_calls: this.#tidy(calls, true) };
  }

  /**
   * Gives each call a place, by which its pieces are joined, and an id that no other call has.
   * Leaves out the empty pieces that close a stream.
   * @param {unknown[]} pieces @param {boolean} isWhole is each of them a call?
   * @returns {Fields[]}
   */
  #tidy(pieces, isWhole) {
    /** @type {Fields[]} */
    const tidy = [];
    for (const given of pieces) {
      const piece = objectOf(given, "each of `tool_calls`");
      const called = objectOf(piece.function ?? piece, "a tool call's `function`");
      if (!called.name && !called.arguments) continue;
      const key = isWhole ? undefined : indexOrNone(piece.index, "a tool call's `index`");
      const continues = !isWhole && !called.name && this.#calls > 0 ? this.#calls - 1 : undefined;
      const place = key === undefined ? continues : this.#places.get(key);
      const index = place ?? this.#calls++;
      if (key !== undefined) this.#places.set(key, index);
      const id = place === undefined ? this.#idFrom(piece.id) : undefined;
      tidy.push({ ...piece, index, id, function: called });
    }
    return tidy;
  }

  /** @param {unknown} given @returns {string | undefined} undefined if it needs another one */
  #idFrom(given) {
    if (typeof given !== "string" || given === "" || this.#ids.has(given)) return undefined;
    this.#ids.add(given);
    return given;
  }
}

/** Returns the first choice; the service's own form has one. @param {Fields} data */
function choiceIn({ choices, response, tool_calls, reasoning_content, finish_reason }) {
  if (choices !== undefined && choices !== null) return firstOf(choices, "`choices`");
  return response === undefined && tool_calls === undefined
    ? undefined
    : { delta: { content: response, tool_calls, reasoning_content }, finish_reason };
}

/** Returns the words of an answer, which may be an object or a number. @param {unknown} content */
function textFrom(content) {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  const isBlocks = isListOf(content, (block) => isRecord(block) && "text" in block);
  return isBlocks
    ? textOf(/** @type {Fields[]} */ (content))
    : JSON.stringify(shallow(content, "an answer"));
}

/**
 * Reads calls that the model wrote as text, with their arguments below or beside the name; only of
 * tools that it has.
 * @param {string} text @param {readonly string[]} names
 * @returns {Fields[]}
 */
function leakedCalls(text, names) {
  return [parsed(text)]
    .flat()
    .filter((call) => names.includes(call?.name))
    .map(({ name, arguments: args, parameters, ...rest }) => ({
      name,
      arguments: args ?? parameters ?? rest,
    }));
}
