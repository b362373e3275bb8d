// SPDX-License-Identifier: MIT
// Answers several tool calls of a message, and calls that need a decision or failed.
import { runInScope, scopeOf } from "../../base/ambient.js";
import { asCaller } from "./subtask.js";
import { makeCallConfig } from "./call-config.js";
import { withCalls } from "../tool-calls/edited-calls.js";
import { tellRepairs } from "../tool-calls/repair-calls.js";
import { joinHandoff } from "./handoff.js";
import { doAll } from "./parallel.js";
import { explain, explained, failed, succeeded } from "./tool-errors.js";
import { optionOf } from "../tool-calls/tool-options.js";
import { notKnown, settleUnknown } from "./in-flight-calls.js";
import { combine } from "./combine-outputs.js";
import { MOST_CALLS, decideAll, refusal } from "./decide-calls.js";

/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("./tool-node.js").ToolNode} ToolNode */
/** @typedef {import("./tool-node.js").Job} Job */
/** @typedef {import("./tool-node.js").CallRequest} CallRequest */
/** @typedef {import("../../run/tasks/task.js").Task} Task */
/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("./tool-node.js").Batch} Batch */

/**
 * Decides about the calls, runs them and combines their outputs.
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
  const isKept = ledger !== undefined || (batch.isGuarded && scope?.task.run.thread !== undefined);
  await decideAll(batch, jobs, isKept ? scope : undefined, before);
  // Several calls become separate tasks, so that a finished call stays finished whatever happens to
  // the others. An approved call does too: it does not run again under that approval when its node
  // does. So does a denied call: it may have run under an earlier approval when the process died,
  // and the ledger of its task says so.
  const isOne =
    jobs.length < 2 &&
    !jobs.some(({ isApproved, text }) => isApproved || (text !== undefined && batch.isGuarded));
  const apart =
    !isKept || isOne || scope === undefined
      ? undefined
      : {
          scope,
          nameOf: (/** @type {Job} */ { call }) => String(call.name),
          placeOf: (/** @type {Job} */ job) => before + jobs.indexOf(job),
        };
  const work = async (/** @type {Job} */ job, /** @type {Config | undefined} */ own) => {
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
      const part = asCaller(/** @type {Config} */ (config), own);
      return runInScope(/** @type {import("../../base/ambient.js").Scope} */ (scopeOf(part)), () =>
        node._answer(job, { ...batch, config: part }, task),
      );
    }
    // A denied call may have run before the process died: then nobody can say that it did not.
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
    async (job, own) => tellRepairs(await work(job, own), job.call),
    apart,
    jobs.length > 1 ? config?.maxConcurrency : undefined,
  );
  const changed = Array.isArray(input) ? undefined : changedMessage(message, jobs);
  const joined = joinHandoff(outputs);
  return combine(changed === undefined ? joined : [changed, ...joined], input, node.messagesKey);
}

/**
 * Settles a call with an unknown outcome.
 * @param {Job} job
 * @param {CallRequest} call
 * @param {Batch} batch
 * @param {Task} task
 * @returns its answer; undefined when the call must run
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
    interrupt: config?.interrupt,
    onUnknown: node.onUnknown,
    toolset: catalog.toolset,
    ledger: /** @type {import("../../run/tasks/ledger.js").Ledger} */ (ledger),
    task,
    message,
    rules: node.rules,
  });
  if (settled.run) return undefined;
  if (settled.failed) return failed(/** @type {string} */ (settled.content), tool.name, call.id);
  return succeeded(settled.content, tool.name, call.id);
}

/**
 * Copies the message with the assigned ids and edits of its calls.
 * @param {Message | undefined} message
 * @param {Job[]} jobs
 */
function changedMessage(message, jobs) {
  const changed = jobs.filter(({ outcome, edited }) => outcome.reassigned || edited !== undefined);
  if (changed.length === 0 || message?.id === undefined) return undefined;
  return withCalls(
    message,
    new Map(
      changed.map(({ original, outcome, edited }) => [original, { id: outcome.id, ...edited }]),
    ),
  );
}
