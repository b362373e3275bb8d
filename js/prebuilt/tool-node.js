// SPDX-License-Identifier: MIT
// Knows: the node that answers the tool calls of the last AI message: judged by the engine, approved by a person where
// a tool wants it, run at the same time. No tool starts before every decision is there. Must not know models or routers.
import {
  ERR_APPROVAL, ERR_ARGUMENT, ERR_TOOL_ARGUMENTS, ERR_TOOL_CALL, ERR_UNKNOWN_TOOL, OK, PLAN_RAW, PLAN_TOOLS,
} from "../engine/codes.js";
import { PARENT, Command, isCommand, isSend } from "../constants.js";
import { isGraphBubbleUp, isGraphInterrupt, makeError } from "../errors.js";
import { pipe } from "../runnable/runnable.js";
import { ToolMessage, isBaseMessage } from "../messages/index.js";
import { interrupt } from "../pregel/interrupt.js";
import { ENGINE_SCHEMA, ToolInputParsingException, messageContent } from "../tools/result.js";
import { askPerson, denial } from "./approval.js";
import { makeCallConfig } from "./call-config.js";
import { messagesIn, openCalls, withCalls } from "./calls.js";
import { Toolset } from "./toolset.js";

/** @typedef {import("./toolset.js").Outcome} Outcome */
/** @typedef {{ call: any, outcome: Outcome, text: string | undefined, edited: any }} Job `text`: what is said instead of running */
/** @typedef {{ name?: string, tags?: string[], handleToolErrors?: boolean, messagesKey?: string, approval?: any }} ToolNodeOptions */

const SUFFIX = "\n Please fix your mistakes.";

export class ToolNode {
  lc_runnable = true;
  lc_namespace = ["langgraph"];
  trace = false;

  /** @param {readonly any[]} tools @param {ToolNodeOptions} [options] */
  constructor(tools, options) {
    if (!Array.isArray(tools)) throw makeError(ERR_ARGUMENT, ["ToolNode takes a list of tools"]);
    this.tools = tools;
    this.name = options?.name ?? "func";
    this.tags = options?.tags;
    this.handleToolErrors = options?.handleToolErrors ?? true;
    this.messagesKey = options?.messagesKey ?? "messages";
    this.approval = options?.approval;
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

  getName() {
    return this.name;
  }

  /**
   * @param {any} input a state, a list of messages, or `{ lg_tool_call }`
   * @param {any} [config]
   * @returns {Promise<any>}
   */
  async invoke(input, config) {
    const { message, calls } = this.#open(input);
    const jobs = this.#plan(calls, message?.id ?? "");
    await this.#decide(jobs, input, config);
    const settled = await Promise.allSettled(jobs.map((job) => this.#answer(job, input, config)));
    const failed = settled.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const outputs = settled.map((result) => /** @type {PromiseFulfilledResult<any>} */ (result).value);
    const repaired = Array.isArray(input) ? undefined : repair(message, jobs);
    return this.#combine(repaired === undefined ? outputs : [repaired, ...outputs], input);
  }

  /** @param {readonly any[]} inputs @param {any} [config] */
  batch(inputs, config) {
    return Promise.all(inputs.map((input) => this.invoke(input, config)));
  }

  /** @param {any} next @returns {any} */
  pipe(next) {
    return pipe(this, next);
  }

  /** @param {any} input @returns {{ message: any, calls: any[] }} */
  #open(input) {
    if (input !== null && typeof input === "object" && "lg_tool_call" in input) return { message: input[this.messagesKey]?.at(-1), calls: [input.lg_tool_call] };
    return openCalls(messagesIn(input, this.messagesKey));
  }

  /** @param {any[]} calls @param {string} scope @returns {Job[]} */
  #plan(calls, scope) {
    if (calls.length === 0) return [];
    const outcomes = this.toolset.plan(calls, this.handleToolErrors ? PLAN_TOOLS : PLAN_RAW, scope);
    return outcomes.map((outcome, index) => {
      if (outcome.status !== OK && !this.handleToolErrors) throw refusal(outcome);
      return { call: calls[index], outcome, text: outcome.status === OK ? undefined : outcome.text, edited: undefined };
    });
  }

  /** @param {Job[]} jobs @param {any} input @param {any} config */
  async #decide(jobs, input, config) {
    for (const job of jobs) {
      const tool = this.tools[job.outcome.tool];
      if (job.text !== undefined || (tool.approval ?? this.approval ?? "auto") === "auto") continue;
      const policy = await this.#policyOf(tool, job.outcome.args, input);
      if (policy === "deny") job.text = denial(tool.name);
      else if (policy === "ask") await this.#ask(job, tool, input, config);
      else if (policy !== "auto") throw makeError(ERR_APPROVAL, [tool.name, `its policy is ${String(policy)}, not auto, ask or deny`]);
    }
  }

  /** @param {any} tool @param {any} args @param {any} state */
  #policyOf(tool, args, state) {
    const policy = tool.approval ?? this.approval ?? "auto";
    return typeof policy === "function" ? policy(args, state) : policy;
  }

  /** @param {Job} job @param {any} tool @param {any} input @param {any} config */
  async #ask(job, tool, input, config) {
    const desk = {
      toolset: this.toolset,
      tools: this.tools,
      interrupt: typeof config?.interrupt === "function" ? config.interrupt : interrupt,
      policyOf: (/** @type {any} */ other, /** @type {any} */ args) => this.#policyOf(other, args, input),
    };
    const decision = await askPerson(desk, tool, job.outcome);
    if (decision.run) Object.assign(job, { outcome: decision.outcome, edited: decision.edited });
    else job.text = decision.text;
  }

  /** @param {Job} job @param {any} input @param {any} config @returns {Promise<any>} a message or a Command */
  async #answer({ call, outcome, text }, input, config) {
    const { id } = outcome;
    if (text !== undefined) return new ToolMessage({ content: text, name: call.name ?? "", tool_call_id: id, status: "error" });
    const tool = this.tools[outcome.tool];
    const request = { ...call, name: tool.name, args: outcome.args, id, type: "tool_call" };
    try {
      const output = await tool.invoke(request, makeCallConfig(config, request, input));
      if (isBaseMessage(output) || isCommand(output)) return output;
      return new ToolMessage({ content: messageContent(output), name: tool.name, tool_call_id: id });
    } catch (error) {
      if (!this.handleToolErrors || isGraphInterrupt(error) || isGraphBubbleUp(error)) throw error;
      const said = error instanceof Error ? error.message : String(error);
      return new ToolMessage({ content: `Error: ${said}${SUFFIX}`, name: tool.name, tool_call_id: id, status: "error" });
    }
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
