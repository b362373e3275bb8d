// SPDX-License-Identifier: MIT
// Notifies listeners of changed threads: changes by this saver, and by others that use the store's
// channel (other tabs). Owns the listeners. Does not depend on particular stores.
import { badArgument, checkThreadId } from "../../log/log-store.js";
import { storeOf } from "./rewrite.js";

/** @typedef {import("../../log/log-store.js").LogStore} LogStore */
/** @typedef {{ threadId: string, seq: number | undefined }} ThreadChange */
/** @typedef {(change: ThreadChange) => unknown} Listener */

/** @type {WeakMap<LogStore, Set<Listener>>} */
const listenersOf = new WeakMap();

/**
 * Adds a listener for all threads. Returns a function that removes it.
 * @param {import("../weft-saver.js").WeftSaver} saver
 * @param {Listener} listener
 */
export function watchThreads(saver, listener) {
  const store = storeOf(saver);
  if (typeof listener !== "function") throw badArgument("`listener` is a function");
  const { channel } = store;
  if (channel !== undefined && globalThis.BroadcastChannel !== undefined)
    return hearChannel(channel, listener);
  const listeners = listenersOf.get(store) ?? tapStore(store);
  // A new function each time, since a set contains a function once.
  const own = (/** @type {ThreadChange} */ change) => listener(change);
  listeners.add(own);
  return () => void listeners.delete(own);
}

/**
 * Adds a listener for one thread. Returns a function that removes it.
 * @param {import("../weft-saver.js").WeftSaver} saver
 * @param {string} threadId
 * @param {Listener} listener
 */
export function watchThread(saver, threadId, listener) {
  checkThreadId(threadId);
  if (typeof listener !== "function") throw badArgument("`listener` is a function");
  return watchThreads(saver, (change) => {
    if (change.threadId === threadId) listener(change);
  });
}

/** @param {string} name @param {Listener} listener */
function hearChannel(name, listener) {
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data: [threadId, seq] }) => listener({ threadId, seq });
  return () => channel.close();
}

/** Wraps the store's methods to report its own changes. @param {LogStore} store */
function tapStore(store) {
  /** @type {Set<Listener>} */
  const listeners = new Set();
  listenersOf.set(store, listeners);
  const { append, drop } = store;
  /**
   * @template Answer
   * @param {Answer} answer
   * @param {string} threadId
   * @param {number} [seq]
   * @returns {Answer}
   */
  const after = (answer, threadId, seq) => {
    // Calls listeners in microtasks: their errors are not the store's failure.
    const tell = () =>
      listeners.forEach((listener) =>
        queueMicrotask(() => listeners.has(listener) && listener({ threadId, seq })),
      );
    if (answer instanceof Promise) answer.then(tell, () => {});
    else tell();
    return answer;
  };
  store.append = (threadId, commit, bytes, expected) =>
    after(append.call(store, threadId, commit, bytes, expected), threadId, commit.seq);
  store.drop = (threadId) => after(drop.call(store, threadId), threadId);
  return listeners;
}
