// SPDX-License-Identifier: MIT
// Knows: how a list of messages reads as a conversation: what was said, which tools were called, what came of them.
// Must not know: runs, the page.

/** @typedef {"running" | "waiting" | "done" | "failed"} CallStatus */
/** @typedef {{ id: string, name: string, args: string, status: CallStatus, result?: string }} Call */
/** @typedef {{ kind: "human" | "agent", id: string, text: string, calls: Call[], isLive: boolean }} Turn */

/**
 * @param {any[]} messages what the thread holds
 * @param {any[]} live what the run has said since, in pieces put together
 * @param {{ isRunning: boolean, isWaiting: boolean }} state
 * @returns {Turn[]}
 */
export function makeTurns(messages, live, { isRunning, isWaiting }) {
  const known = new Set(messages.map(({ id }) => id));
  const news = live.filter(({ id }) => !known.has(id));
  const all = [...messages, ...news];
  const results = new Map(all.filter(isTool).map((message) => [message.tool_call_id, message]));
  const open = isWaiting ? "waiting" : isRunning ? "running" : "failed";
  return all.flatMap((message, at) => {
    if (isTool(message) || message.type === "system") return [];
    return [{
      kind: message.type === "human" ? "human" : "agent",
      id: message.id ?? `turn-${at}`,
      text: message.text,
      calls: callsOf(message).map((call) => withResult(call, results.get(call.id), open)),
      isLive: at >= messages.length && isRunning,
    }];
  });
}

/** @param {any} message */
const isTool = ({ type }) => type === "tool";

/** @param {any} message @returns {{ id: string, name: string, args: string }[]} */
function callsOf({ tool_calls = [], invalid_tool_calls = [] }) {
  return [
    ...tool_calls.map((/** @type {any} */ { id, name, args }) => ({ id, name, args: JSON.stringify(args) })),
    ...invalid_tool_calls.map((/** @type {any} */ { id, name, args }) => ({ id, name: name ?? "unknown", args: args ?? "" })),
  ];
}

/** @param {{ id: string, name: string, args: string }} call @param {any} result @param {CallStatus} open @returns {Call} */
function withResult(call, result, open) {
  if (!result) return { ...call, status: open };
  return { ...call, status: result.status === "error" ? "failed" : "done", result: result.text };
}
