// SPDX-License-Identifier: MIT
// Knows: LangGraph's agents from before tool calling: ToolExecutor, createAgentExecutor, createFunctionCallingExecutor.
// Must not know the react agent.
import { END, START } from "../base/constants.js";
import { checkArgument, isListOf, isObject, makeError } from "../base/errors.js";
import { ERR_APPROVAL } from "../base/codes.js";
import { Runnable } from "../runnable/runnable.js";
import { StateGraph } from "../graph/state-graph.js";
import { FunctionMessage } from "../messages/index.js";
import { printResponse } from "../tools/response-schema.js";
import { toolJsonSchema } from "../tools/schema.js";
import { isZod3 } from "../tools/zod3.js";
import { approvalOf } from "../prebuilt/tool-calls/tool-options.js";

const INVALID_TOOL = "{requestedToolName} is not a valid tool, try one of {availableToolNamesString}.";

/** Nobody could be asked here. @param {any[]} tools */
function refuseAsking(tools) {
  checkArgument(isListOf(tools, isObject), "tools must be a list of tools");
  const asking = tools.find((tool) => approvalOf(tool, "auto") !== "auto");
  if (asking !== undefined) throw makeError(ERR_APPROVAL, [`"${asking.name}"`, "a ToolExecutor asks nobody; use a ToolNode or createReactAgent"]);
}

/** Calls a tool by its name. */
export class ToolExecutor extends Runnable {
  lc_graph_name = "ToolExecutor";

  /** @param {{ tools: any[], invalidToolMsgTemplate?: string }} fields */
  constructor(fields) {
    super();
    checkArgument(isObject(fields), "new ToolExecutor(fields): fields must be an object, as { tools }");
    const { tools, invalidToolMsgTemplate } = fields;
    refuseAsking(tools);
    this.tools = tools;
    this.invalidToolMsgTemplate = invalidToolMsgTemplate ?? INVALID_TOOL;
    /** @type {Record<string, any>} */
    this.toolMap = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
  }

  /** @param {{ tool: string, toolInput: any }} invocation @param {any} [config] @returns {Promise<any>} */
  async _execute({ tool, toolInput }, config) {
    if (Object.hasOwn(this.toolMap, tool)) return this.toolMap[tool].invoke(toolInput, config);
    return this.invalidToolMsgTemplate.replace("{requestedToolName}", tool).replace("{availableToolNamesString}", Object.keys(this.toolMap).join(", "));
  }

  /** @param {{ tool: string, toolInput: any }} invocation @param {any} [config] */
  invoke(invocation, config) {
    return this._execute(invocation, config);
  }
}

/** @param {any} tools */
function executorOf(tools) {
  return Array.isArray(tools) ? new ToolExecutor({ tools }) : tools;
}

/** @param {any} channels @param {any} agent @param {any} action @param {(state: any) => string} route */
function alternate(channels, agent, action, route) {
  return new StateGraph({ channels })
    .addNode("agent", agent)
    .addNode("action", action)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", route, { continue: "action", end: END })
    .addEdge("action", "agent")
    .compile();
}

const list = () => ({ value: (/** @type {any[]} */ before, /** @type {any[]} */ update) => before.concat(update), default: () => [] });

/** @param {{ agentRunnable: any, tools: any }} options @returns {any} */
export function createAgentExecutor(options) {
  checkArgument(isObject(options), "createAgentExecutor(options): options must be an object, as { agentRunnable, tools }");
  const { agentRunnable, tools } = options;
  const executor = executorOf(tools);
  const agent = async (/** @type {any} */ state, /** @type {any} */ config) => ({ agentOutcome: await agentRunnable.invoke(state, config) });
  const action = async (/** @type {any} */ { agentOutcome }, /** @type {any} */ config) => {
    if (!agentOutcome || "returnValues" in agentOutcome) throw new Error("Agent has not been run yet");
    return { steps: [{ action: agentOutcome, observation: await executor.invoke(agentOutcome, config) }] };
  };
  const route = (/** @type {any} */ { agentOutcome }) => (agentOutcome && "returnValues" in agentOutcome ? "end" : "continue");
  return alternate({ input: null, agentOutcome: null, steps: list() }, agent, action, route);
}

/** As zod 4 itself tells them, and as LangChain prints zod 3: `$schema` and all. @param {any} tool */
function parametersOf(tool) {
  const { schema } = tool;
  if (isZod3(schema)) return printResponse(schema);
  return schema?._zod !== undefined && typeof schema.toJSONSchema === "function" ? schema.toJSONSchema() : toolJsonSchema(tool);
}

/** @param {{ model: any, tools: any }} options @returns {any} */
export function createFunctionCallingExecutor(options) {
  checkArgument(isObject(options), "createFunctionCallingExecutor(options): options must be an object, as { model, tools }");
  const { model, tools } = options;
  if (typeof model?.bind !== "function") throw new Error("Model must be bindable");
  const executor = executorOf(tools);
  const functions = executor.tools.map((/** @type {any} */ tool) => ({ name: tool.name, description: tool.description, parameters: parametersOf(tool) }));
  const bound = model.bind({ functions });
  const agent = async (/** @type {any} */ { messages }, /** @type {any} */ config) => ({ messages: [await bound.invoke(messages, config)] });
  const action = async (/** @type {any} */ { messages }, /** @type {any} */ config) => {
    const { function_call: { name, arguments: text } } = messages.at(-1).additional_kwargs;
    const answer = await executor.invoke({ tool: name, toolInput: JSON.stringify(text) }, config);
    return { messages: [new FunctionMessage({ content: String(answer), name })] };
  };
  const route = (/** @type {any} */ { messages }) => (messages.at(-1)?.additional_kwargs?.function_call ? "continue" : "end");
  return alternate({ messages: list() }, agent, action, route);
}
