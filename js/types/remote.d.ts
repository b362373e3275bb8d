// SPDX-License-Identifier: MIT
// The public names of `weftgraph/remote`.
import type { GraphRunStream } from "./events/run.js";
import type { BaseChannel } from "./state/state.js";
import type { PregelNode } from "./graph/pregel.js";
import type { RunnableConfig, StateSnapshot } from "./base/common-types.js";
import type { BatchOptions, ChunkStream, DrawnGraph, RunnableShape } from "./runnable/types.js";

/** What RemoteGraph asks of a client: that of @langchain/langgraph-sdk has it. */
export interface PlatformClient {
  runs: {
    stream(
      threadId: any,
      assistantId: string,
      payload?: any,
    ): AsyncIterable<{ event: string; data: any }>;
  };
  threads: {
    getState(threadId: string, checkpoint?: any, options?: { subgraphs?: boolean }): Promise<any>;
    updateState(threadId: string, options: any): Promise<any>;
    getHistory(threadId: string, options?: any): Promise<any[]>;
  };
  assistants: {
    getGraph(assistantId: string, options?: { xray?: boolean | number }): Promise<any>;
    getSubgraphs(
      assistantId: string,
      options?: { namespace?: string; recurse?: boolean },
    ): Promise<Record<string, any>>;
  };
}
/** Which graph, on which server; `graphId` is needed. */
export interface RemoteGraphParams {
  /** Name of the graph, or id of the assistant, on the server. */
  graphId: string;
  /** Where the server is, "http://localhost:8123" by default. */
  url?: string;
  /** Else what LANGGRAPH_API_KEY, LANGSMITH_API_KEY or LANGCHAIN_API_KEY of the environment say. */
  apiKey?: string;
  headers?: Record<string, string>;
  /**
   * Origins besides that of `url` to which redirects are followed; `apiKey` and `headers` do not go
   * there. Default: none (`REDIRECT`).
   */
  redirectOrigins?: string[];
  /** Instead of the five above: an instance of the SDK's Client. */
  client?: PlatformClient;
  name?: string;
  /** Beneath the config of each call. */
  config?: RunnableConfig;
  interruptBefore?: string[] | "*";
  interruptAfter?: string[] | "*";
  /** Ask the server to keep the stream, so that it can be joined again. */
  streamResumable?: boolean;
}
/** What a call of a graph on a server may say. */
export interface RemoteRunOptions extends RunnableConfig {
  context?: any;
  streamMode?: string | string[];
  subgraphs?: boolean;
  interruptBefore?: string[] | "*";
  interruptAfter?: string[] | "*";
}

/**
 * A graph that runs on a server of the LangGraph Platform; it can be called, drawn, and be a node
 * of another graph. Throws RemoteException for errors of the graph, GraphInterrupt where it stops
 * for a person, an error with `status` where the server refuses.
 */
export interface RemoteGraph<Nodes, Channels, Context>
  extends RunnableShape<any, any, RemoteRunOptions & { context?: Context }> {}
export class RemoteGraph<
  Nodes extends Record<string, PregelNode> = Record<string, PregelNode>,
  Channels extends Record<string, BaseChannel<any, any>> = Record<string, BaseChannel<any, any>>,
  Context extends Record<string, any> = Record<string, any>,
> {
  constructor(params: RemoteGraphParams);
  static lc_name(): string;
  lc_namespace: string[];
  readonly lg_is_pregel: true;
  graphId: string;
  config?: RunnableConfig;
  /** The last state of the run. */
  invoke(input: any, options?: RemoteRunOptions & { context?: Context }): Promise<any>;
  stream(input: any, options?: RemoteRunOptions & { context?: Context }): Promise<ChunkStream>;
  /**
   * A run as events of the streaming protocol, by version 3 alone; aborted, it is cancelled on the
   * server too. Throws for `transformers`, `control`, `interruptBefore`, `interruptAfter`, and a
   * `client` without streams of threads (the SDK's has them from 1.11 on; the run's `thread` is
   * then the SDK's stream of the thread, which the caller closes).
   */
  streamEvents(
    input: any,
    options: RemoteRunOptions & { context?: Context; version: "v3"; encoding: "text/event-stream" },
  ): Promise<ChunkStream<Uint8Array>>;
  streamEvents(
    input: any,
    options: RemoteRunOptions & { context?: Context; version: "v3"; encoding?: undefined },
  ): Promise<GraphRunStream<any> & { readonly thread?: any }>;
  streamEvents(
    input: any,
    options: RemoteRunOptions & { version: "v1" | "v2" },
    streamOptions?: any,
  ): never;
  batch(
    inputs: any[],
    options?: RemoteRunOptions | RemoteRunOptions[],
    batchOptions?: BatchOptions,
  ): Promise<any[]>;
  withConfig(config: RunnableConfig): this;
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot, void, void>;
  updateState(config: RunnableConfig, values: any, asNode?: string): Promise<RunnableConfig>;
  /** Always throws: ask `getGraphAsync`. */
  getGraph(): never;
  getGraphAsync(config?: { xray?: boolean | number }): Promise<DrawnGraph>;
  /** Always throws: ask `getSubgraphsAsync`. */
  getSubgraphs(): never;
  getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncGenerator<[string, RemoteGraph]>;
}
