// SPDX-License-Identifier: MIT
// The calls of this process that are under way, by checkpointer and thread: which questions a
// caller can have seen who answers while another call goes on. Owns nothing of theirs. Must not
// know: how answers are bound (resume-check.js).

/** @typedef {import("./call.js").CallContext} CallContext */

/** @typedef {{ id?: string, value?: unknown }} Interrupt */
/**
 * `waiting`: what it found waiting, if it answers; `context.started`: its run
 * @typedef {{ context: CallContext, waiting?: Promise<readonly Interrupt[]> }} Call
 */

/** @type {WeakMap<object, Map<string, Set<Call>>>} */
const callsOf = new WeakMap();

/**
 * To be called before anything is waited for.
 * @param {object} checkpointer
 * @param {string} threadId
 * @param {CallContext} context of the call
 * @returns {{ call: Call, seen: (() => Promise<readonly Interrupt[]>) | undefined, leave: () =>
 *   void }} `seen`: where other calls of the thread are under way, what they have asked by now, or
 *   else what they answer
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
