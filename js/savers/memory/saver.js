// SPDX-License-Identifier: MIT
// Keeps threads in this process's memory: new MemorySaver(). Weft's graphs store them as logs. If a
// program uses `storage` or `writes`, puts a checkpoint, passes in a serializer or overrides a
// method, the threads become plain objects as in LangGraph's MemorySaver and stay so. Owns both
// forms.
import { SavedThread, checkpointOf, metadataOf, pendingOf } from "../../log/saved-thread.js";
import { WeftSaver } from "../weft-saver.js";
import { dumpsTyped } from "../langgraph/jsonplus.js";
import { METHODS } from "../lazy.js";
import { MemoryStore } from "./store.js";
import { checkObject } from "../../log/log-store.js";
import { checkPut, checkWrites } from "../core/saver-arguments.js";
import { isUntouched } from "../base-checkpoint-saver.js";

/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../compat/savers/memory-mirror.js").Plain} Plain */

const blank = () => Object.create(null);

/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */

/** @extends {WeftSaver<MemoryStore>} */
export class MemorySaver extends WeftSaver {
  /** @type {Plain | undefined} */
  #plain;

  /**
   * @param {import("../base-checkpoint-saver.js").SerializerProtocol} [serde]
   * @param {{ keep?: import("../core/keep.js").KeepOptions }} [options]
   */
  constructor(serde, options) {
    super(new MemoryStore(), serde, options?.keep);
  }

  get logStore() {
    return this.#plain === undefined &&
      isUntouched(
        /** @type {import("../base-checkpoint-saver.js").SaverLike} */ (
          /** @type {unknown} */ (this)
        ),
        MemorySaver.prototype,
      )
      ? this.store
      : undefined;
  }

  leaveStore() {
    this.#open();
  }

  /** Converts the threads to plain objects and drops the logs. @returns {Plain} */
  #open() {
    if (this.#plain !== undefined) return this.#plain;
    const plain = (this.#plain = { storage: blank(), writes: blank() });
    for (const threadId of this.store.list()) {
      exportThread(plain, threadId, new SavedThread(this.store.read(threadId)));
      this.store.drop(threadId);
    }
    return plain;
  }

  /** @returns {Plain["storage"]} */
  get storage() {
    return this.#open().storage;
  }

  set storage(storage) {
    this.#open().storage = storage;
  }

  /** @returns {Plain["writes"]} */
  get writes() {
    return this.#open().writes;
  }

  set writes(writes) {
    this.#open().writes = writes;
  }

  /** @param {Config} config @returns {Promise<CheckpointTuple | undefined>} */
  async getTuple(config) {
    checkObject(config, "`config`");
    const { plain } = await METHODS.load();
    return /** @type {CheckpointTuple | undefined} */ (
      await plain.getTuple(this, this.#plain, config)
    );
  }

  /** @param {Config} config @param {unknown} [options] */
  async *list(config, options) {
    checkObject(config, "`config`");
    const { plain } = await METHODS.load();
    yield* /** @type {AsyncGenerator<CheckpointTuple, void, void>} */ (
      plain.list(this, this.#plain, config, options ?? undefined)
    );
  }

  /**
   * @param {Config} config
   * @param {Checkpoint} checkpoint
   * @param {Record<string, unknown>} metadata
   * @param {unknown} [_versions]
   */
  async put(config, checkpoint, metadata, _versions) {
    checkPut(config, checkpoint, metadata);
    return (await METHODS.load()).plain.put(this, config, checkpoint, metadata);
  }

  /**
   * @param {Config} config
   * @param {[string, unknown][]} writes
   * @param {string} taskId
   * @param {string} [taskPath]
   */
  async putWrites(config, writes, taskId, taskPath) {
    checkWrites(config, writes);
    return (await METHODS.load()).plain.putWrites(this, config, writes, taskId, taskPath);
  }

  /** @param {string} threadId */
  async deleteThread(threadId) {
    return (await METHODS.load()).plain.deleteThread(this, this.#plain, threadId);
  }

  /**
   * @param {{ limit?: number, after?: string, onError?: (error: unknown, threadId?: string) => void
   *   }} [options]
   */
  async listThreads(options) {
    if (this.#plain === undefined) return this.store.list(options);
    const { limit, after = "" } = options ?? {};
    return Object.keys(this.#plain.storage)
      .sort()
      .filter((id) => id > after)
      .slice(0, limit);
  }
}

/** @param {Plain} plain @param {string} threadId @param {SavedThread} thread */
function exportThread({ storage, writes }, threadId, thread) {
  const bytes = (/** @type {unknown} */ value) => dumpsTyped(value)[1];
  storage[threadId] = blank();
  for (const ns of thread.spaces.keys()) {
    storage[threadId][ns] = blank();
    for (const entry of thread.newest(ns).reverse()) {
      const checkpoint = checkpointOf(entry);
      storage[threadId][ns][checkpoint.id] = [
        bytes(checkpoint),
        bytes(metadataOf(entry)),
        entry.record?.parent,
      ];
      const pending = pendingOf(entry);
      if (pending.size === 0) continue;
      const held = (writes[JSON.stringify([threadId, ns, checkpoint.id])] = blank());
      for (const [place, [task, channel, value, path]] of pending)
        held[place] = [task, channel, bytes(value), path];
    }
  }
}
