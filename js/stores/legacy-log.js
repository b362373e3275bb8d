// SPDX-License-Identifier: MIT
// Reads items that older versions stored in a thread of the saver. A thread of that name may also
// be, or have become, a conversation. Does not depend on particular stores.
import { LogReader } from "../log/reader.js";
import { readLog } from "../log/read-log.js";
import { changeOf, isOfStore } from "./items-log.js";

/**
 * Reads the changes of a store in a thread; undefined when there are none.
 * @param {import("../log/log-store.js").LogStore} store @param {string} threadId
 * @returns {Promise<{ changes: import("./memory.js").Change[], head:
 *   import("../log/log-store.js").LogHead, isAlone: boolean } | undefined>} `isAlone`: the thread
 *   contains nothing else
 */
export async function readOlder(store, threadId) {
  const { batches, head } = await readLog(store, threadId);
  /** @type {import("./memory.js").Change[]} */
  const changes = [];
  let isAlone = true;
  let last = 0;
  const reader = new LogReader();
  for (const piece of batches) {
    for (const record of reader.read(piece)) {
      last = record.seq;
      if (isOfStore(record)) changes.push(...record.tasks[0].writes.map(changeOf));
      else isAlone = false;
    }
  }
  return changes.length === 0
    ? undefined
    : { changes, head, isAlone: isAlone && last === head.seq };
}
