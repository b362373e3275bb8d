// SPDX-License-Identifier: MIT
// Defines the base of models that run in the tab, by an object of the page or the browser: limits
// of an answer, silence, aborts, errors. Does not depend on what the object is.
import { abortError } from "../../base/waits.js";
import { BaseChatModelLike } from "../base.js";
import { ModelError } from "../model-error.js";
import { Unexpected } from "../shapes.js";
import { watchdog } from "../time-limits.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../messages/index.js").AIMessage} AIMessage */
/** @typedef {import("../../messages/index.js").AIMessageChunk} AIMessageChunk */
/** @typedef {import("../base.js").Options} Options */
/** @typedef {AsyncGenerator<AIMessageChunk, AIMessage, void>} Pieces */
/** @typedef {import("../time-limits.js").Watchdog} Watchdog */
/** @typedef {{ name: string, message: string, status?: number, code?: string }} Told */
/** @typedef {{ message: string, code: string, status?: number, retryable?: boolean }} Refusal */

/** Default limits of an answer. */
const LIMITS = { maxAnswerLength: 2 ** 22, maxToolCalls: 1024, maxDurationMs: 3_600_000 };
const LONGEST_MESSAGE = 1000;

/** A chat model behind an object in the same tab. */
export class TabModel extends BaseChatModelLike {
  /** @param {Options} options of the user @param {Options} usual profile of such models */
  constructor({ timeout, profile, ...given }, usual) {
    super();
    this.timeout = limitFrom("timeout", timeout);
    /** @type {Record<string, number>} */
    this.limits = {};
    for (const [name, limit] of Object.entries(LIMITS))
      this.limits[name] = limitFrom(name, given[name]) ?? limit;
    this.profile = { ...usual, ...profile };
  }

  /**
   * Returns what is asked; its errors are the caller's. An adapter overrides it.
   * @param {BaseMessage[]} _messages
   * @param {Options} _options of the call
   * @param {boolean} _isStream
   * @returns {unknown}
   */
  request(_messages, _options, _isStream) {
    throw new TypeError("This model has no request()");
  }

  /**
   * Asks; yields chunks if the answer streams, returns the message. An adapter overrides it.
   * @param {unknown} _asked
   * @param {{ watch: Watchdog, isStream: boolean, options: Options }} _call
   * @returns {Pieces}
   */
  // biome-ignore lint/correctness/useYield: a subclass yields the pieces
  async *talk(_asked, _call) {
    throw new TypeError("This model has no talk()");
  }

  /**
   * Says what an error of the object means. An adapter overrides it.
   * @param {Told} told
   * @returns {Refusal}
   */
  refusal({ message }) {
    return { message, code: "STREAM_ERROR" };
  }

  /**
   * @param {BaseMessage[]} messages
   * @param {Options} options
   * @returns {Pieces}
   */
  answer(messages, options) {
    return talked(this, messages, options, true);
  }

  /** @param {BaseMessage[]} messages @param {Options} options */
  async complete(messages, options) {
    const pieces = talked(this, messages, options, false);
    for (;;) {
      // An engine may stream although it was asked not to.
      const { done, value } = await pieces.next();
      if (done) return value;
    }
  }

  /** Refuses an answer that is too long. @param {number} length of it so far */
  checkLength(length) {
    const { maxAnswerLength } = this.limits;
    if (length > maxAnswerLength)
      throw new ModelError(
        `The model wrote more than ${maxAnswerLength} characters (\`maxAnswerLength\`)`,
        { code: "TOO_LARGE" },
      );
  }

  /**
   * Makes what ends a call that is silent, too slow or aborted.
   * @param {AbortSignal | undefined} signal of the caller
   * @param {number} [timeout] of the call
   */
  watch(signal, timeout) {
    const { maxDurationMs } = this.limits;
    return watchdog({ timeout: timeout ?? this.timeout, maxDurationMs, signal });
  }

  /** @param {unknown} error @param {AbortSignal | undefined} signal of the caller */
  errorOf(error, signal) {
    if (signal?.aborted) return abortError(signal);
    if (error instanceof ModelError) return error;
    if (error instanceof Unexpected)
      return new ModelError(`The model's answer cannot be read: ${error.message}`, {
        code: error.code ?? "BAD_ANSWER",
      });
    const { message, ...details } = this.refusal(toldBy(error));
    return new ModelError(message.slice(0, LONGEST_MESSAGE), { ...details, cause: error });
  }
}

/**
 * @param {TabModel} model @param {BaseMessage[]} messages @param {Options} options
 * @param {boolean} isStream
 * @returns {Pieces}
 */
async function* talked(model, messages, options, isStream) {
  const { signal, timeout } = options;
  if (signal?.aborted) throw abortError(signal);
  const asked = model.request(messages, options, isStream);
  const watch = model.watch(signal, timeout);
  try {
    return yield* model.talk(asked, { watch, isStream, options });
  } catch (error) {
    throw model.errorOf(error, signal);
  } finally {
    watch.stop();
  }
}

/**
 * Calls what may fail at once or later; both are rejections.
 * @template T
 * @param {() => T | PromiseLike<T>} make
 * @returns {Promise<T>}
 */
export async function calling(make) {
  return make();
}

/**
 * Does what may fail and does not matter then, and waits for nothing.
 * @param {() => unknown} leave
 */
export function leaving(leave) {
  calling(leave).catch(() => undefined);
}

/** Reads an error of any kind, which may itself throw. @param {unknown} error @returns {Told} */
function toldBy(error) {
  try {
    if (typeof error === "string") return { name: "", message: error };
    const { name, message, status, code } = /** @type {Record<string, unknown>} */ (error);
    return {
      name: typeof name === "string" ? name : "",
      message: typeof message === "string" && message !== "" ? message : "no reason given",
      ...(typeof status === "number" ? { status } : {}),
      ...(typeof code === "string" ? { code } : {}),
    };
  } catch {
    return { name: "", message: "no reason given" };
  }
}

/** @param {string} name @param {unknown} value @returns {number | undefined} */
function limitFrom(name, value) {
  if (value !== undefined && !(typeof value === "number" && value > 0))
    throw new TypeError(`${name} must be a number above 0`);
  return /** @type {number | undefined} */ (value);
}
