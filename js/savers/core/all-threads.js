// SPDX-License-Identifier: MIT
// Iterates over all threads of a store, regardless of damaged ones. Does not depend on particular
// stores.

/** Number of ids per page. */
const PAGE = 100;

/**
 * @typedef {(error: unknown, threadId?: string) => void} OnError `threadId`: undefined when it is
 *   unreadable
 */

/**
 * Yields the ids of all threads.
 * @param {import("../../log/log-store.js").LogStore} store
 * @param {OnError} onError called for each thread whose id is unreadable
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
 * Reports errors to `onError`; without it, keeps the first error and throws it at the end.
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
