// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/remote`.
import type { GraphRunStream } from "./events/run.js";
import type { BaseChannel } from "./state/state.js";
import type { PregelNode } from "./graph/pregel.js";
import type { RunnableConfig, StateSnapshot } from "./base/common-types.js";
import type { BatchOptions, ChunkStream, DrawnGraph, RunnableShape } from "./runnable/types.js";

/**
 * The methods of a client that RemoteGraph needs; that of @langchain/langgraph-sdk has them.
 */
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
/** Options of a RemoteGraph; `graphId` is required. */
export interface RemoteGraphParams {
  /** Name of the graph, or id of the assistant, on the server. */
  graphId: string;
  /** URL of the server; "http://localhost:8123" by default. */
  url?: string;
  /**
   * API key; by default LANGGRAPH_API_KEY, LANGSMITH_API_KEY or LANGCHAIN_API_KEY of the
   * environment.
   */
  apiKey?: string;
  headers?: Record<string, string>;
  /**
   * Origins besides that of `url` to which redirects are followed, without `apiKey` and `headers`.
   * Default: none (`REDIRECT`).
   */
  redirectOrigins?: string[];
  /** An instance of the SDK's Client, instead of the options above. */
  client?: PlatformClient;
  name?: string;
  /** Config that each call's config overrides. */
  config?: RunnableConfig;
  interruptBefore?: string[] | "*";
  interruptAfter?: string[] | "*";
  /** Whether the server keeps the stream, so that it can be rejoined. */
  streamResumable?: boolean;
}
/** Options of a remote graph's call. */
export interface RemoteRunOptions extends RunnableConfig {
  context?: any;
  streamMode?: string | string[];
  subgraphs?: boolean;
  interruptBefore?: string[] | "*";
  interruptAfter?: string[] | "*";
}

/**
 * A graph on a server of the LangGraph Platform; it can be called, drawn, and be a node of another
 * graph. Throws RemoteException for errors of the graph, GraphInterrupt when it stops for a person,
 * an error with `status` when the server refuses.
 */
export interface RemoteGraph<Nodes, Channels, Context>
  extends RunnableShape<any, any, RemoteRunOptions & { context?: Context }> {}
export class RemoteGraph<
  Nodes extends Record<string, PregelNode> = Record<string, PregelNode>,
  Channels extends Record<string, BaseChannel<any, any>> = Record<string, BaseChannel<any, any>>,
  Context extends Record<string, any> = Record<string, any>,
> {
  /**
   * @param params the graph's id, the server's address or client, and headers
   * @throws BAD_ARGUMENT without the text graphId
   */
  constructor(params: RemoteGraphParams);
  static lc_name(): string;
  lc_namespace: string[];
  readonly lg_is_pregel: true;
  graphId: string;
  config?: RunnableConfig;
  /**
   * Runs the graph; resolves with the last state.
   * @param input as of a graph in this process: state, Command or null
   * @param options config of the call; it lies over the graph's own
   */
  invoke(input: any, options?: RemoteRunOptions & { context?: Context }): Promise<any>;
  /**
   * Runs the graph and streams its chunks.
   * @param input as of a graph in this process: state, Command or null
   * @param options config of the call; `streamMode` is "updates" by default
   */
  stream(input: any, options?: RemoteRunOptions & { context?: Context }): Promise<ChunkStream>;
  /**
   * Streams a run as events of the streaming protocol, version 3 only; aborting cancels it on the
   * server too. Throws for `transformers`, `control`, `interruptBefore`, `interruptAfter`, and a
   * `client` without streams of threads (the SDK's has them from 1.11 on; the run's `thread` is
   * then the SDK's stream of the thread, which the caller closes).
   * @param input as of a graph in this process: state, Command or null
   * @param options config of the call; `version` "v3" is required, and `encoding`
   *   "text/event-stream" gives bytes of server-sent events
   */
  streamEvents(
    input: any,
    options: RemoteRunOptions & { context?: Context; version: "v3"; encoding: "text/event-stream" },
  ): Promise<ChunkStream<Uint8Array>>;
  streamEvents(
    input: any,
    options: RemoteRunOptions & { context?: Context; version: "v3"; encoding?: undefined },
  ): Promise<GraphRunStream<any> & { readonly thread?: any }>;
  /** @param streamOptions takes no part: only versions that are refused have it */
  streamEvents(
    input: any,
    options: RemoteRunOptions & { version: "v1" | "v2" },
    streamOptions?: any,
  ): never;
  /**
   * Calls `invoke` for each input.
   * @param inputs one run each
   * @param options config of all, or one for each
   * @param batchOptions how many at once, and whether errors are results
   */
  batch(
    inputs: any[],
    options?: RemoteRunOptions | RemoteRunOptions[],
    batchOptions?: BatchOptions,
  ): Promise<any[]>;
  /**
   * Copies the graph with a config that each call's config overrides.
   * @param config merged over the graph's own
   */
  withConfig(config: RunnableConfig): this;
  /**
   * Reads the state of a thread or of one of its checkpoints.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   * @param options what is read
   * @param options.subgraphs whether the states of subgraphs are read too; default false
   */
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  /**
   * Reads the checkpoints of a thread, the newest first; 10 by default.
   * @param config names the thread
   * @param options which checkpoints
   * @param options.limit most checkpoints; default 10
   * @param options.before config of a checkpoint: only older ones
   * @param options.filter metadata that they must have
   */
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot, void, void>;
  /**
   * Writes to a thread's state as if a node had; resolves with the new checkpoint's config.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   * @param values writes as a node returns them
   * @param asNode node that they are by; default: the last one
   */
  updateState(config: RunnableConfig, values: any, asNode?: string): Promise<RunnableConfig>;
  /** Always throws: use `getGraphAsync`. */
  getGraph(): never;
  /**
   * Returns the graph for drawing.
   * @param config how it is drawn
   * @param config.xray whether subgraphs are drawn inside, or how many levels; default false
   */
  getGraphAsync(config?: { xray?: boolean | number }): Promise<DrawnGraph>;
  /** Always throws: use `getSubgraphsAsync`. */
  getSubgraphs(): never;
  /**
   * Lists the subgraphs by name.
   * @param namespace only the subgraph with this one; default: all
   * @param recurse whether those inside of them are listed too; default false
   */
  getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncGenerator<[string, RemoteGraph]>;
}
