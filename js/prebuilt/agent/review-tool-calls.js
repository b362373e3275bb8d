// SPDX-License-Identifier: MIT
// Lets a person review all tool calls of a message at once: policies select the calls (per tool,
// also by arguments), one interrupt holds LangGraph's HumanInterrupt for each, answers match by id.
// Does not depend on how tools run.
import { ERR_APPROVAL, OK, PLAN_DIGEST, PLAN_RAW } from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { ToolMessage, isBaseMessage, messageType } from "../../messages/index.js";
import { scopeOf } from "../../base/ambient.js";
import { interrupt } from "../../calls/interrupt.js";
import { Ledger } from "../../run/tasks/ledger.js";
import {
  CHANGED,
  UNCHANGED,
  denial,
  isShown,
  readCall,
  rejection,
  withHint,
} from "../approval/approval.js";
import { scopeName, wasAsked } from "../approval/asked-calls.js";
import { bindCall } from "../approval/bound-call.js";
import { messagesIn, openCalls } from "../tool-calls/open-calls.js";
import { withCalls } from "../tool-calls/edited-calls.js";
import { warnIdleRules } from "../tool-calls/idle-rules.js";
import { answerFor, ask, decide, isMistaken, readAnswer } from "../approval/approval-log.js";
import { ALLOWED, ALLOWED_BY, approvalRequest } from "../approval/approval-request.js";
import { standardAnswer } from "../../calls/approval-answers.js";
import { reviewMark } from "../approval/review-mark.js";
import { toolDefinition } from "../tool-calls/tool-definition.js";
import { withAmbient } from "../tool-node/call-config.js";
import { checkPolicy, refuseNamesakes } from "../tool-calls/tool-options.js";
import { asTool } from "../../tools/function-tool.js";
import { Toolset } from "../tool-calls/toolset.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../run/tasks/task.js").Task} Task */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../approval/bound-call.js").BoundCall} BoundCall */
/** @typedef {import("../tool-calls/toolset.js").Outcome} Outcome */
/** @typedef {import("../approval/approval-log.js").Answer} Answer */
/** @typedef {import("../tool-node/tool-node.js").ToolNode} ToolNode */
/** @typedef {"auto" | "ask" | "deny" | ((args: unknown, state: unknown) => unknown)} Policy */
/**
 * @typedef {{ policies?: Record<string, Policy>, fallback?: Policy, messagesKey?: string, config?:
 *   Config, describe?: (call: OpenCall) => string, tools?: readonly unknown[] | ToolNode }}
 *   ReviewOptions
 */
/**
 * One call under review. `bound`: the call as it is presented and would run; `first`: as it was
 * first presented; `isEdited`: an edit replaced it; `verdict`: the answer when the call does not
 * run.
 * @typedef {{ call: OpenCall, outcome: Outcome | undefined, bound: BoundCall | undefined, first:
 *   BoundCall | undefined, isEdited: boolean, verdict: string | undefined, problem: string |
 *   undefined }} Item
 */
/**
 * The context of one review. `scope`: identifies the message.
 * @typedef {{ options: ReviewOptions, tools: readonly ToolLike[] | undefined, state: unknown, ask:
 *   (value: unknown) => unknown, scope: string, ledger: Ledger | undefined, task: Task,
 *   scopeOfTask: import("../../base/ambient.js").Scope | undefined }} Desk
 */

const OPTIONS = ["policies", "fallback", "messagesKey", "config", "describe", "tools"];
/**
 * Creates a node that requests approval of the open tool calls in the last AI message. Use it as an
 * agent's `postModelHook`.
 * @param {ReviewOptions} [options]
 */
export function reviewToolCalls(options = {}) {
  checkArgument(isObject(options), "reviewToolCalls(options): options must be an object");
  refuseUnknown(options, "reviewToolCalls(options)", OPTIONS);
  const key = options.messagesKey ?? "messages";
  return async (/** @type {unknown} */ state, /** @type {Config} */ given) => {
    const config = withAmbient(given);
    const messages = messagesIn(state, key);
    if (
      !Array.isArray(messages) ||
      !messages.some((message) => isBaseMessage(message) && messageType(message) === "ai")
    )
      return {};
    const { message, calls } = openCalls(messages);
    if (calls.length === 0) return {};
    const task = /** @type {Task} */ (scopeOf(config)?.task);
    const { tools } = options;
    const desk = {
      options,
      tools: (Array.isArray(tools)
        ? tools
        : /** @type {{ tools?: unknown[] } | undefined} */ (tools)?.tools
      )?.map(asTool),
      state,
      ask: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
      scope: scopeName(message, config),
      ledger: Ledger.of(task),
      task,
      scopeOfTask: scopeOf(config),
    };
    /** @type {Item[]} */
    const items = calls.map((call) => ({
      call,
      outcome: undefined,
      bound: undefined,
      first: undefined,
      isEdited: false,
      verdict: undefined,
      problem: undefined,
    }));
    for (let open = await sort(items, desk); open.length > 0; ) open = await askAll(open, desk);
    return { [key]: outcomeOf(message, items, config) };
  };
}

/**
 * Reads the calls, then applies the policies to them.
 * @param {Item[]} items
 * @param {Desk} desk
 * @returns {Promise<Item[]>} the calls that need approval
 */
async function sort(items, desk) {
  const { tools, options } = desk;
  if (tools !== undefined) {
    const own = tools.map(({ name }) => optionFor(name, options));
    refuseNamesakes(tools, own);
    warnIdleRules(options.policies, tools, "reviewToolCalls(options): options.policies");
  }
  const plans = planAll(
    items.map(({ call }) => call),
    desk,
  );
  const asked = [];
  for (const [at, item] of items.entries()) {
    const name = String(item.call.name);
    const option = optionFor(name, desk.options);
    item.outcome = plans[at].outcome;
    // A call that was already presented gets its answer, even if its policy is "auto" now.
    const isOpen = wasAsked(desk.scopeOfTask, item.outcome.id, name);
    if (option === "auto" && !isOpen) continue;
    if (option === "deny") item.verdict = denial(name);
    else if (plans[at].outcome.status !== OK) item.verdict = plans[at].outcome.text;
    if (item.verdict !== undefined) continue;
    const bound = await bind(plans[at], desk);
    if (typeof bound === "string") {
      item.verdict = bound;
      continue;
    }
    item.bound = item.first = bound;
    const policy = await verdictOf(option, bound, desk.state);
    if (policy === "deny") item.verdict = denial(name);
    else if (policy === "ask" || isOpen) asked.push(item);
  }
  return asked;
}

/** @typedef {{ outcome: Outcome, tool: ToolLike, toolset: Toolset }} Plan */

/**
 * Plans the calls in the engine, each under its tool's definition; of an unknown tool only the name
 * is known.
 * @param {OpenCall[]} calls
 * @param {Desk} desk
 * @returns {Plan[]}
 */
function planAll(calls, { tools, scope }) {
  const names = [...new Set(calls.map(({ name }) => String(name)))].filter((name) => name !== "");
  const known =
    tools?.filter(
      (tool, at) =>
        tools.findIndex(({ name }) => name === tool.name) === at && names.includes(tool.name),
    ) ?? names.map((name) => /** @type {ToolLike} */ ({ name }));
  const toolset = new Toolset(
    known.map((tool) => toolDefinition(tool, "ask")),
    known,
  );
  return toolset
    .plan(calls, PLAN_RAW | PLAN_DIGEST, scope)
    .map((outcome) => ({ outcome, tool: known[outcome.tool], toolset }));
}

/**
 * Binds the call as its tool's schema reads it. The message stores the arguments until they run, so
 * arguments are refused when a message cannot store them or the schema would change them again.
 * @param {Plan} plan @param {Desk} desk
 * @returns {Promise<BoundCall | string>} or what is wrong with its arguments
 */
async function bind({ toolset, tool, outcome }, { scope }) {
  /** @type {BoundCall} */
  let bound;
  try {
    bound = await bindCall(toolset, tool, outcome, scope);
  } catch (error) {
    if (/** @type {Record<PropertyKey, unknown>} */ (error)?.code === "APPROVAL") throw error;
    return /** @type {Error | null | undefined} */ (error)?.message ?? String(error);
  }
  if (await isHeld(bound, toolset, scope)) return bound;
  throw makeError(ERR_APPROVAL, [
    `"${tool.name}"`,
    `its schema changes arguments that it made itself; say approval: "ask" on the tool instead of reviewing it`,
  ]);
}

/**
 * Checks that the schema reads the arguments unchanged after a message has stored them.
 * @param {BoundCall} bound
 * @param {Toolset} toolset
 * @param {string} scope
 */
async function isHeld(bound, toolset, scope) {
  const { tool, outcome } = bound;
  try {
    const [again] = toolset.plan(
      [{ name: outcome.name, id: outcome.id, args: outcome.canonical }],
      PLAN_RAW | PLAN_DIGEST,
      scope,
    );
    return (
      again.status === OK && (await bindCall(toolset, tool, again, scope)).isSame(bound.request)
    );
  } catch {
    return false;
  }
}

/**
 * Requests approval of several calls in one interrupt.
 * @param {Item[]} asked
 * @param {Desk} desk
 * @returns {Promise<Item[]>} the calls that need another approval request
 */
async function askAll(asked, desk) {
  const subjects = asked.map(({ bound, first }) => {
    const { id, digest } = /** @type {BoundCall} */ (bound).outcome;
    return { ledger: desk.ledger, task: desk.task, id, digest, isFirst: bound === first };
  });
  const requests = asked.map((item) => requestOf(item, desk.options));
  const answers = standardAnswer(await ask(desk.ask, requests, subjects, requests), requests);
  const given = subjects.map(({ id }, at) =>
    readAnswer(answerFor(answers, id, at, asked.length), requests[at]),
  );
  const before = asked.map((item) => ({ ...item }));
  const left = [];
  for (const [at, item] of asked.entries())
    if (await settle(item, given[at], desk)) left.push(item);
  const usable = asked.flatMap((item, at) => (item.problem === undefined ? [at] : []));
  // The answers arrived together: all of them count, or none does.
  for (const isCheck of [true, false]) {
    for (const at of usable) {
      const problem = await decide(subjects[at], /** @type {Answer} */ (given[at]), isCheck);
      if (problem === undefined) continue;
      asked.forEach((other, index) =>
        Object.assign(other, before[index], {
          problem: withHint(/** @type {BoundCall} */ (before[index].bound), problem),
        }),
      );
      return asked;
    }
  }
  return left;
}

/** @param {string} name @param {ReviewOptions} options @returns {Policy} */
function optionFor(name, { policies, fallback }) {
  const policy =
    policies !== undefined && Object.hasOwn(policies, name) ? policies[name] : (fallback ?? "auto");
  return typeof policy === "function" ? policy : checkPolicy(policy, name);
}

/**
 * @param {Policy} policy
 * @param {BoundCall} bound
 * @param {unknown} state
 * @returns {Promise<string>}
 */
async function verdictOf(policy, bound, state) {
  return typeof policy === "function"
    ? checkPolicy(await policy(bound.args, state), bound.name)
    : policy;
}

/** @param {Item} item @param {ReviewOptions} options */
function requestOf({ bound, problem }, { config, describe }) {
  const { name, outcome, note } = /** @type {BoundCall} */ (bound);
  const { id, canonical, digest } = outcome;
  return approvalRequest({
    name,
    args: JSON.parse(canonical),
    id,
    canonical,
    digest,
    description:
      describe?.({ name, args: JSON.parse(canonical), id }) ?? `The agent wants to call "${name}".`,
    config: { ...ALLOWED, ...config },
    idKey: "id",
    note,
    problem,
  });
}

/**
 * Applies an answer to its call.
 * @param {Item} item @param {Answer | undefined} answer @param {Desk} desk
 * @returns {Promise<boolean>} whether it needs another approval request: the answer was unusable,
 *   or nobody has seen the edit as it would run
 */
async function settle(item, answer, desk) {
  item.problem = read(item, answer, desk);
  if (item.problem !== undefined || answer?.type !== "edit") return item.problem !== undefined;
  const { outcome, name: before } = /** @type {BoundCall} */ (item.bound);
  const written = readCall(answer.args);
  if (written === undefined) item.problem = "An edit needs { action, args }.";
  if (written === undefined) return true;
  const { name, args } = written;
  const isOther = name !== before;
  const denied = isOther
    ? `The tool "${name}" must not be called.`
    : `These arguments of "${name}" are denied.`;
  const option = optionFor(name, desk.options);
  const [planned] = planAll([{ name, args, id: outcome.id }], desk);
  const edited =
    option === "deny"
      ? denied
      : planned.outcome.status === OK
        ? await bind(planned, desk)
        : planned.outcome.text;
  const policy = typeof edited === "string" ? "deny" : await verdictOf(option, edited, desk.state);
  if (typeof edited === "string" || policy === "deny")
    item.problem = typeof edited === "string" ? edited : denied;
  if (typeof edited === "string" || policy === "deny") return true;
  const isAsked =
    policy === "ask" && (isOther || edited.outcome.canonical !== JSON.stringify(args));
  if (isAsked && edited.outcome.digest === outcome.digest) item.problem = UNCHANGED;
  if (item.problem !== undefined) return true;
  item.bound = edited;
  item.isEdited = true;
  return isAsked;
}

/**
 * Reads the answer's verdict.
 * @param {Item} item
 * @param {Answer | undefined} answer
 * @param {Desk} desk
 * @returns {string | undefined} what is wrong with the answer
 */
function read(item, answer, desk) {
  const bound = /** @type {BoundCall} */ (item.bound);
  const { outcome, name } = bound;
  const type = answer?.type;
  if (answer === undefined || typeof type !== "string" || !Object.hasOwn(ALLOWED_BY, type))
    return 'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }.';
  if (desk.options.config?.[ALLOWED_BY[/** @type {keyof typeof ALLOWED_BY} */ (type)]] === false)
    return `An answer of type "${answer.type}" is not allowed here.`;
  if (isMistaken(answer, outcome)) return "The answer is about another call: its digest differs.";
  const canonicalOf = (/** @type {OpenCall} */ call) => planAll([call], desk)[0].outcome.canonical;
  if (type === "accept" && !isShown(bound, answer.args, canonicalOf)) return CHANGED;
  if (answer.type === "ignore") item.verdict = rejection(name, "");
  if (answer.type !== "response") return undefined;
  if (typeof answer.args !== "string") return "A response needs a text.";
  item.verdict = rejection(name, answer.args);
  return undefined;
}

/**
 * Builds the message with the reviewed calls, and answers for the calls that do not run. A reviewed
 * call has the mark `reviewed`: a ToolNode runs it with exactly these arguments or not at all;
 * "auto" allows any arguments for this tool.
 * @param {Message} message @param {Item[]} items @param {Config} config of the node
 */
function outcomeOf(message, items, config) {
  const changes = new Map();
  const answers = [];
  for (const { call, outcome: planned, bound, isEdited, verdict } of items) {
    const { id, reassigned, canonical, args, name } = /** @type {Outcome} */ (
      bound?.outcome ?? planned
    );
    if (verdict !== undefined) {
      answers.push(
        new ToolMessage({
          content: verdict,
          name: String(call.name),
          tool_call_id: id,
          status: "error",
        }),
      );
      if (reassigned) changes.set(call, { id });
    } else if (bound === undefined) changes.set(call, { id, reviewed: "auto" });
    else
      changes.set(call, {
        ...(isEdited ? { name } : undefined),
        id,
        args,
        // Its `tools` may describe the node's own otherwise: the name counts.
        reviewed: reviewMark({ name, id, canonical }, { name }, message, config),
      });
  }
  return changes.size === 0 ? answers : [withCalls(message, changes), ...answers];
}
