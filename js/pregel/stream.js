// SPDX-License-Identifier: MIT
// Knows: how the chunks of a run reach their reader: as an async iterable at the cost of a queue, and as a ReadableStream
// for whoever asks for a reader. A reader that is gone or idle stops nothing. Must not know: runs.

/** What a run writes to and readers take from. */
class Queue {
  /** @type {any[]} */
  chunks = [];
  head = 0;
  /** @type {Array<{ resolve: (result: IteratorResult<any>) => void, reject: (error: unknown) => void }>} */
  waiting = [];
  ended = false;
  failed = false;
  /** @type {unknown} */
  error = undefined;

  /** @param {any} chunk */
  push(chunk) {
    if (this.ended) return;
    const reader = this.waiting.shift();
    if (reader === undefined) this.chunks.push(chunk);
    else reader.resolve({ done: false, value: chunk });
  }

  /** @param {boolean} failed @param {unknown} [error] */
  end(failed, error) {
    if (this.ended) return;
    this.ended = true;
    this.failed = failed;
    this.error = error;
    for (const { resolve, reject } of this.waiting.splice(0)) this.#settle(resolve, reject);
  }

  /**
   * The error is told once; after it the stream is at its end.
   * @param {(result: IteratorResult<any>) => void} resolve
   * @param {(error: unknown) => void} reject
   */
  #settle(resolve, reject) {
    if (!this.failed) return resolve({ done: true, value: undefined });
    this.failed = false;
    reject(this.error);
  }

  /** @returns {Promise<IteratorResult<any>>} */
  next() {
    if (this.head < this.chunks.length) return Promise.resolve({ done: false, value: this.#take() });
    return new Promise((resolve, reject) => {
      if (this.ended) this.#settle(resolve, reject);
      else this.waiting.push({ resolve, reject });
    });
  }

  #take() {
    const chunk = this.chunks[this.head];
    this.chunks[this.head++] = undefined;
    if (this.head === this.chunks.length) {
      this.chunks.length = 0;
      this.head = 0;
    }
    return chunk;
  }

  drop() {
    this.chunks.length = 0;
    this.head = 0;
    this.end(false);
  }
}

/** @extends {ReadableStream<any>} */
export class RunStream extends ReadableStream {
  #queue;

  constructor() {
    const queue = new Queue();
    super(
      {
        async pull(controller) {
          const { done, value } = await queue.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => queue.drop(),
      },
      { highWaterMark: 0 },
    );
    this.#queue = queue;
  }

  /** @param {any} chunk */
  push(chunk) {
    this.#queue.push(chunk);
  }

  /** @param {boolean} failed @param {unknown} [error] */
  end(failed, error) {
    this.#queue.end(failed, error);
  }

  /** @returns {Promise<IteratorResult<any>>} */
  next() {
    return this.#queue.next();
  }

  /** @param {any} [value] @returns {Promise<IteratorResult<any>>} */
  async return(value) {
    this.#queue.drop();
    return { done: true, value };
  }

  /** @param {unknown} error @returns {Promise<IteratorResult<any>>} */
  async throw(error) {
    this.#queue.drop();
    throw error;
  }

  /** @returns {any} */
  [Symbol.asyncIterator]() {
    return this;
  }
}
