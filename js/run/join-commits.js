// SPDX-License-Identifier: MIT
// Joins a thread's commits, for stores that read few long pieces faster than many short ones.

/**
 * Folds commits into one. The commits are durable already, so a failure leaves them as they are,
 * for example if another process has folded them.
 * @param {import("../log/log-store.js").LogStore} store
 * @param {string} threadId
 * @param {(import("../log/log-store.js").LogCommit & { bytes: Uint8Array })[]} commits in order,
 *   at least one
 */
export async function fold(store, threadId, commits) {
  const all = new Uint8Array(commits.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of commits) {
    all.set(bytes, at);
    at += bytes.length;
  }
  await store.fold(
    threadId,
    { firstSeq: commits[0].firstSeq, lastSeq: commits[commits.length - 1].seq },
    all,
  );
}
