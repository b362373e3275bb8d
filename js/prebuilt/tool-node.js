// SPDX-License-Identifier: MIT
// Knows: the node that answers the tool calls of the last AI message: judged by the engine, approved by a person where
// a tool wants it, run at the same time. No tool starts before every decision is there. Must not know models or routers.
import {
  ERR_APPROVAL, ERR_ARGUMENT, ERR_TOOL_ARGUMENTS, ERR_TOOL_CALL, ERR_UNKNOWN_TOOL, OK, PLAN_RAW, PLAN_TOOLS,
} from "../engine/codes.js";
import { PARENT, Command, isCommand, isSend, timeoutPolicy } from "../constants.js";
import { makeError } from "../errors.js";
import { Runnable } from "../runnable/runnable.js";
import { ToolMessage, isBaseMessage } from "../messages/index.js";
import { interrupt } from "../pregel/interrupt.js";
import { ENGINE_SCHEMA, FILL_ARGUMENTS, ToolInputParsingException, messageContent } from "../tools/result.js";
import { scopeOf } from "../pregel/ambient.js";
import { Ledger } from "../run/ledger.js";
import { PARTS, doAll } from "./together.js";
import { asCaller, checkAborted, makeCallConfig } from "./call-config.js";
import { messagesIn, openCalls, withCalls } from "./calls.js";
import { joinHandoff } from "./handoff.js";
import { explainError } from "./tool-errors.js";
import { Toolset } from "./toolset.js";

/** @typedef {import("./toolset.js").Outcome} Outcome */
/** @typedef {{ call: any, outcome: Outcome, text: string | undefined, edited: any }} Job `text`: what is said instead of running */
/** @typedef {{ toolCall: any, tool: any, state: any, runtime: any }} ToolCallRequest */
/** @typedef {(request: ToolCallRequest, handler: (request?: ToolCallRequest) => Promise<any>) => any} WrapToolCall */
/** @typedef {{ name?: string, tags?: string[], handleToolErrors?: import("./tool-errors.js").HandleToolErrors, messagesKey?: string, approval?: any, wrapToolCall?: WrapToolCall, onUnknown?: "ask" | "retry" | "fail", timeout?: any, retryPolicy?: any }} ToolNodeOptions */

export class ToolNode extends Runnable {
  lc_namespace = ["langgraph"];
  trace = false;

  /** @param {readonly any[]} tools @param {ToolNodeOptions} [options] */
  constructor(tools, options) {
    super();
    if (!Array.isArray(tools)) throw makeError(ERR_ARGUMENT, ["ToolNode takes a list of tools"]);
    this.tools = tools;
    this.name = options?.name ?? "func";
    this.tags = options?.tags;
    this.handleToolErrors = options?.handleToolErrors ?? true;
    this.messagesKey = options?.messagesKey ?? "messages";
    this.approval = options?.approval;
    this.wrapToolCall = options?.wrapToolCall;
    this.onUnknown = options?.onUnknown;
    this.timeout = timeoutPolicy(options?.timeout);
    this.retryPolicy = options?.retryPolicy;
    this.toolset = new Toolset(tools.map((tool) => this.#describe(tool)));
  }

  /** @param {any} tool */
  #describe(tool) {
    if (typeof tool?.name !== "string" || typeof tool.invoke !== "function") throw makeError(ERR_ARGUMENT, ["a tool of a ToolNode needs a name and invoke()"]);
    const policy = tool.approval ?? this.approval ?? "auto";
    return {
      name: tool.name,
      schema: tool[ENGINE_SCHEMA]?.() ?? null,
      digest: policy !== "auto",
      description: tool.description,
      approval: typeof policy === "function" ? "function" : policy,
    };
  }

  /**
   * @param {any} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {any} [config]
   * @returns {Promise<any>}
   */
  invoke(input, config) {
    return this.run(input, config);
  }

  /**
   * @param {any} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {any} [config]
   * @returns {Promise<any>}
   */
  async run(input, config) {
    const { message, calls } = this.#open(input);
    const words = this.#scopeOf(message, config);
    const planned = this.#plan(calls, words);
    const jobs = Array.isArray(planned) ? planned : await planned;
    const scope = scopeOf(config);
    const ledger = Ledger.of(scope?.task);
    if (this.#asks) await this.#decide(jobs, input, config, ledger === undefined ? undefined : scope, words);
    // Several calls are tasks of their own: what one did stays done whatever becomes of the others.
    const apart = ledger === undefined || jobs.length < 2 || scope === undefined ? undefined : { scope, nameOf: (/** @type {Job} */ { call }) => String(call.name) };
    const outputs = await doAll(jobs, (job, own) => this.#answer(job, input, own === undefined ? config : asCaller(config, own), ledger, (scopeOf(own) ?? scope)?.task, message), apart, jobs.length > 1 ? config?.maxConcurrency : undefined);
    const repaired = Array.isArray(input) ? undefined : repair(message, jobs);
    const joined = joinHandoff(outputs);
    return this.#combine(repaired === undefined ? joined : [repaired, ...joined], input);
  }

  /** @param {any} input @returns {{ message: any, calls: any[] }} */
  #open(input) {
    if (input !== null && typeof input === "object" && "lg_tool_call" in input) return { message: input[this.messagesKey]?.at(-1), calls: [input.lg_tool_call] };
    return openCalls(messagesIn(input, this.messagesKey));
  }

  /** Does any tool want a decision? */
  get #asks() {
    return this.tools.some((tool) => (tool.approval ?? this.approval ?? "auto") !== "auto");
  }

  // A decision is about a call of this thread and this task, whose id comes from its checkpoint.
  /** @param {any} message @param {any} config */
  #scopeOf(message, config) {
    const id = message?.id ?? "";
    if (config === undefined || !this.#asks) return id;
    return `${config.configurable?.thread_id ?? ""}\n${config.executionInfo?.taskId ?? ""}\n${id}`;
  }

  /** @param {any[]} calls @param {string} scope @returns {Job[] | Promise<Job[]>} */
  #plan(calls, scope) {
    if (calls.length === 0) return [];
    const how = this.handleToolErrors;
    const outcomes = this.toolset.plan(calls, how === true ? PLAN_TOOLS : PLAN_RAW, scope);
    const jobs = outcomes.map((outcome, index) => ({ call: calls[index], outcome, text: outcome.status === OK ? undefined : outcome.text, edited: undefined }));
    return how === true || jobs.every(({ text }) => text === undefined) ? jobs : this.#explainAll(jobs);
  }

  /** @param {Job[]} jobs */
  async #explainAll(jobs) {
    for (const job of jobs) if (job.text !== undefined) job.text = await this.#explain(refusal(job.outcome), job.call);
    return jobs;
  }

  /** What the model is told of a failure, or the failure is thrown. @param {any} error @param {any} call @returns {Promise<any>} */
  async #explain(error, call) {
    const said = await explainError(this.handleToolErrors, error, call);
    if (said === undefined) throw error;
    return said;
  }

  /** @param {Job[]} jobs @param {any} input @param {any} config @param {any} scope where several questions may be asked at once @param {string} words */
  async #decide(jobs, input, config, scope, words) {
    const asked = [];
    for (const job of jobs) {
      const tool = this.tools[job.outcome.tool];
      if (job.text !== undefined || (tool.approval ?? this.approval ?? "auto") === "auto") continue;
      const policy = await this.#policyOf(tool, job.outcome.args, input);
      if (policy === "deny") job.text = (await PARTS.get()).denial(tool.name);
      else if (policy === "ask") asked.push(job);
      else if (policy !== "auto") throw makeError(ERR_APPROVAL, [tool.name, `its policy is ${String(policy)}, not auto, ask or deny`]);
    }
    if (scope === undefined || asked.length < 2) {
      for (const job of asked) this.#heed(job, await this.#ask(job, input, config, scope !== undefined, words));
      return;
    }
    const decisions = await doAll(asked, (job, own) => this.#ask(job, input, own, true, words), { scope, nameOf: () => "approval" });
    asked.forEach((job, index) => this.#heed(job, decisions[index]));
  }

  /** @param {any} tool @param {any} args @param {any} state */
  #policyOf(tool, args, state) {
    const policy = tool.approval ?? this.approval ?? "auto";
    return typeof policy === "function" ? policy(args, state) : policy;
  }

  /** @param {Job} job @param {any} input @param {any} config @param {boolean} kept @param {string} words that name the message @returns {Promise<import("./approval.js").Decision>} */
  async #ask(job, input, config, kept, words) {
    const task = kept ? scopeOf(config)?.task : undefined;
    const desk = {
      toolset: this.toolset,
      tools: this.tools,
      interrupt: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
      policyOf: (/** @type {any} */ other, /** @type {any} */ args) => this.#policyOf(other, args, input),
      scope: words,
      ledger: Ledger.of(task),
      task,
    };
    return (await PARTS.get()).askPerson(desk, this.tools[job.outcome.tool], job.outcome);
  }

  /** @param {Job} job @param {import("./approval.js").Decision} decision */
  #heed(job, decision) {
    if (decision.run) Object.assign(job, { outcome: decision.outcome, edited: decision.edited });
    else job.text = decision.text;
  }

  /**
   * @param {Job} job @param {any} input @param {any} config
   * @param {Ledger | undefined} ledger @param {any} task whose part the call is @param {any} message
   * @returns {Promise<any>} a message or a Command
   */
  async #answer({ call, outcome, text }, input, config, ledger, task, message) {
    const { id } = outcome;
    if (text !== undefined) return failed(text, call.name ?? "", id);
    const tool = this.tools[outcome.tool];
    const request = { ...call, name: tool.name, args: outcome.args, id, type: "tool_call" };
    if (ledger !== undefined) {
      const found = ledger.isUnknown(task, id) ? await this.#settle(tool, request, input, config, { ledger, task, message }) : undefined;
      if (found !== undefined) return found;
      await ledger.tell(task, id);
    }
    return this.wrapToolCall === undefined ? this.runTool(request, config, input) : this.#wrapped(this.wrapToolCall, tool, request, input, config, outcome);
  }

  /** @param {WrapToolCall} wrap @param {any} tool @param {any} request @param {any} input @param {any} config @param {Outcome} outcome */
  async #wrapped(wrap, tool, request, input, config, outcome) {
    const given = { toolCall: request, tool, state: input, runtime: makeCallConfig(config, request, input, tool.idempotencyKey) };
    try {
      return await wrap(given, ({ toolCall } = given) => (toolCall === request ? this.runTool(request, config, input) : this.#rerun(toolCall, config, input, outcome)));
    } catch (error) {
      return failed(await this.#explain(error, request), tool.name, request.id);
    }
  }

  /** A call whose fate nobody knows: its answer, or undefined when it is to run. @param {any} tool @param {any} call @param {any} input @param {any} config @param {any} desk */
  async #settle(tool, call, input, config, desk) {
    const settled = await (await PARTS.get()).settleUnknown({ tool, call, config: makeCallConfig(config, call, input, tool.idempotencyKey), interrupt: config.interrupt, onUnknown: this.onUnknown, toolset: this.toolset, ...desk });
    if (settled.run) return undefined;
    if (settled.failed) return failed(settled.content, tool.name, call.id);
    return new ToolMessage({ content: messageContent(settled.content), name: tool.name, tool_call_id: call.id, status: "success" });
  }

  // A call that was changed is judged like a model's; what nobody approved as it is now does not run.
  /** @param {any} call @param {any} config @param {any} input @param {Outcome} before as it was */
  async #rerun(call, config, input, before) {
    const [{ outcome, text }] = await this.#plan([call], "");
    if (text !== undefined) return failed(text, call.name ?? "", outcome.id);
    const isSame = outcome.tool === before.tool && outcome.canonical === before.canonical;
    const policy = isSame ? "auto" : await this.#policyOf(this.tools[outcome.tool], outcome.args, input);
    if (policy !== "auto") return failed((await PARTS.get()).denial(call.name, policy), call.name, outcome.id);
    return this.runTool({ ...call, args: outcome.args, id: outcome.id, type: "tool_call" }, config, input);
  }

  /**
   * Runs one call that was found good. May be overridden.
   * @param {any} call with its name, id and arguments
   * @param {any} config the node's
   * @param {any} state the node's input
   * @returns {Promise<any>} a message or a Command
   */
  async runTool(call, config, state) {
    const tool = this.tools.find(({ name }) => name === call.name);
    const runtime = makeCallConfig(config, call, state, tool.idempotencyKey);
    const request = typeof tool[FILL_ARGUMENTS] === "function" ? this.injectToolArgs(call, state, runtime) : call;
    try {
      checkAborted(config);
      const output = await this.#call(tool, request, config, state, request === call ? runtime : undefined);
      if (isBaseMessage(output) || isCommand(output)) return output;
      return new ToolMessage({ content: messageContent(output), name: tool.name, tool_call_id: call.id });
    } catch (error) {
      return failed(await this.#explain(error, call), tool.name, call.id);
    }
  }

  /** @param {any} tool @param {any} call @param {any} config @param {any} state @param {any} runtime the call's config, if it was made */
  #call(tool, call, config, state, runtime) {
    const { timeout = this.timeout, retryPolicy = this.retryPolicy } = tool;
    if (timeout === undefined && retryPolicy === undefined) return tool.invoke(call, runtime ?? makeCallConfig(config, call, state, tool.idempotencyKey));
    return this.#try(tool, config, (own) => tool.invoke(call, makeCallConfig(own, call, state, tool.idempotencyKey)));
  }

  /** @param {any} tool @param {any} config @param {(config: any) => any} work */
  async #try(tool, config, work) {
    return (await PARTS.get()).tryCall(tool, this, config, work);
  }

  /**
   * The call with the arguments that the host fills in.
   * @param {any} call @param {any} state @param {any} [runtime] a config with the store
   */
  injectToolArgs(call, state, runtime) {
    const tool = this.tools.find(({ name }) => name === call.name);
    const args = tool?.[FILL_ARGUMENTS]?.(call.args, { state, runtime: runtime ?? {}, messagesKey: this.messagesKey });
    return args === undefined || args === call.args ? call : { ...call, args };
  }

  /** @param {any[]} outputs messages and Commands @param {any} input */
  #combine(outputs, input) {
    const wrap = (/** @type {any[]} */ messages) => (Array.isArray(input) ? messages : { [this.messagesKey]: messages });
    if (!outputs.some(isCommand)) return wrap(outputs);
    /** @type {any[]} */
    const parts = [];
    /** @type {any[]} */
    const sends = [];
    for (const output of outputs) {
      if (!isCommand(output)) parts.push(wrap([output]));
      else if (isParentSends(output)) sends.push(...output.goto);
      else parts.push(output);
    }
    if (sends.length > 0) parts.push(new Command({ graph: PARENT, goto: sends }));
    return parts;
  }
}

/** @param {any} content @param {string} name @param {string} id */
function failed(content, name, id) {
  return new ToolMessage({ content, name, tool_call_id: id, status: "error" });
}

/** Several of these become one Command. @param {any} command */
function isParentSends({ graph, goto, update }) {
  return graph === PARENT && update === undefined && Array.isArray(goto) && goto.length > 0 && goto.every(isSend);
}

/** The message as it must stand in the conversation, when a call got another id or was edited. @param {any} message @param {Job[]} jobs */
function repair(message, jobs) {
  const changed = jobs.filter(({ outcome, edited }) => outcome.reassigned || edited !== undefined);
  if (changed.length === 0 || message?.id === undefined) return undefined;
  return withCalls(message, new Map(changed.map(({ call, outcome, edited }) => [call, { id: outcome.id, ...edited }])));
}

/** @param {Outcome} outcome */
function refusal({ status, text }) {
  if (status === ERR_TOOL_ARGUMENTS) return new ToolInputParsingException(text);
  return status === ERR_UNKNOWN_TOOL ? new Error(text) : makeError(ERR_TOOL_CALL, [text]);
}
