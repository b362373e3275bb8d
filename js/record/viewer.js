// SPDX-License-Identifier: MIT
// Reconstructs what a reader of a run would have seen from the engine's commands. Owns the mirrored
// state.
import { makeError } from "../base/errors.js";
import { START } from "../base/constants.js";
import {
  COMMAND_DONE,
  COMMAND_FAIL,
  COMMAND_INTERRUPTS,
  COMMAND_LIST,
  COMMAND_RELEASE,
  COMMAND_SET,
  COMMAND_TASK,
  COMMAND_TEXT,
  COMMAND_VALUES,
  DONE_HAS_VALUES,
  DONE_INTERRUPTED,
  ERR_HOST,
  EVENT_ERROR,
  EVENT_INPUT,
  EVENT_LOADED,
  EVENT_RESULT,
  EVENT_RESUME,
  EVENT_RESUME_MAP,
  EVENT_START,
  START_COMMAND_INPUT,
} from "../base/codes.js";
import { Block } from "../engine/block.js";
import { decodeValue } from "../engine/codec.js";
import { EngineGraph } from "../run/graph.js";
import { Mirror } from "../run/channel-mirror.js";
import { readInterrupts } from "../run/read-snapshot.js";
import { nodeName } from "./describe-block.js";
import { eventsIn, readAnswers, readInput, readWritten } from "./read-events.js";

/** @typedef {import("../run/start.js").Interrupt} Interrupt */
/** @typedef {import("../base/callable.js").Value} Value */

/**
 * Facts unknown to the engine: the single channel whose bare value the run returns, and the failure
 * that its caller received.
 * @typedef {{ shows?: string, error?: Failure }} About
 */
/**
 * `thrown`: the thrown value, if it is no Error.
 * @typedef {{ name: string, message: string, thrown?: unknown }} Failure
 */
/** @typedef {{ node: string, task: number, attempt: number }} Step */
/** @typedef {import("../messages/base.js").Message} Message */
/**
 * `continues`: the thread had a log; `messages`: what nodes wrote, in order.
 * @typedef {{ status: "done" | "interrupted" | "failed" | "unfinished", input: unknown, resume:
 *   unknown, continues: boolean, output: import("../base/callable.js").Value, interrupts:
 *   Interrupt[], error: Failure | undefined, states: unknown[], messages: Message[], steps: Step[]
 *   }} Played
 */

export class Viewer {
  #block = new Block();
  /** Last failure of a task. @type {Failure | undefined} */
  #failure;
  /** @type {Played} */
  played = {
    status: "unfinished",
    input: undefined,
    resume: undefined,
    continues: false,
    output: undefined,
    interrupts: [],
    error: undefined,
    states: [],
    messages: [],
    steps: [],
  };

  /**
   * @param {import("../engine/engine.js").Engine} engine
   * @param {Value} definition of the graph
   * @param {About} about
   * @param {unknown[]} kept values of foreign checkpointers, by number
   */
  constructor(engine, definition, about, kept) {
    this.about = about;
    this.kept = kept;
    this.engine = engine;
    this.definition = definition;
    this.mirror = new Mirror(new EngineGraph(definition, /** @type {never} */ ({ channels: [] })));
  }

  /** Reads what the host told the engine. @param {Uint8Array} bytes of a batch */
  readBatch(bytes) {
    const { played, definition } = this;
    const { slots } = this.engine;
    let isCommand = false;
    for (const { op, flags, words } of eventsIn(bytes)) {
      if (op === EVENT_ERROR) this.#failure = slots.toValue(words[2]);
      else if (op === EVENT_START) isCommand = (flags & START_COMMAND_INPUT) !== 0;
      else if (op === EVENT_INPUT && !isCommand) played.input = readInput(words, slots, definition);
      else if (op === EVENT_RESUME) played.resume = slots.toValue(words[0]);
      else if (op === EVENT_RESUME_MAP) played.resume = readAnswers(words, slots);
      else if (op === EVENT_LOADED) played.continues ||= words[2] > 0;
      else if (op === EVENT_RESULT) this.#readResult(words);
    }
  }

  /** @param {Uint32Array} words of RESULT */
  #readResult(words) {
    const { steps, messages } = this.played;
    const step = steps.findLast(({ task }) => task === words[0]);
    if (step === undefined || step.node === START) return;
    for (const message of readWritten(words.subarray(2), this.engine.slots))
      if (messages.every(({ id }) => id === undefined || id !== message.id)) messages.push(message);
  }

  /** @param {number} pointer of a block */
  read(pointer) {
    const { engine, mirror } = this;
    const { slots } = engine;
    const block = this.#block;
    engine.readBlock(block, pointer);
    while (block.next()) {
      switch (block.op) {
        case COMMAND_SET:
          mirror.set(block.word(), slots.toValue(block.word()));
          break;
        case COMMAND_LIST:
          mirror.patch(block.word(), block, slots);
          break;
        case COMMAND_TEXT:
          while (block.at < block.end)
            slots.keep(block.word(), this.#open(String(block.takeText())));
          break;
        case COMMAND_RELEASE:
          while (block.at < block.end) slots.release(block.word());
          break;
        case COMMAND_TASK:
          this.played.steps.push({
            task: block.word(),
            attempt: block.word(),
            node: nodeName(this.definition, block.word()),
          });
          break;
        default:
          this.#readRare(block);
      }
    }
  }

  /** @param {string} text */
  #open(text) {
    return text.startsWith("#") ? this.kept[Number(text.slice(1))] : decodeValue(text);
  }

  /** @param {Block} block */
  #readRare(block) {
    const { played } = this;
    if (block.op === COMMAND_VALUES) played.states.push(this.#shown());
    else if (block.op === COMMAND_INTERRUPTS)
      played.interrupts.push(...readInterrupts(block, this.engine.slots));
    else if (block.op === COMMAND_FAIL) this.#fail(block);
    else if (block.op === COMMAND_DONE) {
      played.status =
        (block.opFlags & DONE_INTERRUPTED) !== 0 || played.interrupts.length > 0
          ? "interrupted"
          : "done";
      played.output = (block.opFlags & DONE_HAS_VALUES) === 0 ? undefined : this.#shown();
    }
  }

  #shown() {
    const state = this.mirror.pick(this.mirror.graph.output);
    const { shows } = this.about;
    return shows === undefined ? state : state[shows];
  }

  /** @param {Block} block */
  #fail(block) {
    const status = block.int();
    const words = [];
    for (let count = block.word(); count > 0; count--) block.word();
    for (let count = block.word(); count > 0; count--) words.push(block.string());
    const { name, message } =
      status === ERR_HOST && this.#failure !== undefined ? this.#failure : makeError(status, words);
    this.played.status = "failed";
    this.played.error = this.about.error ?? { name, message };
  }
}
