// SPDX-License-Identifier: MIT
// Asks an engine in the tab: one call at a time, since an interruption stops whatever the engine
// writes. Does not depend on how requests are made.
import { nextCallId } from "../ids.js";
import { ModelError } from "../model-error.js";
import { Answer } from "../openai/answer.js";
import { TabModel, calling, leaving } from "../text-tools/tab-model.js";
import { PROVIDER, toRequest } from "./request.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/index.js").AIMessage} AIMessage */
/** @typedef {import("../../messages/index.js").AIMessageChunk} AIMessageChunk */
/** @typedef {import("../../types/models/webllm.js").ChatWebLLMOptions} Given */
/** @typedef {import("../../types/models/webllm.js").EngineLike} Engine */
/** @typedef {import("../base.js").Options} Options */
/** @typedef {import("../text-tools/tab-model.js").Watchdog} Watchdog */

const PROFILE = { structuredOutput: true, imageInputs: true, imageUrlInputs: true };
const TOO_LONG = /ContextWindowSizeExceeded|context window|context_length_exceeded/i;
/** The name of an error that came through a worker as text. */
const NAMED = /^(?:Uncaught )?(\w*Error): /;
/** Maximum time that an interrupted answer has to end, and pieces that it may still have. */
const LONGEST_END_MS = 5000;
const MOST_ENDING_PIECES = 64;

/** The end of the last call of each engine. @type {WeakMap<object, Promise<void>>} */
const ends = new WeakMap();

export class EngineModel extends TabModel {
  /** @param {Given} options */
  constructor({ engine, model, temperature, maxTokens, topP, seed, extraBody, ...options }) {
    super(options, PROFILE);
    this.engine = engine;
    this.model = model;
    const usual = { temperature, max_tokens: maxTokens, top_p: topP, seed, extra_body: extraBody };
    this.usual = Object.fromEntries(
      Object.entries(usual).filter(([, value]) => value !== undefined),
    );
  }

  /** @param {import("../text-tools/tab-model.js").Told} told */
  refusal({ name, message, status, code }) {
    const called = name === "" || name === "Error" ? NAMED.exec(message)?.[1] : name;
    const usual = called === undefined || called === "Error" ? "STREAM_ERROR" : called;
    return {
      message: `The engine reported an error: ${message}`,
      code: TOO_LONG.test(`${called} ${code} ${message}`) ? "context_overflow" : (code ?? usual),
      ...(status === undefined ? {} : { status }),
    };
  }

  /** @param {BaseMessage[]} messages @param {Options} options @param {boolean} isStream */
  request(messages, options, isStream) {
    const { model, usual } = this;
    return toRequest(messages, options, { model, usual, isStream });
  }

  /**
   * @param {Options} request
   * @param {{ watch: Watchdog, options: Options }} call
   * @returns {AsyncGenerator<AIMessageChunk, AIMessage, void>}
   */
  async *talk(request, { watch, options }) {
    const { engine } = this;
    const answer = new Answer({
      maxToolCalls: this.limits.maxToolCalls,
      provider: PROVIDER,
      newCallId: () => nextCallId(options),
    });
    const { before, end } = takeTurn(engine);
    /** @type {Promise<unknown> | undefined} */
    let asked;
    /** @type {AsyncIterator<unknown> | undefined} */
    let pieces;
    let isOver = false;
    try {
      await watch.race(before);
      asked = calling(() => engine.chat.completions.create(request, { signal: watch.signal }));
      const given = await watch.race(asked);
      const iterator = (pieces = piecesIn(given));
      if (iterator === undefined) {
        isOver = true;
        const chunk = answer.addWhole(given);
        if (request.stream && chunk !== undefined) yield chunk;
      } else {
        let length = 0;
        for (;;) {
          const { done, value } = await watch.race(Promise.resolve(iterator.next()));
          isOver = done === true;
          if (isOver) break;
          const chunk = answer.add(value);
          length += lengthOf(chunk);
          this.checkLength(length);
          if (chunk !== undefined) yield chunk;
        }
      }
      if (!answer.isFinished)
        throw new ModelError("The engine broke off its answer", { code: "STREAM_CUT" });
      return answer.message();
    } finally {
      // Not awaited: an engine that hangs must not delay an abort.
      if (asked === undefined || isOver) end();
      else stop(engine, asked, pieces).finally(end);
    }
  }
}

/**
 * Takes a place in the queue of an engine, if it can be interrupted.
 * @param {Engine} engine
 * @returns {{ before: Promise<unknown>, end: () => void }}
 */
function takeTurn(engine) {
  if (!canInterrupt(engine)) return { before: Promise.resolve(), end: () => undefined };
  const before = ends.get(engine) ?? Promise.resolve();
  /** @type {() => void} */
  let end = () => undefined;
  const own = /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      end = () => resolve();
    })
  );
  ends.set(
    engine,
    before.then(() => own),
  );
  return { before, end };
}

/**
 * Returns the pieces of an answer that streams.
 * @param {unknown} given
 */
function piecesIn(given) {
  const stream = /** @type {Partial<AsyncIterable<unknown>> | null | undefined} */ (given);
  return stream?.[Symbol.asyncIterator]?.();
}

/** @param {Engine} engine */
function canInterrupt(engine) {
  return typeof engine.interruptGenerate === "function";
}

/**
 * Interrupts an answer and takes what still comes, until which the engine takes no other request.
 * @param {Engine} engine @param {Promise<unknown>} asked
 * @param {AsyncIterator<unknown> | undefined} pieces
 */
async function stop(engine, asked, pieces) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, LONGEST_END_MS);
  });
  await Promise.race([endingOf(engine, asked, pieces).catch(() => undefined), late]);
  clearTimeout(timer);
}

/**
 * @param {Engine} engine @param {Promise<unknown>} asked
 * @param {AsyncIterator<unknown> | undefined} begun
 */
async function endingOf(engine, asked, begun) {
  leaving(() => engine.interruptGenerate?.());
  const pieces = begun ?? piecesIn(await asked);
  if (pieces === undefined) return;
  for (let count = canInterrupt(engine) ? MOST_ENDING_PIECES : 0; count > 0; count--)
    if ((await pieces.next()).done) return;
  await pieces.return?.();
}

/**
 * Returns a length of at least 1, or a stream of nothing would have no end.
 * @param {AIMessageChunk | undefined} chunk
 */
function lengthOf(chunk) {
  if (chunk === undefined) return 1;
  let length = Math.max(chunk.content.length, 1);
  for (const { args } of chunk.tool_call_chunks ?? []) length += args?.length ?? 0;
  for (const value of Object.values(chunk.additional_kwargs ?? {})) length += String(value).length;
  return length;
}
