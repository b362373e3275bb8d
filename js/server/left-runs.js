// SPDX-License-Identifier: MIT
// Takes up what an earlier server, or a tab that is gone, has left: a run that was under way is
// over where its thread stands; those that never began are queued again, in their order.
import { findAssistant } from "./assistants.js";
import { readRun } from "./run-input.js";
import { isOpen } from "./work/run-record.js";

/** @typedef {import("./runs.js").RunRecord} RunRecord */
/** @typedef {import("./server.js").ServerState} ServerState */
/** @typedef {import("./threads.js").ThreadRecord} ThreadRecord */

/**
 * More events than a run may have sent that its server's end cut off: no number is used twice, so
 * that who asks for what came since then misses nothing.
 */
const LOST_EVENTS = 1_000_000;

/** @param {ServerState} state */
export async function takeUpRuns(state) {
  const { runs, threads, live, tabs, threadWork } = state;
  // One tab at a time: the next one sees what this one has taken.
  const release = await tabs?.takeTurn();
  try {
    for (const thread of [...threads.all()]) {
      const { thread_id: id } = thread;
      const isHeld = (/** @type {RunRecord} */ run) =>
        live.of(id).some(({ record }) => record === run) || tabs?.isThere(run.how?.tab);
      const left = runs.ofThread(id).filter((run) => isOpen(run) && !isHeld(run));
      for (const run of left) if (run.status === "running") await threadWork.cutOff(run);
      if (thread.status === "busy" && live.of(id).length === 0) {
        thread.seq = (thread.seq ?? 0) + LOST_EVENTS;
        await (tabs === undefined ? threadWork.settle(thread) : tabs.correct(id));
      }
      const waiting = left.filter(({ status }) => status === "pending");
      const from = waiting.findLastIndex(({ multitask_strategy: strategy }) =>
        ["interrupt", "rollback"].includes(strategy),
      );
      // Those before a run that was to end them were cancelled, when the server died.
      for (const [at, run] of waiting.entries())
        await (at < from ? threadWork.cutOff(run) : startAgain(state, thread, run));
    }
  } finally {
    release?.();
  }
}

/** @param {ServerState} state @param {ThreadRecord} thread @param {RunRecord} run */
async function startAgain(state, thread, run) {
  try {
    const request = readRun(run.kwargs);
    // Nobody reads it any more.
    if (request.onDisconnect === "cancel") return await state.threadWork.cutOff(run);
    const assistant = findAssistant(state, run.assistant_id, run.owner);
    request.strategy = "enqueue";
    await state.live.start(thread, assistant, request, { user: run.owner, left: run, ...run.how });
  } catch (error) {
    // Such as an assistant that is served no more.
    state.live.tellError(error, { thread_id: run.thread_id, run_id: run.run_id });
    await state.threadWork.cutOff(run);
  }
}
