// SPDX-License-Identifier: MIT
// Declares LangChain's Runnable by its methods: the base of compiled graphs.
import type { RunnableConfig } from "../base/common-types.js";
import type { CoreGraph, CoreRunnable, CoreStream, IsAny } from "./core.js";

type Maybe<Value> = Value | Promise<Value>;

/** A ReadableStream that is its own async iterator. */
export type ChunkStream<Chunk = any> =
  IsAny<CoreStream<any>> extends true ? OwnStream<Chunk> : CoreStream<Chunk>;
/** A ChunkStream without @langchain/core. */
export type OwnStream<Chunk> = ReadableStream<Chunk> &
  AsyncIterable<Chunk> & {
    next(): Promise<IteratorResult<Chunk>>;
    return(value?: any): Promise<IteratorResult<Chunk>>;
    throw(error: unknown): Promise<IteratorResult<Chunk>>;
  };

/**
 * Valid successor of another Runnable: anything with `invoke`, a function, or an object of them.
 */
export type PipeInput<Input, Output> =
  | { invoke(input: Input, config?: any): Maybe<Output> }
  | ((input: Input, config?: any) => Output | Promise<Output>)
  | { [Key in keyof Output]: PipeInput<Input, Output[Key]> };

/** Options of `batch`; all inputs run at the same time without `maxConcurrency`. */
export interface BatchOptions {
  /** Maximum number of inputs at the same time; that of the config counts first. */
  maxConcurrency?: number;
  /** Whether errors are returned in the list instead of being thrown. */
  returnExceptions?: boolean;
}

/** A run as its listeners receive it. */
export interface RunRecord {
  id: string;
  name: string;
  run_type: string;
  start_time: number;
  end_time?: number;
  inputs: any;
  outputs?: any;
  error?: string;
  tags: string[];
  extra: { metadata: Record<string, any> };
  child_runs: any[];
}

/** A Runnable that calls another one. */
export interface RunnableOf<
  Input = any,
  Output = any,
  Config extends RunnableConfig = RunnableConfig,
> extends RunnableShape<Input, Output, Config> {
  /**
   * @param input as the wrapped Runnable takes it
   * @param config config of the call
   */
  invoke(input: Input, config?: Config): Promise<Output>;
  /**
   * @param input as the wrapped Runnable takes it
   * @param config config of the call
   */
  stream(input: Input, config?: Config): Promise<ChunkStream>;
  /**
   * @param inputs one run each
   * @param options config of all, or a list with one for each
   * @param batchOptions how many at once, and whether errors are results
   */
  batch(
    inputs: Input[],
    options?: Config | Config[],
    batchOptions?: BatchOptions,
  ): Promise<Output[]>;
  /** @param config lies beneath that of each call */
  withConfig(config: Config): RunnableOf<Input, Output, Config>;
}

/**
 * Common members of all Runnables except the types of calls, which are a graph's own. With
 * @langchain/core installed it is core's class.
 */
export interface RunnableShape<
  Input = any,
  Output = any,
  Config extends RunnableConfig = RunnableConfig,
> extends Base<Input, Output, Config> {}
type Base<Input, Output, Config extends RunnableConfig> =
  IsAny<CoreRunnable> extends true
    ? OwnRunnable<Input, Output, Config>
    : OfCore<Input, Output, Config>;
/** Core's Runnable, with calls of any result. */
interface OfCore<Input, Output, Config extends RunnableConfig>
  extends CoreRunnable<Input, Output, Config> {
  invoke(input: Input, options?: Partial<Config>): Promise<any>;
  stream(input: Input, options?: Partial<Config>): Promise<CoreStream<any>>;
  batch(inputs: any[], options?: any, batchOptions?: any): Promise<any[]>;
  withConfig(config: any): any;
}
interface OwnRunnable<Input, Output, Config extends RunnableConfig> {
  readonly lc_runnable: boolean;
  readonly lc_serializable: boolean;
  lc_namespace: string[];
  readonly lc_id: string[];
  name?: string;
  getName(suffix?: string): string;
  toJSON(): any;
  /** Yields the output chunks for the sum of the input's chunks. */
  transform(chunks: AsyncIterable<any>, config?: Config): AsyncGenerator<any, any, any>;
  /** Returns a Runnable that calls this one, then `next` with its result. */
  pipe<Next = any>(next: PipeInput<Output, Next>): RunnableOf<Input, Next>;
  /** Returns a Runnable that selects one key of the result, or several as an object. */
  pick(keys: string | string[]): RunnableOf<Input, any>;
  /** Returns a Runnable that adds keys to the result. */
  assign<Added extends Record<string, any> = Record<string, any>>(
    mapping: { [Key in keyof Added]: PipeInput<Output, Added[Key]> },
  ): RunnableOf<Input, Output & Added>;
  /**
   * Returns a Runnable with retries: three attempts by default; programming errors (TypeError) are
   * not retried.
   */
  withRetry(fields?: {
    stopAfterAttempt?: number;
    onFailedAttempt?: (error: any, input: Input) => any;
  }): RunnableOf<Input, Output>;
  /**
   * Returns a Runnable that tries the next one when one fails; if all fail, the first error is
   * thrown.
   */
  withFallbacks(
    fields:
      | RunnableShape<Input, Output, any>[]
      | { fallbacks: RunnableShape<Input, Output, any>[] },
  ): RunnableOf<Input, Output>;
  /** Returns a Runnable that reports the start and end of each call. */
  withListeners(listeners: {
    onStart?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
    onEnd?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
    onError?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
  }): RunnableOf<Input, Output>;
  /** Streams the events of a run and its child runs in LangChain's format. */
  streamEvents(
    input: Input,
    options: Partial<Config> & { version: "v1" | "v2"; encoding?: "text/event-stream" },
    filter?: Record<string, string[] | undefined>,
  ): any;
  /** Streams these events as patches of one record. */
  streamLog(
    input: Input,
    options?: Partial<Config>,
    filter?: Record<string, string[] | undefined>,
  ): any;
  getGraph(config?: GraphOptions): DrawnGraph;
  /** Returns a tool for a model; a tool call's arguments are its input. */
  asTool(fields: {
    name?: string;
    description?: string;
    schema: any;
  }): RunnableOf<any, Output> & { name: string; description?: string; schema: any };
}

/** A node of a drawing; `data` is what runs there. */
export interface DrawnNode {
  id: string;
  name: string;
  data: any;
  metadata?: Record<string, any>;
}
/** An edge of a drawing, by node ids; `data` is its label. */
export interface DrawnEdge {
  source: string;
  target: string;
  data?: string;
  conditional?: boolean;
}
/** Options of Mermaid drawings. */
export interface MermaidOptions {
  /** false: edges only. */
  withStyles?: boolean;
  /** Mermaid's name of a curve, "linear" by default. */
  curveStyle?: string;
  /** Mermaid's styles of the classes "default", "first" and "last": `fill:#f2f0ff`. */
  nodeColors?: Record<string, string>;
  /** Words per line of an edge's label, 9 by default. */
  wrapLabelNWords?: number;
}
/** Options of `getGraph`. */
export interface GraphOptions extends RunnableConfig {
  /** How many levels of subgraphs are drawn with their own nodes; true: all. */
  xray?: boolean | number;
}
/** LangChain's drawable graph. */
export type DrawnGraph = IsAny<CoreGraph> extends true ? OwnGraph : CoreGraph;
/** A DrawnGraph without @langchain/core. */
export interface OwnGraph {
  nodes: Record<string, DrawnNode>;
  edges: DrawnEdge[];
  toJSON(): {
    nodes: Record<string, any>[];
    edges: {
      source: string | number;
      target: string | number;
      data?: string;
      conditional?: boolean;
    }[];
  };
  /**
   * @param data what runs there: a Runnable, or `{ name, schema }` for an input or output
   * @param id of the node; default: a random one
   * @param metadata shown with the node
   * @throws Error for an id that the graph has already
   */
  addNode(data: any, id?: string, metadata?: Record<string, any>): DrawnNode;
  /**
   * @param node node of the graph; its edges go too
   * @param node.id what it is found by; one that is not there is no error
   */
  removeNode(node: { id: string }): void;
  /**
   * @param source node where it begins
   * @param source.id what it is found by
   * @param target node where it ends
   * @param target.id what it is found by
   * @param data label of the edge
   * @param conditional whether a condition decides; drawn as a dotted line
   * @throws Error for a node that the graph does not have
   */
  addEdge(
    source: { id: string },
    target: { id: string },
    data?: string,
    conditional?: boolean,
  ): DrawnEdge;
  /** Returns the only node without incoming edges. */
  firstNode(): DrawnNode | undefined;
  /** Returns the only node without outgoing edges. */
  lastNode(): DrawnNode | undefined;
  trimFirstNode(): void;
  trimLastNode(): void;
  /**
   * Adds another graph, its ids prefixed; returns its first and its last node.
   * @param graph graph whose nodes and edges are added; stays unchanged
   * @param prefix put before each id, with a colon, unless all its ids are random; default ""
   */
  extend(graph: OwnGraph, prefix?: string): ({ id: string; data: any } | undefined)[];
  /** Copies the graph with names in place of random ids. */
  reid(): OwnGraph;
  /** @param options how it is drawn */
  drawMermaid(options?: MermaidOptions): string;
  /**
   * Draws by the service mermaid.ink, which receives the drawing. `drawSvg` of `weftgraph/svg`
   * needs no network.
   * @param options those of drawMermaid, and `backgroundColor`: a name of a color or #rrggbb;
   *   default "white"
   */
  drawMermaidPng(options?: MermaidOptions & { backgroundColor?: string }): Promise<Blob>;
}
