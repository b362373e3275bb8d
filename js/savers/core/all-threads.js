// SPDX-License-Identifier: MIT
// All threads of a store, one after the other, whatever is wrong with some. Knows of stores only
// what one is.

/** Ids that are asked for at once. */
const PAGE = 100;

/**
 * @typedef {(error: unknown, threadId?: string) => void} OnError `threadId`: where it can be read
 */

/**
 * @param {import("../../log/log-store.js").LogStore} store
 * @param {OnError} onError told of each thread whose id cannot be read
 */
export async function* allThreads(store, onError) {
  /** @type {string | undefined} */
  let after;
  for (;;) {
    const ids = await store.list({ limit: PAGE, after, onError });
    yield* ids;
    if (ids.length < PAGE) return;
    after = ids[ids.length - 1];
  }
}

/**
 * Who asked to be told is told; otherwise the first error is thrown when the others are done.
 * @param {OnError | undefined} onError
 */
export function failuresOf(onError) {
  /** @type {unknown[]} */
  const failures = [];
  return {
    tell: onError ?? ((/** @type {unknown} */ error) => void failures.push(error)),
    end() {
      if (failures.length > 0) throw failures[0];
    },
  };
}
