// SPDX-License-Identifier: MIT
// Answers the tool calls of the last AI message, as the engine judges them. This module answers one
// valid call; execute-calls.js handles several calls, decisions and failures. Does not depend on
// models or routers.
import {
  ERR_ARGUMENT,
  ERR_UNKNOWN_TOOL,
  INTENT_APPROVED,
  OK,
  PLAN_RAW,
  PLAN_TOOLS,
} from "../../base/codes.js";
import { refuseUnknown } from "../../base/check-arguments.js";
import { timeoutPolicy } from "../../base/constants.js";
import { isGraphInterrupt, makeError } from "../../base/errors.js";
import { StateGraph } from "../../graph/state-graph.js";
import { Runnable } from "../../runnable/runnable.js";
import { asTool } from "../../tools/function-tool.js";
import { FILL_ARGUMENTS, RENEW } from "../../tools/tool-result.js";
import { resumeInScope, scopeOf } from "../../base/ambient.js";
import { Ledger } from "../../run/tasks/ledger.js";
import { scopeName, wasAsked } from "../approval/asked-calls.js";
import { checkAborted, makeCallConfig, withAmbient } from "./call-config.js";
import { Catalogs, NO_TOOLS } from "../tool-calls/catalog.js";
import { callsIn } from "../tool-calls/open-calls.js";
import { planRepaired, tellRepairs } from "../tool-calls/repair-calls.js";
import { nextPlace } from "./subtask.js";
import { checkNodeOptions, optionOf } from "../tool-calls/tool-options.js";
import { combine } from "./combine-outputs.js";
import { answerAll, settle } from "./execute-calls.js";
import { runChanged, wrapped } from "./changed-calls.js";
import { DecidedCalls } from "./allowed-calls.js";
import { explained, hasFailed, succeeded } from "./tool-errors.js";
import { tryCall } from "./calls-with-policy.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("../../run/tasks/task.js").Task} Task */
/** @typedef {Omit<OpenCall, "reviewed" | "repaired">} PlainCall a call without marks */
/** @typedef {OpenCall & { id: string }} CallRequest the call that runs, as it was planned */
/** @typedef {import("../tool-calls/toolset.js").Outcome} Outcome */
/**
 * One call. `original`: the message's own, before a repair; `tool`: the planned tool, even if the
 * node's list changed since; `text`: the answer when it does not run; `failure`: error of reading
 * its arguments; `bound`: the call as it runs, if a tool of the node needs a decision; `answer`:
 * its result; `isUnknown`: the wrapper alone may know its tool.
 * @typedef {{ call: OpenCall, original: OpenCall, tool: ToolLike, outcome: Outcome, text:
 *   import("./tool-errors.js").Said | undefined, failure?: { error: unknown }, edited:
 *   { name?: string, args?: unknown } | undefined, bound?:
 *   import("../approval/bound-call.js").BoundCall, answer?: Promise<unknown>, hasRun?: boolean,
 *   isApproved?: boolean, isUnknown?: boolean }} Job
 */
/** @typedef {import("../tool-calls/catalog.js").Catalog} Catalog */
/**
 * The calls of one message. `scope`: identifies the message; `number`: its position among the
 * messages of this attempt; `isGuarded`: do calls need a decision; `isChanged`: by a wrapper.
 * @typedef {{ node: ToolNode, catalog: Catalog, input: unknown, config: Config | undefined, ledger:
 *   Ledger | undefined, message: Message | undefined, scope: string, number: number, isGuarded:
 *   boolean, isChanged?: boolean }} Batch
 */
/**
 * @typedef {{ toolCall: OpenCall, tool: ToolLike | undefined, state: unknown, runtime: unknown }}
 *   ToolCallRequest
 */
/**
 * @typedef {(request: ToolCallRequest, handler: (request?: ToolCallRequest) => Promise<unknown>) =>
 *   unknown} WrapToolCall
 */
/**
 * @typedef {{ name?: string, tags?: string[], handleToolErrors?:
 *   import("./tool-errors.js").HandleToolErrors, messagesKey?: string, approval?: unknown,
 *   wrapToolCall?: WrapToolCall, wrapUnknown?: boolean, onUnknown?: "ask" | "retry" | "fail",
 *   timeout?: import("../../types/base/common-types.js").TimeoutPolicy | number, retryPolicy?:
 *   unknown, approvals?: import("../../base/callable.js").Value, repair?:
 *   import("../tool-calls/repair-calls.js").RepairToolCall }} ToolNodeOptions
 */

const NAMES = [
  ...["name", "tags", "handleToolErrors", "messagesKey", "approval", "approvals", "repair"],
  ...["wrapToolCall", "wrapUnknown", "onUnknown", "timeout", "retryPolicy"],
];
/** Name under which a task counts its messages. */
const MESSAGES = "messages of tool calls";

export class ToolNode extends Runnable {
  lc_namespace = ["langgraph"];
  trace = false;
  #catalogs = new Catalogs();
  _decided = new DecidedCalls();
  /** Names of the tools of which no call runs without the mark of a review. @type {Set<string>} */
  _reviewed = new Set();

  /** @param {unknown} input @param {Config} [config] */
  func = (input, config) => this.run(input, config);

  /** @param {readonly unknown[]} tools @param {ToolNodeOptions} [options] */
  constructor(tools, options) {
    super();
    if (!Array.isArray(tools)) throw makeError(ERR_ARGUMENT, [NO_TOOLS]);
    options ??= {};
    checkNodeOptions(options, "new ToolNode(tools, options)");
    refuseUnknown(options, "new ToolNode", NAMES);
    this.tools = tools;
    this.name = options.name ?? "func";
    this.tags = options.tags ?? undefined;
    this.handleToolErrors = options.handleToolErrors ?? true;
    this.messagesKey = options.messagesKey ?? "messages";
    this.approval = options.approval;
    this.approvals = options.approvals?.mode ?? options.approvals;
    this.rules = options.approvals?.rules;
    this.repair = options.repair;
    this.wrapToolCall = options.wrapToolCall;
    this.wrapUnknown = options.wrapUnknown === true && options.wrapToolCall !== undefined;
    this.onUnknown = options.onUnknown;
    this.timeout = timeoutPolicy(options.timeout);
    this.retryPolicy = options.retryPolicy;
    void this._catalog;
  }

  /** @returns {import("../tool-calls/toolset.js").Toolset} */
  get toolset() {
    return this._catalog.toolset;
  }

  /** Catalog of the current tools; renewed after a change. @returns {Catalog} */
  get _catalog() {
    return this.#catalogs.of(this.tools.map(asTool), this.approval);
  }

  /**
   * @param {unknown} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {Config} [config]
   * @returns {Promise<unknown>}
   */
  invoke(input, config) {
    if (this.tags === undefined) return this.run(input, config);
    return this.run(input, { ...config, tags: [...this.tags, ...(config?.tags ?? [])] });
  }

  /**
   * @param {unknown} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {Config} [config]
   * @returns {Promise<unknown>}
   */
  async run(input, config) {
    const { message, calls } = callsIn(input, this.messagesKey);
    const { asks } = this._catalog;
    // For decisions, uses the enclosing node's config even if the caller did not pass it on.
    const isReview =
      this._reviewed.size > 0 || calls.some(({ reviewed }) => reviewed !== undefined);
    const own = asks || isReview ? withAmbient(config) : config;
    const scope = scopeOf(own);
    const isGuarded = asks || isReview || calls.some(({ id, name }) => wasAsked(scope, id, name));
    if (isGuarded) await Promise.all(this.tools.map((tool) => tool[RENEW]?.(calls, scope)));
    const catalog = this._catalog;
    const words = isGuarded ? scopeName(message, own) : (message?.id ?? "");
    const planned = this._plan(catalog, calls, words);
    const jobs =
      this.repair === undefined
        ? planned
        : await planRepaired(this, planned, catalog, words, message);
    const ledger = Ledger.of(scope?.task);
    const [job] = jobs;
    const number = scope?.task.run.thread === undefined ? 0 : nextPlace(scope.task, MESSAGES);
    const batch = {
      node: this,
      catalog,
      input,
      config: own,
      ledger,
      message,
      scope: words,
      number,
      isGuarded,
    };
    if (jobs.length !== 1 || job.text !== undefined || job.outcome.reassigned || isGuarded) {
      const all = () => answerAll(batch, jobs);
      const answer = isGuarded ? () => this._decided.guard(own, all) : all;
      return scope === undefined ? answer() : resumeInScope(scope, answer, undefined);
    }
    const output = tellRepairs(await this._answer(job, batch, scope?.task), job.call);
    return combine([output], input, this.messagesKey);
  }

  /**
   * Plans the calls in the engine.
   * @param {Catalog} catalog
   * @param {OpenCall[]} calls
   * @param {string} scope identifies the message
   * @returns {Job[]}
   */
  _plan({ toolset }, calls, scope) {
    if (calls.length === 0) return [];
    const outcomes = toolset.plan(
      calls,
      this.handleToolErrors === true ? PLAN_TOOLS : PLAN_RAW,
      scope,
    );
    return outcomes.map((outcome, index) => ({
      call: calls[index],
      original: calls[index],
      tool: toolset.tools[outcome.tool],
      outcome,
      text: outcome.status === OK || this.#wraps(outcome) ? undefined : outcome.text,
      edited: undefined,
      isUnknown: this.#wraps(outcome),
    }));
  }

  /** Does the wrapper get a call of an unknown tool? @param {Outcome} outcome */
  #wraps({ status }) {
    return status === ERR_UNKNOWN_TOOL && this.wrapUnknown;
  }

  /**
   * Answers one valid call.
   * @param {Job} job
   * @param {Batch} batch
   * @param {Task | undefined} task task that the call belongs to
   * @returns {Promise<unknown>} a message or a Command
   */
  _answer(job, batch, task) {
    const { call, outcome, tool, bound } = job;
    const { ledger } = batch;
    if (job.isUnknown) return wrapped(job, { ...call, id: outcome.id, type: "tool_call" }, batch);
    // Passes the message's own arguments if the engine did not change them: hooks may edit them in
    // place.
    const args = outcome.isGiven ? call.args : outcome.args;
    const request =
      bound === undefined
        ? { ...call, name: tool.name, args, id: outcome.id, type: "tool_call" }
        : this._decided.requestOf(job, batch.config);
    return ledger === undefined && this.wrapToolCall === undefined
      ? this.runTool(request, batch.config, batch.input)
      : this.#begin(job, request, batch, task);
  }

  /**
   * @param {Job} job
   * @param {CallRequest} request
   * @param {Batch} batch
   * @param {Task | undefined} task
   */
  async #begin(job, request, batch, task) {
    const { ledger, config, input } = batch;
    if (ledger !== undefined && task !== undefined) {
      const { id } = request;
      const found = ledger.unknown(task, id) ? await settle(job, request, batch, task) : undefined;
      if (found !== undefined) return found;
      await ledger.tell(task, id, job.isApproved === true ? INTENT_APPROVED : 0);
    }
    return this.wrapToolCall === undefined
      ? this.runTool(request, config, input)
      : wrapped(job, request, batch);
  }

  /**
   * Runs one valid call. Subclasses may override it; if a tool of the node needs decisions, a call
   * that nobody decided about is planned and decided about like a model's.
   * @param {PlainCall} call with its name, id and arguments
   * @param {Config | undefined} config the node's
   * @param {unknown} state the node's input
   * @returns {Promise<unknown>} a message or a Command
   */
  async runTool(call, config, state) {
    const decided = this._decided.of(config);
    if (decided === undefined && !this._catalog.asks)
      return this.#invoke(undefined, call, config, state);
    const job = decided?.find(({ bound }) => bound?.isSame(call));
    return job === undefined
      ? runChanged(this, call, config, state)
      : this._runDecided(job, config, state);
  }

  /**
   * Runs an allowed call. One decision allows one run; a failed call may be tried again.
   * @param {Job} job
   * @param {Config | undefined} config
   * @param {unknown} state
   */
  _runDecided(job, config, state) {
    job.hasRun = true;
    const answer =
      job.answer ??
      this.#invoke(job, /** @type {CallRequest} */ (job.bound?.request), config, state);
    job.answer = answer;
    const drop = () => void (job.answer = undefined);
    answer.then((output) => hasFailed(output) && drop(), drop);
    return answer;
  }

  /**
   * @param {Job | undefined} job
   * @param {PlainCall} call
   * @param {Config | undefined} config
   * @param {unknown} state
   */
  async #invoke(job, call, config, state) {
    const bound = job?.bound;
    const tool = /** @type {ToolLike} */ (job?.tool ?? this.#find(call));
    const prepare = (/** @type {Config | undefined} */ own) =>
      this.#prepare(tool, bound, bound?.request ?? call, own, state);
    const first = prepare(config);
    try {
      checkAborted(config);
      // Each attempt of an approved call gets its own copy of the arguments.
      const output = await this.#attempt(tool, config, (own) => {
        const [request, runtime] =
          own === config
            ? first
            : bound === undefined
              ? [first[0], this.#runtimeOf(tool, first[0], own, state)]
              : prepare(own);
        return bound === undefined
          ? tool.invoke(request, runtime)
          : bound.callee.invoke(bound.handOver(request), runtime);
      });
      return succeeded(output, tool.name, call.id);
    } catch (error) {
      if (isGraphInterrupt(error)) throw error;
      return explained(this.handleToolErrors, error, call, tool.name);
    }
  }

  /**
   * Returns the call with the arguments that the host fills in, and the tool's config.
   * @param {ToolLike} tool
   * @param {unknown} bound
   * @param {PlainCall} call
   * @param {Config | undefined} config
   * @param {unknown} state
   * @returns {[OpenCall, unknown]}
   */
  #prepare(tool, bound, call, config, state) {
    const runtime = this.#runtimeOf(tool, call, config, state);
    if (typeof tool[FILL_ARGUMENTS] !== "function") return [call, runtime];
    const from = { state, runtime, messagesKey: this.messagesKey };
    const request =
      bound === undefined
        ? this.injectToolArgs(call, state, runtime)
        : { ...call, args: tool[FILL_ARGUMENTS](call.args, from) };
    return request === call
      ? [call, runtime]
      : [request, this.#runtimeOf(tool, request, config, state)];
  }

  /**
   * @param {ToolLike} tool
   * @param {PlainCall} call
   * @param {Config | undefined} config
   * @param {unknown} state
   */
  #runtimeOf(tool, call, config, state) {
    // LangChain's tools add the call themselves.
    const isOther = tool.lc_runnable === true && typeof tool[FILL_ARGUMENTS] !== "function";
    return makeCallConfig(config, call, state, optionOf(tool, "idempotencyKey"), isOther);
  }

  /**
   * @param {ToolLike} tool
   * @param {Config | undefined} config the node's
   * @param {(config: Config | undefined) => unknown} work
   */
  #attempt(tool, config, work) {
    const timeout = optionOf(tool, "timeout") ?? this.timeout;
    const retryPolicy = optionOf(tool, "retryPolicy") ?? this.retryPolicy;
    return timeout === undefined && retryPolicy === undefined
      ? work(config)
      : tryCall(tool.name, { timeout, retryPolicy }, config, work, StateGraph);
  }

  /** @param {PlainCall} call @returns {ToolLike | undefined} */
  #find(call) {
    return this.toolset.tools.find(({ name }) => name === call.name);
  }

  /**
   * Returns the call with the arguments that the host fills in.
   * @param {PlainCall} call
   * @param {unknown} state
   * @param {unknown} [runtime] a config with the store
   */
  injectToolArgs(call, state, runtime) {
    const args = this.#find(call)?.[FILL_ARGUMENTS]?.(call.args, {
      state,
      runtime: runtime ?? {},
      messagesKey: this.messagesKey,
    });
    return args === undefined || args === call.args ? call : { ...call, args };
  }
}
