// SPDX-License-Identifier: MIT
// Knows: how a list of messages reads as a conversation: what was said, which tools were called,
// what came of them. Must not know: runs, the page.

/** @typedef {"running" | "waiting" | "done" | "failed"} CallStatus */
/**
 * `before`: what the agent wanted, if a person changed it.
 * @typedef {{ id: string, name: string, args: string, before?: string, status: CallStatus, result?:
 *   string }} Call
 */
/**
 * @typedef {{ kind: "human" | "agent", id: string, text: string, calls: Call[], isLive: boolean }}
 *   Turn
 */

/**
 * @param {any[]} messages what the thread holds
 * @param {any[]} live what the run has said since, in pieces put together
 * @param {{ isRunning: boolean, isWaiting: boolean, edits: import("./request.js").Edit[] }} state
 * @returns {Turn[]}
 */
export function makeTurns(messages, live, { isRunning, isWaiting, edits }) {
  const known = new Set(messages.map(({ id }) => id));
  const news = live.filter(({ id }) => !known.has(id));
  const all = [...messages, ...news];
  const open = isWaiting ? "waiting" : isRunning ? "running" : "failed";
  return all.flatMap((message, at) => {
    if (isTool(message) || message.type === "system") return [];
    return [
      {
        kind: message.type === "human" ? "human" : "agent",
        id: message.id ?? `turn-${at}`,
        text: message.text,
        calls: callsOf(message).map((call) =>
          withResult(withEdit(call, message.id, edits), resultOf(call, all, at), open),
        ),
        isLive: at >= messages.length && isRunning,
      },
    ];
  });
}

/** @param {any} message */
const isTool = ({ type }) => type === "tool";

/** @param {any} message @returns {{ id: string, name: string, args: string }[]} */
function callsOf({ tool_calls = [], invalid_tool_calls = [] }) {
  return [
    ...tool_calls.map((/** @type {any} */ { id, name, args }) => ({
      id,
      name,
      args: JSON.stringify(args),
    })),
    ...invalid_tool_calls.map((/** @type {any} */ { id, name, args }) => ({
      id,
      name: name ?? "unknown",
      args: args ?? "",
    })),
  ];
}

/**
 * What answers a call stands behind its message and before the next one of the agent: a later call
 * may have the same id.
 * @param {{ id: string }} call @param {any[]} all @param {number} at
 */
function resultOf({ id }, all, at) {
  for (let next = at + 1; next < all.length && all[next].type !== "ai"; next++)
    if (isTool(all[next]) && all[next].tool_call_id === id) return all[next];
  return undefined;
}

/**
 * @param {{ id: string, name: string, args: string }} call
 * @param {string} message
 * @param {import("./request.js").Edit[]} edits
 */
function withEdit(call, message, edits) {
  const own = edits.filter(
    (edit) => edit.call === call.id && (edit.message === undefined || edit.message === message),
  );
  return own.length === 0
    ? call
    : { ...call, before: own[0].before ?? call.args, args: own[own.length - 1].after };
}

/**
 * @param {{ id: string, name: string, args: string, before?: string }} call
 * @param {any} result
 * @param {CallStatus} open
 * @returns {Call}
 */
function withResult(call, result, open) {
  if (!result) return { ...call, status: open };
  return { ...call, status: result.status === "error" ? "failed" : "done", result: result.text };
}
