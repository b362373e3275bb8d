// SPDX-License-Identifier: MIT
// Owns the list of a server's threads, their titles, and the questions that wait in them. Must not
// know: which thread is open.
import { questionsOf } from "../questions/cards.js";
import { messageText } from "../message-text.js";

/** @typedef {import("../server/client.js").Client} Client */
/** @typedef {import("../server/client.js").Thread} Thread */
/** @typedef {import("../questions/cards.js").Question} Question */

const MAX_THREADS = 100;
/** Characters of a title that is made of a thread's first input. */
const TITLE = 60;

export class Threads {
  /** The newest first. @type {Thread[]} */
  list = [];
  /** Of all threads, the newest thread first. @type {Question[]} */
  questions = [];
  #client;
  /** The list as JSON, as it was read last. */
  #text = "";

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
  }

  /** @param {string} id @returns {Thread | undefined} */
  find(id) {
    return this.list.find(({ thread_id }) => thread_id === id);
  }

  /** @returns {Promise<boolean>} there is something new */
  async read() {
    const list = await this.#client.threads({ limit: MAX_THREADS });
    const text = JSON.stringify(list);
    if (text === this.#text) return false;
    this.#text = text;
    this.list = list;
    this.questions = this.list.flatMap((thread) =>
      thread.status === "interrupted" || thread.status === "busy" ? questionsOf(thread) : [],
    );
    return true;
  }

  /**
   * @param {string} graph
   * @param {unknown} input the first one
   * @returns {Promise<string>} its id
   */
  async create(graph, input) {
    const { thread_id } = await this.#client.createThread(graph, titleOf(input));
    await this.read();
    return thread_id;
  }

  /** @param {string} id @param {string} title */
  async rename(id, title) {
    await this.#client.rename(id, title);
    await this.read();
  }

  /** @param {string} id */
  async remove(id) {
    await this.#client.remove(id).catch((error) => {
      // Somebody else was quicker.
      if (error.status !== 404) throw error;
    });
    await this.read();
  }
}

/**
 * A run that was stopped, or that ended with its server, leaves a thread interrupted, too, but asks
 * nothing.
 * @param {Thread} thread
 * @returns {boolean} it waits for an answer
 */
export function isWaiting({ status, interrupts }) {
  return (
    status === "interrupted" && Object.values(interrupts ?? {}).some(({ length }) => length > 0)
  );
}

/** @param {Thread | undefined} thread @returns {string} what a person calls it */
export function nameOf(thread) {
  const title = thread?.metadata?.title;
  if (typeof title === "string" && title.trim() !== "") return title;
  return thread === undefined ? "New thread" : `Thread ${thread.thread_id.slice(0, 8)}`;
}

/** @param {any} input @returns {string} the first words of it */
function titleOf(input) {
  const messages = Array.isArray(input?.messages) ? input.messages : [];
  const fields = typeof input === "object" && !Array.isArray(input) ? input : {};
  const texts = [input, messageText(messages.at(-1)), ...Object.values(fields ?? {})];
  const first = texts.find((text) => typeof text === "string" && text !== "");
  const text = String(first ?? JSON.stringify(input) ?? "")
    .trim()
    .replace(/\s+/g, " ");
  return text.length > TITLE ? `${text.slice(0, TITLE)}…` : text;
}
