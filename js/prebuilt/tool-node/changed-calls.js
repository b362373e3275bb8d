// SPDX-License-Identifier: MIT
// Runs calls that a wrapper changed: binds them and decides about them again first.
import { INTENT_APPROVED } from "../../base/codes.js";
import { runInScope, scopeOf } from "../../base/ambient.js";
import { Ledger } from "../../run/tasks/ledger.js";
import { denial } from "../approval/approval.js";
import { BoundCall } from "../approval/bound-call.js";
import { asTool } from "../../tools/function-tool.js";
import { Catalogs } from "../tool-calls/catalog.js";
import { makeCallConfig } from "./call-config.js";
import { asCaller, aside, callerOf } from "./subtask.js";
import { settle } from "./execute-calls.js";
import { scopeName } from "../approval/asked-calls.js";
import { explain, explained, failed, hasFailed } from "./tool-errors.js";
import { optionOf } from "../tool-calls/tool-options.js";
import { refusal, decideAll, isFree, judge, APPROVAL } from "./decide-calls.js";

/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("./tool-node.js").ToolNode} ToolNode */
/** @typedef {import("./tool-node.js").Job} Job */
/** @typedef {import("./tool-node.js").CallRequest} CallRequest */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("./tool-node.js").Batch} Batch */

/**
 * Runs a call through the user's wrapper. With a ledger, the handler runs a tool once per
 * arguments: a second call returns the first result, unless that failed. A call that the wrapper
 * changed after its approval needs a new decision.
 * @param {Job} job
 * @param {CallRequest} request the call that the wrapper receives
 * @param {Batch} batch
 */
export async function wrapped(job, request, batch) {
  const { node, input, config, ledger } = batch;
  const { tool, outcome, bound } = job;
  const given = {
    toolCall: request,
    tool,
    state: input,
    runtime: makeCallConfig(config, request, input, tool && optionOf(tool, "idempotencyKey")),
  };
  const wrap = /** @type {import("./tool-node.js").WrapToolCall} */ (node.wrapToolCall);
  try {
    /** @type {Map<string, Promise<unknown>>} */
    const done = new Map();
    const once = (
      /** @type {import("../tool-calls/toolset.js").Outcome} */ { tool, canonical },
      /** @type {() => Promise<unknown>} */ run,
    ) => {
      if (ledger === undefined) return run();
      const key = `${tool} ${canonical}`;
      const found = done.get(key) ?? run();
      done.set(key, found);
      const drop = () => void done.delete(key);
      found.then((answer) => hasFailed(answer) && drop(), drop);
      return found;
    };
    const runSame = () =>
      once(outcome, () =>
        bound === undefined
          ? node.runTool(request, config, input)
          : kept(job, batch, (own) => node.runTool(node._decided.requestOf(job, own), own, input)),
      );
    const isSame = (/** @type {unknown} */ call) =>
      bound === undefined ? call === request : bound.isSame(call);
    return await wrap(given, async (passed, { toolCall, tool: other } = passed ?? given) =>
      other !== tool && other !== undefined
        ? runOther(other, toolCall, batch, job)
        : job.isUnknown
          ? refused(toolCall, outcome, batch)
          : isSame(toolCall)
            ? runSame()
            : rerun(toolCall, batch, job, (changed) =>
                once(changed.outcome, () => runAgain(changed, toolCall, batch)),
              ),
    );
  } catch (error) {
    return explained(node.handleToolErrors, error, job.call, tool?.name ?? job.call.name);
  }
}

/**
 * Runs an approved call below its wrapper as a task of its own: it does not run again under that
 * approval when the wrapper, or a part of the node behind it, asks or fails. A call that failed may
 * be tried again: its answer is not kept.
 * @param {Job} job
 * @param {Batch} batch
 * @param {(config: Config | undefined) => Promise<unknown>} run
 */
async function kept(job, { node, config }, run) {
  const scope = callerOf(config);
  node._decided.requestOf(job, config);
  if (job.isApproved !== true || scope?.task.run.thread === undefined) return run(config);
  const { digest } = /** @type {BoundCall} */ (job.bound).outcome;
  /** @type {{ answer: unknown } | undefined} */
  let failure;
  const work = async (/** @type {Config} */ own) => {
    const part = asCaller(/** @type {Config} */ (config), own);
    const inside = /** @type {import("../../base/ambient.js").Scope} */ (scopeOf(part));
    const answer = await runInScope(inside, () => run(part));
    if (!hasFailed(answer)) return answer;
    failure = { answer };
    throw new Error("The call failed.");
  };
  try {
    return await aside(scope, `approved call ${digest}`, work, undefined, 0);
  } catch (error) {
    if (failure === undefined) throw error;
    return failure.answer;
  }
}

/** Catalogs of tools that no node has, by tool. @type {WeakMap<object, Catalogs>} */
const others = new WeakMap();

/**
 * Runs a tool that the wrapper brought, by its own schema and policy. An approval is of the tool
 * that was shown: another one that asks nobody does not run in its place.
 * @param {unknown} given
 * @param {OpenCall} call
 * @param {Batch} batch
 * @param {Job} before
 */
async function runOther(given, call, batch, before) {
  const { node, config, input, ledger } = batch;
  const tool = asTool(given);
  const catalogs = others.get(tool) ?? new Catalogs();
  const catalog = catalogs.of([tool], node.approval);
  others.set(tool, catalogs);
  const { name, reviewed } = before.call;
  const isMarked = before.isApproved || (reviewed !== undefined && call?.name !== name);
  if (isMarked && !catalog.asks) return failed(denial(name, "ask"), name, before.outcome.id);
  const own = { ...batch, catalog, scope: scopeName(batch.message, config), isGuarded: true };
  const marked = reviewed === undefined ? call : { ...call, reviewed };
  return rerun(marked, own, undefined, async (job) => {
    job.bound ??= new BoundCall(job.tool, job.outcome);
    const { request } = job.bound;
    const task = scopeOf(config)?.task;
    // The ledger has the calls of the node's own tools already.
    if (before.isUnknown && ledger !== undefined && task !== undefined) {
      const found = ledger.unknown(task, request.id)
        ? await settle(job, request, own, task)
        : undefined;
      if (found !== undefined) return found;
      await ledger.tell(task, request.id, job.isApproved === true ? INTENT_APPROVED : 0);
    }
    return kept(job, own, (inside) => node._runDecided(job, inside, input));
  });
}

/**
 * Answers a call that cannot run.
 * @param {OpenCall} call
 * @param {import("../tool-calls/toolset.js").Outcome} outcome
 * @param {Batch} batch
 */
async function refused(call, outcome, { node }) {
  const text =
    node.handleToolErrors === true
      ? outcome.text
      : await explain(node.handleToolErrors, refusal(outcome), call);
  return failed(text, call.name ?? "", outcome.id);
}

/**
 * Runs a changed call that is allowed.
 * @param {Job} job
 * @param {OpenCall} call the changed call
 * @param {Batch} batch
 */
function runAgain(job, call, batch) {
  const { node, config, input } = batch;
  if (job.bound !== undefined)
    return kept(job, batch, (own) => node.runTool(node._decided.requestOf(job, own), own, input));
  const request = { ...call, args: job.outcome.args, id: job.outcome.id, type: "tool_call" };
  return node.runTool(request, config, input);
}

/**
 * Judges a changed call like a model's and decides about it separately. A reviewed call must stay
 * unchanged.
 * @param {OpenCall} changed
 * @param {Batch} given
 * @param {Job | undefined} before the call before the change
 * @param {(job: Job) => Promise<unknown>} run
 */
async function rerun(changed, given, before, run) {
  const batch = { ...given, isChanged: true };
  const { node, catalog, config, ledger } = batch;
  const { reviewed = changed?.reviewed } = before?.call ?? {};
  const call = { ...changed, name: changed?.name, id: changed?.id, args: changed?.args, reviewed };
  const [job] = node._plan(catalog, [call], batch.scope);
  const { outcome, tool } = job;
  if (job.text !== undefined || job.isUnknown) return refused(call, outcome, batch);
  const isUnchanged =
    !catalog.asks &&
    outcome.tool === before?.outcome.tool &&
    outcome.canonical === before.outcome.canonical;
  const isMarked = before?.call.reviewed !== undefined;
  if (isMarked && (reviewed !== "auto" || tool !== before?.tool))
    job.text = denial(tool.name, "ask");
  // A request would restart the node and run its finished calls again.
  else if (node._decided.of(config)?.some(({ hasRun }) => hasRun)) await judgeOnly(batch, job);
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
 * Denies a call that would need approval or cannot be presented, without failing the calls that
 * ran.
 * @param {Batch} batch
 * @param {Job} job
 */
async function judgeOnly(batch, job) {
  try {
    if (!isFree(batch, job) && (await judge(batch, job)) === "ask")
      job.text = denial(job.tool.name, "ask");
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code !== APPROVAL) throw error;
    job.text = denial(job.tool.name, "ask");
  }
}

/**
 * Runs a call that a subclass of ToolNode made or changed.
 * @param {ToolNode} node
 * @param {OpenCall} call
 * @param {Config | undefined} config
 * @param {unknown} input
 */
export function runChanged(node, call, config, input) {
  const decided = node._decided.of(config) ?? [];
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
    node._decided.requestOf(job, config);
    return node._runDecided(job, config, input);
  });
}
