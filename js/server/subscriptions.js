// SPDX-License-Identifier: MIT
// Reads what a client wants to hear of a thread's events, and who may hear them: whoever made the
// thread, also if it is made after the client began to wait for it.
import { SUPPORTED_CHANNELS, isSubscribed } from "../events/protocol/matching.js";
import { countIn, textsIn } from "./http/fields.js";
import { invalid } from "./http/replies.js";
import { isOf } from "./runs.js";
import { findThread } from "./threads.js";

/** @typedef {import("./http/fields.js").Json} Json */
/** @typedef {import("./http/event-log.js").EventLog} EventLog */
/** @typedef {import("./http/event-log.js").RunEvent} RunEvent */
/** @typedef {import("./server.js").ServerState} ServerState */

/**
 * @param {Json} from
 * @returns {{ since: number, isWanted: (event: RunEvent) => boolean }} `since`: the last event that
 *   is known
 */
export function readSubscription(from) {
  const channels = textsIn(from, "channels") ?? [...SUPPORTED_CHANNELS];
  const { namespaces } = from;
  if (
    namespaces !== undefined &&
    !(
      Array.isArray(namespaces) &&
      namespaces.every((one) => Array.isArray(one) && one.every((part) => typeof part === "string"))
    )
  )
    throw invalid("namespaces must be a list of lists of texts.");
  const depth = countIn(from, "depth", Infinity, Infinity);
  return {
    since: countIn(from, "since", 0, Number.MAX_SAFE_INTEGER),
    isWanted: ({ about }) =>
      about !== undefined && isSubscribed(about, { channels, namespaces, depth }),
  };
}

/**
 * @param {ServerState} state
 * @param {string} threadId of a thread that need not be there yet
 * @param {string | undefined} user
 * @returns {{ log: EventLog, mayHear: () => boolean }} `mayHear`: is the thread (still) the user's?
 * @throws {Refusal} 404 for another user's thread
 */
export function openLog(state, threadId, user) {
  const thread = state.threads.get(threadId);
  const mayHear = () => {
    const now = state.threads.get(threadId);
    return now === undefined || isOf(now, user);
  };
  if (!mayHear()) findThread(state, threadId, user);
  return { log: state.logs.open(threadId, thread), mayHear };
}
