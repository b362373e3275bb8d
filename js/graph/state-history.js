// SPDX-License-Identifier: MIT
// Reads the history of a thread (getStateHistory) and applies its limit. Does not depend on the
// public methods (thread-state.js).
import { RUN_HISTORY } from "../base/codes.js";
import { checkArgument, hasText } from "../base/check-arguments.js";
import { snapshotOf } from "../calls/state-snapshot.js";
import { placeOf, readState, showInside, snapshotsOf } from "./get-state.js";

/** @typedef {import("../savers/base-checkpoint-saver.js").SaverLike} SaverLike */
/** @typedef {import("../savers/foreign-saver.js").SaverPort} SaverPort */
/** @typedef {import("../types/base/common-types.js").StateSnapshot} StateSnapshot */
/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("./get-state.js").Parts} Parts */

// The history is read in parts of this many checkpoints, each continuing after the last one, so
// that a caller who stops early has paid for little and an abandoned iterator holds nothing. Each
// part reads the log again.
const FIRST_PART = 32;
const LAST_PART = 1024;

/**
 * Reads checkpoints, the newest first.
 * @param {Parts} parts
 * @param {Config} config
 * @param {SaverLike} checkpointer
 * @param {{ limit?: number, before?: Config, filter?: Record<string, unknown> }} [query]
 * @returns {AsyncGenerator<StateSnapshot, void, void>}
 */
export async function* readHistory(parts, config, checkpointer, query) {
  const place = placeOf(config, checkpointer);
  if (place === undefined) return yield* readAll(parts, config, checkpointer, query);
  const { limit: most = NaN, filter, before: newer } = query ?? {};
  checkArgument(
    hasText(most) && typeof most !== "bigint",
    "getStateHistory(config, options): options.limit must be a number",
  );
  if (most <= 0) return;
  const limit = Math.ceil(most) || 0;
  const wanted = Object.entries(filter ?? {});
  /** @type {string | undefined} */
  const before = newer?.configurable?.checkpoint_id || undefined;
  const request = {
    kind: RUN_HISTORY,
    ...place,
    checkpointId: config.configurable?.checkpoint_id || undefined,
    before,
    limit: Math.min(limit || FIRST_PART, LAST_PART),
  };
  const port = /** @type {Partial<SaverPort>} */ (place.store);
  if (port.saver !== undefined) {
    port.options = query;
    request.limit = wanted.length === 0 ? limit : 0;
  }
  for (let found = 0; ; request.limit = Math.min(request.limit * 4, LAST_PART)) {
    const part = await snapshotsOf(parts, request);
    for (const snapshot of part) {
      if (snapshot.empty) return;
      if (before !== undefined && snapshot.id >= before) continue;
      const shown = snapshotOf(snapshot, config);
      const { thread_id: _, ...metadata } = /** @type {NonNullable<StateSnapshot["metadata"]>} */ (
        shown.metadata
      );
      if (!wanted.every(([key, value]) => metadata[key] === value)) continue;
      yield showInside(shown, parts, undefined);
      if (++found === limit) return;
    }
    if (request.limit === 0 || part.length < request.limit) return;
    request.before = part[part.length - 1].id;
  }
}

/**
 * Reads the checkpoints of all threads that the saver lists.
 * @param {Parts} parts
 * @param {Config} config
 * @param {SaverLike} checkpointer
 * @param {unknown} query
 * @returns {AsyncGenerator<StateSnapshot, void, void>}
 */
async function* readAll(parts, config, checkpointer, query) {
  for await (const { config: at } of checkpointer.list(
    { ...config, configurable: { checkpoint_ns: "", ...config.configurable } },
    query,
  ))
    yield readState(parts, at, checkpointer, false);
}
