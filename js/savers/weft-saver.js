// SPDX-License-Identifier: MIT
// Implements the common part of Weft's savers: a store of threads' logs, and LangGraph's methods
// over it, which are loaded when they are called. Weft's graphs use the store directly while a
// saver's methods are not overridden.
import { BaseCheckpointSaver, isUntouched } from "./base-checkpoint-saver.js";
import { METHODS } from "./lazy.js";
import { checkObject } from "../log/log-store.js";
import { checkPut, checkWrites } from "./core/saver-arguments.js";
import { checkKeep } from "./core/keep.js";
import { addWitness } from "./core/witness.js";

/** @typedef {import("./base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../log/log-store.js").LogStore} LogStore */

/**
 * @template {LogStore} [Store=LogStore]
 */
export class WeftSaver extends BaseCheckpointSaver {
  #isLeft = false;
  /** @type {import("./core/keep.js").KeepOptions | undefined} */
  #keep;

  /**
   * @param {Store} store
   * @param {import("./base-checkpoint-saver.js").SerializerProtocol} [serde]
   * @param {import("./core/keep.js").KeepOptions} [keep]
   */
  constructor(store, serde, keep) {
    super(serde);
    /** @readonly */
    this.store = store;
    if (keep !== undefined) this.keep = keep;
  }

  /**
   * The store, if graphs may bypass this saver's methods.
   * @returns {LogStore | undefined}
   */
  get logStore() {
    return !this.#isLeft && isUntouched(this, WeftSaver.prototype) ? this.store : undefined;
  }

  /** Makes graphs call this saver's methods from now on: the log of a thread has another format. */
  leaveStore() {
    this.#isLeft = true;
  }

  /**
   * Adds another witness to be notified how far each thread is stored.
   * @param {import("./core/witness.js").Witness} witness
   */
  set witness(witness) {
    addWitness(this.store, witness);
  }

  /** Sets which checkpoints are kept. @param {import("./core/keep.js").KeepOptions} keep */
  set keep(keep) {
    checkKeep(keep);
    this.#keep = keep;
    /** @type {((threadId: string) => Promise<void>) | undefined} */
    let tidy;
    this.store.tidy = (threadId) =>
      METHODS.load()
        .then(({ tidierOf }) => (tidy ??= tidierOf(this, keep))(threadId))
        .catch((error) => keep.onError?.(error, threadId))
        .catch(() => {});
  }

  /**
   * Prunes a thread or all threads now.
   * @param {string} [threadId]
   * @param {import("./core/keep.js").Keep} [keep]
   * @returns {Promise<{ kept: number, dropped: number, bytesBefore: number, bytesAfter: number }>}
   */
  async prune(threadId, keep = this.#keep) {
    const { pruneThread, pruneThreads } = await METHODS.load();
    return threadId === undefined
      ? pruneThreads(this, /** @type {Record<PropertyKey, unknown>} */ (keep))
      : pruneThread(this, threadId, /** @type {Record<PropertyKey, unknown>} */ (keep));
  }

  /**
   * @param {Config} config
   * @returns {Promise<import("./base-checkpoint-saver.js").CheckpointTuple | undefined>}
   */
  async getTuple(config) {
    checkObject(config, "`config`");
    return (await METHODS.load()).getTuple(this.store, config);
  }

  /**
   * @param {Config} config
   * @param {{ limit?: number, before?: Config, filter?: Record<string, unknown>, onError?: (error:
   *   unknown, threadId?: string) => void }} [options]
   * @returns {AsyncGenerator<import("./base-checkpoint-saver.js").CheckpointTuple, void, void>}
   */
  async *list(config, options) {
    checkObject(config, "`config`");
    yield* (await METHODS.load()).list(this.store, config, options ?? undefined);
  }

  /**
   * @param {Config} config
   * @param {Checkpoint} checkpoint
   * @param {import("./base-checkpoint-saver.js").CheckpointMetadata} metadata
   * @param {Checkpoint["channel_versions"]} [versions]
   * @returns {Promise<Config>}
   */
  async put(config, checkpoint, metadata, versions) {
    checkPut(config, checkpoint, metadata);
    return (await METHODS.load()).put(this.store, config, checkpoint, metadata, versions);
  }

  /**
   * Writes a task's values. The log identifies a task's path by its id.
   * @param {Config} config
   * @param {[string, unknown][]} writes
   * @param {string} taskId
   * @param {string} [_taskPath]
   * @returns {Promise<void>}
   */
  async putWrites(config, writes, taskId, _taskPath) {
    checkWrites(config, writes);
    return (await METHODS.load()).putWrites(this.store, config, writes, taskId);
  }

  /**
   * @param {string} threadId
   * @returns {Promise<void>}
   */
  async deleteThread(threadId) {
    await this.store.drop(threadId);
  }

  /**
   * Lists the decisions about a thread's tool calls, in order.
   * @param {string} threadId
   * @returns {Promise<unknown[]>}
   */
  async decisions(threadId) {
    return (await METHODS.load()).decisions(this.store, threadId);
  }

  /**
   * Returns the stored bytes of a thread or of all.
   * @param {string} [threadId]
   * @returns {Promise<number>}
   */
  async byteLength(threadId) {
    return this.store.byteLength(threadId);
  }

  /**
   * Lists thread ids, in the store's own fixed order.
   * @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} [options]
   * @returns {Promise<string[]>}
   */
  async listThreads(options) {
    return this.store.list({ ...options, onError: options?.onError ?? warnOfThread });
  }
}

/** @param {unknown} error */
function warnOfThread(error) {
  const { message } = /** @type {Partial<Error>} */ (error ?? {});
  console.warn(`A thread is not listed: ${message}`);
}
