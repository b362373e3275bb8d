// SPDX-License-Identifier: MIT
// Owns what a person is doing with the questions that wait: drafts, what was seen, decisions. What
// is decided keeps its place until all of its thread is. Must not know: how it is drawn.
import { readAsked } from "./asked.js";
import { Card } from "./card.js";
import { callIdOf } from "./request.js";

/** @typedef {import("./asked.js").Asked} Asked */
/** @typedef {import("./asked.js").Decision} Decision */
/**
 * A question that waits. `schema`: of the answer, if the node gave one; `isBusy`: a run of the
 * thread is at work.
 * @typedef {{ thread: string, id: string, value: any, schema?: any, isBusy?: boolean }} Question
 */

/**
 * The questions of a thread's record.
 * @param {Pick<import("../server/client.js").Thread, "thread_id" | "status" | "interrupts">} thread
 * @returns {Question[]}
 */
export function questionsOf({ thread_id: thread, status, interrupts }) {
  return Object.values(interrupts ?? {}).flatMap((list) =>
    list.map(({ id, value, response_schema: schema }) => ({
      thread,
      id,
      value,
      schema,
      isBusy: status === "busy",
    })),
  );
}

/** After an answer was taken, how long a question may still be listed as it was, in ms. */
const REST_MS = 2000;

const ELSEWHERE = "Decided elsewhere";

/** What a decision is called once it is made, by what it means to the one who asks. */
const WORDS = {
  review: { accept: "Approved", edit: "Changed and approved", say: "Rejected", ignore: "Rejected" },
  inbox: { accept: "Approved", edit: "Changed and approved", say: "Answered", ignore: "Ignored" },
  lost: { accept: "Run again", edit: "Run again", say: "Result given", ignore: "Left unknown" },
};

let count = 0;

/** One question, and what a person makes of it. */
export class Held {
  /** For ids of the page: keys may hold anything. */
  id = `q${++count}`;
  /** It is asked, and no answer was sent. */
  isOpen = true;
  isSent = false;
  /** Why the last answer did not arrive. @type {string | undefined} */
  failure = undefined;
  /** What was decided, in a word. @type {string | undefined} */
  verdict = undefined;
  /** @type {(Decision | undefined)[]} */
  #decisions = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  #isAtRest = false;
  #sentWords = "";

  /** @param {string} key @param {Question} question @param {() => void} changed */
  constructor(key, question, changed) {
    this.key = key;
    this.question = question;
    this.changed = changed;
    this.asked = readAsked(question.value, question.schema);
    this.about = aboutOf(this.asked);
    const parts = this.asked.kind === "calls" ? this.asked.calls : [this.asked];
    this.cards = parts.map(() => new Card(this.about, changed));
  }

  /** The question as it is asked now. @param {Question} question */
  ask(question) {
    const { value } = this.question;
    const isOther =
      question.value !== value && JSON.stringify(question.value) !== JSON.stringify(value);
    this.question = question;
    // What was decided about some of its calls was decided about the question as it was.
    if (isOther && this.isOpen) this.#reopen();
    if (isOther) this.asked = readAsked(question.value, question.schema);
    const isBack = this.isSent && !question.isBusy && (this.#isAtRest || this.#isAskedAnew());
    if (question.isBusy && this.isSent) this.#isAtRest = true;
    if (isBack || (!this.isOpen && !this.isSent)) this.#reopen();
  }

  #isAskedAnew() {
    return JSON.stringify(this.question.value) !== this.#sentWords;
  }

  #reopen() {
    clearTimeout(this.#timer);
    this.isSent = false;
    this.isOpen = true;
    this.verdict = undefined;
    this.#decisions = [];
    for (const card of this.cards) Object.assign(card, { isSent: false, verdict: undefined });
  }

  /** It is asked no more. */
  settle() {
    clearTimeout(this.#timer);
    this.isOpen = false;
    this.isSent = false;
    this.verdict ??= ELSEWHERE;
  }

  /**
   * Takes the decision about one of the calls, or takes it back.
   * @param {number} at
   * @param {Decision | undefined} decision
   * @param {string} [json] what is to run, if it was changed
   */
  take(at, decision, json) {
    const { asked } = this;
    if (asked.kind !== "calls") return;
    this.#decisions[at] = decision;
    const word = decision && WORDS[asked.calls[at].manner][decision.type];
    this.cards[at].verdict = word === undefined ? undefined : { word, json };
    this.changed();
  }

  /** One for each call, once all are decided. @returns {Decision[] | undefined} */
  get decisions() {
    const all = this.cards.map((_, at) => this.#decisions[at]);
    return all.every((one) => one !== undefined) ? all : undefined;
  }

  /** An answer is sent. @param {string} verdict */
  begin(verdict) {
    Object.assign(this, { isSent: true, isOpen: false, verdict, failure: undefined });
    this.#isAtRest = false;
    this.#sentWords = JSON.stringify(this.question.value);
    for (const card of this.cards) card.isSent = true;
    this.changed();
  }

  /** The answer was taken, or was not. @param {string} [failure] */
  end(failure) {
    if (failure !== undefined) {
      if (this.isSent) this.#reopen();
      else this.verdict = ELSEWHERE;
      this.failure = failure;
    } else
      this.#timer = setTimeout(() => {
        this.#isAtRest = true;
        this.changed();
      }, REST_MS);
    this.changed();
  }

  /** What came in sight by itself works a while later. */
  arm() {
    for (const card of this.cards) card.arm();
  }

  close() {
    clearTimeout(this.#timer);
    for (const card of this.cards) card.close();
  }
}

export class Cards {
  /** Those that are shown, in their order. @type {Map<string, Held>} */
  #held = new Map();
  #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * What is to be shown of the questions that wait: those that were decided stay where they are
   * until nothing of their thread waits.
   * @param {readonly Question[]} questions
   * @param {(held: Held) => boolean} [isKept] stays longer
   * @returns {Held[]}
   */
  show(questions, isKept = () => false) {
    const listed = new Map(questions.map((question) => [keyOf(question), question]));
    for (const [key, held] of this.#held) if (!listed.has(key)) held.settle();
    for (const [key, question] of listed) {
      const known = this.#held.get(key);
      const isSame = known?.question === question;
      if (isSame || known?.about === aboutOf(readAsked(question.value, question.schema))) {
        known?.ask(question);
        continue;
      }
      known?.close();
      this.#held.set(key, new Held(key, question, this.#changed));
    }
    const open = new Set([...listed.values()].map(({ thread }) => thread));
    for (const [key, held] of this.#held) {
      if (open.has(held.question.thread) || isKept(held)) continue;
      held.close();
      this.#held.delete(key);
    }
    return [...this.#held.values()];
  }

  /** @param {Question} question @returns {boolean} An answer to it is under way. */
  isSent(question) {
    return this.#held.get(keyOf(question))?.isSent === true;
  }

  /** The page came in front again: a click may be meant for what was there before. */
  arm() {
    for (const held of this.#held.values()) held.arm();
    this.#changed();
  }
}

/** Of one call there is one question at a time. @param {Question} question */
const keyOf = ({ thread, id, value }) => JSON.stringify([thread, callIdOf({ id, value })]);

/**
 * What is asked about: when the same is asked again, what was written stays.
 * @param {Asked} asked
 */
function aboutOf(asked) {
  if (asked.kind === "open") return JSON.stringify(asked);
  return JSON.stringify(
    asked.calls.map(({ tool, canonical, manner }) => [tool, canonical, manner]),
  );
}
