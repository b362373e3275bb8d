// SPDX-License-Identifier: MIT
// Knows: how a person decides about a tool call: LangGraph's HumanInterrupt goes out, a HumanResponse comes back.
// A decision that cannot be used is asked for again, so that no answer can get a thread stuck.
// Must not know how tools are run or how interrupts are stored.
import { OK, PLAN_DIGEST, PLAN_RAW } from "../engine/codes.js";
import { USED, ask, decide, isMistaken } from "./requests.js";

/** @typedef {import("./toolset.js").Outcome} Outcome */
/** @typedef {{ name: string, args: any }} Edited */
/** @typedef {{ run: true, outcome: Outcome, edited: Edited | undefined } | { run: false, text: string }} Decision */
/** @typedef {{ ask: Outcome, tool: any, edited: Edited }} Again an edit that is asked about itself */
/** @typedef {{ toolset: import("./toolset.js").Toolset, tools: readonly any[], interrupt: (value: any) => any, policyOf: (tool: any, args: any) => Promise<string> | string, scope: string, ledger: import("../run/ledger.js").Ledger | undefined, task: any }} Desk */
/** `scope`: names the message; `ledger`: the thread's, if it keeps one */

export const ALLOWED = Object.freeze({ allow_ignore: true, allow_respond: true, allow_edit: true, allow_accept: true });

/**
 * Shows the call and waits for what the person says. An edit to a tool that wants a decision itself is shown too.
 * @param {Desk} desk
 * @param {any} tool
 * @param {Outcome} outcome of the plan: what would run
 * @returns {Promise<Decision>}
 */
export async function askPerson(desk, tool, outcome) {
  /** @type {string | undefined} */
  let problem;
  /** @type {Edited | undefined} */
  let edited;
  for (;;) {
    const request = requestOf(tool, outcome, problem);
    const subject = { ledger: desk.ledger, task: desk.task, id: outcome.id, digest: outcome.digest };
    const answer = await ask(desk.interrupt, request, [subject], [request]);
    const given = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
    const read = await readDecision(desk, tool, outcome, given);
    problem = typeof read === "string" ? read : undefined;
    if (typeof read === "string") continue;
    if (!(await decide(subject, given))) problem = USED;
    else if ("ask" in read) ({ ask: outcome, tool, edited } = read);
    else return read.run && read.edited === undefined ? { ...read, edited } : read;
  }
}

/** @param {any} tool @param {Outcome} outcome @param {string | undefined} problem */
function requestOf(tool, { args, id, canonical, digest }, problem) {
  const request = {
    action_request: { action: tool.name, args },
    config: { ...ALLOWED },
    description: `The agent wants to call "${tool.name}".`,
    tool_call_id: id,
    canonical,
    digest,
  };
  return problem === undefined ? request : { ...request, problem };
}

/**
 * @param {Desk} desk @param {any} tool @param {Outcome} outcome @param {any} answer
 * @returns {Promise<Decision | Again | string>} or what is wrong with the answer
 */
async function readDecision(desk, tool, outcome, answer) {
  if (answer === null || typeof answer !== "object") return 'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }.';
  if (isMistaken(answer, outcome)) return "The answer is about another call: its digest differs.";
  switch (answer.type) {
    case "accept":
      return { run: true, outcome, edited: undefined };
    case "ignore":
      return { run: false, text: rejection(tool.name, "it was skipped") };
    case "response":
      if (typeof answer.args !== "string") return "A response needs a text.";
      return { run: false, text: rejection(tool.name, answer.args.trim() || "none was given") };
    case "edit":
      return readEdit(desk, outcome, answer.args);
    default:
      return `The answer's type ${JSON.stringify(answer.type)} is none of accept, edit, response, ignore.`;
  }
}

/**
 * An edited call is judged like a model's, under the policy of the tool that it names. The person has seen what the edit
 * of the same tool says; of another tool that wants a decision nobody has seen what would run.
 * @param {Desk} desk @param {Outcome} outcome @param {any} request
 * @returns {Promise<Decision | Again | string>}
 */
async function readEdit(desk, outcome, request) {
  const name = request?.action;
  if (typeof name !== "string" || request.args === null || typeof request.args !== "object") return "An edit needs { action, args }.";
  const [planned] = desk.toolset.plan([{ name, id: outcome.id, args: request.args }], PLAN_RAW | PLAN_DIGEST, desk.scope);
  if (planned.status !== OK) return planned.text;
  const tool = desk.tools[planned.tool];
  const isOther = planned.tool !== outcome.tool;
  const policy = await desk.policyOf(tool, planned.args);
  if (policy === "deny") return isOther ? `The tool "${name}" must not be called.` : `These arguments of "${name}" are denied.`;
  const edit = { ...planned, id: outcome.id, reassigned: outcome.reassigned };
  const edited = { name, args: planned.args };
  return isOther && policy === "ask" ? { ask: edit, tool, edited } : { run: true, outcome: edit, edited };
}

/** @param {string} name @param {string} reason what a person or a rule has against the call */
export function rejection(name, reason) {
  return `The user rejected the call of "${name}"; it was not run. Reason: ${reason}`;
}

/** @param {string} name @param {string} [policy] why the call does not run, if not because it is denied */
export function denial(name, policy = "deny") {
  if (policy !== "deny") return `The call of "${name}" was not run. Reason: nobody approved it as it is.`;
  return `The call of "${name}" was denied; it was not run. Reason: this tool must not be called here.`;
}
