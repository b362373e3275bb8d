// SPDX-License-Identifier: MIT
// LangChain's Runnable by its shape: what compiled graphs inherit.
import type { RunnableConfig } from "../base/common-types.js";
import type { CoreGraph, CoreRunnable, CoreStream, IsAny } from "./core.js";

type Maybe<Value> = Value | Promise<Value>;

/** A ReadableStream that is its own async iterator. */
export type ChunkStream<Chunk = any> =
  IsAny<CoreStream<any>> extends true ? OwnStream<Chunk> : CoreStream<Chunk>;
/** The same without @langchain/core. */
export type OwnStream<Chunk> = ReadableStream<Chunk> &
  AsyncIterable<Chunk> & {
    next(): Promise<IteratorResult<Chunk>>;
    return(value?: any): Promise<IteratorResult<Chunk>>;
    throw(error: unknown): Promise<IteratorResult<Chunk>>;
  };

/**
 * What can stand behind another Runnable: anything with `invoke`, a function, or an object of them.
 */
export type PipeInput<Input, Output> =
  | { invoke(input: Input, config?: any): Maybe<Output> }
  | ((input: Input, config?: any) => Output | Promise<Output>)
  | { [Key in keyof Output]: PipeInput<Input, Output[Key]> };

/** How `batch` runs its inputs; all at the same time without `maxConcurrency`. */
export interface BatchOptions {
  /** Inputs at the same time. */
  maxConcurrency?: number;
  /** Errors stand in the list instead of being thrown. */
  returnExceptions?: boolean;
}

/** A run as its listeners see it. */
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
  invoke(input: Input, config?: Config): Promise<Output>;
  stream(input: Input, config?: Config): Promise<ChunkStream>;
  batch(
    inputs: Input[],
    options?: Config | Config[],
    batchOptions?: BatchOptions,
  ): Promise<Output[]>;
  withConfig(config: Config): RunnableOf<Input, Output, Config>;
}

/**
 * What all Runnables have, but for the types of calls, which are a graph's own. Where
 * @langchain/core is installed it is core's class.
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
/** Core's, with calls that answer anything. */
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
  /** The chunks of what the sum of the input's chunks gives. */
  transform(chunks: AsyncIterable<any>, config?: Config): AsyncGenerator<any, any, any>;
  /** This, and `next` with what it gives. */
  pipe<Next = any>(next: PipeInput<Output, Next>): RunnableOf<Input, Next>;
  /** One key of what this gives, or an object of several. */
  pick(keys: string | string[]): RunnableOf<Input, any>;
  /** Adds keys to what this gives. */
  assign<Added extends Record<string, any> = Record<string, any>>(
    mapping: { [Key in keyof Added]: PipeInput<Output, Added[Key]> },
  ): RunnableOf<Input, Output & Added>;
  /** Three attempts by default; what is wrong in the program (TypeError) is not tried again. */
  withRetry(fields?: {
    stopAfterAttempt?: number;
    onFailedAttempt?: (error: any, input: Input) => any;
  }): RunnableOf<Input, Output>;
  /** The next one is tried when one fails; if all do, the first error is thrown. */
  withFallbacks(
    fields:
      | RunnableShape<Input, Output, any>[]
      | { fallbacks: RunnableShape<Input, Output, any>[] },
  ): RunnableOf<Input, Output>;
  /** Tells of the beginning and the end of each call. */
  withListeners(listeners: {
    onStart?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
    onEnd?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
    onError?: (run: RunRecord, config?: RunnableConfig) => void | Promise<void>;
  }): RunnableOf<Input, Output>;
  /** What happens in a run and below it, as LangChain's events. */
  streamEvents(
    input: Input,
    options: Partial<Config> & { version: "v1" | "v2"; encoding?: "text/event-stream" },
    filter?: Record<string, string[] | undefined>,
  ): any;
  /** The same as patches of one record. */
  streamLog(
    input: Input,
    options?: Partial<Config>,
    filter?: Record<string, string[] | undefined>,
  ): any;
  getGraph(config?: GraphOptions): DrawnGraph;
  /** As a tool for a model: of a tool call it takes the arguments. */
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
/** An edge of a drawing, by ids of nodes; `data` is its label. */
export interface DrawnEdge {
  source: string;
  target: string;
  data?: string;
  conditional?: boolean;
}
/** How a drawing is written as Mermaid's text. */
export interface MermaidOptions {
  /** Without them: edges only. */
  withStyles?: boolean;
  /** Mermaid's name of a curve, "linear" by default. */
  curveStyle?: string;
  /** Mermaid's styles of the classes "default", "first" and "last": `fill:#f2f0ff`. */
  nodeColors?: Record<string, string>;
  /** Words on one line of an edge's label, 9 by default. */
  wrapLabelNWords?: number;
}
/** What `getGraph` draws. */
export interface GraphOptions extends RunnableConfig {
  /** How many levels of subgraphs are drawn with their own nodes; true: all. */
  xray?: boolean | number;
}
/** LangChain's drawable graph. */
export type DrawnGraph = IsAny<CoreGraph> extends true ? OwnGraph : CoreGraph;
/** The same without @langchain/core. */
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
  addNode(data: any, id?: string, metadata?: Record<string, any>): DrawnNode;
  removeNode(node: { id: string }): void;
  addEdge(
    source: { id: string },
    target: { id: string },
    data?: string,
    conditional?: boolean,
  ): DrawnEdge;
  /** The one node that nothing leads to. */
  firstNode(): DrawnNode | undefined;
  /** The one node that leads nowhere. */
  lastNode(): DrawnNode | undefined;
  trimFirstNode(): void;
  trimLastNode(): void;
  /** Takes in another graph, its ids behind a prefix; answers its first and its last node. */
  extend(graph: OwnGraph, prefix?: string): ({ id: string; data: any } | undefined)[];
  /** The same with names for random ids. */
  reid(): OwnGraph;
  drawMermaid(options?: MermaidOptions): string;
  /**
   * Asks the service mermaid.ink, which is sent the drawing. `drawSvg` of `weftgraph/svg` needs no
   * network.
   */
  drawMermaidPng(options?: MermaidOptions & { backgroundColor?: string }): Promise<Blob>;
}
