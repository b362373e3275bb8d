// SPDX-License-Identifier: MIT
// Builds the graph of an agent: its nodes are LangChain's, model_request, tools, and one for each
// hook of a middleware. Does not depend on how a node works.
import { END, START } from "../base/constants.js";
import { StateGraph } from "../graph/state-graph.js";
import { JUMP } from "./agent-state.js";
import { hookOf } from "./create-middleware.js";
import { hookNode } from "./hook-node.js";
import { jumpRoute, modelRoute, toolsRoute } from "./routes.js";

/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("./create-middleware.js").HookName} HookName */
/** @typedef {import("./create-middleware.js").JumpTo} JumpTo */
/** @typedef {import("./create-middleware.js").Middleware} Middleware */
/** @typedef {import("./routes.js").AgentState} AgentState */
/** @typedef {import("./routes.js").Places} Places */
/** @typedef {import("./routes.js").Route} Route */
/**
 * @typedef {{ name: string, node: unknown, canJumpTo: readonly JumpTo[], reviews?: readonly
 *   string[] }} HookNode
 */

export const MODEL = "model_request";
export const TOOLS = "tools";

/**
 * Makes the nodes of one kind of hook, in the order of the middlewares.
 * @param {readonly Middleware[]} middlewares
 * @param {readonly ToolLike[]} tools that the agent runs
 * @param {HookName} kind
 * @param {string} suffix of the nodes' names
 * @returns {HookNode[]}
 */
function nodesOf(middlewares, tools, kind, suffix) {
  return middlewares.flatMap((middleware) => {
    const found = hookOf(middleware, kind);
    if (found === undefined) return [];
    const node = hookNode(middleware, kind, found, tools);
    return [{ ...found, name: `${middleware.name}.${suffix}`, node }];
  });
}

/**
 * Builds the graph.
 * @param {{ schemas: { state: unknown, input: unknown, output: unknown }, contextSchema: unknown,
 *   middlewares: readonly Middleware[], model: unknown, tools:
 *   import("../prebuilt/tool-node/tool-node.js").ToolNode | undefined, sendEach: boolean, direct:
 *   ReadonlySet<string>, repeats: boolean }} parts `tools`: the ToolNode, undefined without tools;
 *   `repeats`: whether the model may have to answer again
 * @returns {StateGraph} not compiled yet
 */
export function buildGraph({ schemas, contextSchema, middlewares, model, tools, ...more }) {
  const { repeats, ...rest } = more;
  const known = tools?.toolset.tools ?? [];
  const beforeAgent = nodesOf(middlewares, known, "beforeAgent", "before_agent");
  const beforeModel = nodesOf(middlewares, known, "beforeModel", "before_model");
  const afterModel = nodesOf(middlewares, known, "afterModel", "after_model").reverse();
  const afterAgent = nodesOf(middlewares, known, "afterAgent", "after_agent").reverse();
  /** @type {Places} */
  const places = {
    ...rest,
    loop: beforeModel[0]?.name ?? MODEL,
    exit: afterAgent[0]?.name ?? END,
    tools: tools === undefined ? undefined : TOOLS,
    review: tools && reviewIn(afterModel),
  };
  const reviewed = { ...places, review: undefined };
  const graph = new StateGraph({ ...schemas, context: contextSchema });
  for (const { name, node } of [...beforeAgent, ...beforeModel, ...afterModel, ...afterAgent])
    graph.addNode(name, node);
  graph.addNode(MODEL, model);
  if (tools !== undefined) graph.addNode(TOOLS, tools);
  graph.addEdge(START, beforeAgent[0]?.name ?? places.loop);
  chain(graph, beforeAgent, places.loop, places);
  // A jump to the model skips the hooks that are left, but none of those before a new turn.
  chain(graph, beforeModel, MODEL, { ...places, loop: MODEL });
  // These are behind the end already: a jump there does not begin them anew.
  chain(graph, afterAgent, END, { ...places, exit: END });
  const last = afterModel.at(-1);
  for (const [index, node] of afterModel.slice(0, -1).entries())
    chain(graph, [node], afterModel[index + 1].name, {
      ...places,
      review: places.review && reviewIn(afterModel.slice(index + 1)),
    });
  if (last !== undefined) graph.addEdge(MODEL, afterModel[0].name);
  const canRepeat = repeats || last !== undefined;
  const others = [places.exit, ...(tools === undefined ? [] : [TOOLS])];
  if (others.length === 1 && !canRepeat) graph.addEdge(MODEL, places.exit);
  else
    addRoute(
      graph,
      last?.name ?? MODEL,
      last?.canJumpTo ?? [],
      reviewed,
      (state) => modelRoute(state, places, canRepeat),
      canRepeat ? [...others, places.loop] : others,
    );
  if (tools === undefined) return graph;
  if (places.direct.size === 0) graph.addEdge(TOOLS, places.loop);
  else
    graph.addConditionalEdges(
      TOOLS,
      (/** @type {AgentState} */ state) => toolsRoute(state, places),
      [places.loop, places.exit],
    );
  return graph;
}

/** @param {readonly HookNode[]} nodes @returns {string | undefined} name of the first review */
function reviewIn(nodes) {
  return nodes.find(({ reviews }) => reviews !== undefined)?.name;
}

/**
 * Connects hooks, each with the next one, or with where it jumps.
 * @param {StateGraph} graph
 * @param {readonly HookNode[]} nodes
 * @param {string} end what follows the last one
 * @param {Places} places
 */
function chain(graph, nodes, end, places) {
  for (const [index, { name, canJumpTo }] of nodes.entries()) {
    const next = nodes[index + 1]?.name ?? end;
    if (canJumpTo.length === 0) graph.addEdge(name, next);
    else addRoute(graph, name, canJumpTo, places, () => next, [next]);
  }
}

/**
 * Adds the route behind a node: its jump, else what `otherwise` says.
 * @param {StateGraph} graph
 * @param {string} name
 * @param {readonly JumpTo[]} canJumpTo
 * @param {Places} places
 * @param {(state: AgentState) => Route} otherwise
 * @param {string[]} others where that may lead
 */
function addRoute(graph, name, canJumpTo, places, otherwise, others) {
  const { loop, exit, tools, review } = places;
  const all = { model: loop, tools: review ?? tools ?? exit, end: exit };
  const ends = new Set([...others, ...canJumpTo.map((target) => all[target])]);
  if (canJumpTo.includes("tools")) ends.add(exit); // if no call is open
  const route =
    canJumpTo.length === 0
      ? otherwise
      : (/** @type {AgentState} */ state) =>
          (JUMP in state ? jumpRoute(state, places) : undefined) ?? otherwise(state);
  graph.addConditionalEdges(name, route, [...ends]);
}
