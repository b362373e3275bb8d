// SPDX-License-Identifier: MIT
// A run that goes on, with its chunks so far, so that other requests can join it.

/** @typedef {import("./chunks.js").UIChunk} UIChunk */

export class ActiveRun {
  /** @type {UIChunk[]} */
  #chunks = [];
  #isOver = false;
  #controller = new AbortController();
  /** @type {Set<() => void>} */
  #waiting = new Set();
  /**
   * What those are given who join in place of the first chunk, if its turn has begun before it.
   * @type {UIChunk[] | undefined}
   */
  before;

  /** Aborted when the run is to end. */
  get signal() {
    return this.#controller.signal;
  }

  /** @param {unknown} [reason] */
  stop(reason = new DOMException("Stopped.", "AbortError")) {
    this.#controller.abort(reason);
  }

  /** @param {ReadableStream<UIChunk>} stream */
  async drain(stream) {
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      this.#chunks.push(value);
      this.#wake();
    }
    this.end();
  }

  /** Nothing comes any more. */
  end() {
    this.#isOver = true;
    this.#wake();
  }

  #wake() {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * @param {(reason: unknown) => void} [left] called when the reader goes away
   * @returns {ReadableStream<UIChunk>} all chunks, then what comes
   */
  read(left) {
    return this.#follow((chunk) => [chunk], left);
  }

  /** @returns {ReadableStream<UIChunk>} the turn from its begin, for who has not seen it */
  join() {
    return this.#follow((chunk, at) => (at === 0 && this.before) || [chunk]);
  }

  /**
   * @param {(chunk: UIChunk, at: number) => UIChunk[]} shownOf what a reader is given of a chunk
   * @param {(reason: unknown) => void} [left]
   * @returns {ReadableStream<UIChunk>}
   */
  #follow(shownOf, left) {
    let at = 0;
    return new ReadableStream({
      pull: async (controller) => {
        while (at === this.#chunks.length && !this.#isOver)
          await new Promise((resolve) => this.#waiting.add(() => resolve(undefined)));
        if (at === this.#chunks.length) return controller.close();
        for (const chunk of shownOf(this.#chunks[at], at++)) controller.enqueue(chunk);
      },
      cancel: left,
    });
  }
}
