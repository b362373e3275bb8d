// SPDX-License-Identifier: MIT
// Makes an agent of its options: a model that calls tools until it has its answer, with
// middlewares around each step. Does not depend on how a step works.
import {
  checkArgument,
  isObject,
  isRecord,
  refuseRenamed,
  refuseUnknown,
  shown,
} from "../base/check-arguments.js";
import { mergeConfigs } from "../base/merge-configs.js";
import { isBaseMessage, messageType } from "../messages/index.js";
import { ToolNode } from "../prebuilt/tool-node/tool-node.js";
import { asTool } from "../tools/function-tool.js";
import { buildGraph } from "./agent-graph.js";
import { joinState } from "./agent-state.js";
import { checkMiddleware, checkNames, hookOf } from "./create-middleware.js";
import { modelOf, systemMessageOf } from "./model-call.js";
import { modelNode } from "./model-node.js";
import { toolErrors } from "./tool-errors.js";
import { wrapTools } from "./wrappers.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("./create-middleware.js").Middleware} Middleware */
/** @typedef {import("../prebuilt/agent/react-agent.js").Options} Options of createAgent */
/** @typedef {import("../graph/compiled-state-graph.js").CompiledStateGraph} Graph */

const CALL = "createAgent(params)";
const PARAMS = [
  "model",
  "tools",
  "systemPrompt",
  "middleware",
  "responseFormat",
  "stateSchema",
  "contextSchema",
  "checkpointer",
  "store",
  "name",
  "description",
  "includeAgentName",
  "signal",
  "version",
  "streamTransformers",
  "limits",
  "approvals",
  "repair",
];
/** Option names of other agent APIs, and the names used here. */
const RENAMED = {
  llm: "model",
  prompt: "systemPrompt",
  stateModifier: "systemPrompt",
  messageModifier: "systemPrompt",
  configSchema: "contextSchema",
  preModelHook: "middleware",
  postModelHook: "middleware",
};

/** An agent: a compiled graph, and the config that its calls begin with. */
export class ReactAgent {
  #config;

  /**
   * @param {Options} options of createAgent
   * @param {Config} [config] beneath that of each call
   */
  constructor(options, config) {
    this.options = options;
    this.graph = makeGraph(options);
    // In its own calls also over what a run around it has: an agent in a tool is that agent.
    this.#config = mergeConfigs({ metadata: metadataOf(options) }, config);
  }

  get name() {
    return this.options.name;
  }

  get description() {
    return this.options.description;
  }

  get checkpointer() {
    return this.graph.checkpointer;
  }

  set checkpointer(saver) {
    this.graph.checkpointer = saver;
  }

  get store() {
    return this.graph.store;
  }

  set store(store) {
    this.graph.store = store;
  }

  /** The builder of the graph. */
  get builder() {
    return this.graph.builder;
  }

  /**
   * Returns the config of a call: with the agent's beneath it.
   * @param {Config} [config]
   * @returns {Config}
   */
  #with(config) {
    const { signal } = this.options;
    const under = signal === undefined ? this.#config : mergeConfigs({ signal }, this.#config);
    return mergeConfigs(under, config);
  }

  /** @param {Config} config @returns {ReactAgent} this agent, with a config beneath each call's */
  withConfig(config) {
    const agent = new ReactAgent(this.options, mergeConfigs(this.#config, config));
    agent.graph = this.graph;
    return agent;
  }

  /** @param {unknown} input @param {Config} [config] @returns {Promise<unknown>} the final state */
  async invoke(input, config) {
    return this.graph.invoke(input, this.#with(config));
  }

  /** @param {unknown} input @param {Config} [config] @returns {Promise<unknown>} chunks */
  async stream(input, config) {
    return this.graph.stream(input, this.#with(config));
  }

  /**
   * @param {unknown} input
   * @param {Config} [config] with the `version` of the events
   * @param {Record<string, string[]>} [filter]
   * @returns {unknown}
   */
  streamEvents(input, config, filter) {
    const options = { ...this.#with(config), version: config?.version ?? "v2" };
    return this.graph.streamEvents(input, options, filter);
  }

  /**
   * @param {Config} config
   * @param {{ subgraphs?: boolean }} [options]
   * @returns {Promise<unknown>}
   */
  getState(config, options) {
    return this.graph.getState(this.#with(config), options);
  }

  /**
   * @param {Config} config
   * @param {{ limit?: number, before?: Config, filter?: Record<string, unknown> }} [options]
   * @returns {unknown}
   */
  getStateHistory(config, options) {
    return this.graph.getStateHistory(this.#with(config), options);
  }

  /** @param {Config} config @param {unknown} values @param {string} [asNode] */
  updateState(config, values, asNode) {
    return this.graph.updateState(this.#with(config), values, asNode);
  }

  /** @param {Config} [config] @returns {Promise<unknown>} */
  getGraphAsync(config) {
    return this.graph.getGraphAsync(config);
  }

  /** @param {string} [namespace] @param {boolean} [recurse] */
  getSubgraphs(namespace, recurse) {
    return this.graph.getSubgraphs(namespace, recurse);
  }

  /** @param {string} [namespace] @param {boolean} [recurse] */
  getSubgraphsAsync(namespace, recurse) {
    return this.graph.getSubgraphsAsync(namespace, recurse);
  }

  /**
   * @param {{ withStyles?: boolean, curveStyle?: string, nodeColors?: Record<string, string>,
   *   wrapLabelNWords?: number }} [params]
   * @returns {Promise<string>}
   */
  async drawMermaid(params) {
    return (await this.graph.getGraphAsync()).drawMermaid(params);
  }

  /** @param {object} [params] @returns {Promise<Uint8Array>} */
  async drawMermaidPng(params) {
    const image = await (await this.graph.getGraphAsync()).drawMermaidPng(params);
    return new Uint8Array(await image.arrayBuffer());
  }
}

/**
 * Makes an agent.
 * @param {Options} params
 * @returns {ReactAgent}
 */
export function createAgent(params) {
  return new ReactAgent(params);
}

/** @param {Options} params @returns {Graph} */
function makeGraph(params) {
  checkOptions(params);
  const { middleware: given = [], tools: own = [], version = "v2", responseFormat } = params;
  /** @type {readonly Middleware[]} */
  const middlewares = given;
  for (const one of middlewares) checkMiddleware(one, CALL);
  checkNames(middlewares);
  const tools = [...own, ...middlewares.flatMap((one) => one.tools ?? [])].map(asTool);
  for (const tool of tools)
    checkArgument(
      isRecord(tool) || isRunnableTool(tool),
      `${CALL}: params.tools must be tools, not ${shown(tool)}: tool(fn, { name, schema }) makes one`,
    );
  const runnable = tools.filter(isRunnableTool);
  const aroundTools = middlewares.filter((one) => one.wrapToolCall !== undefined);
  const aroundModel = middlewares.filter((one) => one.wrapModelCall !== undefined);
  const isDynamic = aroundTools.length > 0;
  const isAnswering = Boolean(responseFormat);
  /** @type {ToolNode | undefined} */
  let node;
  if (runnable.length > 0 || isDynamic) {
    node = new ToolNode(runnable, {
      handleToolErrors: toolErrors(runnable, isDynamic),
      approvals: params.approvals,
      repair: params.repair,
      wrapToolCall: isDynamic ? wrapTools(aroundTools) : undefined,
      wrapUnknown: true,
    });
    node.toolset.prepare();
    node._reviewed = new Set(
      middlewares.flatMap((one) => hookOf(one, "afterModel")?.reviews ?? []),
    );
  }
  const model = typeof params.model === "string" ? params.model : modelOf(params.model);
  const direct = new Set(
    isAnswering ? [] : runnable.filter((tool) => tool.returnDirect).map(({ name }) => name),
  );
  const graph = buildGraph({
    schemas: joinState(params.stateSchema, middlewares, isAnswering),
    contextSchema: params.contextSchema,
    middlewares,
    model: modelNode({
      options: { ...params, model },
      tools,
      node,
      isDynamic,
      wrapping: aroundModel,
      system: systemOf(params.systemPrompt),
    }),
    tools: node,
    sendEach: version === "v2",
    direct,
    repeats: isAnswering || aroundModel.length > 0,
  });
  const { checkpointer, store, name, description, limits } = params;
  const compiled = graph.compile({
    checkpointer,
    store,
    name,
    description,
    limits,
    transformers: [params, ...middlewares].flatMap((one) => one.streamTransformers ?? []),
  });
  return compiled.withConfig({ metadata: metadataOf(params) });
}

/**
 * LangChain's names, by which front ends and traces tell the agents of one graph apart.
 * @param {Options} params
 */
function metadataOf({ name }) {
  const named = name === undefined ? {} : { lc_agent_name: name };
  return { ls_integration: "langchain_create_agent", ...named };
}

/** @param {Options} params */
function checkOptions(params) {
  checkArgument(isObject(params), `${CALL}: params must be an object`);
  refuseRenamed(params, "createAgent", RENAMED);
  refuseUnknown(params, CALL, PARAMS);
  const { version = "v2", tools = [], middleware = [], systemPrompt = "", approvals } = params;
  checkArgument(
    version === "v1" || version === "v2",
    `${CALL}: params.version must be "v1" or "v2", not ${shown(version)}`,
  );
  checkArgument(Array.isArray(tools), `${CALL}: params.tools must be a list of tools`);
  checkArgument(
    Array.isArray(middleware),
    `${CALL}: params.middleware must be a list of middlewares`,
  );
  checkArgument(
    typeof systemPrompt === "string" || isSystem(systemPrompt),
    `${CALL}: params.systemPrompt must be a text or a SystemMessage`,
  );
  checkArgument(
    version === "v1" || (approvals?.mode ?? approvals) !== "batch",
    `${CALL}: approvals "batch" needs version "v1": in "v2" each call is a task of its own`,
  );
}

/** @param {unknown} value @returns {value is Message} */
function isSystem(value) {
  return isBaseMessage(value) && messageType(value) === "system";
}

/** @param {unknown} prompt @returns {Message} */
function systemOf(prompt) {
  return isSystem(prompt) ? prompt : systemMessageOf(/** @type {string} */ (prompt ?? ""));
}

/** @param {unknown} tool @returns {tool is ToolLike} */
function isRunnableTool(tool) {
  return typeof (/** @type {Partial<ToolLike> | null} */ (tool)?.invoke) === "function";
}
