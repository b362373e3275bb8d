// SPDX-License-Identifier: MIT
// Replays a recording in an engine of its own: calls no node, model, tool, reducer or store, and
// compares each answer with the recorded one. Does not depend on the meaning of commands
// (viewer.js).
import { WeftError, makeError } from "../base/errors.js";
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { ERR_ARGUMENT } from "../base/codes.js";
import { LENDING, answerOf, bytesIn } from "../engine/recorded-calls.js";
import { decodeValue } from "../engine/codec.js";
import { bytesFromText } from "../engine/codec-parts.js";
import { spareEngine } from "../engine/instance.js";
import { FORMAT } from "./recording.js";
import { ThreadLog } from "./thread-log.js";
import { Viewer } from "./viewer.js";
import { describeBlock, shorten } from "./describe-block.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("./recording.js").Entry} Entry */
/** @typedef {import("./viewer.js").Played} Played */

/**
 * Reports that the engine's answers differ from the recorded run, or that the graph is another one.
 */
export class ReplayError extends WeftError {
  /** @param {string} difference @param {number} [entry] of the recording */
  constructor(difference, entry) {
    super(
      "REPLAY_DIVERGED",
      `The replay differs from the recording${entry === undefined ? "" : ` at entry ${entry}`}: ${difference}.`,
    );
    this.name = "ReplayError";
    this.difference = difference;
    this.entry = entry;
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @param {Value} text @returns {{ entries: Entry[], about: import("./viewer.js").About }} */
function readTape(text) {
  try {
    const { weft, format, shows, error, entries } = JSON.parse(text);
    if (
      weft === "recording" &&
      format === FORMAT &&
      Array.isArray(entries) &&
      entries.every(isEntry) &&
      [shows, error?.name, error?.message, error?.thrown].every(isText)
    )
      return { entries, about: { shows, error: readFailure(error) } };
  } catch {
    // Reported below, like any other text that is no recording.
  }
  throw makeError(ERR_ARGUMENT, ["the text is no recording, or one of another format"]);
}

/**
 * @param {import("./recording.js").Told | undefined} error
 * @returns {import("./viewer.js").Failure | undefined}
 */
function readFailure(error) {
  return error?.thrown === undefined ? error : { ...error, thrown: decodeValue(error.thrown) };
}

/** @param {unknown} list */
const isNumbers = (list) => Array.isArray(list) && list.every(Number.isFinite);

/** @param {unknown} word */
const isText = (word) => word === undefined || typeof word === "string";

/** @param {unknown} text */
const isBase64 = (text) => typeof text === "string" && text.length % 4 === 0 && BASE64.test(text);

/** @param {unknown} entry */
function isEntry(entry) {
  if (!Array.isArray(entry)) return false;
  const [name, given, answer, bytes] = entry;
  if (name === "kept") return given === null || typeof given === "string";
  if (name === "value")
    return (
      Number.isInteger(given) &&
      (given & 15) === 2 &&
      (answer === null || typeof answer === "string")
    );
  const isCall =
    typeof name === "string" &&
    name.startsWith("weft_") &&
    isNumbers(given) &&
    (Number.isFinite(answer) || isNumbers(answer));
  if (!isCall || bytes === undefined) return isCall;
  // Bytes go to where the engine lends a place of their size, and nowhere else.
  return LENDING.get(name) === given.length - 1 && isBase64(bytes);
}

/** @param {string} text @param {number} number of the entry */
function readValue(text, number) {
  try {
    return decodeValue(text);
  } catch (error) {
    throw makeError(
      ERR_ARGUMENT,
      [`the value at entry ${number} of the recording cannot be read`],
      { cause: error },
    );
  }
}

/** @param {string} text @returns the recorded graph, with the lists that are read here */
function readDefinition(text) {
  try {
    const definition = JSON.parse(text);
    const { nodes, channels, branches, output } = definition;
    if (
      [nodes, channels, branches].every((list) => isListOf(list, isObject)) &&
      Array.isArray(output)
    )
      return definition;
  } catch {
    // Reported below, like a text that is no graph.
  }
  throw makeError(ERR_ARGUMENT, ["the graph in the recording cannot be read"]);
}

/**
 * Checks that the recorded numbers mean the same in the current graph.
 * @param {unknown} then
 * @param {Value} now
 */
function checkNames(then, now) {
  for (const kind of ["nodes", "channels", "branches"]) {
    const [old, own] = [then, now].map((definition) =>
      definition[kind].map((/** @type {Value} */ part) => part.name ?? `after ${part.from}`),
    );
    const at = old.findIndex(
      (/** @type {string} */ name, /** @type {number} */ index) => name !== own[index],
    );
    if (at >= 0 || own.length > old.length) {
      const place = at >= 0 ? at : old.length;
      throw new ReplayError(
        `of the ${kind}, number ${place} was ${old[place] ?? "not there"}, and is ${own[place] ?? "not there"}`,
      );
    }
  }
}

class Player {
  #engine = spareEngine();
  /**
   * Handle of the first run; its child runs are compared but not shown.
   * @type {number | undefined}
   */
  #run;
  /** @type {Value} */
  #definition;
  /** @type {Viewer | undefined} */
  #viewer;
  #input = new Uint8Array(0);
  /** @type {unknown[]} */
  #kept = [];
  #threads = new ThreadLog();

  /**
   * @param {unknown} now definition of the current graph, if the caller passed one
   * @param {import("./viewer.js").About} about
   */
  constructor(now, about) {
    this.now = now;
    this.about = about;
  }

  get played() {
    return this.#viewer?.played;
  }

  /** The run's thread; a foreign checkpointer's log is none that another saver reads. */
  get thread() {
    const thread = this.#run === undefined ? undefined : this.#threads.of(this.#run);
    return thread === undefined || thread.log.length === 0 || this.#kept.length > 0
      ? undefined
      : thread;
  }

  /**
   * Replays one entry.
   * @param {Entry} entry
   * @param {number} number
   * @param {Entry | undefined} next the entry after it
   */
  play(entry, number, next) {
    if (entry[0] === "kept") {
      this.#kept.push(typeof entry[1] === "string" ? readValue(entry[1], number) : undefined);
      return;
    }
    if (entry[0] === "value") {
      const [, word, text] = /** @type {["value", number, string | null]} */ (entry);
      this.#engine.slots.own[word >>> 4] = text === null ? undefined : readValue(text, number);
      return;
    }
    const [name, given, recorded, text] =
      /** @type {[string, number[], number | number[], string?]} */ (entry);
    if (text !== undefined) return this.#write(name, given, text, next, number);
    const { x } = this.#engine;
    if (typeof x[name] !== "function") throw new ReplayError(`this engine has no ${name}`, number);
    const args = name === "weft_graph_new" ? [this.#input.length] : given;
    const answer = this.#call(() => x[name](...args), number);
    this.#compare(number, name, recorded, answerOf(name, x.memory, answer));
    this.#threads.take(name, given, answer, this.#input, x.memory);
    if (name === "weft_run_new" && this.#run === undefined) {
      this.#run = answer;
      this.#viewer = new Viewer(this.#engine, this.#definition, this.about, this.#kept);
    } else if (name === "weft_feed" && given[0] === this.#run && answer !== 0) {
      this.#viewer?.readBatch(this.#input);
      this.#viewer?.read(answer >>> 0);
    }
  }

  /**
   * Writes bytes into the engine; of a definition, only its recorded length.
   * @param {string} name
   * @param {number[]} given
   * @param {string} text
   * @param {Value} next
   * @param {number} number
   */
  #write(name, given, text, next, number) {
    const bytes = new Uint8Array(/** @type {Value} */ (bytesFromText(text, "Uint8Array")));
    this.#input =
      next?.[0] === "weft_graph_new" ? this.#define(bytes.subarray(0, next[1][0])) : bytes;
    const { x } = this.#engine;
    const words = [...given.slice(0, -1), this.#input.length];
    const pointer = this.#call(() => x[name](...words), number) >>> 0;
    if (pointer === 0)
      throw new ReplayError(`the engine has no room for ${this.#input.length} bytes`, number);
    bytesIn(x.memory, pointer, this.#input.length).set(this.#input);
    if (name === "weft_load") this.#threads.load(this.#input);
  }

  /**
   * Replaces the recorded definition by the current one, except its output.
   * @param {Uint8Array} bytes
   */
  #define(bytes) {
    if (this.#definition !== undefined) return bytes;
    this.#definition = readDefinition(new TextDecoder().decode(bytes));
    if (this.now === undefined) return bytes;
    checkNames(this.#definition, this.now);
    return new TextEncoder().encode(
      JSON.stringify({ ...this.now, output: this.#definition.output }),
    );
  }

  /** @param {() => number} act @param {number} number */
  #call(act, number) {
    try {
      return act() ?? 0;
    } catch (error) {
      throw new ReplayError(`the engine trapped (${error})`, number);
    }
  }

  /**
   * @param {number} number
   * @param {string} name
   * @param {number | number[]} recorded
   * @param {number | number[]} now
   */
  #compare(number, name, recorded, now) {
    if (JSON.stringify(recorded) === JSON.stringify(now)) return;
    if (!Array.isArray(recorded) || !Array.isArray(now) || name === "weft_ask") {
      throw new ReplayError(
        `${name} answered ${JSON.stringify(recorded)}, and answers now ${JSON.stringify(now)}`,
        number,
      );
    }
    const [before, after] = [recorded, now].map((words) => describeBlock(words, this.#definition));
    const place = before.findIndex((one, index) => one !== after[index]);
    const at = place < 0 ? before.length : place;
    throw new ReplayError(
      `there was ${shorten(before[at])}, and there is now ${shorten(after[at])}`,
      number,
    );
  }
}

/**
 * Replays a recording.
 * @param {string} text of a recording
 * @param {{ graph?: any }} [options] `graph`: the run must take the same course in this graph
 * @returns {Played & { thread: import("./thread-log.js").Thread | undefined }} `thread`: as the run
 *   left it
 */
export function replay(text, options) {
  const { entries, about } = readTape(text);
  const { graph } = options ?? {};
  checkArgument(
    graph === undefined || typeof graph?._plan === "function",
    "replay(text, options): options.graph must be a compiled graph",
  );
  const player = new Player(
    graph === undefined ? undefined : graph._plan(graph.builder, graph).definition,
    about,
  );
  entries.forEach((entry, number) => player.play(entry, number, entries[number + 1]));
  if (player.played === undefined) throw makeError(ERR_ARGUMENT, ["the recording holds no run"]);
  return { ...player.played, thread: player.thread };
}
