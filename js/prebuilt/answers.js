// SPDX-License-Identifier: MIT
// Knows: how a ToolNode answers what is more than one good call: calls that run at the same time, approved by a person where
// a tool wants it, refused, failed, wrapped, in doubt. No tool starts before every decision is there. Loaded by the first such.
import { ERR_APPROVAL, ERR_TOOL_ARGUMENTS, ERR_TOOL_CALL, ERR_UNKNOWN_TOOL } from "../engine/rare-codes.js";
import { Command, PARENT, isCommand, isSend, updateTuples } from "../constants.js";
import { makeRareError } from "../rare-errors.js";
import { ToolMessage, isBaseMessage } from "../messages/index.js";
import { runInScope, scopeOf } from "../pregel/ambient.js";
import { interrupt } from "../pregel/interrupt.js";
import { Ledger } from "../run/ledger.js";
import { ToolInputParsingException, messageContent } from "../tools/result.js";
import { askPerson, denial } from "./approval.js";
import { asCaller } from "./aside.js";
import { makeCallConfig } from "./call-config.js";
import { withCalls } from "./changed-calls.js";
import { joinHandoff } from "./handoff.js";
import { doAll } from "./together.js";
import { explain, explained, failed } from "./tool-errors.js";
import { notKnown, settleUnknown } from "./unknown.js";

/** @typedef {import("./tool-node.js").ToolNode} ToolNode */
/** @typedef {import("./tool-node.js").Job} Job */

/**
 * @param {ToolNode} node
 * @param {Job[]} jobs
 * @param {any} message whose calls they are
 * @param {any} input of the node
 * @param {any} config
 * @param {any} ledger
 * @param {string | undefined} words that name the message, where a tool wants a decision
 */
export async function answerAll(node, jobs, message, input, config, ledger, words) {
  const scope = scopeOf(config);
  if (node.handleToolErrors !== true) for (const job of jobs) if (job.text !== undefined) job.text = await explain(node.handleToolErrors, refusal(job.outcome), job.call);
  if (words !== undefined) await decide(node, jobs, input, config, ledger === undefined ? undefined : scope, words);
  // Several calls are tasks of their own: what one did stays done whatever becomes of the others.
  const apart = ledger === undefined || jobs.length < 2 || scope === undefined ? undefined : { scope, nameOf: (/** @type {Job} */ { call }) => String(call.name) };
  const work = async (/** @type {Job} */ job, /** @type {any} */ own) => {
    const task = (scopeOf(own) ?? scope)?.task;
    if (job.text === undefined) {
      if (own === undefined) return node._answer(job, input, config, ledger, task, message);
      const part = asCaller(config, own);
      return runInScope(/** @type {any} */ (scopeOf(part)), () => node._answer(job, input, part, ledger, task, message));
    }
    // What is refused now may have run before the process died: then nobody can say that it did not.
    const isDoubtful = task !== undefined && ledger?.unknown(task, job.outcome.id) !== undefined;
    return failed(isDoubtful ? notKnown(job.call.name) : job.text, job.call.name ?? "", job.outcome.id);
  };
  const outputs = await doAll(jobs, work, apart, jobs.length > 1 ? config?.maxConcurrency : undefined);
  const repaired = Array.isArray(input) ? undefined : repair(message, jobs);
  const joined = joinHandoff(outputs);
  return combine(repaired === undefined ? joined : [repaired, ...joined], input, node.messagesKey);
}

/** @param {ToolNode} node @param {any} tool @param {any} args @param {any} state */
function policyOf(node, tool, args, state) {
  const policy = tool.approval ?? node.approval ?? "auto";
  return typeof policy === "function" ? policy(args, state) : policy;
}

/** @param {ToolNode} node @param {Job[]} jobs @param {any} input @param {any} config @param {any} scope where several questions may be asked at once @param {string} words */
async function decide(node, jobs, input, config, scope, words) {
  const asked = [];
  for (const job of jobs) {
    const tool = node.tools[job.outcome.tool];
    if (job.text !== undefined || (tool.approval ?? node.approval ?? "auto") === "auto") continue;
    const policy = await policyOf(node, tool, job.outcome.args, input);
    if (policy === "deny") job.text = denial(tool.name);
    else if (policy === "ask") asked.push(job);
    else if (policy !== "auto") throw makeRareError(ERR_APPROVAL, [tool.name, `its policy is ${String(policy)}, not auto, ask or deny`]);
  }
  if (scope === undefined || asked.length < 2) {
    for (const job of asked) heed(job, await ask(node, job, input, config, scope !== undefined, words));
    return;
  }
  const decisions = await doAll(asked, (job, own) => ask(node, job, input, own, true, words), { scope, nameOf: () => "approval" });
  asked.forEach((job, index) => heed(job, decisions[index]));
}

/** @param {ToolNode} node @param {Job} job @param {any} input @param {any} config @param {boolean} kept @param {string} words that name the message @returns {Promise<import("./approval.js").Decision>} */
async function ask(node, job, input, config, kept, words) {
  const task = kept ? scopeOf(config)?.task : undefined;
  const desk = {
    toolset: node.toolset,
    tools: node.tools,
    interrupt: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
    policyOf: (/** @type {any} */ other, /** @type {any} */ args) => policyOf(node, other, args, input),
    scope: words,
    ledger: Ledger.of(task),
    task,
  };
  return askPerson(desk, node.tools[job.outcome.tool], job.outcome);
}

/** @param {Job} job @param {import("./approval.js").Decision} decision */
function heed(job, decision) {
  if (decision.run) Object.assign(job, { outcome: decision.outcome, edited: decision.edited });
  else job.text = decision.text;
}

/**
 * With `keeps`, which a journal asks for, the handler runs a tool once with the same arguments: another call of it gives what
 * that came to, unless it failed.
 * @param {ToolNode} node @param {any} tool @param {any} request @param {any} input @param {any} config @param {import("./toolset.js").Outcome} outcome @param {boolean} keeps
 */
export async function wrapped(node, tool, request, input, config, outcome, keeps) {
  const given = { toolCall: request, tool, state: input, runtime: makeCallConfig(config, request, input, tool.idempotencyKey) };
  const wrap = /** @type {import("./tool-node.js").WrapToolCall} */ (node.wrapToolCall);
  try {
    /** @type {Map<string, Promise<any>>} */
    const done = new Map();
    const once = (/** @type {import("./toolset.js").Outcome} */ { tool, canonical }, /** @type {() => Promise<any>} */ run) => {
      if (!keeps) return run();
      const key = `${tool} ${canonical}`;
      const found = done.get(key) ?? run();
      done.set(key, found);
      const drop = () => void done.delete(key);
      found.then((answer) => answer?.status === "error" && drop(), drop);
      return found;
    };
    const runSame = () => once(outcome, () => node.runTool(request, config, input));
    return await wrap(given, ({ toolCall } = given) => (toolCall === request ? runSame() : rerun(node, toolCall, config, input, outcome, once)));
  } catch (error) {
    return explained(node.handleToolErrors, error, request, tool.name);
  }
}

// A call that was changed is judged like a model's; what nobody approved as it is now does not run.
/** @param {ToolNode} node @param {any} call @param {any} config @param {any} input @param {import("./toolset.js").Outcome} before as it was @param {(outcome: any, run: () => Promise<any>) => Promise<any>} once */
async function rerun(node, call, config, input, before, once) {
  const [{ outcome, text }] = node._plan([call], "");
  if (text !== undefined) return failed(node.handleToolErrors === true ? text : await explain(node.handleToolErrors, refusal(outcome), call), call.name ?? "", outcome.id);
  const isSame = outcome.tool === before.tool && outcome.canonical === before.canonical;
  const policy = isSame ? "auto" : await policyOf(node, node.tools[outcome.tool], outcome.args, input);
  if (policy !== "auto") return failed(denial(call.name, policy), call.name, outcome.id);
  return once(outcome, () => node.runTool({ ...call, args: outcome.args, id: outcome.id, type: "tool_call" }, config, input));
}

/** A call whose fate nobody knows: its answer, or undefined when it is to run. @param {ToolNode} node @param {any} tool @param {any} call @param {any} input @param {any} config @param {any} desk */
export async function settle(node, tool, call, input, config, desk) {
  const settled = await settleUnknown({ tool, call, config: makeCallConfig(config, call, input, tool.idempotencyKey), interrupt: config.interrupt, onUnknown: node.onUnknown, toolset: node.toolset, ...desk });
  if (settled.run) return undefined;
  if (settled.failed) return failed(settled.content, tool.name, call.id);
  if (isBaseMessage(settled.content) || isCommand(settled.content)) return settled.content;
  return new ToolMessage({ content: messageContent(settled.content), name: tool.name, tool_call_id: call.id, status: "success" });
}

/** What the node returns. @param {any[]} outputs messages and Commands @param {any} input @param {string} messagesKey */
function combine(outputs, input, messagesKey) {
  const wrap = (/** @type {any[]} */ messages) => (Array.isArray(input) ? messages : { [messagesKey]: messages });
  if (!outputs.some(isCommand)) return wrap(outputs);
  /** @type {any[]} */
  const parts = [];
  /** @type {any[]} */
  const leaving = [];
  for (const output of outputs) {
    if (!isCommand(output)) parts.push(wrap([output]));
    else if (isParentSends(output)) leaving.push(output);
    else parts.push(output);
  }
  if (leaving.length < 2) return [...parts, ...leaving];
  const update = leaving.flatMap(({ update }) => (update ? updateTuples(update) : []));
  return [...parts, new Command({ graph: PARENT, goto: leaving.flatMap(({ goto }) => goto), update: update[0] && update })];
}

/** Several of these become one Command. @param {any} command */
function isParentSends({ graph, goto }) {
  return graph === PARENT && Array.isArray(goto) && goto.length > 0 && goto.every(isSend);
}

/** The message as it must stand in the conversation, when a call got another id or was edited. @param {any} message @param {Job[]} jobs */
function repair(message, jobs) {
  const changed = jobs.filter(({ outcome, edited }) => outcome.reassigned || edited !== undefined);
  if (changed.length === 0 || message?.id === undefined) return undefined;
  return withCalls(message, new Map(changed.map(({ call, outcome, edited }) => [call, { id: outcome.id, ...edited }])));
}

/** @param {import("./toolset.js").Outcome} outcome */
function refusal({ status, text }) {
  if (status === ERR_TOOL_ARGUMENTS) return new ToolInputParsingException(text);
  return status === ERR_UNKNOWN_TOOL ? new Error(text) : makeRareError(ERR_TOOL_CALL, [text]);
}
