// SPDX-License-Identifier: MIT
// Tracks this process's running calls by checkpointer and thread, to find the interrupts that a
// caller may have seen when it answers while another call runs. Does not depend on how answers are
// bound (resume-check.js).

/** @typedef {import("./call.js").CallContext} CallContext */

/** @typedef {{ id?: string, value?: unknown }} Interrupt */
/**
 * A running call. `waiting`: the interrupts it found pending, if it answers; `context.started`: its
 * run.
 * @typedef {{ context: CallContext, waiting?: Promise<readonly Interrupt[]> }} Call
 */

/** @type {WeakMap<object, Map<string, Set<Call>>>} */
const callsOf = new WeakMap();

/**
 * Registers a call. Must be called before the call awaits anything.
 * @param {object} checkpointer
 * @param {string} threadId
 * @param {CallContext} context of the call
 * @returns {{ call: Call, seen: (() => Promise<readonly Interrupt[]>) | undefined, leave: () =>
 *   void }} `seen`: present if other calls of the thread are running; returns the interrupts they
 *   have raised so far, or else those they answer
 */
export function enterThread(checkpointer, threadId, context) {
  let threads = callsOf.get(checkpointer);
  if (threads === undefined) callsOf.set(checkpointer, (threads = new Map()));
  let calls = threads.get(threadId);
  if (calls === undefined) threads.set(threadId, (calls = new Set()));
  const others = [...calls];
  const asked = others.flatMap((other) => other.context.started?.interrupts ?? []);
  const call = { context };
  calls.add(call);
  const leave = () => {
    calls.delete(call);
    if (calls.size === 0 && threads.get(threadId) === calls) threads.delete(threadId);
  };
  const seen = async () =>
    asked.length > 0
      ? asked
      : (await Promise.all(others.map(({ waiting }) => waiting ?? []))).flat();
  return { call, seen: others.length === 0 ? undefined : seen, leave };
}
