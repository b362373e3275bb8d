// SPDX-License-Identifier: MIT
// Implements LangGraph's agents from before tool calling: ToolExecutor, createAgentExecutor,
// createFunctionCallingExecutor. Does not depend on the react agent.
import { END, START } from "../base/constants.js";
import { makeError } from "../base/errors.js";
import { checkArgument, isListOf, isObject } from "../base/check-arguments.js";
import { ERR_APPROVAL } from "../base/codes.js";
import { Runnable } from "../runnable/runnable.js";
import { StateGraph } from "../graph/state-graph.js";
import { FunctionMessage } from "../messages/index.js";
import { asTool } from "../tools/function-tool.js";
import { printResponse } from "../tools/response-schema.js";
import { toolJsonSchema } from "../tools/schema.js";
import { isZod3 } from "../tools/zod3.js";
import { approvalOf } from "../prebuilt/tool-calls/tool-options.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../base/callable.js").Value} Value */

const INVALID_TOOL =
  "{requestedToolName} is not a valid tool, try one of {availableToolNamesString}.";

/** Refuses tools that need approval, which cannot be requested here. @param {ToolLike[]} tools */
function refuseAsking(tools) {
  checkArgument(isListOf(tools, isObject), "tools must be a list of tools");
  const asking = tools.find((tool) => approvalOf(tool, "auto") !== "auto");
  if (asking !== undefined)
    throw makeError(ERR_APPROVAL, [
      `"${asking.name}"`,
      "a ToolExecutor asks nobody; use a ToolNode or createReactAgent",
    ]);
}

/** Calls a tool by its name. */
export class ToolExecutor extends Runnable {
  lc_graph_name = "ToolExecutor";

  /** @param {{ tools: ToolLike[], invalidToolMsgTemplate?: string }} fields */
  constructor(fields) {
    super();
    checkArgument(
      isObject(fields),
      "new ToolExecutor(fields): fields must be an object, as { tools }",
    );
    const { invalidToolMsgTemplate } = fields;
    const tools = Array.isArray(fields.tools) ? fields.tools.map(asTool) : fields.tools;
    refuseAsking(tools);
    this.tools = tools;
    this.invalidToolMsgTemplate = invalidToolMsgTemplate ?? INVALID_TOOL;
    /** @type {Record<string, Value>} */
    this.toolMap = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  }

  /**
   * @param {{ tool: string, toolInput: unknown }} invocation
   * @param {Config} [config]
   * @returns {Promise<unknown>}
   */
  async _execute({ tool, toolInput }, config) {
    if (Object.hasOwn(this.toolMap, tool)) return this.toolMap[tool].invoke(toolInput, config);
    return this.invalidToolMsgTemplate
      .replace("{requestedToolName}", tool)
      .replace("{availableToolNamesString}", Object.keys(this.toolMap).join(", "));
  }

  /** @param {{ tool: string, toolInput: unknown }} invocation @param {Config} [config] */
  invoke(invocation, config) {
    return this._execute(invocation, config);
  }
}

/** @param {ToolLike[]} tools */
function executorOf(tools) {
  return Array.isArray(tools) ? new ToolExecutor({ tools }) : tools;
}

/**
 * Builds a graph in which agent and action alternate.
 * @param {unknown} channels
 * @param {unknown} agent
 * @param {unknown} action
 * @param {(state: unknown) => string} route
 */
function alternate(channels, agent, action, route) {
  return new StateGraph({ channels })
    .addNode("agent", agent)
    .addNode("action", action)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", route, { continue: "action", end: END })
    .addEdge("action", "agent")
    .compile();
}

const list = () => ({
  value: (/** @type {unknown[]} */ before, /** @type {unknown[]} */ update) =>
    before.concat(update),
  default: () => [],
});

/** @param {{ agentRunnable: Value, tools: Value }} options @returns {Value} */
export function createAgentExecutor(options) {
  checkArgument(
    isObject(options),
    "createAgentExecutor(options): options must be an object, as { agentRunnable, tools }",
  );
  const { agentRunnable, tools } = options;
  const executor = executorOf(tools);
  const agent = async (/** @type {unknown} */ state, /** @type {Config} */ config) => ({
    agentOutcome: await agentRunnable.invoke(state, config),
  });
  const action = async (/** @type {Value} */ { agentOutcome }, /** @type {Config} */ config) => {
    if (!agentOutcome || "returnValues" in agentOutcome)
      throw new Error("Agent has not been run yet");
    return {
      steps: [{ action: agentOutcome, observation: await executor.invoke(agentOutcome, config) }],
    };
  };
  const route = (/** @type {Value} */ { agentOutcome }) =>
    agentOutcome && "returnValues" in agentOutcome ? "end" : "continue";
  return alternate({ input: null, agentOutcome: null, steps: list() }, agent, action, route);
}

/**
 * Returns a tool's parameters as zod 4 prints them itself, and as LangChain prints zod 3, with
 * `$schema`.
 * @param {ToolLike} tool
 */
function parametersOf(tool) {
  const { schema } = tool;
  if (isZod3(schema)) return printResponse(schema);
  return schema?._zod !== undefined && typeof schema.toJSONSchema === "function"
    ? schema.toJSONSchema()
    : toolJsonSchema(tool);
}

/** @param {{ model: Value, tools: Value }} options @returns {Value} */
export function createFunctionCallingExecutor(options) {
  checkArgument(
    isObject(options),
    "createFunctionCallingExecutor(options): options must be an object, as { model, tools }",
  );
  const { model, tools } = options;
  if (typeof model?.bind !== "function") throw new Error("Model must be bindable");
  const executor = executorOf(tools);
  const functions = executor.tools.map((/** @type {ToolLike} */ tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: parametersOf(tool),
  }));
  const bound = model.bind({ functions });
  const agent = async (/** @type {Value} */ { messages }, /** @type {Config} */ config) => ({
    messages: [await bound.invoke(messages, config)],
  });
  const action = async (/** @type {Value} */ { messages }, /** @type {Config} */ config) => {
    const {
      function_call: { name, arguments: text },
    } = messages.at(-1).additional_kwargs;
    const answer = await executor.invoke({ tool: name, toolInput: JSON.stringify(text) }, config);
    return { messages: [new FunctionMessage({ content: String(answer), name })] };
  };
  const route = (/** @type {Value} */ { messages }) =>
    messages.at(-1)?.additional_kwargs?.function_call ? "continue" : "end";
  return alternate({ messages: list() }, agent, action, route);
}
