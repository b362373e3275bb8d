// SPDX-License-Identifier: MIT
// Asks a person about a tool call: raises LangGraph's HumanInterrupt and reads the HumanResponse.
// An unusable answer leads to another request, so that no answer blocks a thread. Does not depend
// on how tools run or how interrupts are stored.
import { OK, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { ALLOWED, ALLOWED_BY, approvalRequest } from "./approval-request.js";
import { bindCall, checkStable } from "./bound-call.js";
import { ask, decide, isMistaken, readAnswer } from "./approval-log.js";
import { isOfProcess } from "../tool-calls/tool-definition.js";

/** @typedef {import("../../run/tasks/task.js").Task} Task */
/** @typedef {import("./bound-call.js").BoundCall} BoundCall */
/** @typedef {import("../tool-calls/toolset.js").Toolset} Toolset */
/**
 * A decision as plain data, since the thread may store it. `shown`: digest of the presented call;
 * `asked`: digest of the question, if it was about several calls; `digest`: digest of the call that
 * runs; `edit`: the call that a person wrote instead.
 * @typedef {({ text: string } | { digest: string, edit: Edit | undefined }) & { shown: string,
 *   asked?: string }} Decision
 */
/** @typedef {{ name: string, args: unknown }} Edit */
/** @typedef {{ text: string } | { digest: string, edit: Edit | undefined }} Verdict */
/** @typedef {{ ask: BoundCall, edit: Edit }} Again an edit that needs its own approval request */
/** @typedef {{ description: string, config: import("./approval-request.js").Allowed }} Shown */
/**
 * How calls are presented. `form`: adds fields to a request; `rejection`: makes the model's text.
 * @typedef {{ describe: (bound: BoundCall) => Promise<Shown>, allowed: (bound: BoundCall) =>
 *   Shown["config"], form: <Asked extends object>(request: Asked) => Asked, rejection: (bound:
 *   BoundCall, reason: string) => string }} View
 */
/**
 * `scope`: identifies the message; `ledger`: the thread's, if it keeps one; `view`: without one
 * calls are presented as ToolNode does; `isChanged`: a wrapper changed the call.
 * @typedef {{ catalog: { toolset: Pick<Toolset, "plan" | "tools">, policies: readonly unknown[] },
 *   interrupt: (value: unknown) => unknown, verdictOf: (tool: number, bound: BoundCall) =>
 *   Promise<string>, scope: string, ledger: import("../../run/tasks/ledger.js").Ledger | undefined,
 *   task: Task, view?: View, isChanged?: boolean, rules?: import("./approval-log.js").Rules }} Desk
 */

/** Problem of an acceptance that comes with another call. */
export const CHANGED = "To accept is to leave the call as it is: answer with an edit.";
/** Problem of an edit that the tool's schema turns back into the presented call. */
export const UNCHANGED =
  "With the tool's schema this edit is the call that is asked about: accept it as it is shown, or write another one.";

/**
 * Presents the call and waits for the person's decision. An edit is presented too if nobody has
 * seen it as it would run: it names another tool that needs approval, or the tool's schema changes
 * its arguments, for example by a default.
 * @param {Desk} desk
 * @param {BoundCall} bound the call that would run
 * @param {BoundCall} [first] the call as it was presented first
 * @param {Edit} [edit] what a person wrote instead of that
 * @returns {Promise<Decision>}
 */
export async function askPerson(desk, bound, first = bound, edit = undefined) {
  /** @type {string | undefined} */
  let problem;
  const shown = first.outcome.digest;
  let subject = subjectOf(desk, bound, bound === first);
  for (;;) {
    const { view } = desk;
    const made = {
      ...requestOf(bound, problem, await view?.describe(bound)),
      ...(desk.isChanged ? { changed: true } : undefined),
    };
    const request = view?.form(made) ?? made;
    const answer = readAnswer(await ask(desk.interrupt, request, [subject], [request]), request);
    const read = await readDecision(desk, bound, answer);
    problem =
      typeof read === "string"
        ? read
        : withHint(
            bound,
            await decide(subject, /** @type {import("./approval-log.js").Answer} */ (answer)),
          );
    if (typeof read === "string" || problem !== undefined) continue;
    if ("text" in read) return { ...read, ...subject.said, shown };
    if (!("ask" in read)) return { shown, digest: read.digest, edit: read.edit ?? edit };
    ({ ask: bound, edit } = read);
    subject = subjectOf(desk, bound, false);
  }
}

/**
 * Makes the subject of a question about a call.
 * @param {Desk} desk
 * @param {BoundCall} call
 * @param {boolean} isFirst
 * @param {string} [digest] of the question, if it is about several calls
 * @returns {import("./approval-log.js").Subject}
 */
export function subjectOf(desk, call, isFirst, digest = call.outcome.digest) {
  const { ledger, task, rules, isChanged: isApart } = desk;
  return { ledger, task, id: call.outcome.id, digest, isFirst, isApart, rules, call };
}

/**
 * Adds why an approval does not hold after a restart of the process.
 * @param {BoundCall} bound
 * @param {string | undefined} problem
 */
export function withHint({ tool }, problem) {
  if (problem === undefined || !isOfProcess(tool)) return problem;
  return `${problem} The tool's schema has no JSON Schema: give the tool a "version", or approvals do not outlive the process.`;
}

/** @param {BoundCall} bound @param {string} [problem] @param {Shown} [shown] */
export function requestOf({ name, outcome, note, repaired }, problem, shown) {
  const { args, id, canonical, digest } = outcome;
  return approvalRequest({
    name,
    args: JSON.parse(JSON.stringify(args)),
    id,
    canonical,
    digest,
    description: shown?.description ?? `The agent wants to call "${name}".${textOf(repaired)}`,
    config: shown?.config ?? ALLOWED,
    idKey: "tool_call_id",
    note,
    repaired,
    problem,
  });
}

/** @param {BoundCall["repaired"]} repairs */
function textOf(repairs) {
  if (repairs === undefined) return "";
  // Without their paths: a model writes the keys in them, and could write sentences.
  const changes = new Set(repairs.map(({ change }) => change));
  return ` Its arguments were repaired (${[...changes].join("; ")}).`;
}

/**
 * Reads an answer into a decision, or an edit that needs another request.
 * @param {Desk} desk
 * @param {BoundCall} bound
 * @param {import("./approval-log.js").Answer | undefined} answer
 * @returns {Promise<Verdict | Again | string>} or what is wrong with the answer
 */
export async function readDecision(desk, bound, answer) {
  if (answer === undefined)
    return 'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }, or { decisions } with one for each call.';
  if (isMistaken(answer, bound.outcome))
    return "The answer is about another call: its digest differs.";
  const { type, args } = answer;
  const option = ALLOWED_BY[/** @type {keyof typeof ALLOWED_BY} */ (type)];
  if (desk.view?.allowed(bound)[option] === false)
    return `An answer of type "${type}" is not allowed here.`;
  const { catalog, scope } = desk;
  const canonicalOf = (/** @type {Edit & { id: string }} */ call) =>
    catalog.toolset.plan([call], PLAN_RAW, scope)[0].canonical;
  const reject = (/** @type {string} */ reason) =>
    desk.view?.rejection(bound, reason) ?? rejection(bound.name, reason);
  switch (type) {
    case "accept":
      if (!isShown(bound, args, canonicalOf)) return CHANGED;
      return { digest: bound.outcome.digest, edit: undefined };
    case "ignore":
      return { text: reject("") };
    case "response":
      if (typeof args !== "string") return "A response needs a text.";
      return { text: reject(args) };
    case "edit":
      return readEdit(desk, bound, args);
    default:
      return `The answer's type ${typeof type === "string" ? JSON.stringify(type) : typeof type} is none of accept, edit, response, ignore.`;
  }
}

/**
 * Checks that what came with an acceptance is the call as it was shown, as Agent Inbox sends it.
 * @param {BoundCall} bound
 * @param {unknown} args of the answer
 * @param {(call: { name: string, args: unknown, id: string }) => string} canonicalOf the text of a
 *   call's arguments
 */
export function isShown({ name, outcome }, args, canonicalOf) {
  if (args === null || typeof args !== "object" || Object.keys(args).length === 0) return true;
  const written = readCall(args) ?? { name, args };
  return written.name === name && canonicalOf({ ...written, id: outcome.id }) === outcome.canonical;
}

/**
 * Judges an edited call like a model's, under the policy of the tool it names. The person has
 * already seen an edit of the same tool, unless the tool's schema changes it.
 * @param {Desk} desk @param {BoundCall} bound @param {unknown} edit
 * @returns {Promise<Verdict | Again | string>}
 */
async function readEdit({ catalog, scope, verdictOf }, { outcome }, edit) {
  const { toolset, policies } = catalog;
  const written = readCall(edit);
  if (written === undefined) return "An edit needs { action, args }.";
  const { name, args } = written;
  const [planned] = toolset.plan([{ name, id: outcome.id, args }], PLAN_RAW | PLAN_DIGEST, scope);
  if (planned.status !== OK) return planned.text;
  const isOther = planned.tool !== outcome.tool;
  const denied = isOther
    ? `The tool "${name}" must not be called.`
    : `These arguments of "${name}" are denied.`;
  if (policies[planned.tool] === "deny") return denied;
  const bound = await bindEdit(toolset, outcome, written, scope);
  if (typeof bound === "string") return bound;
  const policy = await verdictOf(planned.tool, bound);
  if (policy === "deny") return denied;
  if (policy !== "ask" || (!isOther && bound.outcome.canonical === JSON.stringify(args)))
    return { digest: bound.outcome.digest, edit: written };
  return bound.outcome.digest === outcome.digest ? UNCHANGED : { ask: bound, edit: written };
}

/** Copies the call that a person wrote. @param {unknown} edit @returns {Edit | undefined} */
export function readCall(edit) {
  const { action: name, args } = /** @type {{ action?: unknown, args?: unknown }} */ (edit ?? {});
  if (typeof name !== "string" || args === null || typeof args !== "object") return undefined;
  try {
    return { name, args: JSON.parse(JSON.stringify(args)) };
  } catch {
    return undefined;
  }
}

/**
 * Binds a call that a person wrote in place of another one.
 * @param {Desk["catalog"]["toolset"]} toolset
 * @param {import("../tool-calls/toolset.js").Outcome} before
 * @param {Edit} edit
 * @param {string} scope identifies the message
 * @returns {Promise<BoundCall | string>} or what is wrong with the call
 */
export async function bindEdit(toolset, before, { name, args }, scope) {
  const [planned] = toolset.plan([{ name, id: before.id, args }], PLAN_RAW | PLAN_DIGEST, scope);
  if (planned.status !== OK) return planned.text;
  const outcome = { ...planned, id: before.id, reassigned: before.reassigned };
  try {
    const bound = await bindCall(toolset, toolset.tools[planned.tool], outcome, scope);
    await checkStable(bound, outcome);
    return bound;
  } catch (error) {
    return /** @type {Error | null | undefined} */ (error)?.message ?? String(error);
  }
}

/**
 * Text for the model when a person or a rule rejected the call.
 * @param {string} name
 * @param {string} reason
 */
export function rejection(name, reason) {
  return `The user rejected the call of "${name}"; it was not run. Reason: ${reason.trim() || "none was given"}`;
}

/**
 * Text for the model when a policy denied the call.
 * @param {string} name
 * @param {string} [policy] why the call does not run, if it is not denied
 */
export function denial(name, policy = "deny") {
  if (policy !== "deny")
    return `The call of "${name}" was not run. Reason: nobody approved it as it is.`;
  return `The call of "${name}" was denied; it was not run. Reason: this tool must not be called here.`;
}
