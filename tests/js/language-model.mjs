// SPDX-License-Identifier: MIT
// The browser's Prompt API by its IDL, over a function in place of a model: sessions with a bounded
// context, clones, downloads, errors by their names. Uses names of the Web only.

const STATES = ["unavailable", "downloadable", "downloading", "available"];
const ROLES = ["user", "assistant"];

const refuse = (name, message, fields) => {
  throw Object.assign(new DOMException(message, name), fields);
};
const words = (text) => text.match(/[^\s"{}:,[\]]+/g)?.length ?? 0;
const wordsOf = ({ content }) =>
  typeof content === "string"
    ? words(content)
    : content.reduce((sum, { type, value }) => sum + (type === "text" ? words(value) : 10), 0);

/** Counts of tokens: of prompts with their schema, and of an answer. */
const COUNTS = {
  input: (prompts, schema) =>
    prompts.reduce((sum, prompt) => sum + wordsOf(prompt), words(JSON.stringify(schema ?? ""))),
  output: words,
};

/**
 * @param {object} options
 * @param {(turns: any[], asked: any) => any} options.say answers: a text; if `asked.isStream`, a
 *   stream or a list of pieces
 * @param {string} [options.state] what availability() says; a download makes it "available"
 * @param {number} [options.room] tokens of a session
 * @param {() => boolean} [options.isClicked] is there a user gesture?
 * @param {"new" | "old" | "first"} [options.era] the names of the counts; "first": none of them,
 *   and pieces that are the whole text so far
 * @param {any} [options.counts]
 */
export function languageModel(options) {
  const { say, room = 1000, isClicked = () => false, era = "new", counts = COUNTS } = options;
  let { state = "available" } = options;
  const log = { created: [], clones: 0, prompts: [], open: new Set(), most: 0 };

  class LanguageModel extends EventTarget {
    #held;
    #used;
    #kinds;
    #initial;
    #isDestroyed = false;

    constructor(held, used, kinds, initial) {
      super();
      this.#held = held;
      this.#used = used;
      this.#kinds = kinds;
      this.#initial = initial;
      log.open.add(this);
      log.most = Math.max(log.most, log.open.size);
      const [usage, size, measure] =
        era === "new"
          ? ["contextUsage", "contextWindow", "measureContextUsage"]
          : ["inputUsage", "inputQuota", "measureInputUsage"];
      if (era === "first") return;
      Object.defineProperty(this, usage, { get: () => this.#used });
      Object.defineProperty(this, size, { get: () => room });
      this[measure] = async (input, given) => this.#count(this.#read(input), given);
    }

    static async availability(given = {}) {
      LanguageModel.#check(given);
      return state;
    }

    static async create(given = {}) {
      LanguageModel.#check(given);
      given.signal?.throwIfAborted();
      log.created.push(given);
      if (state === "unavailable") refuse("NotSupportedError", "The device cannot run the model.");
      if (state !== "available") {
        if (!isClicked()) refuse("NotAllowedError", "Requires a user gesture.");
        const monitor = new EventTarget();
        given.monitor?.(monitor);
        for (const loaded of [0, 0.5, 1])
          monitor.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
        state = "available";
      }
      const kinds = (given.expectedInputs ?? [{ type: "text" }]).map(({ type }) => type);
      const initial = given.initialPrompts ?? [];
      const used = initial.length === 0 ? 0 : counts.input(initial);
      if (used > room)
        refuse("QuotaExceededError", "The input is too large.", { requested: used, quota: room });
      const session = new LanguageModel([...initial], used, kinds, initial.length);
      given.signal?.addEventListener("abort", () => session.destroy());
      return session;
    }

    static #check({ expectedInputs = [], initialPrompts = [], tools }) {
      if (tools !== undefined) throw new Error("the browser must not get tools");
      for (const { type } of expectedInputs)
        if (!["text", "image", "audio"].includes(type)) throw new TypeError(`no type ${type}`);
      for (const [at, { role }] of initialPrompts.entries())
        if (!ROLES.includes(role) && !(role === "system" && at === 0))
          throw new TypeError(`no role ${role} at ${at}`);
    }

    #read(input) {
      if (this.#isDestroyed) refuse("InvalidStateError", "The session is destroyed.");
      const prompts = typeof input === "string" ? [{ role: "user", content: input }] : input;
      if (!Array.isArray(prompts) || prompts.length === 0) throw new TypeError("no prompts");
      for (const { role, content } of prompts) {
        if (role === "system") refuse("NotSupportedError", "A system prompt must be the first.");
        if (!ROLES.includes(role)) throw new TypeError(`no role ${role}`);
        for (const { type, value } of typeof content === "string" ? [] : content) {
          if (!this.#kinds.includes(type)) refuse("NotSupportedError", `${type} is not expected.`);
          const isRight =
            type === "text"
              ? typeof value === "string"
              : value instanceof Blob || value instanceof ArrayBuffer;
          if (!isRight) throw new TypeError(`the value of ${type}`);
        }
      }
      return prompts;
    }

    #count(prompts, { responseConstraint, omitResponseConstraintInput } = {}) {
      return counts.input(prompts, omitResponseConstraintInput ? undefined : responseConstraint);
    }

    /** Makes room, asks; `done` takes the answer into the session. */
    #begin(input, given = {}, isStream = false) {
      given.signal?.throwIfAborted();
      const prompts = this.#read(input);
      const asked = this.#count(prompts, given);
      const system = this.#held.slice(0, this.#initial);
      const least = counts.input(system) + asked;
      if (least > room)
        refuse("QuotaExceededError", "The input is too large.", { requested: asked, quota: room });
      if (this.#used + asked > room) this.#forget(system, least);
      const turns = [...this.#held, ...prompts];
      log.prompts.push({ prompts, given, turns, isStream });
      const done = (answer) => {
        const own = { role: "assistant", content: answer };
        this.#held = [...turns, own];
        this.#used += asked + counts.output(answer);
        if (this.#used > room)
          this.#forget([...system, own], counts.input(system) + counts.output(answer));
      };
      return { said: say(turns, { ...given, isStream }), done };
    }

    #forget(held, used) {
      this.#held = held;
      this.#used = used;
      this.dispatchEvent(new Event(era === "new" ? "contextoverflow" : "quotaoverflow"));
    }

    async prompt(input, given) {
      const { said, done } = this.#begin(input, given);
      const answer = await said;
      if (typeof answer === "string") done(answer);
      return answer;
    }

    promptStreaming(input, given) {
      const begin = async () => {
        const { said, done } = this.#begin(input, given, true);
        const answer = await said;
        const isStream = typeof answer.getReader === "function";
        return { reader: (isStream ? answer : streamOf([answer].flat())).getReader(), done };
      };
      const begun = begin();
      begun.catch(() => undefined);
      let sofar = "";
      return new ReadableStream({
        async pull(controller) {
          const { reader, done } = await begun;
          const { done: isOver, value } = await reader.read();
          if (isOver) {
            done(sofar);
            return controller.close();
          }
          if (typeof value === "string") sofar += value;
          controller.enqueue(era === "first" ? sofar : value);
        },
        cancel: async (reason) => (await begun).reader.cancel(reason),
      });
    }

    async append(input) {
      this.#held = [...this.#held, ...this.#read(input)];
    }

    async clone(given = {}) {
      given.signal?.throwIfAborted();
      if (this.#isDestroyed) refuse("InvalidStateError", "The session is destroyed.");
      log.clones++;
      const clone = new LanguageModel(this.#held, this.#used, this.#kinds, this.#initial);
      given.signal?.addEventListener("abort", () => clone.destroy());
      return clone;
    }

    destroy() {
      this.#isDestroyed = true;
      log.open.delete(this);
    }
  }
  if (!STATES.includes(state)) throw new TypeError(`no state ${state}`);
  return { LanguageModel, log };
}

/** @param {unknown[]} pieces */
export function streamOf(pieces) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at === pieces.length) controller.close();
      else controller.enqueue(pieces[at++]);
    },
  });
}
