// SPDX-License-Identifier: MIT
// Goes on with a thread whose approval requests have expired, and tells when to look again. For
// timers, alarms and cron jobs.
import { checkArgument } from "../base/check-arguments.js";
import { givenOf } from "../calls/clock-and-ids.js";
import { CLOCK } from "../run/ids.js";

/** @typedef {import("../types/approval/rules.js").ExpiredApprovals} ExpiredApprovals */
/** @typedef {{ id: string | undefined, at: number }} Waiting */

/**
 * Lets expired requests of a thread be decided.
 * @param {Parameters<typeof import("../types/approval/rules.js").expireApprovals>[0]} graph
 * @param {Parameters<typeof import("../types/approval/rules.js").expireApprovals>[1]} config
 *   with the thread's id
 * @returns {Promise<ExpiredApprovals>}
 */
export async function expireApprovals(graph, config) {
  checkArgument(
    typeof graph?.invoke === "function" && typeof graph.getState === "function",
    "expireApprovals(graph, config): graph must be a compiled graph",
  );
  checkArgument(
    typeof config?.configurable?.thread_id === "string",
    "expireApprovals(graph, config): config.configurable.thread_id must be a text",
  );
  const now = (givenOf(config).clock ?? CLOCK).now();
  const before = waitingIn(await graph.getState(config));
  const due = before.filter(({ at }) => at <= now);
  if (due.length === 0) return { expired: 0, next: nextOf(before) };
  const result = await graph.invoke(null, config);
  const after = waitingIn(await graph.getState(config));
  const expired = due.filter(({ id }) => !after.some((one) => one.id === id)).length;
  return { expired, next: nextOf(after), result };
}

/**
 * @param {import("../graph/thread-state.js").StateSnapshot} state
 * @returns {Waiting[]} the requests that expire
 */
function waitingIn({ tasks }) {
  /** @type {Waiting[]} */
  const waiting = [];
  // A task that has ended keeps the questions that were answered.
  for (const { interrupts } of tasks.filter(({ result }) => !result))
    for (const { id, value } of interrupts) {
      const at = Date.parse(value?.expires_at);
      if (Number.isFinite(at) && typeof value.digest === "string") waiting.push({ id, at });
    }
  return waiting;
}

/** @param {readonly Waiting[]} waiting */
function nextOf(waiting) {
  return waiting.length === 0 ? undefined : new Date(Math.min(...waiting.map(({ at }) => at)));
}
