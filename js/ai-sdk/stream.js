// SPDX-License-Identifier: MIT
// A graph's stream as the AI SDK's UI message stream.
import { UIChunks } from "./chunks.js";

/** @typedef {import("./chunks.js").UIChunk} UIChunk */
/** @typedef {import("./chunks.js").ChunkOptions} ChunkOptions */
/**
 * `onError`: the text that the user is shown of an error, which is masked without it; `signal`: the
 * run's.
 * @typedef {{ onError?: (error: unknown) => string, signal?: AbortSignal }} RunOptions
 */

/** The modes that a stream needs. */
export const MODES = ["values", "messages", "custom"];
const MASKED = "An error occurred.";

/**
 * @param {AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>} stream of a graph, in the modes
 *   values, messages and custom, with or without `subgraphs`
 * @param {Pick<ChunkOptions, "messageId" | "denied"> & RunOptions} [options]
 * @returns {ReadableStream<UIChunk>}
 */
export function toUIMessageStream(stream, { messageId, denied, onError, signal } = {}) {
  return chunkStream(stream, { messageId, denied }, { onError, signal });
}

/**
 * @param {AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>} stream
 * @param {ChunkOptions} client what it shows
 * @param {RunOptions} options
 * @returns {ReadableStream<UIChunk>}
 */
export function chunkStream(stream, client, { onError, signal }) {
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
      }, client);
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
        if (signal?.aborted || /** @type {Error} */ (error)?.name === "AbortError") chunks.abort();
        else chunks.fail(onError?.(error) ?? MASKED);
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
