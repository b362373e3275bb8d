// SPDX-License-Identifier: MIT
// Reads sessions of the browser's own model: their counts of tokens in each name that they had,
// answers in pieces, sessions that come too late. Does not depend on conversations.
import { unexpected } from "../shapes.js";
import { calling, leaving } from "../text-tools/tab-model.js";
import { tooLong } from "./errors.js";
import { destroy } from "./sessions.js";

/** @typedef {import("../text-tools/tab-model.js").Watchdog} Watchdog */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {(input: unknown, given?: Fields) => unknown} Ask */
/**
 * A session by the shape of its IDL; the counts have another name in older browsers.
 * @typedef {{ prompt: Ask, promptStreaming: (input: unknown, given?: Fields) =>
 *   ReadableStream<unknown>, clone: (given?: Fields) => unknown, destroy: () => unknown,
 *   addEventListener?: (name: string, listener: () => void) => unknown, measureContextUsage?: Ask,
 *   measureInputUsage?: Ask, contextUsage?: unknown, inputUsage?: unknown, contextWindow?: unknown,
 *   inputQuota?: unknown }} Session
 */

const OVERFLOWS = ["contextoverflow", "quotaoverflow"];

/** The answer of a session, and what it costs. */
export class Said {
  #session;
  /** Of browsers before the counts each piece is the whole text so far. */
  #isOld;
  /** @type {boolean | undefined} */
  #isWhole = undefined;
  /** @type {number | undefined} */
  #before;
  /** Tokens of the input. @type {number | undefined} */
  #asked = undefined;
  text = "";
  length = 0;
  /** Has the session forgotten its first turns? */
  isFull = false;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#before = usedOf(session);
    this.#isOld = this.#before === undefined;
    for (const name of OVERFLOWS)
      leaving(() =>
        session.addEventListener?.(name, () => {
          this.isFull = true;
        }),
      );
  }

  /**
   * Counts the tokens of the input; throws if it has no room in the session.
   * @param {unknown[]} input @param {Fields} given @param {Watchdog} watch
   */
  async measure(input, given, watch) {
    const session = this.#session;
    const isNew = typeof session.measureContextUsage === "function";
    const name = isNew ? "measureContextUsage" : "measureInputUsage";
    if (typeof session[name] !== "function" || this.#before === undefined) return;
    try {
      this.#asked = countOf(await watch.race(calling(() => session[name]?.(input, given))));
    } catch (error) {
      if (watch.signal.aborted) throw error;
    }
    const room = countOf(session.contextWindow ?? session.inputQuota);
    if (room !== undefined && this.#before + (this.#asked ?? 0) > room) throw tooLong();
  }

  /** @param {unknown} piece @returns {string} what it adds */
  add(piece) {
    if (typeof piece !== "string") throw unexpected("the answer to be a string", piece);
    const continues = this.#isOld && this.text !== "" && piece.startsWith(this.text);
    if (this.text !== "") this.#isWhole ??= continues;
    const added = this.#isWhole && continues ? piece.slice(this.text.length) : piece;
    this.text += added;
    // An empty piece counts, or a stream of them would have no end.
    this.length += Math.max(added.length, 1);
    return added;
  }

  /** @param {boolean} isNew did nothing come from an earlier call? */
  end(isNew) {
    const before = this.#before;
    const asked = this.#asked;
    const after = usedOf(this.#session);
    if (before === undefined || asked === undefined || after === undefined)
      return { text: this.text, usage_metadata: undefined };
    const input_tokens = before + asked;
    const output_tokens = Math.max(after - input_tokens, 0);
    const usage_metadata = {
      input_tokens,
      output_tokens,
      total_tokens: input_tokens + output_tokens,
      ...(isNew ? {} : { input_token_details: { cache_read: before } }),
    };
    return { text: this.text, usage_metadata };
  }
}

/** @param {Session} session @returns {number | undefined} tokens that it holds */
function usedOf(session) {
  try {
    return countOf(session.contextUsage ?? session.inputUsage);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function countOf(value) {
  return typeof value === "number" && value >= 0 && value < Infinity
    ? Math.round(value)
    : undefined;
}

/** @param {Session} session @param {Watchdog} watch */
export function cloneOf(session, watch) {
  return sessionOf(watch, () => session.clone({ signal: watch.signal }));
}

/**
 * Returns a new session; one that comes too late is destroyed.
 * @param {Watchdog} watch @param {() => unknown} make
 * @returns {Promise<Session>}
 */
export async function sessionOf(watch, make) {
  const made = calling(make);
  try {
    const session = /** @type {Session | undefined} */ (await watch.race(made));
    if (typeof session?.prompt !== "function") throw unexpected("a session", session);
    return session;
  } catch (error) {
    leaving(async () => destroy(/** @type {Session | undefined} */ (await made)));
    throw error;
  }
}

/**
 * Begins an answer; returns the reader of its pieces, or of the whole as one.
 * @param {Session} session @param {unknown[]} input
 * @param {{ asked: Fields, watch: Watchdog, isStream: boolean }} call
 */
export async function readerOf(session, input, { asked, watch, isStream }) {
  if (isStream)
    return (await watch.race(calling(() => session.promptStreaming(input, asked)))).getReader();
  const whole = await watch.race(calling(() => session.prompt(input, asked)));
  /** @type {ReadableStream<unknown>} */
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(whole);
      controller.close();
    },
  });
  return stream.getReader();
}
