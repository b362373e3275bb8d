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
  /** Adds a node, or several. Throws an Error for a name that is taken or reserved. */
  addNode<Name extends string>(
    name: Name,
    action: any,
    options?: { metadata?: Record<string, any>; subgraphs?: any[]; ends?: string[] },
  ): Graph<Nodes | Name, Input, Output, NodeSpecType, C>;
  addNode<Name extends string>(
    nodes: Record<Name, any>,
  ): Graph<Nodes | Name, Input, Output, NodeSpecType, C>;
  /** Adds the only edge that leaves a node. Throws an Error for a second edge. */
  addEdge(from: string, to: string): this;
  /** Adds a condition after `source`; `pathMap` maps its results to nodes. */
  addConditionalEdges(
    source: string | { source: string; path: any; pathMap?: any },
    path?: any,
    pathMap?: Record<string, string> | string[],
  ): this;
  /** Adds the edge from START. */
  setEntryPoint(key: string): this;
  /** Adds an edge to END. */
  setFinishPoint(key: string): this;
  /** Warns on the console that a change does not affect a graph that has been compiled. */
  warnIfCompiled(message: string): void;
  /** Checks the graph as compile() does. @param interrupt nodes that must exist */
  validate(interrupt?: string[]): void;
  /** Checks the graph and makes it runnable. */
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
