// SPDX-License-Identifier: MIT
// Declares LangGraph's older builders.
import type { Pregel } from "../graph/pregel.js";
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { StateGraph } from "../graph/graph.js";
import type { Messages } from "../state/state.js";

/** A graph whose nodes pass one value on. */
export class Graph<
  Nodes extends string = any,
  Input = any,
  Output = any,
  NodeSpecType = any,
  C = any,
> {
  nodes: Record<string, any>;
  edges: Set<[string, string]>;
  branches: Record<string, any>;
  get allEdges(): Set<[string, string]>;
  entryPoint?: string;
  compiled: boolean;
  /**
   * Adds a node, or several. Throws an Error for a name that is taken or reserved.
   * @param name name of the node
   * @param action function or Runnable, or an object of them; gets what the node before it returned
   * @param options what is known of the node
   * @param options.metadata for drawings and callbacks
   * @param options.subgraphs graphs that the action calls, for getSubgraphs and drawings
   * @param options.ends nodes to which it may go, for drawings
   */
  addNode<Name extends string>(
    name: Name,
    action: any,
    options?: { metadata?: Record<string, any>; subgraphs?: any[]; ends?: string[] },
  ): Graph<Nodes | Name, Input, Output, NodeSpecType, C>;
  /** @param nodes several at once, by name or as a list */
  addNode<Name extends string>(
    nodes: Record<Name, any>,
  ): Graph<Nodes | Name, Input, Output, NodeSpecType, C>;
  /**
   * Adds the only edge that leaves a node.
   * @param from node, or START
   * @param to node, or END; `compile()` checks that both are there
   * @throws Error for an edge from END or to START, and for a second edge of a node
   */
  addEdge(from: string, to: string): this;
  /**
   * Adds a condition after `source`; `pathMap` maps its results to nodes.
   * @param source node after which is decided, or `{ source, path, pathMap }`
   * @param path function or Runnable that gets the node's result and returns what comes next, one
   *   or several
   * @param pathMap names of nodes by what `path` returns, or the list of those that it may return;
   *   default: any node
   */
  addConditionalEdges(
    source: string | { source: string; path: any; pathMap?: any },
    path?: any,
    pathMap?: Record<string, string> | string[],
  ): this;
  /**
   * Adds the edge from START.
   * @param key node that runs first
   */
  setEntryPoint(key: string): this;
  /**
   * Adds an edge to END.
   * @param key node after which the run ends
   */
  setFinishPoint(key: string): this;
  /**
   * Warns on the console that a change does not affect a graph that has been compiled.
   * @param message the warning
   */
  warnIfCompiled(message: string): void;
  /** Checks the graph as compile() does. @param interrupt nodes that must exist */
  validate(interrupt?: string[]): void;
  /**
   * Checks the graph and makes it runnable.
   * @param options checkpointer, breakpoints and name
   * @param options.checkpointer saver of the threads; without one nothing is saved
   * @param options.interruptBefore nodes before which a run stops, `"*"` for all
   * @param options.interruptAfter nodes after which a run stops, `"*"` for all
   * @param options.name name in traces and drawings
   * @throws UnreachableNodeError for a node to which nothing leads, Error for an edge or a
   *   breakpoint at a node that is not there
   */
  compile(options?: {
    checkpointer?: any;
    interruptBefore?: string[] | "*";
    interruptAfter?: string[] | "*";
    name?: string;
  }): Pregel<any, any, any, Input, Output>;
}
/**
 * A graph whose state is one list of messages.
 * @example
 * ```ts
 * import { type BaseMessage, MessageGraph, START } from "weftgraph";
 *
 * const graph = new MessageGraph()
 *   .addNode("answer", () => [{ role: "assistant", content: "Hello" }])
 *   .addEdge(START, "answer")
 *   .compile();
 * const messages: BaseMessage[] = (await graph.invoke("Hi" as any)) as any;
 * console.log(messages.map(({ content }) => content));
 * ```
 * ```text
 * [ 'Hi', 'Hello' ]
 * ```
 */
export class MessageGraph extends StateGraph<BaseMessage[], BaseMessage[], Messages> {
  constructor();
}
