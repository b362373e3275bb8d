// SPDX-License-Identifier: MIT
// A witness of the host's own, beside that of the store: it knows how far a thread was stored when all that the store kept
// is gone. Knows of stores only what one is.

/** @typedef {import("./log-port.js").LogHead} LogHead */
/**
 * @typedef {object} Witness
 * @property {(threadId: string) => LogHead | null | undefined | Promise<LogHead | null | undefined>} get
 * @property {(threadId: string, head: LogHead | undefined) => unknown} set `head` undefined: the thread was deleted
 */

/** From now on the store's witness is also this one. @param {import("./log-port.js").LogStore} store @param {Witness} host */
export function addWitness(store, host) {
  const { append, witness, drop } = store;
  /** Threads that were dropped: what is still told of them is late. @type {Set<string>} */
  const gone = new Set();
  /** What the host is being told, by thread. @type {Map<string, Promise<unknown>>} */
  const telling = new Map();
  /** @param {string} threadId @param {LogHead | undefined} head */
  const tell = (threadId, head) => {
    const told = Promise.resolve(telling.get(threadId)).catch(() => {}).then(() => host.set(threadId, head));
    telling.set(threadId, told);
    return told.finally(() => telling.get(threadId) === told && telling.delete(threadId));
  };
  store.append = (threadId, commit, bytes, expected) => {
    gone.delete(threadId);
    return append.call(store, threadId, commit, bytes, expected);
  };
  store.witness = async (threadId, head) => {
    const own = await witness.call(store, threadId, head);
    if (head !== undefined && !gone.has(threadId)) await tell(threadId, head);
    const told = head === undefined ? await host.get(threadId) : undefined;
    return (told?.seq ?? 0) > (own?.seq ?? 0) ? (told ?? undefined) : own;
  };
  store.drop = async (threadId) => {
    gone.add(threadId);
    await tell(threadId, undefined);
    await drop.call(store, threadId);
  };
}
