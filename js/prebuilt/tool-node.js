// SPDX-License-Identifier: MIT
// Knows: the node that answers the tool calls of the last AI message, judged by the engine. One good call is answered here;
// several, and what needs a person or goes wrong, by answers.js. Must not know models or routers.
import { ERR_ARGUMENT, OK, PLAN_RAW, PLAN_TOOLS } from "../engine/codes.js";
import { isCommand, timeoutPolicy } from "../constants.js";
import { isGraphInterrupt, makeError } from "../errors.js";
import { StateGraph } from "../graph/state-graph.js";
import { Runnable } from "../runnable/runnable.js";
import { ToolMessage, isBaseMessage } from "../messages/index.js";
import { ENGINE_SCHEMA, FILL_ARGUMENTS, messageContent } from "../tools/result.js";
import { resumeInScope, scopeOf } from "../pregel/ambient.js";
import { Ledger } from "../run/ledger.js";
import { RARE } from "../later.js";
import { checkAborted, makeCallConfig } from "./call-config.js";
import { messagesIn, openCalls } from "./calls.js";
import { Toolset, complete } from "./toolset.js";

/** @typedef {import("./toolset.js").Outcome} Outcome */
/** @typedef {{ call: any, outcome: Outcome, text: string | undefined, edited: any }} Job `text`: what is said instead of running */
/** @typedef {{ toolCall: any, tool: any, state: any, runtime: any }} ToolCallRequest */
/** @typedef {(request: ToolCallRequest, handler: (request?: ToolCallRequest) => Promise<any>) => any} WrapToolCall */
/** @typedef {{ name?: string, tags?: string[], handleToolErrors?: import("./tool-errors.js").HandleToolErrors, messagesKey?: string, approval?: any, wrapToolCall?: WrapToolCall, onUnknown?: "ask" | "retry" | "fail", timeout?: any, retryPolicy?: any }} ToolNodeOptions */

const NO_TOOLS = "tools have name and invoke()";

export class ToolNode extends Runnable {
  lc_namespace = ["langgraph"];
  trace = false;
  /** As the engine knows them. @type {readonly any[]} */
  #described = [];
  /** @type {any} */
  #toolset;

  /** @param {any} input @param {any} [config] */
  func = (input, config) => this.run(input, config);

  /** @param {readonly any[]} tools @param {ToolNodeOptions} [options] */
  constructor(tools, options) {
    super();
    if (!Array.isArray(tools)) throw makeError(ERR_ARGUMENT, [NO_TOOLS]);
    options ??= {};
    this.tools = tools;
    this.name = options.name ?? "func";
    this.tags = options.tags;
    this.handleToolErrors = options.handleToolErrors ?? true;
    this.messagesKey = options.messagesKey ?? "messages";
    this.approval = options.approval;
    this.wrapToolCall = options.wrapToolCall;
    this.onUnknown = options.onUnknown;
    this.timeout = timeoutPolicy(options.timeout);
    this.retryPolicy = options.retryPolicy;
    void this.toolset;
  }

  /** Of its tools, also when somebody has changed them. @returns {Toolset} */
  get toolset() {
    const { tools } = this;
    if (this.#toolset === undefined || tools.length !== this.#described.length || tools.some((tool, index) => tool !== this.#described[index])) {
      this.#described = [...tools];
      this.#toolset = new Toolset(tools.map((tool) => this.#describe(tool)));
    }
    return this.#toolset;
  }

  /** @param {any} tool */
  #describe(tool) {
    if (typeof tool?.name !== "string" || typeof tool.invoke !== "function") throw makeError(ERR_ARGUMENT, [NO_TOOLS]);
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
    return this.run(input, this.tags === undefined ? config : { ...config, tags: [...this.tags, ...(config?.tags ?? [])] });
  }

  /**
   * @param {any} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {any} [config]
   * @returns {Promise<any>}
   */
  async run(input, config) {
    const { message, calls } = this.#open(input);
    const scope = scopeOf(config);
    if (this.toolset.isLacking(calls, this.wrapToolCall !== undefined || this.#asks)) {
      await complete();
      const again = () => this.run(input, config);
      return scope === undefined ? again() : resumeInScope(scope, again, undefined);
    }
    const words = this.#scopeOf(message, config);
    const jobs = this._plan(calls, words);
    const ledger = Ledger.of(scope?.task);
    const [job] = jobs;
    if (jobs.length !== 1 || job.text !== undefined || job.outcome.reassigned || this.#asks) {
      const { answerAll } = RARE.now ?? (await RARE.get());
      const answer = () => answerAll(this, jobs, message, input, config, ledger, this.#asks ? words : undefined);
      return scope === undefined ? answer() : resumeInScope(scope, answer, undefined);
    }
    const output = await this._answer(job, input, config, ledger, scope?.task, message);
    await undefined; // the turn that several calls take to come together: who calls beside it counts on the order
    return Array.isArray(input) || isCommand(output) ? [output] : { [this.messagesKey]: [output] };
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

  /** As the engine judges them. @param {any[]} calls @param {string} scope @returns {Job[]} */
  _plan(calls, scope) {
    if (calls.length === 0) return [];
    const outcomes = this.toolset.plan(calls, this.handleToolErrors === true ? PLAN_TOOLS : PLAN_RAW, scope);
    return outcomes.map((outcome, index) => ({ call: calls[index], outcome, text: outcome.status === OK ? undefined : outcome.text, edited: undefined }));
  }

  /**
   * One call that is to run.
   * @param {Job} job @param {any} input @param {any} config
   * @param {Ledger | undefined} ledger @param {any} task whose part the call is @param {any} message
   * @returns {Promise<any>} a message or a Command
   */
  _answer({ call, outcome }, input, config, ledger, task, message) {
    const tool = this.tools[outcome.tool];
    // The message's own arguments, where the engine changed nothing about them: hooks may edit them in place.
    const args = outcome.isGiven && !this.#asks ? call.args : outcome.args;
    const request = { ...call, name: tool.name, args, id: outcome.id, type: "tool_call" };
    return ledger === undefined && this.wrapToolCall === undefined ? this.runTool(request, config, input) : this.#begin(tool, request, input, config, outcome, ledger, task, message);
  }

  /** @param {any} tool @param {any} request @param {any} input @param {any} config @param {Outcome} outcome @param {Ledger | undefined} ledger @param {any} task @param {any} message */
  async #begin(tool, request, input, config, outcome, ledger, task, message) {
    if (ledger !== undefined) {
      const { id } = request;
      const found = ledger.unknown(task, id) ? await (await RARE.get()).settle(this, tool, request, input, config, { ledger, task, message }) : undefined;
      if (found !== undefined) return found;
      await ledger.tell(task, id);
    }
    return this.wrapToolCall === undefined ? this.runTool(request, config, input) : (RARE.now ?? (await RARE.get())).wrapped(this, tool, request, input, config, outcome, ledger !== undefined);
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
      return new ToolMessage({ content: messageContent(output), name: tool.name, tool_call_id: call.id, status: "success" });
    } catch (error) {
      if (isGraphInterrupt(error)) throw error;
      return (RARE.now ?? (await RARE.get())).explained(this.handleToolErrors, error, call, tool.name);
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
    return (await RARE.get()).tryCall(tool, this, config, work, StateGraph);
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
}
