// SPDX-License-Identifier: MIT
// Knows: how a thread's commits are joined, for a store that reads few long pieces quicker than
// many short ones. Owns nothing.

/**
 * The commits are safe: where this fails, as when somebody else has folded them, they stay as they
 * are.
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
