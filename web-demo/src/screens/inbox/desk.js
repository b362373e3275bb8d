// SPDX-License-Identifier: MIT
// Sends answers to the requests of the inbox: one run of a thread after the other, and only while
// the question waits. Owns the cards, which outlive the screen. Must not know: how they are shown.
import { RequestError } from "../../studio/server/client.js";
import { answerOf } from "../../studio/questions/asked.js";
import { Cards } from "../../studio/questions/cards.js";
import { Decided } from "../../studio/questions/decisions.js";
import { waitingOf } from "./waiting.js";

/** @typedef {import("./waiting.js").Waits} Waits */
/** @typedef {import("./waiting.js").Waiting} Waiting */
/** @typedef {import("../../studio/questions/cards.js").Question} Question */

/** How long another run of the thread is waited for, in ms. */
const MOST_MS = 20_000;
const LOOK_MS = 150;
/** Threads whose requests are rejected at a time. */
const AT_ONCE = 4;
/** What servers refuse a run with while another one is at work. */
const BUSY = [409, 422];
/** How often that is tried again where the thread does not say that it is busy. */
const MOST_REFUSALS = 12;

const GONE = "It was answered elsewhere in the meantime.";
const LONG = "Another run of this thread goes on. Try again when it is over.";

/** Tells `change` when a card has changed. */
export class Desk extends EventTarget {
  cards = new Cards(() => this.#tell());
  /** @type {Decided} */
  decided;
  waiting;
  /** What a thread does last. @type {Map<string, Promise<unknown>>} */
  #last = new Map();

  /** @param {Waiting} waiting */
  constructor(waiting) {
    super();
    this.waiting = waiting;
    this.decided = new Decided(
      (thread) => waiting.client.decisions(thread),
      () => this.#tell(),
    );
    waiting.addEventListener("change", () => this.#tell());
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  /**
   * @param {Question} question
   * @param {unknown} answer
   * @returns {Promise<string | undefined>} why it was not taken
   */
  async answer({ thread, id }, answer) {
    const failure = await this.#inTurn(thread, { [id]: answer });
    await this.waiting.read();
    return failure;
  }

  /**
   * Rejects requests, those of a thread with one run.
   * @param {readonly Waits[]} requests
   * @param {string} reason
   * @returns {Promise<string[]>} why some were not
   */
  async rejectAll(requests, reason) {
    /** @type {Map<string, Record<string, unknown>>} */
    const threads = new Map();
    for (const { thread, id, asked } of requests) {
      if (asked.kind !== "calls") continue;
      const decisions = asked.calls.map(({ can }) =>
        reason !== "" && can.say
          ? /** @type {const} */ ({ type: "say", text: reason })
          : /** @type {const} */ ({ type: "ignore" }),
      );
      threads.set(thread, { ...threads.get(thread), [id]: answerOf(asked, decisions) });
    }
    const left = [...threads];
    /** @type {string[]} */
    const failures = [];
    const work = async () => {
      for (let next; (next = left.pop()) !== undefined; ) {
        const failure = await this.#inTurn(...next);
        if (failure !== undefined) failures.push(failure);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await this.waiting.read();
    return failures;
  }

  /**
   * @param {string} thread
   * @param {Record<string, unknown>} answers by the questions' ids
   * @returns {Promise<string | undefined>}
   */
  async #inTurn(thread, answers) {
    const before = this.#last.get(thread);
    const work = (async () => {
      await before;
      try {
        return await this.#send(thread, answers);
      } catch (error) {
        return String(/** @type {Error} */ (error).message);
      }
    })();
    this.#last.set(thread, work);
    const failure = await work;
    if (this.#last.get(thread) === work) this.#last.delete(thread);
    return failure;
  }

  /**
   * @param {string} thread
   * @param {Record<string, unknown>} answers
   * @returns {Promise<string | undefined>}
   */
  async #send(thread, answers) {
    const { client } = this.waiting;
    let refusals = 0;
    for (const end = performance.now() + MOST_MS; performance.now() < end; ) {
      const [found] = await client.threads({ ids: [thread], limit: 1 });
      if (found?.status !== "busy") {
        const open = new Set(
          Object.values(found?.interrupts ?? {}).flatMap((list) => list.map(({ id }) => id)),
        );
        const resume = Object.fromEntries(Object.entries(answers).filter(([id]) => open.has(id)));
        if (Object.keys(resume).length === 0) return GONE;
        try {
          const graph = String(found.metadata?.graph_id ?? (await client.graphs())[0]?.graph_id);
          const { run_id } = await client.startRun(thread, {
            assistant_id: graph,
            command: { resume },
            multitask_strategy: "reject",
          });
          await client.join(thread, run_id);
          return undefined;
        } catch (error) {
          const isBusy = error instanceof RequestError && BUSY.includes(error.status ?? 0);
          if (!isBusy || ++refusals > MOST_REFUSALS) throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return LONG;
  }
}

/** @type {WeakMap<object, Desk>} */
const known = new WeakMap();

/** The one desk of an engine's page. @param {import("./waiting.js").Engine} engine */
export function deskOf(engine) {
  const found = known.get(engine) ?? new Desk(waitingOf(engine));
  known.set(engine, found);
  return found;
}
