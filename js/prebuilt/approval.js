// SPDX-License-Identifier: MIT
// Knows: how a person decides about a tool call: LangGraph's HumanInterrupt goes out, a HumanResponse comes back.
// A decision that cannot be used is asked for again, so that no answer can get a thread stuck.
// Must not know how tools are run or how interrupts are stored.
import { EVENT_INTENT, INTENT_DECIDED, OK, PLAN_RAW } from "../engine/codes.js";

/** @typedef {import("./toolset.js").Outcome} Outcome */
/** @typedef {{ name: string, args: any }} Edited */
/** @typedef {{ run: true, outcome: Outcome, edited: Edited | undefined } | { run: false, text: string }} Decision */
/** @typedef {{ toolset: import("./toolset.js").Toolset, tools: readonly any[], interrupt: (value: any) => any, policyOf: (tool: any, args: any) => Promise<string> | string, task: any }} Desk */
/** `task`: whose thread keeps a record of decisions */

/** Their place, from 1, is how the log calls them. */
const TYPES = ["accept", "ignore", "response", "edit"];
export const ALLOWED = Object.freeze({ allow_ignore: true, allow_respond: true, allow_edit: true, allow_accept: true });

/**
 * Shows the call and waits for what the person says.
 * @param {Desk} desk
 * @param {any} tool
 * @param {Outcome} outcome of the plan: what would run
 * @returns {Promise<Decision>}
 */
export async function askPerson(desk, tool, outcome) {
  /** @type {string | undefined} */
  let problem;
  for (;;) {
    const answer = desk.interrupt(requestOf(tool, outcome, problem));
    const given = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
    const decision = await readDecision(desk, tool, outcome, given);
    if (typeof decision !== "string") {
      if (desk.task !== undefined) record(desk.task, outcome, given);
      return decision;
    }
    problem = decision;
  }
}

/** The log says what was decided; whatever the call writes there comes behind it. @param {any} task @param {Outcome} outcome @param {any} answer */
function record({ run, index, attempt }, { id, digest }, answer) {
  run.answers.push({
    op: EVENT_INTENT,
    flags: INTENT_DECIDED,
    put(/** @type {import("../engine/batch.js").Batch} */ batch) {
      batch.word(index);
      batch.word(attempt);
      batch.string(id);
      batch.word(TYPES.indexOf(answer.type) + 1);
      for (let at = 0; at < 64; at += 32) batch.id(/** @type {string} */ (digest).slice(at, at + 32));
      batch.string(JSON.stringify(answer));
    },
  });
  run.advance();
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
 * @returns {Promise<Decision | string>} or what is wrong with the answer
 */
async function readDecision(desk, tool, outcome, answer) {
  if (answer === null || typeof answer !== "object") return 'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }.';
  if (answer.digest !== undefined && answer.digest !== outcome.digest) return "The answer is about another call: its digest differs.";
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
 * An edited call is judged like a model's.
 * @param {Desk} desk @param {Outcome} outcome @param {any} request
 * @returns {Promise<Decision | string>}
 */
async function readEdit(desk, outcome, request) {
  const name = request?.action;
  if (typeof name !== "string" || request.args === null || typeof request.args !== "object") return "An edit needs { action, args }.";
  const [edited] = desk.toolset.plan([{ name, id: outcome.id, args: request.args }], PLAN_RAW, "");
  if (edited.status !== OK) return edited.text;
  const target = desk.tools[edited.tool];
  if (edited.tool !== outcome.tool && (await desk.policyOf(target, edited.args)) === "deny") return `The tool "${name}" must not be called.`;
  return { run: true, outcome: { ...edited, id: outcome.id, reassigned: outcome.reassigned }, edited: { name, args: edited.args } };
}

/** @param {string} name @param {string} reason what a person or a rule has against the call */
export function rejection(name, reason) {
  return `The user rejected the call of "${name}"; it was not run. Reason: ${reason}`;
}

/** @param {string} name */
export function denial(name) {
  return `The call of "${name}" was denied; it was not run. Reason: this tool must not be called here.`;
}
