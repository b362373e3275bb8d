// SPDX-License-Identifier: MIT
// A witness of the host's own, beside that of the store: it knows how far a thread was stored when
// all that the store kept is gone. Knows of stores only what one is.
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
 * From now on the store's witness is also this one.
 * @param {import("../../log/log-store.js").LogStore} store
 * @param {Witness} host
 */
export function addWitness(store, host) {
  for (const verb of /** @type {const} */ (["get", "set"]))
    if (typeof host?.[verb] !== "function")
      throw badArgument(`a witness needs the function ${verb}`);
  const { head: headOf, witness, drop } = store;
  /**
   * What is done about a thread, one after the other, by its id.
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
      // A thread that was deleted, or begun anew, since this commit was acknowledged has no such
      // record.
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
