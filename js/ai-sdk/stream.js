// SPDX-License-Identifier: MIT
// A graph's stream as the AI SDK's UI message stream.
import { UIChunks } from "./chunks.js";

/** @typedef {import("./chunks.js").UIChunk} UIChunk */
/**
 * `messageId`: of the UI's message that goes on; `denied`: ids of calls that a person has just
 * refused; `onError`: the text that the user is shown of an error, which is masked without it;
 * `signal`: the run's.
 * @typedef {{ messageId?: string, denied?: ReadonlySet<string>, onError?: (error: unknown) =>
 *   string, signal?: AbortSignal }} StreamOptions
 */

/** The modes that a stream needs. */
export const MODES = ["values", "messages", "custom"];
const MASKED = "An error occurred.";

/**
 * @param {AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>} stream of a graph, in the modes
 *   values, messages and custom, with or without `subgraphs`
 * @param {StreamOptions} [options]
 * @returns {ReadableStream<UIChunk>}
 */
export function toUIMessageStream(stream, options = {}) {
  /** @type {AsyncIterator<unknown> | undefined} */
  let iterator;
  /** @type {UIChunks} */
  let chunks;
  let sent = 0;
  return new ReadableStream({
    start(controller) {
      chunks = new UIChunks((chunk) => {
        sent++;
        controller.enqueue(chunk);
      }, options);
    },
    async pull(controller) {
      try {
        iterator ??= (await stream)[Symbol.asyncIterator]();
        // Not each chunk of a graph is one of the UI's, and a pull without one would be the last.
        for (const before = sent; sent === before; ) {
          const { done, value } = await iterator.next();
          if (done) {
            chunks.finish();
            controller.close();
            return;
          }
          takeChunk(chunks, value);
        }
        return;
      } catch (error) {
        if (options.signal?.aborted || /** @type {Error} */ (error)?.name === "AbortError")
          chunks.abort();
        else chunks.fail(options.onError?.(error) ?? MASKED);
      }
      controller.close();
    },
    async cancel() {
      await iterator?.return?.();
    },
  });
}

/** @param {UIChunks} chunks @param {unknown} value */
function takeChunk(chunks, value) {
  const list = /** @type {unknown[]} */ (value);
  const [namespace, mode, payload] = list.length === 3 ? list : [[], ...list];
  if (/** @type {unknown[]} */ (namespace).length === 0) chunks.take(String(mode), payload);
}
