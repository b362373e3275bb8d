// SPDX-License-Identifier: MIT
// Runs channels whose class defines how they are updated, read and saved. The mirror owns the live
// instances. Does not depend on blocks, batches or tasks.
import {
  REDUCE_CONSUME,
  REDUCE_FINISH,
  REDUCE_STEP,
  REDUCED_AVAILABLE,
  REDUCED_CONSUMED,
  REDUCED_UPDATED,
} from "../base/codes.js";
import { ABSENT } from "../engine/slots.js";

/**
 * A channel whose class defines its rules: a user's own, or one of another package.
 * @typedef {object} OwnChannel
 * @property {(saved?: unknown) => OwnChannel} fromCheckpoint
 * @property {(writes: unknown[]) => boolean} update
 * @property {() => unknown} get
 * @property {() => boolean} isAvailable
 * @property {() => unknown} checkpoint
 * @property {() => boolean} consume
 * @property {() => boolean} finish
 */

/**
 * Makes an instance with the saved value.
 * @param {OwnChannel} channel @param {unknown} [saved]
 */
export function makeLive(channel, saved) {
  return channel.fromCheckpoint(saved === ABSENT ? undefined : saved);
}

/** Returns the value for readers of the state. @param {OwnChannel} live */
export function viewOf(live) {
  return live.isAvailable() ? live.get() : ABSENT;
}

/** Returns the value to save. @param {OwnChannel} live */
export function savedOf(live) {
  try {
    const saved = live.checkpoint();
    return saved === undefined ? ABSENT : saved;
  } catch (error) {
    if (/** @type {Partial<Error> | undefined} */ (error)?.name === "EmptyChannelError")
      return ABSENT;
    throw error;
  }
}

/**
 * Applies one step in LangGraph's order: consume (by the task that it triggered), update, else an
 * update without writes.
 * @param {OwnChannel} live
 * @param {number} asks REDUCE_*
 * @param {unknown[]} writes
 * @param {string} name for the error
 * @returns {number} REDUCED_*
 */
export function stepLive(live, asks, writes, name) {
  const isConsumed = (asks & REDUCE_CONSUME) !== 0 && live.consume();
  let isUpdated =
    (asks & REDUCE_FINISH) !== 0 ? live.finish() : writes.length > 0 && updated(live, writes, name);
  if (!(isUpdated && live.isAvailable()) && (asks & REDUCE_STEP) !== 0 && live.isAvailable())
    isUpdated = updated(live, [], name) || isUpdated;
  return (
    (isConsumed ? REDUCED_CONSUMED : 0) |
    (isUpdated ? REDUCED_UPDATED : 0) |
    (live.isAvailable() ? REDUCED_AVAILABLE : 0)
  );
}

/** @param {OwnChannel} live @param {unknown[]} writes @param {string} name @returns {boolean} */
function updated(live, writes, name) {
  try {
    return live.update(writes);
  } catch (error) {
    const wrong = /** @type {Error | undefined} */ (error);
    if (wrong?.name === "InvalidUpdateError")
      wrong.message = `Invalid update for channel "${name}" with values ${JSON.stringify(writes)}: ${wrong.message}`;
    throw wrong;
  }
}
