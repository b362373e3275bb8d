// SPDX-License-Identifier: MIT
// What all of Weft's savers share: a store of the LOG port, and what can be said of it without reading records.

/** @typedef {import("./log-port.js").LogStore} LogStore */

/**
 * @template {LogStore} [Store=LogStore]
 */
export class WeftSaver {
  /** @param {Store} store */
  constructor(store) {
    /** @readonly */
    this.store = store;
    /** A value that cannot be stored as what it is fails the run. @type {boolean | undefined} */
    this.strict = undefined;
    /** Every run reads its thread from the store. @type {boolean | undefined} */
    this.isolate = undefined;
  }

  /**
   * Bytes stored of a thread, or of all.
   * @param {string} [threadId]
   * @returns {Promise<number>}
   */
  async byteLength(threadId) {
    return this.store.byteLength(threadId);
  }

  /**
   * @param {string} threadId
   * @returns {Promise<void>}
   */
  async deleteThread(threadId) {
    await this.store.drop(threadId);
  }

  /**
   * Thread ids, in the store's own, fixed order.
   * @param {{ limit?: number, after?: string }} [options]
   * @returns {Promise<string[]>}
   */
  async listThreads(options) {
    return this.store.list(options);
  }
}
