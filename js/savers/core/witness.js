// SPDX-License-Identifier: MIT
// Adds a witness of the host beside the store's: it reports how far a thread was stored even if the
// store lost all its data. Does not depend on particular stores.
import { badArgument } from "../../log/log-store.js";

/** @typedef {import("../../log/log-store.js").LogHead} LogHead */
/**
 * @typedef {object} Witness
 * @property {(threadId: string) => LogHead | null | undefined | Promise<LogHead | null |
 *   undefined>} get
 * @property {(threadId: string, head: LogHead | undefined) => unknown} set `head` undefined: the
 *   thread was deleted
 */

/**
 * Wraps the store's witness so that it also uses the host's.
 * @param {import("../../log/log-store.js").LogStore} store
 * @param {Witness} host
 */
export function addWitness(store, host) {
  for (const verb of /** @type {const} */ (["get", "set"]))
    if (typeof host?.[verb] !== "function")
      throw badArgument(`a witness needs the function ${verb}`);
  const { head: headOf, witness, drop } = store;
  /**
   * Last operation on each thread, after which the next one runs.
   * @type {Map<string, Promise<unknown>>}
   */
  const turns = new Map();
  /** @template T @param {string} threadId @param {() => Promise<T>} work @returns {Promise<T>} */
  const inTurn = (threadId, work) => {
    const turn = Promise.resolve(turns.get(threadId)).then(work);
    const ended = turn
      .then(
        () => {},
        () => {},
      )
      .then(() => void (turns.get(threadId) === ended && turns.delete(threadId)));
    turns.set(threadId, ended);
    return turn;
  };
  store.witness = async (threadId, head) => {
    const own = await witness.call(store, threadId, head);
    if (head !== undefined) {
      // A thread that was deleted or restarted since this commit has no such record.
      await inTurn(
        threadId,
        async () =>
          ((await headOf.call(store, threadId))?.seq ?? 0) >= head.seq && host.set(threadId, head),
      );
      return own;
    }
    const told = (await host.get(threadId)) ?? undefined;
    if ((told?.seq ?? 0) <= (own?.seq ?? 0)) return own;
    await store.expect?.(threadId, /** @type {LogHead} */ (told));
    return told;
  };
  store.drop = (threadId) =>
    inTurn(threadId, async () => {
      await host.set(threadId, undefined);
      await drop.call(store, threadId);
    });
}
