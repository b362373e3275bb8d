// SPDX-License-Identifier: MIT
// Decides about all calls of a step before any of them runs: the engine's checks, policies,
// approval requests and their answers.
import {
  ERR_APPROVAL,
  ERR_TOOL_ARGUMENTS,
  ERR_TOOL_CALL,
  ERR_UNKNOWN_TOOL,
  PLAN_DIGEST,
  PLAN_RAW,
} from "../../base/codes.js";
import { makeError } from "../../base/errors.js";
import { scopeOf } from "../../base/ambient.js";
import { interrupt } from "../../calls/interrupt.js";
import { Ledger } from "../../run/tasks/ledger.js";
import { ToolInputParsingException } from "../../tools/tool-result.js";
import { rejectAnswer } from "../../run/tasks/engine-queries.js";
import { askPerson, bindEdit, denial } from "../approval/approval.js";
import { askTogether } from "../approval/ask-together.js";
import { BoundCall, bindCall, checkStable } from "../approval/bound-call.js";
import { doAll } from "./parallel.js";
import { wasAsked } from "../approval/asked-calls.js";
import { reviewMark } from "../approval/review-mark.js";
import { isDecided } from "../approval/approval-log.js";
import { checkPolicy } from "../tool-calls/tool-options.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("./tool-node.js").Job} Job */
/** @typedef {import("./tool-node.js").Batch} Batch */

export const APPROVAL = "APPROVAL";

/** Task name of approval requests; tool calls have the tools' names. */
const APPROVALS = "tool approval";

export const MOST_ROUNDS = 4;
/** Maximum number of calls in one message (src/prebuilt/call.h). */
export const MOST_CALLS = 1000;

/**
 * Binds the calls that need a decision and applies policies and people's decisions. A decision is
 * requested again if the tool's definition changed while other requests were open.
 * @param {Batch} batch
 * @param {Job[]} jobs
 * @param {import("../../base/ambient.js").Scope | undefined} scope present if several requests may
 *   be raised at once
 * @param {number} [before] number of task places used for calls of earlier messages
 */
export async function decideAll(batch, jobs, scope, before = 0) {
  let open = [];
  // Awaits nothing for calls without a decision, of which there may be many.
  for (const job of jobs)
    if (!isFree(batch, job) && (await judge(batch, job)) === "ask") open.push(job);
  const isTogether = batch.node.approvals === "batch";
  const run = scope?.task.run;
  for (let rounds = 0; open.length > 0; rounds++) {
    if (rounds === MOST_ROUNDS)
      throw makeError(ERR_APPROVAL, [
        `"${open[0].outcome.name}"`,
        "its definition changes each time",
      ]);
    /** @type {Job[]} */
    const again = [];
    const questions = isTogether && open.length > 1 ? [open] : open.map((job) => [job]);
    // A decision is kept as a task of its own, so that a call that began under it, or has run, is
    // not asked about like a new one when its node starts again. Not for who goes back to a
    // question that was answered, and is asked anew; nor where an older version's question waits,
    // which the node itself has asked.
    const isLone = questions.length === 1 && (run?.goesBack || run?.asked.get(open[0].outcome.id));
    const apart =
      scope === undefined || isLone
        ? undefined
        : {
            scope,
            // A wrapper may make any number of calls of one, also at once.
            nameOf: (/** @type {Job[]} */ [{ bound }]) =>
              batch.isChanged ? `${APPROVALS} ${bound?.outcome.digest}` : APPROVALS,
            placeOf: (/** @type {Job[]} */ [job]) =>
              before * MOST_ROUNDS + rounds * MOST_CALLS + (isTogether ? 0 : jobs.indexOf(job)),
          };
    const decisions = await doAll(
      questions,
      (asked, own) => ask({ ...batch, config: own ?? batch.config }, asked, scope !== undefined),
      apart,
    );
    // Kept decisions may be about calls as they were: those do not count.
    for (const job of open) {
      const decision = decisions
        .flat()
        .find(({ shown }) => shown === /** @type {BoundCall} */ (job.bound).outcome.digest);
      if (decision === undefined || !(await heed(batch, job, decision))) again.push(job);
    }
    open = again;
  }
}

/**
 * Checks whether a call needs no decision. It is bound too if other calls need one.
 * @param {Batch} batch @param {Job} job
 */
export function isFree(batch, job) {
  if (job.text !== undefined || job.isUnknown) return true;
  if (
    batch.catalog.policies[job.outcome.tool] !== "auto" ||
    isMarked(job) ||
    isPastReview(batch, job) ||
    isOpen(batch, job)
  )
    return false;
  // Otherwise tools and hooks may change the message's own arguments in place, as in LangGraph.js.
  if (batch.isGuarded) job.bound = new BoundCall(job.tool, job.outcome);
  return true;
}

/**
 * Checks whether the call comes past the review of its tool.
 * @param {Batch} batch @param {Job} job
 */
function isPastReview({ node }, { call, outcome }) {
  return call.reviewed === undefined && node._reviewed.has(outcome.name);
}

/** Checks whether the call was reviewed before this node. @param {Job} job */
function isMarked({ call }) {
  return call.reviewed !== undefined && call.reviewed !== "auto";
}

/**
 * Checks whether somebody was asked about the call: the answer counts, even if no approval is
 * needed now.
 * @param {Batch} batch
 * @param {Job} job
 */
function isOpen({ config, isChanged }, { call, outcome }) {
  return (
    call.reviewed === undefined && wasAsked(scopeOf(config), outcome.id, outcome.name, isChanged)
  );
}

/**
 * Binds a call and applies its tool's policy. A denied call gets its answer text.
 * @param {Batch} batch @param {Job} job
 * @returns {Promise<"auto" | "ask" | "deny" | undefined>} undefined when the call does not run
 *   anyway
 */
export async function judge(batch, job) {
  const { catalog, scope, input, config, message } = batch;
  const { tool, outcome, call } = job;
  const policy = catalog.policies[outcome.tool];
  const marked = isMarked(job);
  if (policy === "deny") job.text = denial(outcome.name);
  else if (isPastReview(batch, job)) job.text = denial(outcome.name, "ask");
  if (job.text !== undefined) return "deny";
  try {
    job.bound = await bindCall(
      catalog.toolset,
      tool,
      withDigest(catalog.toolset, outcome, scope),
      scope,
    );
    job.bound.repaired = call.repaired;
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code === APPROVAL) throw error;
    job.failure = { error };
    return undefined;
  }
  // A review may know no more of the tools than their names.
  const isReviewed = (/** @type {import("../tool-calls/toolset.js").Outcome} */ one) =>
    [tool, { name: tool.name }].some(
      (known) => call.reviewed === reviewMark(one, known, message, config),
    );
  if (marked && !isReviewed(job.bound.outcome)) {
    if (isReviewed(outcome))
      throw makeError(ERR_APPROVAL, [
        `"${tool.name}"`,
        "its schema changes the arguments that were approved; let the schema accept what it makes",
      ]);
    job.text = denial(outcome.name, "ask");
    return "deny";
  }
  job.isApproved = marked;
  const verdict = await verdictOf(policy, job.bound, input);
  if (verdict === "deny") job.text = denial(outcome.name);
  if (verdict === "deny" || (verdict === "auto" && !isOpen(batch, job))) return verdict;
  await checkStable(job.bound, outcome);
  return "ask";
}

/**
 * Adds the digest, which the first plan omits for tools without approval.
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
 * @param {import("../tool-calls/tool-options.js").Policy} policy
 * @param {BoundCall} bound
 * @param {unknown} state
 * @returns {Promise<"auto" | "ask" | "deny">}
 */
async function verdictOf(policy, bound, state) {
  return typeof policy === "function"
    ? checkPolicy(await policy(bound.args, state), bound.name)
    : policy;
}

/**
 * Requests decisions with one question.
 * @param {Batch} batch
 * @param {Job[]} jobs the calls that it is about
 * @param {boolean} kept whether the thread keeps a record of requests
 * @returns {Promise<import("../approval/approval.js").Decision[]>}
 */
async function ask({ node, catalog, input, config, scope, isChanged }, jobs, kept) {
  const asker = scopeOf(config)?.task;
  const task = kept ? asker : undefined;
  /** @type {import("../approval/approval.js").Desk} */
  const desk = {
    catalog,
    interrupt: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
    verdictOf: (tool, bound) => verdictOf(catalog.policies[tool], bound, input),
    scope,
    ledger: Ledger.of(task),
    rules: node.rules,
    task: /** @type {import("../../run/tasks/task.js").Task} */ (task),
    isChanged,
  };
  const calls = jobs.map(({ bound }) => /** @type {BoundCall} */ (bound));
  if (calls.length === 1) return [await askPerson(desk, calls[0])];
  return askTogether(desk, calls, () => {
    if (asker !== undefined) rejectAnswer(asker.run, asker);
  });
}

/**
 * Applies a decision about the call as it is now, if this thread made it.
 * @param {Batch} batch
 * @param {Job} job
 * @param {import("../approval/approval.js").Decision} decision
 * @returns {Promise<boolean>}
 */
async function heed({ catalog, scope, ledger, config }, job, decision) {
  const bound = /** @type {BoundCall} */ (job.bound);
  const task = /** @type {import("../../run/tasks/task.js").Task} */ (scopeOf(config)?.task);
  if (
    ledger !== undefined &&
    !(await isDecided({
      ledger,
      task,
      id: bound.outcome.id,
      digest: decision.asked ?? decision.shown,
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

/** @param {import("../tool-calls/toolset.js").Outcome} outcome */
export function refusal({ status, text }) {
  if (status === ERR_TOOL_ARGUMENTS) return new ToolInputParsingException(text);
  return status === ERR_UNKNOWN_TOOL ? new Error(text) : makeError(ERR_TOOL_CALL, [text]);
}
