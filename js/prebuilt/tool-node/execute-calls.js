// SPDX-License-Identifier: MIT
// Knows: how a ToolNode answers what is more than one good call: calls that run at the same time,
// approved by a person where a tool wants it, refused, failed, wrapped, in doubt. No tool starts
// before every decision is there. Loaded by the first such.
import {
  ERR_APPROVAL,
  ERR_TOOL_ARGUMENTS,
  ERR_TOOL_CALL,
  ERR_UNKNOWN_TOOL,
  PLAN_DIGEST,
  PLAN_RAW,
} from "../../base/codes.js";
import { Command, PARENT, isCommand, isSend, updateTuples } from "../../base/constants.js";
import { makeError } from "../../base/errors.js";
import { ToolMessage, isBaseMessage } from "../../messages/index.js";
import { runInScope, scopeOf } from "../../base/ambient.js";
import { interrupt } from "../../calls/interrupt.js";
import { Ledger } from "../../run/tasks/ledger.js";
import { ToolInputParsingException, messageContent } from "../../tools/tool-result.js";
import { askPerson, bindEdit, denial } from "../approval/approval.js";
import { BoundCall, bindCall, checkStable } from "../approval/bound-call.js";
import { asCaller } from "./subtask.js";
import { makeCallConfig } from "./call-config.js";
import { withCalls } from "../tool-calls/edited-calls.js";
import { joinHandoff } from "./handoff.js";
import { doAll } from "./parallel.js";
import { scopeName, wasAsked } from "../approval/asked-calls.js";
import { reviewMark } from "../approval/review-mark.js";
import { isDecided } from "../approval/approval-log.js";
import { explain, explained, failed } from "./tool-errors.js";
import { checkPolicy, optionOf } from "../tool-calls/tool-options.js";
import { notKnown, settleUnknown } from "./in-flight-calls.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./tool-node.js").ToolNode} ToolNode */
/** @typedef {import("./tool-node.js").Job} Job */
/** @typedef {import("./tool-node.js").Batch} Batch */

const APPROVAL = "APPROVAL";
/** The name of the parts that ask; calls of tools have the tools' names. */
const APPROVALS = "tool approval";
const MOST_ROUNDS = 4;
/** Of one message (src/prebuilt/call.h). */
const MOST_CALLS = 1000;

/**
 * @param {Batch} batch
 * @param {Job[]} jobs its calls
 */
export async function answerAll(batch, jobs) {
  const { node, message, input, config, ledger } = batch;
  const scope = scopeOf(config);
  if (node.handleToolErrors !== true)
    for (const job of jobs)
      if (job.text !== undefined)
        job.text = await explain(node.handleToolErrors, refusal(job.outcome), job.call);
  const before = batch.number * MOST_CALLS;
  await decideAll(batch, jobs, ledger === undefined ? undefined : scope, before);
  // Several calls are tasks of their own: what one did stays done whatever becomes of the others.
  // So is one that somebody approved: it does not run again under that approval when the code
  // around this node does. One that is refused may have been approved before, and have run when the
  // process died: the log says so where it ran.
  const isOne =
    jobs.length < 2 &&
    !jobs.some(({ isApproved, text }) => isApproved || (text !== undefined && batch.isGuarded));
  const apart =
    ledger === undefined || isOne || scope === undefined
      ? undefined
      : {
          scope,
          nameOf: (/** @type {Job} */ { call }) => String(call.name),
          placeOf: (/** @type {Job} */ job) => before + jobs.indexOf(job),
        };
  const work = async (/** @type {Job} */ job, /** @type {Value} */ own) => {
    const task = (scopeOf(own) ?? scope)?.task;
    if (job.failure !== undefined)
      return explained(
        node.handleToolErrors,
        job.failure.error,
        { ...job.call, id: job.outcome.id },
        job.tool.name,
      );
    if (job.text === undefined) {
      if (own === undefined) return node._answer(job, batch, task);
      const part = asCaller(config, own);
      return runInScope(/** @type {Value} */ (scopeOf(part)), () =>
        node._answer(job, { ...batch, config: part }, task),
      );
    }
    // What is refused now may have run before the process died: then nobody can say that it did
    // not.
    const isDoubtful = [task, scope?.task].some(
      (one) => one !== undefined && ledger?.unknown(one, job.outcome.id) !== undefined,
    );
    return failed(
      isDoubtful ? notKnown(job.call.name) : job.text,
      job.call.name ?? "",
      job.outcome.id,
    );
  };
  const outputs = await doAll(
    jobs,
    work,
    apart,
    jobs.length > 1 ? config?.maxConcurrency : undefined,
  );
  const repaired = Array.isArray(input) ? undefined : repair(message, jobs);
  const joined = joinHandoff(outputs);
  return combine(repaired === undefined ? joined : [repaired, ...joined], input, node.messagesKey);
}

/**
 * Binds the calls that somebody decides about, or has decided about, and lets policies and people
 * decide. What was decided about another definition of a tool, while other questions waited, is
 * asked again.
 * @param {Batch} batch
 * @param {Job[]} jobs
 * @param {any} scope where several questions may be asked at once
 * @param {number} [before] places of the parts that ask for calls of other messages
 */
async function decideAll(batch, jobs, scope, before = 0) {
  let open = [];
  // Without a wait for each of many calls that nobody decides about.
  for (const job of jobs)
    if (!isFree(batch, job) && (await judge(batch, job)) === "ask") open.push(job);
  const isApart = scope !== undefined && open.length > 1;
  for (let rounds = 0; open.length > 0; rounds++) {
    if (rounds === MOST_ROUNDS)
      throw makeError(ERR_APPROVAL, [
        `"${open[0].outcome.name}"`,
        "its definition changes each time",
      ]);
    /** @type {Job[]} */
    const again = [];
    if (isApart) {
      const decisions = await doAll(open, (job, own) => ask(batch, job, own, true), {
        scope,
        nameOf: () => APPROVALS,
        placeOf: (job) => before * MOST_ROUNDS + rounds * MOST_CALLS + jobs.indexOf(job),
      });
      for (const [index, job] of open.entries())
        if (!(await heed(batch, job, decisions[index]))) again.push(job);
    } else {
      for (const job of open)
        if (!(await heed(batch, job, await ask(batch, job, batch.config, scope !== undefined))))
          again.push(job);
    }
    open = again;
  }
}

/**
 * Is there nothing to decide about a call? Where others are decided about, it is bound too.
 * @param {Batch} batch @param {Job} job
 */
function isFree(batch, job) {
  if (job.text !== undefined) return true;
  if (batch.catalog.policies[job.outcome.tool] !== "auto" || isMarked(job) || isOpen(batch, job))
    return false;
  // Elsewhere tools and hooks may change the message's own arguments in place, as in LangGraph.js.
  if (batch.isGuarded) job.bound = new BoundCall(job.tool, job.outcome);
  return true;
}

/** Was it reviewed before it came here? @param {Job} job */
function isMarked({ call }) {
  return call.reviewed !== undefined && call.reviewed !== "auto";
}

/**
 * Was somebody asked about it? Who was is heard, though nobody would be asked now.
 * @param {Batch} batch
 * @param {Job} job
 */
function isOpen({ config }, { call, outcome }) {
  return call.reviewed === undefined && wasAsked(scopeOf(config), outcome.id, outcome.name);
}

/**
 * Binds a call and asks the policy of its tool. What may not run gets its text.
 * @param {Batch} batch @param {Job} job
 * @returns {Promise<"auto" | "ask" | "deny" | undefined>} undefined: it does not run anyway
 */
async function judge(batch, job) {
  const { catalog, scope, input, config, message } = batch;
  const { tool, outcome, call } = job;
  const policy = catalog.policies[outcome.tool];
  const marked = isMarked(job);
  if (policy === "deny") job.text = denial(outcome.name);
  else if (marked && call.reviewed !== reviewMark(outcome, message, config))
    job.text = denial(outcome.name, "ask");
  if (job.text !== undefined) return "deny";
  try {
    job.bound = await bindCall(
      catalog.toolset,
      tool,
      withDigest(catalog.toolset, outcome, scope),
      scope,
    );
  } catch (error) {
    if (/** @type {any} */ (error).code === APPROVAL) throw error;
    job.failure = { error };
    return undefined;
  }
  if (marked && job.bound.outcome.canonical !== outcome.canonical) {
    throw makeError(ERR_APPROVAL, [
      `"${tool.name}"`,
      "its schema changes the arguments that were approved; let the schema accept what it makes",
    ]);
  }
  job.isApproved = marked;
  const verdict = await verdictOf(policy, job.bound, input);
  if (verdict === "deny") job.text = denial(outcome.name);
  if (verdict === "deny" || (verdict === "auto" && !isOpen(batch, job))) return verdict;
  await checkStable(job.bound, outcome);
  return "ask";
}

/**
 * The digest of a call of a tool that asks nobody is not told at first.
 * @param {import("../tool-calls/toolset.js").Toolset} toolset
 * @param {import("../tool-calls/toolset.js").Outcome} outcome
 * @param {string} scope
 */
function withDigest(toolset, outcome, scope) {
  if (outcome.digest !== "") return outcome;
  const [{ digest }] = toolset.plan(
    [{ name: outcome.name, id: outcome.id, args: outcome.canonical }],
    PLAN_RAW | PLAN_DIGEST,
    scope,
  );
  return { ...outcome, digest };
}

/**
 * @param {Value} policy
 * @param {BoundCall} bound
 * @param {Value} state
 * @returns {Promise<"auto" | "ask" | "deny">}
 */
async function verdictOf(policy, bound, state) {
  return typeof policy === "function"
    ? checkPolicy(await policy(bound.args, state), bound.name)
    : policy;
}

/**
 * @param {Batch} batch
 * @param {Job} job
 * @param {Value} config
 * @param {boolean} kept
 * @returns {Promise<import("../approval/approval.js").Decision>}
 */
async function ask(batch, job, config, kept) {
  const task = kept ? scopeOf(config)?.task : undefined;
  const { catalog, input, scope } = batch;
  const desk = {
    catalog,
    interrupt: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
    verdictOf: (/** @type {number} */ tool, /** @type {BoundCall} */ bound) =>
      verdictOf(catalog.policies[tool], bound, input),
    scope,
    ledger: Ledger.of(task),
    task,
  };
  return askPerson(desk, /** @type {BoundCall} */ (job.bound));
}

/**
 * Lets a decision count, if it is about the call as it is.
 * @param {Batch} batch
 * @param {Job} job
 * @param {import("../approval/approval.js").Decision} decision
 * @returns {Promise<boolean>}
 */
async function heed({ catalog, scope, ledger, config }, job, decision) {
  const bound = /** @type {BoundCall} */ (job.bound);
  if (decision.shown !== bound.outcome.digest) return false;
  const task = scopeOf(config)?.task;
  if (
    ledger !== undefined &&
    !(await isDecided({
      ledger,
      task,
      id: bound.outcome.id,
      digest: decision.shown,
      isFirst: true,
    }))
  )
    return false;
  if ("text" in decision) {
    job.text = decision.text;
    return true;
  }
  const { edit } = decision;
  const edited =
    edit === undefined ? bound : await bindEdit(catalog.toolset, job.outcome, edit, scope);
  if (typeof edited === "string" || edited.outcome.digest !== decision.digest) return false;
  job.isApproved = true;
  Object.assign(job, {
    tool: edited.tool,
    outcome: edited.outcome,
    bound: edited,
    edited: edit && { name: edit.name, args: edited.outcome.args },
  });
  return true;
}

/**
 * With a ledger the handler runs a tool once with the same arguments: another call of it gives what
 * that came to, unless it failed. A wrapper that changes what was decided about has it decided
 * about again.
 * @param {Job} job @param {any} request what the wrapper is given @param {Batch} batch
 */
export async function wrapped(job, request, batch) {
  const { node, input, config, ledger } = batch;
  const { tool, outcome, bound } = job;
  const given = {
    toolCall: request,
    tool,
    state: input,
    runtime: makeCallConfig(config, request, input, optionOf(tool, "idempotencyKey")),
  };
  const wrap = /** @type {import("./tool-node.js").WrapToolCall} */ (node.wrapToolCall);
  try {
    /** @type {Map<string, Promise<Value>>} */
    const done = new Map();
    const once = (
      /** @type {import("../tool-calls/toolset.js").Outcome} */ { tool, canonical },
      /** @type {() => Promise<any>} */ run,
    ) => {
      if (ledger === undefined) return run();
      const key = `${tool} ${canonical}`;
      const found = done.get(key) ?? run();
      done.set(key, found);
      const drop = () => void done.delete(key);
      found.then((answer) => answer?.status === "error" && drop(), drop);
      return found;
    };
    const runSame = () =>
      once(outcome, () =>
        node.runTool(bound === undefined ? request : node._requestOf(job, config), config, input),
      );
    const isSame = (/** @type {Value} */ call) =>
      bound === undefined ? call === request : bound.isSame(call);
    return await wrap(given, async (passed, { toolCall } = passed ?? given) =>
      isSame(toolCall)
        ? runSame()
        : rerun(toolCall, batch, job, (changed) =>
            once(changed.outcome, () => runAgain(changed, toolCall, batch)),
          ),
    );
  } catch (error) {
    return explained(node.handleToolErrors, error, job.call, tool.name);
  }
}

/**
 * A changed call that may run.
 * @param {Job} job
 * @param {Value} call as it was changed
 * @param {Batch} batch
 */
function runAgain(job, call, { node, config, input }) {
  const request =
    job.bound === undefined
      ? { ...call, args: job.outcome.args, id: job.outcome.id, type: "tool_call" }
      : node._requestOf(job, config);
  return node.runTool(request, config, input);
}

/**
 * A call that was changed is judged like a model's, and decided about for itself. What a review let
 * through stays as it is.
 * @param {Value} changed
 * @param {Batch} batch
 * @param {Job | undefined} before as it was
 * @param {(job: Job) => Promise<any>} run
 */
async function rerun(changed, batch, before, run) {
  const { node, catalog, config, ledger } = batch;
  const call = { ...changed, name: changed?.name, id: changed?.id, args: changed?.args };
  const [job] = node._plan(catalog, [call], batch.scope);
  const { outcome, tool } = job;
  if (job.text !== undefined)
    return failed(
      node.handleToolErrors === true
        ? job.text
        : await explain(node.handleToolErrors, refusal(outcome), call),
      call.name ?? "",
      outcome.id,
    );
  const isUnchanged =
    !catalog.asks &&
    outcome.tool === before?.outcome.tool &&
    outcome.canonical === before.outcome.canonical;
  const { reviewed } = before?.call ?? {};
  if (reviewed !== undefined && (reviewed !== "auto" || tool !== before?.tool))
    job.text = denial(tool.name, "ask");
  // Who is asked makes the node start again, and what ran here run again.
  else if (node._decidedOf(config)?.some(({ hasRun }) => hasRun)) await judgeOnly(batch, job);
  else if (!isUnchanged)
    await decideAll(batch, [job], ledger === undefined ? undefined : scopeOf(config));
  if (job.failure !== undefined)
    return explained(
      node.handleToolErrors,
      job.failure.error,
      { ...call, id: outcome.id },
      job.tool.name,
    );
  if (job.text !== undefined) return failed(job.text, job.tool.name, outcome.id);
  return run(job);
}

/**
 * What would have to be asked about does not run; nor does what nobody could be asked about,
 * without failing what ran.
 * @param {Batch} batch
 * @param {Job} job
 */
async function judgeOnly(batch, job) {
  try {
    if (!isFree(batch, job) && (await judge(batch, job)) === "ask")
      job.text = denial(job.tool.name, "ask");
  } catch (error) {
    if (/** @type {any} */ (error).code !== APPROVAL) throw error;
    job.text = denial(job.tool.name, "ask");
  }
}

/**
 * A call that a subclass of ToolNode made or changed.
 * @param {ToolNode} node
 * @param {Value} call
 * @param {Value} config
 * @param {Value} input
 */
export function runChanged(node, call, config, input) {
  const decided = node._decidedOf(config) ?? [];
  const before =
    decided.find(({ outcome }) => outcome.id === call?.id) ??
    decided.find((job) => job.call.reviewed !== undefined);
  const batch = {
    node,
    catalog: node._catalog,
    input,
    config,
    ledger: Ledger.of(scopeOf(config)?.task),
    message: undefined,
    scope: scopeName(undefined, config),
    number: 0,
    isGuarded: true,
  };
  return rerun(call, batch, before, (job) => {
    if (job.bound === undefined) job.bound = new BoundCall(job.tool, job.outcome);
    node._requestOf(job, config);
    return node._runDecided(job, config, input);
  });
}

/**
 * A call whose fate nobody knows: its answer, or undefined when it is to run.
 * @param {Job} job
 * @param {Value} call
 * @param {Batch} batch
 * @param {any} task
 */
export async function settle(
  { tool, bound },
  call,
  { node, catalog, config, input, ledger, message },
  task,
) {
  const settled = await settleUnknown({
    tool,
    call,
    bound,
    config: makeCallConfig(config, call, input, optionOf(tool, "idempotencyKey")),
    interrupt: config.interrupt,
    onUnknown: node.onUnknown,
    toolset: catalog.toolset,
    ledger: /** @type {Ledger} */ (ledger),
    task,
    message,
  });
  if (settled.run) return undefined;
  if (settled.failed) return failed(settled.content, tool.name, call.id);
  if (isBaseMessage(settled.content) || isCommand(settled.content)) return settled.content;
  return new ToolMessage({
    content: messageContent(settled.content),
    name: tool.name,
    tool_call_id: call.id,
    status: "success",
  });
}

/**
 * What the node returns.
 * @param {Value[]} outputs messages and Commands
 * @param {Value} input
 * @param {string} messagesKey
 */
function combine(outputs, input, messagesKey) {
  const wrap = (/** @type {Value[]} */ messages) =>
    Array.isArray(input) ? messages : { [messagesKey]: messages };
  if (!outputs.some(isCommand)) return wrap(outputs);
  /** @type {Value[]} */
  const parts = [];
  /** @type {Value[]} */
  const leaving = [];
  for (const output of outputs) {
    if (!isCommand(output)) parts.push(wrap([output]));
    else if (isParentSends(output)) leaving.push(output);
    else parts.push(output);
  }
  if (leaving.length < 2) return [...parts, ...leaving];
  const update = leaving.flatMap(({ update }) => (update ? updateTuples(update) : []));
  return [
    ...parts,
    new Command({
      graph: PARENT,
      goto: leaving.flatMap(({ goto }) => goto),
      update: update[0] && update,
    }),
  ];
}

/** Several of these become one Command. @param {Value} command */
function isParentSends({ graph, goto }) {
  return graph === PARENT && Array.isArray(goto) && goto.length > 0 && goto.every(isSend);
}

/**
 * The message as it must stand in the conversation, when a call got another id or was edited.
 * @param {Value} message
 * @param {Job[]} jobs
 */
function repair(message, jobs) {
  const changed = jobs.filter(({ outcome, edited }) => outcome.reassigned || edited !== undefined);
  if (changed.length === 0 || message?.id === undefined) return undefined;
  return withCalls(
    message,
    new Map(changed.map(({ call, outcome, edited }) => [call, { id: outcome.id, ...edited }])),
  );
}

/** @param {import("../tool-calls/toolset.js").Outcome} outcome */
function refusal({ status, text }) {
  if (status === ERR_TOOL_ARGUMENTS) return new ToolInputParsingException(text);
  return status === ERR_UNKNOWN_TOOL ? new Error(text) : makeError(ERR_TOOL_CALL, [text]);
}
