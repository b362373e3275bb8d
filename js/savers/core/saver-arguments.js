// SPDX-License-Identifier: MIT
// Checks the arguments of rarely used store methods. Separate from log-store.js, so that a page
// with an agent loads none of it.
import {
  badArgument,
  checkBytes,
  checkObject,
  checkThreadId,
  isCount,
} from "../../log/log-store.js";

/** @typedef {import("../base-checkpoint-saver.js").Checkpoint} Checkpoint */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../log/log-store.js").LogRange} LogRange */

/**
 * @param {unknown} threadId
 * @param {LogRange} range
 * @param {Uint8Array} bytes
 */
export function checkFold(threadId, range, bytes) {
  checkThreadId(threadId);
  const { firstSeq, lastSeq } = range ?? {};
  if (!isCount(firstSeq) || !isCount(lastSeq) || firstSeq === 0 || lastSeq < firstSeq)
    throw badArgument("a range is { firstSeq, lastSeq }");
  checkBytes(bytes);
}

/** @param {{ limit?: number, after?: string, onError?: (error: unknown) => void }} options */
export function checkList(options) {
  if (options === null || typeof options !== "object")
    throw badArgument("the options of a list are { limit, after }");
  const { limit, after, onError } = options;
  if (limit !== undefined && (!isCount(limit) || limit === 0))
    throw badArgument("`limit` is a positive integer");
  if (after !== undefined) checkThreadId(after);
  if (onError !== undefined && typeof onError !== "function")
    throw badArgument("`onError` is a function");
}

/** Partition of a saver's storage in which SaverStores keep their items. */
export const ITEMS = "store";

/**
 * @param {Config} config
 * @param {Checkpoint} checkpoint
 * @param {Record<string, unknown>} metadata
 */
export function checkPut(config, checkpoint, metadata) {
  checkObject(config, "`config`");
  checkObject(checkpoint, "`checkpoint`");
  if (metadata !== undefined) checkObject(metadata, "`metadata`");
}

/** @param {Config} config @param {unknown} writes */
export function checkWrites(config, writes) {
  checkObject(config, "`config`");
  if (!Array.isArray(writes) || !writes.every(Array.isArray))
    throw badArgument("`writes` is a list of [channel, value]");
}

/** @param {unknown} name */
export function checkPartition(name) {
  if (typeof name !== "string" || !/^[a-z]{1,16}$/.test(name))
    throw badArgument("the name of a partition has 1 to 16 letters from a to z");
}
