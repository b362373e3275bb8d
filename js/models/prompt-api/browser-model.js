// SPDX-License-Identifier: MIT
// Asks the browser's own model, without tools: sessions, prompts, answers in pieces, counts of
// tokens. Owns the sessions. Each call works on a clone of a kept session, so that a call that
// fails, or another one at the same time, spoils none.
import { AIMessage, AIMessageChunk } from "../../messages/index.js";
import { readFormat } from "../call-options.js";
import { TabModel, calling, leaving } from "../text-tools/tab-model.js";
import { absent, refusalOf, unable } from "./errors.js";
import { textParts, toConversation, toPrompt } from "./prompts.js";
import { Said, cloneOf, readerOf, sessionOf } from "./session.js";
import { Sessions, destroy } from "./sessions.js";

/** @typedef {import("../../messages/index.js").BaseMessage} BaseMessage */
/** @typedef {import("../../types/models/prompt-api.js").ChatPromptAPIOptions} Given */
/** @typedef {import("../../types/models/prompt-api.js").LanguageModelLike} LanguageModelLike */
/** @typedef {import("../../types/models/prompt-api.js").PrepareOptions} PrepareOptions */
/** @typedef {import("../base.js").Options} Options */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("../text-tools/tab-model.js").Watchdog} Watchdog */
/** @typedef {import("./prompts.js").Conversation} Conversation */
/** @typedef {{ conversation: Conversation, given: Options }} Asked */
/**
 * A session for one call. `held`: number of turns that it holds; `isNew`: it was made for this
 * call.
 * @typedef {{ session: Session, kinds: string[], held: number, isNew: boolean }} Work
 */

const PROFILE = {
  structuredOutput: true,
  imageInputs: true,
  imageUrlInputs: false,
  audioInputs: true,
};
/** Options of a session that are passed on as they are. */
/** @type {(keyof Omit<Given, "languageModel" | "maxSessions">)[]} */
const OF_SESSIONS = ["expectedInputs", "expectedOutputs", "samplingMode", "temperature", "topK"];
/** @type {Record<string, "available" | "downloadable" | "downloading">} */
const USABLE = {
  available: "available",
  downloadable: "downloadable",
  downloading: "downloading",
};
const MOST_SESSIONS = 4;
const METADATA = { model_provider: "prompt-api" };

export class BrowserModel extends TabModel {
  /** @param {Given} options */
  constructor({ languageModel, maxSessions = MOST_SESSIONS, ...options }) {
    super(options, PROFILE);
    const isApi = languageModel === undefined || typeof languageModel?.create === "function";
    if (!isApi) throw new TypeError("ChatPromptAPI: languageModel must have create()");
    if (!Number.isInteger(maxSessions) || maxSessions < 0)
      throw new TypeError("ChatPromptAPI: maxSessions must be a whole number from 0 on");
    this.languageModel = languageModel;
    this.sessions = new Sessions(maxSessions);
    /** @type {Options} */
    this.sessionOptions = {};
    for (const name of OF_SESSIONS)
      if (options[name] !== undefined) this.sessionOptions[name] = options[name];
  }

  /** The API; looked for when it is needed, since pages are also rendered on servers. */
  get api() {
    const api = this.languageModel ?? globalApi();
    if (typeof api?.create !== "function") throw absent();
    return api;
  }

  async availability() {
    if ((this.languageModel ?? globalApi()) === undefined) return "unavailable";
    const watch = this.watch(undefined);
    try {
      return await this.#availability(watch, []);
    } catch (error) {
      throw this.errorOf(error, undefined);
    } finally {
      watch.stop();
    }
  }

  /** @param {PrepareOptions} options */
  async prepare({ onProgress, signal }) {
    const watch = this.watch(signal);
    const monitor = (/** @type {EventTarget} */ target) =>
      target.addEventListener("downloadprogress", (event) => {
        const loaded = "loaded" in event ? Number(event.loaded) : Number.NaN;
        if (Number.isFinite(loaded)) onProgress?.(loaded);
      });
    try {
      signal?.throwIfAborted();
      const session = await this.#create("", [], watch, monitor);
      this.sessions.keep({ session, system: "", held: [], kinds: this.#kindsOf([]) });
    } catch (error) {
      throw this.errorOf(error, signal);
    } finally {
      watch.stop();
    }
  }

  /** @param {import("../text-tools/tab-model.js").Told} told */
  refusal(told) {
    return refusalOf(told);
  }

  /** @param {BaseMessage[]} messages @param {Options} options @returns {Asked} */
  request(messages, options) {
    if (options.tools?.length > 0)
      throw new TypeError("The browser's own model takes no tools but functions");
    if (options.stop !== undefined)
      throw new TypeError("The browser's own model has no stop sequences");
    const { response_format, responseConstraint, omitResponseConstraintInput } = options;
    const isObject = response_format?.type === "json_object";
    const schema = readFormat(options)?.schema ?? (isObject ? { type: "object" } : undefined);
    /** @type {Options} */
    const given = {};
    if ((responseConstraint ?? schema) !== undefined) {
      given.responseConstraint = responseConstraint ?? schema;
      if (omitResponseConstraintInput) given.omitResponseConstraintInput = true;
    }
    return { conversation: toConversation(messages), given };
  }

  /**
   * @param {Asked} asked
   * @param {{ watch: Watchdog, isStream: boolean }} call
   * @returns {AsyncGenerator<AIMessageChunk, AIMessage, void>}
   */
  async *talk({ conversation, given }, { watch, isStream }) {
    const { system, turns } = conversation;
    for (let isFresh = false; ; isFresh = true) {
      const work = await this.#open(conversation, watch, isFresh);
      const said = new Said(work.session);
      /** What is not read to its end. @type {ReadableStreamDefaultReader<unknown> | undefined} */
      let reader;
      let isKept = false;
      try {
        const input = turns.slice(work.held).map(toPrompt);
        await said.measure(input, given, watch);
        const asked = { ...given, signal: watch.signal };
        reader = await readerOf(work.session, input, { asked, watch, isStream });
        for (;;) {
          const { done, value } = await watch.race(reader.read());
          if (done) break;
          const content = said.add(value);
          this.checkLength(said.length);
          if (isStream && content !== "") yield new AIMessageChunk({ content });
        }
        reader = undefined;
        const { text, usage_metadata } = said.end(work.isNew);
        if (!said.isFull) {
          const held = [...turns];
          if (text !== "") held.push({ role: "assistant", parts: textParts(text) });
          this.sessions.keep({ session: work.session, system, held, kinds: work.kinds });
          isKept = true;
        }
        const response_metadata = { ...METADATA };
        if (isStream) yield new AIMessageChunk({ content: "", usage_metadata, response_metadata });
        return new AIMessage({ content: text, usage_metadata, response_metadata });
      } catch (error) {
        // Schemas of earlier calls are in a kept session too: a new one may have room.
        const { code } = /** @type {{ code?: string }} */ (this.errorOf(error, undefined));
        if (code !== "context_overflow" || work.isNew || said.text !== "") throw error;
      } finally {
        // Not awaited: a browser that hangs must not delay an abort.
        leaving(() => reader?.cancel());
        if (!isKept) destroy(work.session);
      }
    }
  }

  /**
   * Returns a session that holds as much of the conversation as one has, but not all.
   * @param {Conversation} conversation @param {Watchdog} watch
   * @param {boolean} isFresh without what is kept
   * @returns {Promise<Work>}
   */
  async #open(conversation, watch, isFresh) {
    for (;;) {
      const kept = isFresh ? undefined : this.sessions.find(conversation);
      if (kept === undefined) break;
      try {
        const session = await cloneOf(kept.session, watch);
        return { session, kinds: kept.kinds, held: kept.held.length, isNew: false };
      } catch (error) {
        if (watch.signal.aborted) throw error;
        // The browser has destroyed it, or cannot clone.
        this.sessions.drop(kept);
      }
    }
    const { system } = conversation;
    const kinds = this.#kindsOf(conversation.kinds);
    const first = await this.#create(system, conversation.kinds, watch);
    try {
      const session = await cloneOf(first, watch);
      this.sessions.keep({ session: first, system, held: [], kinds });
      return { session, kinds, held: 0, isNew: true };
    } catch (error) {
      if (!watch.signal.aborted) return { session: first, kinds, held: 0, isNew: true };
      destroy(first);
      throw error;
    }
  }

  /**
   * @param {string} system @param {string[]} kinds @param {Watchdog} watch
   * @param {(target: EventTarget) => unknown} [monitor] of the download
   */
  async #create(system, kinds, watch, monitor) {
    const { api } = this;
    // The session outlives the call, whose signal would destroy it.
    const creation = new AbortController();
    const stop = () => creation.abort(watch.signal.reason);
    watch.signal.addEventListener("abort", stop, { once: true });
    try {
      return await sessionOf(watch, () =>
        api.create({
          ...this.#optionsFor(kinds),
          ...(system === "" ? {} : { initialPrompts: [{ role: "system", content: system }] }),
          ...(monitor === undefined ? {} : { monitor }),
          signal: creation.signal,
        }),
      );
    } catch (error) {
      if (watch.signal.aborted) throw error;
      const state = await this.#availability(watch, kinds).catch(() => undefined);
      throw state === "unavailable" ? unable(error) : error;
    } finally {
      watch.signal.removeEventListener("abort", stop);
    }
  }

  /** @param {Watchdog} watch @param {string[]} kinds */
  async #availability(watch, kinds) {
    const state = await watch.race(calling(() => this.api.availability(this.#optionsFor(kinds))));
    return Object.hasOwn(USABLE, state) ? USABLE[state] : "unavailable";
  }

  /** What a session for these kinds takes. @param {string[]} kinds */
  #kindsOf(kinds) {
    const { expectedInputs } = this.sessionOptions;
    return Array.isArray(expectedInputs) ? expectedInputs.map((one) => one?.type) : kinds;
  }

  /** @param {string[]} kinds */
  #optionsFor(kinds) {
    const expectedInputs = ["text", ...kinds].map((type) => ({ type }));
    return { ...(kinds.length > 0 ? { expectedInputs } : {}), ...this.sessionOptions };
  }
}

/** @returns {LanguageModelLike | undefined} */
function globalApi() {
  const { LanguageModel } = /** @type {{ LanguageModel?: LanguageModelLike }} */ (globalThis);
  return LanguageModel;
}
