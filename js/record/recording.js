// SPDX-License-Identifier: MIT
// Records everything that crosses the border of an engine in order: the host's input (bytes, values
// by number) and the engine's answers. The engine is deterministic, so this is the whole run. Does
// not depend on the meaning of commands and events, except where they contain addresses.
import { makeError } from "../base/errors.js";
import { ERR_ARGUMENT } from "../base/codes.js";
import { LENDING, SILENT, answerOf, bytesIn } from "../engine/recorded-calls.js";
import { encodeValue } from "../engine/codec.js";
import { bytesToText } from "../base/base64.js";
import { spareEngine } from "../engine/instance.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../engine/engine.js").Engine} Engine */
/**
 * One call: name, arguments, answer. Or a value: "value", its handle, its text. Or a value numbered
 * in the log of a foreign checkpointer: "kept", its text.
 * @typedef {[name: string, given: number[], answer: number | number[], bytes?: string] | ["value",
 *   number, string | null] | ["kept", string | null]} Entry
 */

/**
 * The public form of a failure; for a value that is no Error also its text, if there is one.
 * @typedef {{ name: string, message: string, thrown?: string }} Told
 */

export const FORMAT = 1;
export class Recording {
  /** @type {Entry[]} */
  entries = [];
  /** Values that logs of foreign checkpointers refer to, by number. @type {unknown[]} */
  values = [];
  /** @type {(() => void) | undefined} */
  #flush;
  #used = false;
  /**
   * The single channel whose bare value the run returns, and the run's failure.
   * @type {{ shows?: string, error?: Told }}
   */
  #outside = {};

  /**
   * Creates an engine for the recorded run and its child runs.
   * @param {import("../run/run.js").Run} run
   * @returns {Engine}
   */
  open({ promise, request: { context } }) {
    if (this.#used) throw makeError(ERR_ARGUMENT, ["a recording holds one run"]);
    this.#used = true;
    const { outputKeys } = context;
    if (typeof outputKeys === "string") this.#outside.shows = outputKeys;
    promise.catch((error) => {
      this.#outside.error = told(error);
    });
    const engine = spareEngine();
    // No other run begins in it: it is dropped with its run.
    engine.full = true;
    /** @type {{ recording?: unknown }} */ (engine).recording = this;
    const { x, slots } = engine;
    const calls = Object.entries(x).filter(([, call]) => typeof call === "function");
    engine.x = Object.fromEntries(
      calls.map(([name, call]) => [
        name,
        SILENT.has(name) ? call : this.#listen(x.memory, name, call),
      ]),
    );
    engine.x.memory = x.memory;
    const toWord = slots.toWord.bind(slots);
    slots.toWord = (value) => {
      const word = toWord(value);
      if ((word & 7) === 2) this.entries.push(["value", word, textOf(value)]);
      return word;
    };
    return engine;
  }

  /**
   * Records a value of a foreign checkpointer's log.
   * @param {unknown} value gets the next number
   */
  keep(value) {
    this.entries.push(["kept", textOf(value)]);
  }

  /**
   * @param {WebAssembly.Memory} memory
   * @param {string} name
   * @param {(...given: number[]) => number} call
   */
  #listen(memory, name, call) {
    return (/** @type {number[]} */ ...given) => {
      this.#flush?.();
      this.#flush = undefined;
      const answer = call(...given);
      const entry = /** @type {Value} */ ([name, given, answerOf(name, memory, answer)]);
      this.entries.push(entry);
      const size = given[LENDING.get(name) ?? given.length];
      // The host writes into a borrowed area until its next call.
      if (size !== undefined && answer !== 0)
        this.#flush = () => entry.push(bytesToText(bytesIn(memory, answer >>> 0, size)));
      return answer;
    };
  }

  /** Returns the recording as a text for a file. @returns {string} */
  text() {
    return JSON.stringify({
      weft: "recording",
      format: FORMAT,
      ...this.#outside,
      entries: this.entries,
    });
  }
}

/** @param {Value} error @returns {Told} */
function told(error) {
  const isError = error instanceof Error;
  const thrown = isError ? undefined : (textOf(error) ?? undefined);
  return {
    name: String(error?.name || "Error"),
    message: String(error?.message ?? (typeof error === "object" ? thrown : error)),
    thrown,
  };
}

/** @param {unknown} value @returns {string | null} */
function textOf(value) {
  try {
    return encodeValue(value, { warn: () => {} });
  } catch {
    return null;
  }
}
