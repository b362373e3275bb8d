// SPDX-License-Identifier: MIT
// Knows: how a person decides about all tool calls of a message at once: which calls are asked about (per tool, by their
// arguments too), one interrupt with LangGraph's HumanInterrupt for each, answers by id. Must not know how tools are run.
import { ERR_APPROVAL, OK, PLAN_RAW } from "../engine/codes.js";
import { makeError } from "../errors.js";
import { ToolMessage } from "../messages/index.js";
import { interrupt } from "../pregel/interrupt.js";
import { ALLOWED, denial, rejection } from "./approval.js";
import { messagesIn, openCalls, withCalls } from "./calls.js";
import { ToolNode } from "./tool-node.js";

/** @typedef {"auto" | "ask" | "deny" | ((args: any, state: any) => any)} Policy */
/** @typedef {{ policies?: Record<string, Policy>, fallback?: Policy, messagesKey?: string, config?: any, describe?: (call: any) => string, tools?: readonly any[] | ToolNode }} ReviewOptions */
/** @typedef {{ call: any, verdict: { name: string, args: any } | string | undefined, problem: string | undefined }} Item verdict: an edit, a text instead of running, or undefined to run as it is */

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
    const items = [];
    for (const call of calls) items.push({ call, verdict: undefined, problem: undefined });
    const asked = await sort(items, options, state);
    const ask = typeof config?.interrupt === "function" ? config.interrupt : interrupt;
    for (let open = asked; open.length > 0; ) {
      const answers = ask(open.map((item) => requestOf(item, options)));
      open = await settle(open, answers, options, state);
    }
    return { [key]: outcome(message, items) };
  };
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
  if (policy !== "auto" && policy !== "ask" && policy !== "deny") throw makeError(ERR_APPROVAL, [name, `its policy is ${String(policy)}, not auto, ask or deny`]);
  return policy;
}

/** @param {Item} item @param {ReviewOptions} options */
function requestOf({ call: { name, args, id }, problem }, { config, describe }) {
  const request = {
    action_request: { action: name, args },
    config: { ...ALLOWED, ...config },
    description: describe?.({ name, args, id }) ?? `The agent wants to call "${name}".`,
    id,
  };
  return problem === undefined ? request : { ...request, problem };
}

/**
 * @param {Item[]} asked @param {any} answers a list in the order of the requests, or by id
 * @param {ReviewOptions} options @param {any} state
 * @returns {Promise<Item[]>} those whose answer could not be used
 */
async function settle(asked, answers, options, state) {
  const left = [];
  for (const [index, item] of asked.entries()) {
    const answer = Array.isArray(answers) ? answers[index] : (answers?.[item.call.id] ?? (asked.length === 1 ? answers : undefined));
    item.problem = await read(item, answer, options, state);
    if (item.problem !== undefined) left.push(item);
  }
  return left;
}

/** @param {Item} item @param {any} answer @param {ReviewOptions} options @param {any} state @returns {Promise<string | undefined>} what is wrong with it */
async function read(item, answer, options, state) {
  const { name } = item.call;
  const kind = KINDS[/** @type {keyof typeof KINDS} */ (answer?.type)];
  if (kind !== undefined && options.config?.[kind] === false) return `An answer of type "${answer.type}" is not allowed here.`;
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
    case "edit": {
      const { action, args } = answer.args ?? {};
      if (typeof action !== "string" || args === null || typeof args !== "object") return "An edit needs { action, args }.";
      if ((await policyOf({ name: action, args }, options, state)) === "deny") return action === name ? `These arguments of "${action}" are denied.` : `The tool "${action}" must not be called.`;
      const wrong = mistakeOf(options, action, args);
      if (wrong !== undefined) return wrong;
      item.verdict = { name: action, args };
      return undefined;
    }
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
  for (const { call, verdict } of items) {
    if (typeof verdict === "string") answers.push(new ToolMessage({ content: verdict, name: call.name, tool_call_id: call.id, status: "error" }));
    else if (verdict !== undefined) edits.set(call, { id: call.id, ...verdict });
  }
  return edits.size === 0 ? answers : [withCalls(message, edits), ...answers];
}
