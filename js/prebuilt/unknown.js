// SPDX-License-Identifier: MIT
// Knows: what becomes of a call that was in flight when a process died: run again where that is harmless, settled by the
// tool, failed, or decided by a person. Must not know how calls are kept.
import { ERR_UNKNOWN_CALL } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { ALLOWED } from "./approval.js";

const REQUEST = "The process stopped while this call ran: it is not known whether it took effect.";

/** @param {string} name */
function notKnown(name) {
  return `It is not known whether the call of "${name}" took effect: the process stopped while it ran. It was not run again.`;
}

/**
 * @param {{ tool: any, call: any, config: any, interrupt: (value: any) => any, onUnknown: string | undefined, doubt: () => Promise<void> }} options
 *   `doubt`: says in the log that somebody is asked; no answer of before counts then
 * @returns {Promise<{ run: true } | { run: false, content: any, failed: boolean }>}
 */
export async function settleUnknown({ tool, call, config, interrupt, onUnknown, doubt }) {
  if (typeof tool.reconcile === "function") {
    const found = await tool.reconcile(call.args, config);
    if (found !== undefined) return { run: false, content: found, failed: false };
    return { run: true };
  }
  const policy = tool.onUnknown ?? onUnknown ?? "ask";
  if (tool.idempotent === true || policy === "retry") return { run: true };
  if (policy === "fail") throw makeError(ERR_UNKNOWN_CALL, [tool.name]);
  /** @type {string | undefined} */
  let problem;
  await doubt();
  for (;;) {
    const request = { kind: "unknown_tool_call", tool_call_id: call.id, action_request: { action: tool.name, args: call.args }, config: { ...ALLOWED, allow_edit: false }, description: REQUEST };
    const given = interrupt(problem === undefined ? request : { ...request, problem });
    const answer = Array.isArray(given) && given.length === 1 ? given[0] : given;
    if (answer?.type === "accept" || answer?.type === "retry") return { run: true };
    if (answer?.type === "response" && typeof answer.args === "string") return { run: false, content: answer.args, failed: false };
    if (answer?.type === "ignore") return { run: false, content: notKnown(tool.name), failed: true };
    problem = 'The answer must be { type: "accept" } (run it again), { type: "response", args: "its result" } or { type: "ignore" }.';
  }
}
