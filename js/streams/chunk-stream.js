// SPDX-License-Identifier: MIT
// Delivers the chunks of a run to their reader: as an async iterable at the cost of a queue, and as
// a ReadableStream if a reader is requested. A reader that leaves before the end ends the run; an
// idle one does not. Does not depend on runs.

/** @typedef {import("../base/callable.js").Value} Value */

/** Microtasks that it takes to read a chunk through a few layers. */
const TURNS = 16;

/** @typedef {InstanceType<ReturnType<typeof makeClass>>} RunStream */

/** @type {ReturnType<typeof makeClass> | undefined} */
let made;
/** @type {ReturnType<typeof makeClass> | undefined} */
let madeForLoops;

/**
 * Makes the class with the first stream: naming ReadableStream makes Node load all of its web
 * streams.
 * @param {boolean} [isLooped] whether it is read by a loop alone: then it is no ReadableStream,
 *   which would take more memory than all else of a short run's stream
 * @returns {RunStream}
 */
export function newStream(isLooped = false) {
  if (isLooped) return new (madeForLoops ??= makeClass(/** @type {Value} */ (class {})))();
  return new (made ??= makeClass(/** @type {Value} */ (ReadableStream)))();
}

/** @param {new (source: unknown, strategy: unknown) => ReadableStream<unknown>} Base */
function makeClass(Base) {
  /** Queues chunks that a run writes and readers take. */
  return class RunStream extends Base {
    /** @type {unknown[]} */
    #chunks = [];
    #head = 0;
    /**
     * @type {Array<{ resolve: (result: IteratorResult<unknown>) => void, reject: (error: unknown)
     *   => void }>}
     */
    #waiting = [];
    #ended = false;
    #failed = false;
    /** @type {unknown} */
    #error;
    /** @type {(() => void) | undefined} */
    #open;
    /** @type {((reason: unknown) => Promise<unknown>) | undefined} */
    #stop;
    /** @type {AbortController | undefined} */
    #controller;
    #keepsUp = true;
    /**
     * The end of the run; undefined before, and where the run failed.
     * @type {import("../run/start.js").RunResult | undefined}
     */
    result;
    constructor() {
      super(
        {
          pull: async (/** @type {Value} */ controller) => {
            const { done, value } = await this.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: (/** @type {unknown} */ reason) => this.#leave(reason),
        },
        { highWaterMark: 0 },
      );
    }

    /**
     * @param {(reason: unknown) => Promise<unknown>} stop ends the run when its reader leaves, and
     *   resolves when what was streamed is saved; without a run yet, use `signal`
     * @returns {Promise<this>} resolves when there is something to read; rejects with an error
     *   before that
     */
    opened(stop) {
      this.#stop = stop;
      return new Promise((resolve, reject) => {
        this.#open = () =>
          this.#failed && this.#chunks.length === 0 ? this.#settle(reject, reject) : resolve(this);
        if (this.#ended || this.#chunks.length > 0) this.#open();
      });
    }

    /** Aborted when the reader leaves before the end, and by `cancel`. */
    get signal() {
      return (this.#controller ??= new AbortController()).signal;
    }

    /** Ends the stream and the run, also for other readers. @param {unknown} [reason] */
    async cancel(reason) {
      if (this.#ended) this.#abort(reason);
      await this.#leave(reason);
    }

    /** @param {unknown} [reason] */
    #abort(reason) {
      (this.#controller ??= new AbortController()).abort(reason);
    }

    /** Stops the run, since nobody reads on. @param {unknown} [reason] */
    async #leave(reason) {
      const isRunning = !this.#ended;
      this.#forget();
      this.end(false);
      if (!isRunning) return;
      this.#abort(reason);
      await this.#stop?.(this.signal.reason);
    }

    /** @param {unknown} chunk */
    push(chunk) {
      if (this.#ended) return;
      const open = this.#open;
      this.#open = undefined;
      open?.();
      const reader = this.#waiting.shift();
      if (reader === undefined) this.#chunks.push(chunk);
      else reader.resolve({ done: false, value: chunk });
    }

    /**
     * Waits until an eager reader requests more, so that it sees a step before the next one ends;
     * for other readers waits one microtask.
     */
    async taken(most = this.#keepsUp ? TURNS : 1) {
      for (let turns = most; turns > 0 && this.#waiting.length === 0; turns--) await undefined;
      this.#keepsUp = this.#waiting.length > 0;
    }

    /** @param {boolean} failed @param {unknown} [error] */
    end(failed, error) {
      if (this.#ended) return;
      this.#ended = true;
      this.#failed = failed;
      this.#error = error;
      this.#open?.();
      for (const { resolve, reject } of this.#waiting.splice(0)) this.#settle(resolve, reject);
    }

    /**
     * Reports the error once; afterwards the stream is at its end.
     * @param {(result: IteratorResult<unknown>) => void} resolve
     * @param {(error: unknown) => void} reject
     */
    #settle(resolve, reject) {
      if (!this.#failed) return resolve({ done: true, value: undefined });
      this.#failed = false;
      reject(this.#error);
    }

    /** @returns {Promise<IteratorResult<unknown>>} */
    next() {
      this.#keepsUp = true;
      return new Promise((resolve, reject) => {
        if (this.#head < this.#chunks.length) resolve({ done: false, value: this.#take() });
        else if (this.#ended) this.#settle(resolve, reject);
        else this.#waiting.push({ resolve, reject });
      });
    }

    #take() {
      const chunk = this.#chunks[this.#head];
      this.#chunks[this.#head++] = undefined;
      if (this.#head === this.#chunks.length) this.#forget();
      return chunk;
    }

    #forget() {
      this.#chunks.length = 0;
      this.#head = 0;
    }

    /** @returns {Promise<IteratorResult<unknown>>} */
    async return() {
      await this.#leave();
      return { done: true, value: undefined };
    }

    /** @param {unknown} error @returns {Promise<IteratorResult<unknown>>} */
    async throw(error) {
      await this.#leave(error);
      throw error;
    }

    /** @returns {Value} */
    [Symbol.asyncIterator]() {
      return this;
    }

    /** Makes `await using` leave the stream as a `break` does. */
    async [Symbol.asyncDispose]() {
      await this.#leave();
    }
  };
}

/**
 * Adds the stream's signal to a call's config, so that its work ends when the reader leaves.
 * @param {RunStream} stream
 * @param {Record<string, Value> | undefined} config
 * @returns {Record<string, unknown>}
 */
export function stoppedWith(stream, config) {
  const { signal } = config ?? {};
  return {
    ...config,
    signal:
      signal === undefined || signal === null
        ? stream.signal
        : AbortSignal.any([signal, stream.signal]),
  };
}

/** @param {AsyncIterable<unknown>} stream */
export async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}
