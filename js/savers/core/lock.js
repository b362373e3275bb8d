// SPDX-License-Identifier: MIT
// Locks threads among the stores of this process that share one place. Owns the waiting queues.
import { badArgument, checkThreadId } from "../../log/log-store.js";

/**
 * Holder of each thread, followed by the waiting callers in order.
 * @type {Map<unknown, Map<string, (() => void)[]>>}
 */
const held = new Map();

/** @typedef {{ wait?: boolean, signal?: AbortSignal }} HoldOptions */

/**
 * Makes the `hold` of a LogStore for a place without locks of its own.
 * @param {unknown} place identifies what the stores share
 * @param {(threadId: string, options: HoldOptions) => Promise<(() => void) | undefined>} [lock]
 *   takes the thread's lock among processes, for the first caller of this one
 * @returns {NonNullable<import("../../log/log-store.js").LogStore["hold"]>}
 */
export function holdAt(place, lock) {
  return async (threadId, options = {}) => {
    checkHold(threadId, options);
    const leave = await hold(place, threadId, options);
    if (leave === undefined || lock === undefined) return leave;
    /** @type {(() => void) | undefined} */
    let release;
    try {
      release = await lock(threadId, options);
    } finally {
      if (release === undefined) leave();
    }
    if (release === undefined) return undefined;
    return () => {
      release?.();
      release = undefined;
      leave();
    };
  };
}

/**
 * Checks the arguments of every `hold`; throws the reason of an aborted signal.
 * @param {string} threadId
 * @param {{ wait?: boolean, signal?: AbortSignal } | undefined} options
 */
export function checkHold(threadId, options) {
  checkThreadId(threadId);
  if (options !== undefined && (options === null || typeof options !== "object"))
    throw badArgument("the options of hold() are { wait, signal }");
  const { signal } = options ?? {};
  if (signal !== undefined && typeof signal?.addEventListener !== "function")
    throw badArgument("`signal` is an AbortSignal");
  if (signal?.aborted) throw signal.reason;
}

/**
 * @param {unknown} place
 * @param {string} threadId
 * @param {{ wait?: boolean, signal?: AbortSignal }} options
 * @returns {Promise<(() => void) | undefined>}
 */
function hold(place, threadId, { wait = false, signal }) {
  const threads = held.get(place) ?? new Map();
  /** @type {(() => void)[]} */
  const queue = threads.get(threadId) ?? [];
  if (queue.length > 0 && !wait) return Promise.resolve(undefined);
  held.set(place, threads.set(threadId, queue));
  return new Promise((resolve, reject) => {
    /** Releases the lock or stops waiting; a second call does nothing. */
    const leave = () => {
      const at = queue.indexOf(begin);
      if (at < 0) return;
      queue.splice(at, 1);
      if (queue.length === 0) {
        threads.delete(threadId);
        if (threads.size === 0) held.delete(place);
      } else if (at === 0) queue[0]();
    };
    const giveUp = () => {
      leave();
      reject(signal?.reason);
    };
    const begin = () => {
      signal?.removeEventListener("abort", giveUp);
      resolve(leave);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    queue.push(begin);
    if (queue.length === 1) begin();
  });
}
