// SPDX-License-Identifier: MIT
// Knows: how a person decides about all tool calls of a message at once: which calls are asked about (per tool, by their
// arguments too), one interrupt with LangGraph's HumanInterrupt for each, answers by id. Must not know how tools are run.
import { OK, PLAN_DIGEST, PLAN_RAW } from "../engine/codes.js";
import { ERR_APPROVAL } from "../engine/rare-codes.js";
import { makeRareError } from "../rare-errors.js";
import { ToolMessage } from "../messages/index.js";
import { scopeOf } from "../pregel/ambient.js";
import { interrupt } from "../pregel/interrupt.js";
import { Ledger } from "../run/ledger.js";
import { ALLOWED, denial, rejection } from "./approval.js";
import { messagesIn, openCalls } from "./calls.js";
import { withCalls } from "./changed-calls.js";
import { USED, ask, decide, isMistaken } from "./requests.js";
import { ToolNode } from "./tool-node.js";
import { Toolset, complete, isCore } from "./toolset.js";
import { ENGINE_SCHEMA } from "../tools/result.js";

/** @typedef {"auto" | "ask" | "deny" | ((args: any, state: any) => any)} Policy */
/** @typedef {{ policies?: Record<string, Policy>, fallback?: Policy, messagesKey?: string, config?: any, describe?: (call: any) => string, tools?: readonly any[] | ToolNode }} ReviewOptions */
/**
 * `shown`: the call as it is asked about, an edit may take its place; `edit`: that; `verdict`: a text instead of running it.
 * @typedef {{ call: any, shown: any, edit: { name: string, args: any } | undefined, verdict: string | undefined, problem: string | undefined }} Item
 */
/** Who asks about what. @typedef {{ options: ReviewOptions, state: any, ask: (value: any) => any, scope: string, ledger: Ledger | undefined, task: any }} Desk */

const KINDS = { accept: "allow_accept", edit: "allow_edit", response: "allow_respond", ignore: "allow_ignore" };

/**
 * A node that asks about the open tool calls of the last AI message; made to be an agent's `postModelHook`.
 * @param {ReviewOptions} [options]
 */
export function reviewToolCalls(options = {}) {
  const key = options.messagesKey ?? "messages";
  return async (/** @type {any} */ state, /** @type {any} */ config) => {
    const messages = messagesIn(state, key);
    if (!messages?.at(-1)?.tool_calls?.length) return {};
    const { message, calls } = openCalls(messages);
    /** @type {Item[]} */
    const items = calls.map((call) => ({ call, shown: call, edit: undefined, verdict: undefined, problem: undefined }));
    const task = scopeOf(config)?.task;
    if (isCore()) await complete(); // answers may bring any numbers
    const desk = {
      options,
      state,
      ask: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
      scope: `${config?.configurable?.thread_id ?? ""}\n${config?.executionInfo?.taskId ?? ""}\n${message.id ?? ""}`,
      ledger: Ledger.of(task),
      task,
    };
    for (let open = await sort(items, options, state); open.length > 0; ) open = await askAll(open, desk);
    return { [key]: outcome(message, items) };
  };
}

/** Asks about several calls at once. @param {Item[]} asked @param {Desk} desk @returns {Promise<Item[]>} those to be asked about again */
async function askAll(asked, desk) {
  const plans = plan(asked, desk);
  const subjects = asked.flatMap(({ call: { id } }, at) => (plans[at].status === OK ? [{ ledger: desk.ledger, task: desk.task, id, digest: plans[at].digest }] : []));
  const requests = asked.map((item, at) => requestOf(item, desk.options, plans[at]));
  const answers = await ask(desk.ask, requests, subjects, requests.filter((_, at) => plans[at].status === OK));
  const given = asked.map(({ call }, index) => (Array.isArray(answers) ? answers[index] : (answers?.[call.id] ?? (asked.length === 1 ? answers : undefined))));
  const before = asked.map((item) => ({ ...item }));
  const left = [];
  for (const [at, item] of asked.entries()) {
    const again = await settle(item, given[at], plans[at], desk);
    const subject = subjects.find(({ id }) => id === item.call.id);
    if (item.problem === undefined && subject !== undefined && !(await decide(subject, given[at]))) {
      // The answers came together: none of them is one.
      asked.forEach((other, index) => Object.assign(other, before[index], { problem: USED }));
      return asked;
    }
    if (again) left.push(item);
  }
  return left;
}

/** The calls as the engine writes them, each under the definition of its tool. @param {Item[]} items @param {Desk} desk */
function plan(items, { options: { tools }, scope }) {
  const known = tools === undefined ? [] : Array.isArray(tools) ? tools : /** @type {ToolNode} */ (tools).tools;
  const definition = [...new Set(items.map(({ shown }) => String(shown.name)))].map((name) => {
    const tool = known.find((/** @type {any} */ one) => one.name === name);
    return { name, schema: null, description: tool?.description, definition: tool?.[ENGINE_SCHEMA]?.() };
  });
  const toolset = new Toolset(definition);
  const plans = toolset.plan(items.map(({ shown }) => shown), PLAN_RAW | PLAN_DIGEST, scope);
  toolset.handle.free();
  return plans;
}

/** What is denied is settled here. @param {Item[]} items @param {ReviewOptions} options @param {any} state @returns {Promise<Item[]>} those to ask about */
async function sort(items, options, state) {
  const asked = [];
  for (const item of items) {
    const policy = await policyOf(item.call, options, state);
    if (policy === "deny") item.verdict = denial(item.call.name);
    if (policy === "ask") asked.push(item);
  }
  return asked;
}

/** @param {{ name: string, args: any }} call @param {ReviewOptions} options @param {any} state */
async function policyOf({ name, args }, { policies, fallback }, state) {
  const given = policies !== undefined && Object.hasOwn(policies, name) ? policies[name] : (fallback ?? "auto");
  const policy = typeof given === "function" ? await given(args, state) : given;
  if (policy !== "auto" && policy !== "ask" && policy !== "deny") throw makeRareError(ERR_APPROVAL, [name, `its policy is ${String(policy)}, not auto, ask or deny`]);
  return policy;
}

/** @param {Item} item @param {ReviewOptions} options @param {import("./toolset.js").Outcome} planned */
function requestOf({ shown: { name, args, id }, problem }, { config, describe }, { status, canonical, digest }) {
  return {
    action_request: { action: name, args },
    config: { ...ALLOWED, ...config },
    description: describe?.({ name, args, id }) ?? `The agent wants to call "${name}".`,
    id,
    ...(status === OK ? { canonical, digest } : undefined),
    ...(problem === undefined ? undefined : { problem }),
  };
}

/**
 * @param {Item} item @param {any} answer @param {import("./toolset.js").Outcome} planned @param {Desk} desk
 * @returns {Promise<boolean>} must it be asked about again? An edit of another tool that wants a decision is, for itself
 */
async function settle(item, answer, planned, { options, state }) {
  item.problem = await read(item, answer, planned, options);
  if (item.problem !== undefined || answer.type !== "edit") return item.problem !== undefined;
  const { action, args } = answer.args;
  const isOther = action !== item.shown.name;
  const policy = await policyOf({ name: action, args }, options, state);
  item.problem = policy === "deny" ? (isOther ? `The tool "${action}" must not be called.` : `These arguments of "${action}" are denied.`) : mistakeOf(options, action, args);
  if (item.problem !== undefined) return true;
  item.edit = { name: action, args };
  item.shown = { ...item.call, ...item.edit };
  return isOther && policy === "ask";
}

/** @param {Item} item @param {any} answer @param {import("./toolset.js").Outcome} planned @param {ReviewOptions} options @returns {string | undefined} what is wrong with it */
function read(item, answer, planned, options) {
  const { name } = item.shown;
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (answer?.type)];
  if (kind !== undefined && options.config?.[kind] === false) return `An answer of type "${answer.type}" is not allowed here.`;
  if (kind !== undefined && isMistaken(answer, planned)) return "The answer is about another call: its digest differs.";
  switch (answer?.type) {
    case "accept":
      return undefined;
    case "ignore":
      item.verdict = rejection(name, "it was skipped");
      return undefined;
    case "response":
      if (typeof answer.args !== "string") return "A response needs a text.";
      item.verdict = rejection(name, answer.args.trim() || "none was given");
      return undefined;
    case "edit":
      return typeof answer.args?.action !== "string" || answer.args.args === null || typeof answer.args.args !== "object" ? "An edit needs { action, args }." : undefined;
    default:
      return 'The answer must be an object { type: "accept" | "edit" | "response" | "ignore", args }.';
  }
}

/** What is wrong with a call that a person wrote, as far as the tools are known. @param {ReviewOptions} options @param {string} name @param {any} args */
function mistakeOf({ tools }, name, args) {
  if (tools === undefined) return undefined;
  const { toolset } = Array.isArray(tools) ? new ToolNode(tools) : /** @type {ToolNode} */ (tools);
  const [{ status, text }] = toolset.plan([{ name, args, id: "edit" }], PLAN_RAW, "");
  return status === OK ? undefined : text;
}

/** The message with its edits, and the answers for calls that do not run. @param {any} message @param {Item[]} items */
function outcome(message, items) {
  const edits = new Map();
  const answers = [];
  for (const { call, edit, verdict } of items) {
    if (verdict !== undefined) answers.push(new ToolMessage({ content: verdict, name: call.name, tool_call_id: call.id, status: "error" }));
    else if (edit !== undefined) edits.set(call, { id: call.id, ...edit });
  }
  return edits.size === 0 ? answers : [withCalls(message, edits), ...answers];
}
