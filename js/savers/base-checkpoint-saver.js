// SPDX-License-Identifier: MIT
// Defines LangGraph's BaseCheckpointSaver, the base of user-written savers and of Weft's. Rarely
// used parts are loaded when they are called. Does not depend on stores.
import { METHODS } from "./lazy.js";
import { badArgument, checkObject } from "../log/log-store.js";

/**
 * @typedef {{ dumpsTyped: (data: unknown) => Promise<[string, Uint8Array]>, loadsTyped: (type:
 *   string, data: Uint8Array | string) => Promise<Value> }} SerializerProtocol
 */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * A checkpoint in LangGraph's format, version 4.
 * @typedef {{ v: number, id: string, ts: string, channel_values: Record<string, unknown>,
 *   channel_versions: Record<string, number | string>, versions_seen: Record<string, Record<string,
 *   number | string>>, [key: string]: unknown }} Checkpoint
 * @typedef {{ source: "input" | "loop" | "update" | "fork", step: number, parents: Record<string,
 *   string>, [key: string]: unknown }} CheckpointMetadata
 * @typedef {{ config: Config, checkpoint: Checkpoint, metadata?: CheckpointMetadata, parentConfig?:
 *   Config, pendingWrites?: [taskId: string, channel: string, value: unknown][] }} CheckpointTuple
 */
/**
 * A checkpointer of Weft or of another package, by its methods; only Weft's have `store` and
 * `logStore`.
 * @typedef {{ getTuple: (config: Config) => Promise<CheckpointTuple | undefined>, [key: string]:
 *   Value }} SaverLike
 */

/** Serializes values as JSON, with LangGraph's tagged records for values that JSON lacks. */
export class JsonPlusSerializer {
  /** @param {unknown} data @returns {Promise<[string, Uint8Array]>} */
  async dumpsTyped(data) {
    return (await METHODS.load()).dumpsTyped(data);
  }

  /** @param {string} type @param {Uint8Array | string} data @returns {Promise<unknown>} */
  async loadsTyped(type, data) {
    return (await METHODS.load()).loadsTyped(type, data);
  }
}

export class BaseCheckpointSaver {
  /** @type {SerializerProtocol} */
  serde = new JsonPlusSerializer();

  /** @param {SerializerProtocol} [serde] */
  constructor(serde) {
    if (!serde) return;
    if (typeof serde.dumpsTyped !== "function" || typeof serde.loadsTyped !== "function")
      throw badArgument("`serde` has the methods dumpsTyped and loadsTyped");
    this.serde = serde;
  }

  toJSON() {
    return `[${this.constructor.name}]`;
  }

  /**
   * Reads a checkpoint without its config, metadata and writes.
   * @param {Config} config
   * @returns {Promise<Checkpoint | undefined>}
   */
  async get(config) {
    const tuple = await /** @type {SaverLike} */ (/** @type {unknown} */ (this)).getTuple(config);
    return tuple?.checkpoint;
  }

  /** @param {unknown} current @returns {unknown} */
  getNextVersion(current) {
    if (typeof current === "string")
      throw new Error("Please override this method to use string versions.");
    return current !== undefined && typeof current === "number" ? current + 1 : 1;
  }

  /**
   * Reads per channel the writes of a checkpoint's ancestors, the oldest first, and the nearest
   * stored value before them.
   * @param {{ config: Config, channels: string[] }} options
   * @returns {Promise<Record<string, { writes: unknown[], seed?: unknown }>>}
   */
  async getDeltaChannelHistory(options) {
    checkObject(options, "what getDeltaChannelHistory() is asked");
    if (!Array.isArray(options.channels)) throw badArgument("`channels` is a list of names");
    return (await METHODS.load()).deltaHistory(
      /** @type {SaverLike} */ (/** @type {unknown} */ (this)),
      options,
    );
  }
}

const DEFAULTS = ["getTuple", "list", "put", "putWrites", "deleteThread", "getNextVersion"];

/**
 * Checks that a saver uses the methods and the serializer of `home`.
 * @param {SaverLike} saver
 * @param {object} home a prototype
 */
export function isUntouched(saver, home) {
  return (
    DEFAULTS.every((name) => saver[name] === /** @type {Record<string, unknown>} */ (home)[name]) &&
    saver.serde?.constructor === JsonPlusSerializer
  );
}
