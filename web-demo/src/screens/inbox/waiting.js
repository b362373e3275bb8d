// SPDX-License-Identifier: MIT
// Knows every request that waits, of all stored threads, and keeps that fresh. Must not know: how
// it is shown.
import { Client } from "../../studio/server/client.js";
import { readAsked, titleOf } from "../../studio/questions/asked.js";
import { questionsOf } from "../../studio/questions/cards.js";

/** @typedef {import("../../studio/server/client.js").Thread} Thread */
/**
 * A question with what a list shows of it. `canReject`: without a look at each of its calls.
 * @typedef {import("../../studio/questions/cards.js").Question & { key: string, graph: string,
 *   since: Date, title: string, asked: import("../../studio/questions/asked.js").Asked, expires:
 *   Date | undefined, canReject: boolean }} Waits
 */
/**
 * What is used of the engine.
 * @typedef {EventTarget & { server: { fetch: import("../../studio/server/client.js").Fetch },
 *   state: string, ask: (name: string, value?: unknown) => Promise<any> }} Engine
 */

const LOCAL = "http://weft.local";
/** The most that a server answers with. */
const PAGE = 1000;
const MOST_PAGES = 5;
const STATUSES = ["interrupted", "busy"];
/** Between two readings while threads change, in ms. */
const PACE_MS = 120;
/** Between two readings where nobody tells of changes, in ms. */
const POLL_MS = 3000;
/**
 * Between two readings while a thread is at work, in ms: that a run of another tab has ended may be
 * heard after its last change.
 */
const BUSY_MS = 1000;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Tells `change` when another list was read. */
export class Waiting extends EventTarget {
  /** The newest thread first. @type {Waits[]} */
  requests = [];
  isRead = false;
  /** Why the list could not be read. @type {string | undefined} */
  problem = undefined;
  client;
  #engine;
  /** @type {Promise<void> | undefined} */
  #reading;
  #isWanted = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /**
   * What was read of each thread, so that the same stays the same object.
   * @type {Map<string, { text: string, list: Waits[] }>}
   */
  #known = new Map();
  /** Keys of all that waited since the page was opened. @type {Set<string>} */
  #seen = new Set();

  /** @param {Engine} engine */
  constructor(engine) {
    super();
    this.#engine = engine;
    this.client = new Client({ fetch: engine.server.fetch, url: LOCAL });
    engine.addEventListener("state", () => engine.state === "ready" && this.read());
    // Threads that were imported.
    engine.addEventListener("threads", () => this.read());
    this.read();
    this.#follow();
  }

  /** Reads the list; once more, if it is asked for meanwhile. @returns {Promise<void>} */
  read() {
    this.#isWanted = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readAll() {
    while (this.#isWanted) {
      this.#isWanted = false;
      try {
        const found = await Promise.all(STATUSES.map((status) => this.#search(status)));
        const threads = found.flat();
        this.requests = this.#listOf(threads);
        clearTimeout(this.#again);
        if (threads.some(({ status }) => status === "busy"))
          this.#again = setTimeout(() => this.read(), BUSY_MS);
        this.isRead = true;
        this.problem = undefined;
      } catch (error) {
        this.problem = String(/** @type {Error} */ (error).message);
      }
      this.dispatchEvent(new Event("change"));
    }
  }

  /** @param {string} status */
  async #search(status) {
    /** @type {Thread[]} */
    const found = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { status, limit: PAGE, offset: page * PAGE };
      const threads = await this.client.threads(query);
      found.push(...threads);
      if (threads.length < PAGE) break;
    }
    return found;
  }

  /** @param {Thread[]} threads @returns {Waits[]} */
  #listOf(threads) {
    const before = this.#known;
    this.#known = new Map();
    const all = [];
    for (const thread of threads) {
      const text = JSON.stringify(thread);
      const known = before.get(thread.thread_id);
      const list =
        known?.text === text ? known.list : questionsOf(thread).map((one) => waits(one, thread));
      this.#known.set(thread.thread_id, { text, list });
      all.push(...list);
      for (const { key } of list) this.#seen.add(key).add(keyOf(thread.thread_id, ""));
    }
    return all.sort((one, other) => other.since.getTime() - one.since.getTime());
  }

  /**
   * Whether a request waited since the page was opened.
   * @param {string} thread
   * @param {string} id none: any request of the thread
   */
  hasSeen(thread, id) {
    return this.#seen.has(keyOf(thread, id));
  }

  /** Reads again whenever the worker tells of a change; where it cannot, now and then. */
  async #follow() {
    for (let seen = -1; ; ) {
      try {
        seen = await this.#engine.ask("thread changes", seen);
        await pause(PACE_MS);
      } catch {
        await pause(POLL_MS);
        if (document.visibilityState !== "visible" || this.#engine.state !== "ready") continue;
      }
      await this.read();
    }
  }
}

/** @param {string} thread @param {string} id */
export const keyOf = (thread, id) => JSON.stringify([thread, id]);

/** @type {WeakMap<Engine, Waiting>} */
const known = new WeakMap();

/** The one list of an engine's page. @param {Engine} engine @returns {Waiting} */
export function waitingOf(engine) {
  const found = known.get(engine) ?? new Waiting(engine);
  known.set(engine, found);
  return found;
}

/**
 * @param {import("../../studio/questions/cards.js").Question} question
 * @param {Thread} thread
 * @returns {Waits}
 */
function waits(question, thread) {
  const asked = readAsked(question.value, question.schema);
  const isCalls = asked.kind === "calls";
  return {
    ...question,
    key: keyOf(question.thread, question.id),
    graph: String(thread.metadata?.graph_id ?? ""),
    since: new Date(thread.updated_at),
    title: titleOf(asked),
    asked,
    expires: isCalls ? asked.expires : undefined,
    canReject:
      isCalls &&
      asked.calls.every(({ manner, can }) => manner !== "lost" && (can.say || can.ignore)),
  };
}
