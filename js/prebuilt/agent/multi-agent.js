// SPDX-License-Identifier: MIT
// Builds graphs of several agents: in a swarm one agent hands the conversation to another, a
// supervisor delegates it and gets it back. Every tool call gets an answer. Does not depend on how
// graphs run.
import { ERR_ARGUMENT } from "../../base/codes.js";
import { Command, END, PARENT, START } from "../../base/constants.js";
import { makeError } from "../../base/errors.js";
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { Annotation, MessagesAnnotation, readSchema } from "../../state/annotation.js";
import { StateGraph } from "../../graph/state-graph.js";
import { AIMessage, ToolMessage } from "../../messages/index.js";
import { tool } from "../../tools/tool.js";
import { openCalls } from "../tool-calls/open-calls.js";
import { createReactAgent } from "./react-agent.js";
import { ToolNode } from "../tool-node/tool-node.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/**
 * An agent of a team: a compiled graph, by the members that are used here.
 * @typedef {{ name: string, description?: string, invoke(input: unknown, config?: unknown):
 *   Promise<{ messages: Message[] }> }} Agent
 */
/**
 * Options of createSupervisor; the rest are those of its react agent.
 * @typedef {import("./react-agent.js").Options & { agents: readonly Agent[], tools?: unknown,
 *   supervisorName?: string, outputMode?: string, addHandoffBackMessages?: boolean, stateSchema?:
 *   unknown }} SupervisorOptions
 */

const NO_ARGUMENTS = Object.freeze({ type: "object", properties: {}, additionalProperties: false });

/** @param {string} name */
function slug(name) {
  return name.trim().replace(/\s+/g, "_").toLowerCase();
}

/** @param {string} content @param {string} name @param {string | undefined} id */
function answer(content, name, id) {
  return new ToolMessage({ content, name, tool_call_id: id });
}

/** @param {unknown} state @returns {unknown[]} */
function messagesOf(state) {
  if (Array.isArray(state)) return state;
  return /** @type {{ messages?: unknown[] } | null | undefined} */ (state)?.messages ?? [];
}

/**
 * @typedef {{ state: unknown, toolCallId?: string }} Runtime the config of a tool that is used here
 */

/**
 * Creates a tool by which an agent hands the conversation to another agent of the parent graph.
 * @param {{ agentName: string, name?: string, description?: string }} options
 */
export function createHandoffTool(options) {
  checkArgument(
    typeof options?.agentName === "string",
    "createHandoffTool(options): options.agentName must be a text",
  );
  const {
    agentName,
    name = `transfer_to_${slug(agentName)}`,
    description = `Ask agent '${agentName}' for help`,
  } = options;
  return tool(
    (/** @type {unknown} */ _args, /** @type {Runtime} */ runtime) => {
      const messages = messagesOf(runtime.state);
      const { calls } = openCalls(messages);
      // Calls that run beside this one as separate tasks are lost with this graph: tell the model.
      const others = calls
        .filter(({ id }) => id !== runtime.toolCallId)
        .map((call) =>
          answer(`Not kept: the conversation was handed to ${agentName}.`, call.name, call.id),
        );
      const own = answer(`Successfully transferred to ${agentName}`, name, runtime.toolCallId);
      const update = { messages: [...messages, ...others, own], activeAgent: agentName };
      return new Command({ graph: PARENT, goto: agentName, update });
    },
    { name, description, schema: NO_ARGUMENTS },
  );
}

/**
 * Returns the agents' node names; refuses missing and duplicate names.
 * @param {readonly Agent[]} agents
 */
function byName(agents) {
  checkArgument(Array.isArray(agents), "the agents of a team must be a list");
  const names = new Set();
  for (const agent of agents) {
    const { name } = agent ?? {};
    if (
      typeof agent?.invoke !== "function" ||
      typeof name !== "string" ||
      name === "" ||
      name === "LangGraph"
    )
      throw makeError(ERR_ARGUMENT, [
        "each agent of a team needs a name: createReactAgent({ name, … })",
      ]);
    if (names.has(name)) throw makeError(ERR_ARGUMENT, [`two agents are called "${name}"`]);
    names.add(name);
  }
  return names;
}

/** @param {unknown} stateSchema @param {string} needed */
function checkState(stateSchema, needed) {
  const channels = readSchema(stateSchema)?.channels;
  if (channels === undefined || !(needed in channels))
    throw makeError(ERR_ARGUMENT, [`the state of a team needs the key \`${needed}\``]);
  return stateSchema;
}

/** Creates the state of a swarm. */
export function createSwarmState() {
  return Annotation.Root({ ...MessagesAnnotation.spec, activeAgent: Annotation() });
}

/**
 * Creates a swarm: agents hand the conversation to each other, and the next conversation turn
 * begins with the agent that has it.
 * @param {{ agents: readonly Agent[], defaultActiveAgent: string, stateSchema?: unknown }} options
 * @returns {StateGraph} not compiled yet
 */
export function createSwarm(options) {
  checkArgument(
    isObject(options),
    "createSwarm(options): options must be an object, as { agents, defaultActiveAgent }",
  );
  const { agents, defaultActiveAgent, stateSchema } = options;
  const names = byName(agents);
  checkArgument(
    typeof defaultActiveAgent === "string",
    "createSwarm(options): options.defaultActiveAgent must be an agent's name",
  );
  if (!names.has(defaultActiveAgent))
    throw makeError(ERR_ARGUMENT, [
      `defaultActiveAgent "${defaultActiveAgent}" is none of ${[...names].join(", ")}`,
    ]);
  const graph = new StateGraph(
    stateSchema === undefined ? createSwarmState() : checkState(stateSchema, "activeAgent"),
  );
  for (const agent of agents)
    graph.addNode(agent.name, agent, { ends: [...names], subgraphs: [agent] });
  graph.addConditionalEdges(
    START,
    (/** @type {{ activeAgent?: string }} */ { activeAgent }) =>
      activeAgent !== undefined && names.has(activeAgent) ? activeAgent : defaultActiveAgent,
    [...names],
  );
  return graph;
}

/**
 * Creates the node that runs one agent of a supervisor.
 * @param {Agent} agent
 * @param {string} outputMode
 * @param {string | undefined} back name of the supervisor, when messages report that the
 *   conversation goes back to it
 */
function worker(agent, outputMode, back) {
  return async (/** @type {unknown} */ state, /** @type {Config} */ config) => {
    const { messages, ...rest } = await agent.invoke(state, config);
    const last = messages[messages.length - 1];
    const told = outputMode === "full_history" ? messages : [last];
    return {
      ...rest,
      messages: back === undefined ? told : [...told, ...backMessages(agent.name, back)],
    };
  };
}

/** @param {string} name @param {string} supervisor */
function backMessages(name, supervisor) {
  const id = `call_back_${crypto.randomUUID()}`;
  const call = {
    name: `transfer_back_to_${slug(supervisor)}`,
    args: {},
    id,
    type: /** @type {const} */ ("tool_call"),
  };
  return [
    new AIMessage({ content: `Transferring back to ${supervisor}`, tool_calls: [call], name }),
    answer(`Successfully transferred back to ${supervisor}`, call.name, id),
  ];
}

/**
 * Creates a supervisor that delegates tasks to agents and gets the conversation back after each.
 * @param {SupervisorOptions} options
 * @returns {StateGraph} not compiled yet
 */
export function createSupervisor(options) {
  checkArgument(
    isObject(options),
    "createSupervisor(options): options must be an object, as { agents, llm }",
  );
  const {
    agents,
    llm,
    tools = [],
    supervisorName = "supervisor",
    outputMode = "last_message",
    addHandoffBackMessages = true,
    stateSchema,
    ...agentOptions
  } = options;
  checkArgument(
    typeof supervisorName === "string",
    "createSupervisor(options): options.supervisorName must be a text",
  );
  const names = byName(agents);
  if (names.has(supervisorName))
    throw makeError(ERR_ARGUMENT, [`an agent is called "${supervisorName}", as the supervisor`]);
  if (outputMode !== "last_message" && outputMode !== "full_history")
    throw makeError(ERR_ARGUMENT, [
      `outputMode is "last_message" or "full_history", not ${isObject(outputMode) ? "an object" : String(outputMode)}`,
    ]);
  const given = /** @type {readonly unknown[]} */ (tools instanceof ToolNode ? tools.tools : tools);
  checkArgument(
    Array.isArray(given),
    "createSupervisor(options): options.tools must be a list of tools or a ToolNode",
  );
  const handoffs = agents.map(({ name, description }) =>
    createHandoffTool({
      agentName: name,
      ...(description === undefined ? undefined : { description }),
    }),
  );
  const supervisor = createReactAgent({
    ...agentOptions,
    llm,
    tools: [...given, ...handoffs],
    name: supervisorName,
    stateSchema,
  });
  const graph = new StateGraph(
    stateSchema === undefined ? MessagesAnnotation : checkState(stateSchema, "messages"),
  );
  graph
    .addNode(supervisorName, supervisor, { ends: [...names, END], subgraphs: [supervisor] })
    .addEdge(START, supervisorName);
  for (const agent of agents) {
    graph.addNode(
      agent.name,
      worker(agent, outputMode, addHandoffBackMessages ? supervisorName : undefined),
      { subgraphs: [agent] },
    );
    graph.addEdge(agent.name, supervisorName);
  }
  return graph;
}
