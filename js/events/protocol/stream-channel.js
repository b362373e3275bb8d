// SPDX-License-Identifier: MIT
// Defines a growing list with any number of readers, each with a start of its own. Does not depend
// on events.

/** @typedef {import("../../base/callable.js").Value} Value */

const BRAND = Symbol.for("langgraph.stream_channel");

/** @template Item */
export class StreamChannel {
  /** @type {Item[]} */
  #items = [];
  /** @type {Array<() => void>} */
  #waiting = [];
  #done = false;
  /** @type {{ error: unknown } | undefined} */
  #failure;
  /** @type {((item: Item) => void) | undefined} */
  #forward;

  /**
   * @param {string} [name] under which a run forwards the items to remote readers; without it they
   *   stay local
   */
  constructor(name) {
    this.channelName = name;
    Object.defineProperty(this, BRAND, { value: true, enumerable: true });
  }

  /** @returns {StreamChannel<Value>} */
  static local() {
    return new StreamChannel();
  }

  /** @param {string} name @returns {StreamChannel<unknown>} */
  static remote(name) {
    return new StreamChannel(name);
  }

  /** @param {unknown} value @returns {boolean} a channel of any copy of the package */
  static isInstance(value) {
    return isStreamChannel(value);
  }

  /** @param {Item} item */
  push(item) {
    this.#items.push(item);
    this.#forward?.(item);
    this.#wake();
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** @param {number} [startAt] @returns {AsyncIterator<Item>} */
  iterate(startAt = 0) {
    let at = startAt;
    const next = async () => {
      while (at >= this.#items.length) {
        if (this.#failure !== undefined) throw this.#failure.error;
        if (this.#done) return { done: true, value: undefined };
        await new Promise((/** @type {(value?: unknown) => void} */ resolve) =>
          this.#waiting.push(resolve),
        );
      }
      return { done: false, value: this.#items[at++] };
    };
    return /** @type {Value} */ ({ next, return: async () => ({ done: true, value: undefined }) });
  }

  /** @param {number} [startAt] @returns {AsyncIterable<Item>} */
  toAsyncIterable(startAt = 0) {
    return { [Symbol.asyncIterator]: () => this.iterate(startAt) };
  }

  /**
   * Streams server-sent events, one for each item.
   * @param {{ event?: string, startAt?: number, serialize?: (item: Item) => string }} [options]
   * @returns {ReadableStream<Uint8Array>}
   */
  toEventStream({
    event = this.channelName,
    startAt = 0,
    serialize = (item) => JSON.stringify(item),
  } = {}) {
    const items = this.iterate(startAt);
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await items.next();
        if (done) return controller.close();
        const data = serialize(value)
          .split("\n")
          .map((line) => `data: ${line}\n`)
          .join("");
        controller.enqueue(
          encoder.encode(`${event === undefined ? "" : `event: ${event}\n`}${data}\n`),
        );
      },
    });
  }

  /** @param {number} index @returns {Item} */
  get(index) {
    if (index < 0 || index >= this.#items.length)
      throw new RangeError(
        `StreamChannel index ${index} out of bounds (size=${this.#items.length})`,
      );
    return this.#items[index];
  }

  get size() {
    return this.#items.length;
  }

  get done() {
    return this.#done;
  }

  close() {
    this.#done = true;
    this.#wake();
  }

  /** @param {unknown} error */
  fail(error) {
    this.#failure = { error };
    this.close();
  }

  /** @param {(item: Item) => void} forward */
  _wire(forward) {
    this.#forward = forward;
  }

  _close() {
    if (!this.#done) this.close();
  }

  /** @param {unknown} error */
  _fail(error) {
    if (!this.#done) this.fail(error);
  }

  [Symbol.asyncIterator]() {
    return this.iterate();
  }
}

/** @param {any} value @returns {value is StreamChannel<unknown>} */
export function isStreamChannel(value) {
  return typeof value === "object" && value !== null && value[BRAND] === true;
}
