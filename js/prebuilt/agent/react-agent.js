// SPDX-License-Identifier: MIT
// Builds the graph in which a model calls tools until it has its answer. Nodes and routes are
// LangGraph's: agent, tools, and if configured pre_model_hook, post_model_hook and
// generate_structured_response. Does not depend on how tools run.
import { REACT_ALL_DIRECT, REACT_HAS_REMAINING, ROUTE_MORE_STEPS } from "../../base/codes.js";
import { getEngine } from "../../engine/instance.js";
import { traceSequence } from "../../callbacks/trace.js";
import { END, START } from "../../base/constants.js";
import {
  checkArgument,
  hasText,
  isObject,
  refuseRenamed,
  refuseUnknown,
  shown,
} from "../../base/check-arguments.js";
import { Annotation, MessagesAnnotation, readSchema } from "../../state/annotation.js";
import { isPromise } from "../../base/callable.js";
import { isManaged } from "../../state/managed.js";
import { messagesStateReducer } from "../../state/messages-reducer.js";
import { StateGraph } from "../../graph/state-graph.js";
import { AIMessage, messageType } from "../../messages/index.js";
import { asTool } from "../../tools/function-tool.js";
import { chosenModel, forModel, named, promptOf, readyModel } from "./agent-model.js";
import { callsOf, unansweredIn } from "../tool-calls/open-calls.js";
import { afterModel, afterTools, sendCalls } from "./routes.js";
import { ToolNode } from "../tool-node/tool-node.js";
import { structuredAnswer } from "./structured-response.js";
import { checkHistory } from "./validate-history.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */

/** Option names of other agent APIs, and the names used here. */
const RENAMED = { model: "llm", configSchema: "contextSchema" };
const NAMES = [
  ...["llm", "tools", "prompt", "stateModifier", "messageModifier", "responseFormat"],
  ...["stateSchema", "contextSchema", "checkpointer", "checkpointSaver", "store", "limits"],
  ...["interruptBefore", "interruptAfter", "preModelHook", "postModelHook", "version", "name"],
  ...["description", "includeAgentName", "approval", "approvals", "repair", "retryPolicy"],
  ...["validateHistory", "debug"],
];
const MORE_STEPS = "Sorry, need more steps to process this request.";
const PRE = "pre_model_hook";
const POST = "post_model_hook";
const STRUCTURED = "generate_structured_response";

/** Creates the state of an agent with a structured answer. */
export function createReactAgentAnnotation() {
  return Annotation.Root({ ...MessagesAnnotation.spec, structuredResponse: Annotation() });
}

/**
 * The options of createReactAgent; those of the graph are the caller's.
 * @typedef {Record<string, Value>} Options
 */
/** @typedef {import("./agent-model.js").AgentState} AgentState */
/** @typedef {AgentState & { remainingSteps: number }} GuardedState */
/**
 * @typedef {{ options: Options, tools: readonly unknown[], toolNode: ToolNode, direct:
 *   ReadonlySet<string>, prompt: import("./agent-model.js").Prompt, guarded: boolean }} Parts
 */

/**
 * Builds and compiles a react agent.
 * @param {Options} params
 * @returns {Value} a compiled graph
 */
export function createReactAgent(params) {
  checkArgument(isObject(params), "params must be an object");
  refuseRenamed(params, "createReactAgent", RENAMED);
  refuseUnknown(params, "createReactAgent", NAMES);
  const { llm, ...options } = params;
  const { version } = params;
  checkArgument(
    version === undefined || version === null || version === "v1" || version === "v2",
    `params.version must be "v1" or "v2", not ${shown(version)}`,
  );
  checkArgument(
    hasText(llm) && !(/** @type {{ prototype?: { invoke?: unknown } }} */ (llm).prototype?.invoke),
    "createReactAgent(params): params.llm must be a chat model, its name, or a function that gives one",
  );
  const parts = readParts(options);
  const { preModelHook, postModelHook = null, responseFormat } = options;
  const entry = preModelHook === undefined ? "agent" : PRE;
  const end = responseFormat ? STRUCTURED : END;
  const schema = options.stateSchema ?? createReactAgentAnnotation();
  const graph = new StateGraph(schema, options.contextSchema);
  const policy =
    options.retryPolicy === undefined ? undefined : { retryPolicy: options.retryPolicy };
  graph.addNode("tools", parts.toolNode, policy);
  if (preModelHook !== undefined) graph.addNode(PRE, preModelHook).addEdge(PRE, "agent");
  graph
    .addNode(
      "agent",
      agentNode(parts, llm),
      preModelHook === undefined ? policy : { ...policy, input: withChosen(schema) },
    )
    .addEdge(START, entry);
  if (postModelHook !== null) graph.addNode(POST, postModelHook).addEdge("agent", POST);
  if (responseFormat !== undefined)
    graph
      .addNode(STRUCTURED, async (/** @type {AgentState} */ state, /** @type {Config} */ config) =>
        structuredAnswer(params, state, config),
      )
      .addEdge(STRUCTURED, END);
  const sendEach = options.version === "v2";
  const modelEnds = ["tools", end];
  if (postModelHook === null) {
    graph.addConditionalEdges(
      "agent",
      (/** @type {AgentState} */ state) => afterModel(state, sendEach, end),
      modelEnds,
    );
  } else {
    graph.addConditionalEdges(
      POST,
      (/** @type {AgentState} */ state) => afterHook(state, sendEach, entry, end),
      ["tools", entry, end],
    );
  }
  if (parts.direct.size === 0) graph.addEdge("tools", entry);
  else
    graph.addConditionalEdges(
      "tools",
      (/** @type {AgentState} */ state) => afterTools(state.messages, parts.direct, entry, END),
      [entry, END],
    );
  const {
    checkpointer,
    checkpointSaver,
    interruptBefore,
    interruptAfter,
    store,
    name,
    description,
    debug,
    limits,
  } = options;
  const agent = graph.compile({
    checkpointer: checkpointer ?? checkpointSaver,
    interruptBefore,
    interruptAfter,
    store,
    name,
    description,
    limits,
  });
  if (debug === true) agent.debug = true;
  return agent;
}

/** @param {Options} options @returns {Parts} */
function readParts(options) {
  const given = options.tools;
  const isNode = !Array.isArray(given);
  let tools = isNode ? given?.tools : given;
  checkArgument(Array.isArray(tools), "params.tools must be a list of tools or a ToolNode");
  tools = tools.map(asTool);
  const own = tools.filter(
    (/** @type {Partial<ToolLike> | null} */ tool) => typeof tool?.invoke === "function",
  );
  const { approval, approvals, repair } = options;
  const toolNode = isNode ? given : new ToolNode(own, { approval, approvals, repair });
  checkArgument(
    !isNode || (approval ?? approvals ?? repair) === undefined,
    "params.approval, approvals and repair are for a list of tools; a ToolNode has its own",
  );
  checkArgument(
    options.version !== "v2" || toolNode.approvals !== "batch",
    'approvals: "batch" needs version "v1": in "v2" each call is a task of its own',
  );
  toolNode.toolset?.prepare();
  const direct = new Set(
    own
      .filter((/** @type {ToolLike} */ tool) => tool.returnDirect === true)
      .map((/** @type {ToolLike} */ tool) => tool.name),
  );
  const channels =
    options.stateSchema === undefined ? undefined : readSchema(options.stateSchema)?.channels;
  if (channels !== undefined && !("messages" in channels))
    throw new Error("Missing required `messages` key in state schema.");
  return {
    options,
    tools,
    toolNode,
    direct,
    prompt: promptOf(options),
    guarded: isManaged(channels?.remainingSteps),
  };
}

/** Adds the messages that a pre-model hook chose to the agent's input. @param {unknown} base */
function withChosen(base) {
  const llmInputMessages = Annotation({
    reducer: (/** @type {unknown} */ _old, update) => messagesStateReducer([], update),
    default: () => [],
  });
  const annotation = /** @type {{ spec?: object }} */ (base);
  return Annotation.Root({
    ...(annotation.spec ?? readSchema(base)?.channels),
    llmInputMessages,
  });
}

/** @param {Parts} parts @param {unknown} llm */
function agentNode(parts, llm) {
  const { options, tools, prompt, guarded } = parts;
  const { name, includeAgentName, validateHistory } = options;
  /** @type {ModelLike | Promise<ModelLike> | undefined} */
  let model;
  return async (/** @type {GuardedState} */ state, /** @type {Config} */ config) => {
    const left = guarded ? state.remainingSteps - 1 : 0;
    if (validateHistory === true) checkHistory(state.messages);
    const made =
      typeof llm === "function"
        ? chosenModel(await llm(state, config), tools, includeAgentName)
        : (model ??= readyModel(llm, tools, includeAgentName));
    if (isPromise(made)) made.catch(() => (model = undefined)); // a provider may be registered later
    const ready = isPromise(made) ? await made : made;
    const ask = (/** @type {unknown} */ input, /** @type {unknown} */ asked) =>
      ready.invoke(input, asked);
    const seen = forModel(state);
    /** @type {Value} */
    const answer =
      config?.callbacks === undefined
        ? await askAfter(prompt(seen, config), ask, config)
        : await traceSequence(seen, config, [
            ["prompt", prompt],
            [undefined, ask],
          ]);
    checkArgument(
      answer !== undefined && answer !== null,
      `the model must answer with a message, not ${shown(answer)}`,
    );
    if (guarded && needsMoreSteps(parts, answer, left))
      return { messages: [new AIMessage({ id: answer.id, content: MORE_STEPS, name })] };
    return { messages: [named(answer, name)] };
  };
}

/**
 * Calls `ask` with the input once the input is ready.
 * @param {unknown} input may be a promise
 * @param {(input: unknown, config: Config) => unknown} ask
 * @param {Config} config
 */
function askAfter(input, ask, config) {
  return isPromise(input) ? input.then((made) => ask(made, config)) : ask(input, config);
}

/** @param {Parts} parts @param {Message} answer @param {number} left remaining steps of the run */
function needsMoreSteps({ direct }, answer, left) {
  const calls = messageType(answer) === "ai" ? callsOf(answer) : [];
  const allDirect =
    calls.length > 0 && calls.every((call) => direct.has(call.name)) ? REACT_ALL_DIRECT : 0;
  return (
    getEngine().call("weft_route_guard", REACT_HAS_REMAINING | allDirect, calls.length, left) ===
    ROUTE_MORE_STEPS
  );
}

/** @param {AgentState} state @param {boolean} sendEach @param {string} entry @param {string} end */
function afterHook(state, sendEach, entry, end) {
  const calls = unansweredIn(state.messages);
  if (calls.length > 0) return sendEach ? sendCalls(state, calls) : "tools";
  return messageType(/** @type {Message} */ (state.messages.at(-1))) === "tool" ? entry : end;
}
