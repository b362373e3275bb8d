// SPDX-License-Identifier: MIT
// Knows: what becomes of a call that was in flight when a process died: run again where that is harmless, settled by the
// tool, failed, or decided by a person. Must not know how calls are kept.
import { INTENT_DOUBT, PLAN_DIGEST, PLAN_RAW } from "../engine/codes.js";
import { ERR_UNKNOWN_CALL } from "../engine/rare-codes.js";
import { makeRareError } from "../rare-errors.js";
import { ALLOWED } from "./approval.js";
import { USED, ask, decide, isMistaken } from "./requests.js";

const REQUEST = "The process stopped while this call ran: it is not known whether it took effect.";

/** @param {string} name of the tool */
export function notKnown(name) {
  return `It is not known whether the call of "${name}" took effect: the process stopped while it ran. It was not run again.`;
}

/**
 * @param {{ tool: any, call: any, config: any, interrupt: (value: any) => any, onUnknown: string | undefined, toolset: import("./toolset.js").Toolset, ledger: import("../run/ledger.js").Ledger, task: any, message: any }} options
 * @returns {Promise<{ run: true } | { run: false, content: any, failed: boolean }>}
 */
export async function settleUnknown({ tool, call, config, interrupt, onUnknown, toolset, ledger, task, message }) {
  if (typeof tool.reconcile === "function") {
    const found = await tool.reconcile(call.args, config);
    if (found !== undefined) return { run: false, content: found, failed: false };
    return { run: true };
  }
  const policy = tool.onUnknown ?? onUnknown ?? "ask";
  // Under another key than the one that it began with it would be another call.
  const hasKey = tool.idempotencyKey !== undefined || ledger.unknown(task, call.id) === 1;
  if (hasKey && (tool.idempotent === true || policy === "retry")) return { run: true };
  if (policy === "fail") throw makeRareError(ERR_UNKNOWN_CALL, [tool.name]);
  /** @type {string | undefined} */
  let problem;
  // The log says that somebody is asked: no answer of before counts then.
  await ledger.tell(task, call.id, INTENT_DOUBT);
  const [{ canonical, digest }] = toolset.plan([call], PLAN_RAW | PLAN_DIGEST, `${task.run.request.threadId}\n${task.id}\nunknown\n${message?.id}`);
  const subject = { ledger, task, id: call.id, digest };
  for (;;) {
    const request = { kind: "unknown_tool_call", tool_call_id: call.id, action_request: { action: tool.name, args: call.args }, config: { ...ALLOWED, allow_edit: false }, description: REQUEST, canonical, digest, ...(problem === undefined ? undefined : { problem }) };
    const given = await ask(interrupt, request, [subject], [request]);
    const answer = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const settled = read(answer, tool.name, subject);
    if (settled !== undefined && (await decide(subject, answer))) return settled;
    problem = settled !== undefined ? USED : 'The answer must be { type: "accept" } (run it again), { type: "response", args: "its result" } or { type: "ignore" }.';
  }
}

/** @param {any} answer @param {string} name @param {{ digest: string }} about @returns {{ run: true } | { run: false, content: any, failed: boolean } | undefined} undefined: it cannot be used */
function read(answer, name, about) {
  if (answer === null || typeof answer !== "object" || isMistaken(answer, about)) return undefined;
  if (answer.type === "accept" || answer.type === "retry") return { run: true };
  if (answer.type === "response" && typeof answer.args === "string") return { run: false, content: answer.args, failed: false };
  return answer.type === "ignore" ? { run: false, content: notKnown(name), failed: true } : undefined;
}
