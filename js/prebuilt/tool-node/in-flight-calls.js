// SPDX-License-Identifier: MIT
// Settles a call that was in flight when a process died: runs it again if that is harmless, lets
// the tool settle it, fails, or asks a person. Does not depend on how calls are stored.
import { ERR_UNKNOWN_CALL, INTENT_DOUBT, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { ask, decide, isMistaken, readAnswer } from "../approval/approval-log.js";
import { unknownCallRequest } from "../approval/approval-request.js";
import { optionOf } from "../tool-calls/tool-options.js";

/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */

/** @typedef {import("../approval/approval-log.js").Answer} Answer */

/** Answer of a call with an unknown outcome. @param {string} name of the tool */
export function notKnown(name) {
  return `It is not known whether the call of "${name}" took effect: the process stopped while it ran. It was not run again.`;
}

/**
 * Settles one call.
 * @param {{ tool: ToolLike, call: OpenCall & { id: string }, bound:
 *   import("../approval/bound-call.js").BoundCall | undefined, config: unknown, interrupt:
 *   (value: unknown) => unknown, onUnknown: string | undefined, toolset:
 *   import("../tool-calls/toolset.js").Toolset, ledger: import("../../run/tasks/ledger.js").Ledger,
 *   task: import("../../run/tasks/task.js").Task, message: { id?: string } | undefined, rules:
 *   import("../approval/approval-log.js").Rules | undefined }} options
 * @returns {Promise<{ run: true } | { run: false, content: unknown, failed: boolean }>}
 */
export async function settleUnknown({
  tool,
  call,
  bound,
  config,
  interrupt,
  onUnknown,
  toolset,
  ledger,
  task,
  message,
  rules,
}) {
  const reconcile = optionOf(tool, "reconcile");
  if (typeof reconcile === "function") {
    const found = await reconcile.call(tool, bound?.args ?? call.args, config);
    if (found !== undefined) return { run: false, content: found, failed: false };
    return { run: true };
  }
  const policy = optionOf(tool, "onUnknown") ?? onUnknown ?? "ask";
  // With another key than at its start it would be another call.
  const hasKey =
    optionOf(tool, "idempotencyKey") !== undefined || ledger.unknown(task, call.id) === 1;
  if (hasKey && (optionOf(tool, "idempotent") === true || policy === "retry")) return { run: true };
  if (policy === "fail") throw makeError(ERR_UNKNOWN_CALL, [tool.name]);
  /** @type {string | undefined} */
  let problem;
  // Records in the log that a person is asked: no earlier answer counts then.
  await ledger.tell(task, call.id, INTENT_DOUBT);
  const shown = { name: tool.name, id: call.id, args: bound?.outcome.canonical ?? call.args };
  const [outcome] = toolset.plan(
    [shown],
    PLAN_RAW | PLAN_DIGEST,
    `${task.run.request.threadId}\n${task.id}\nunknown\n${message?.id}`,
  );
  const { args, canonical, digest } = outcome;
  const asked = { tool, name: tool.name, outcome };
  const subject = {
    ledger,
    task,
    id: call.id,
    digest,
    isFirst: true,
    isApart: true,
    rules,
    call: asked,
  };
  for (;;) {
    const request = unknownCallRequest({
      name: tool.name,
      args,
      id: call.id,
      canonical,
      digest,
      note: bound?.note,
      problem,
    });
    const answer = readAnswer(await ask(interrupt, request, [subject], [request]));
    const settled = read(answer, tool.name, subject);
    problem =
      settled === undefined
        ? 'The answer must be { type: "accept" } (run it again), { type: "response", args: "its result" } or { type: "ignore" }.'
        : await decide(subject, /** @type {Answer} */ (answer));
    if (settled !== undefined && problem === undefined) return settled;
  }
}

/**
 * Reads a person's answer.
 * @param {Answer | undefined} answer
 * @param {string} name
 * @param {{ digest: string }} about
 * @returns {{ run: true } | { run: false, content: unknown, failed: boolean } | undefined}
 *   undefined when the answer is unusable
 */
function read(answer, name, about) {
  if (answer === undefined || isMistaken(answer, about)) return undefined;
  if (answer.type === "accept" || answer.type === "retry") return { run: true };
  if (answer.type === "response" && typeof answer.args === "string")
    return { run: false, content: answer.args, failed: false };
  return answer.type === "ignore"
    ? { run: false, content: notKnown(name), failed: true }
    : undefined;
}
