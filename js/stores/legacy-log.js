// SPDX-License-Identifier: MIT
// The items that older versions kept in a thread of the saver. A thread of that name may also be a
// conversation, or have become one. Knows of stores only what one is.
import { LogReader } from "../log/reader.js";
import { readLog } from "../log/data-loss.js";
import { changeOf, isOfStore } from "./items-log.js";

/**
 * The changes of a store that are in a thread; undefined: none.
 * @param {import("../log/log-store.js").LogStore} store @param {string} threadId
 * @returns {Promise<{ changes: import("./memory.js").Change[], head:
 *   import("../log/log-store.js").LogHead, isAlone: boolean } | undefined>} `isAlone`: there is
 *   nothing else in it
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
