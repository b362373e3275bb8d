// SPDX-License-Identifier: MIT
// The low-level graph: channels, nodes that read and write them, and what runs them.
import type { BaseChannel } from "../state/state.js";
import type { CompiledSettings, EventfulRunnable, GraphChannels, RunOptions } from "./graph.js";
import type { IterableReadableStream, StreamMode, StreamOutputMap } from "./streams.js";
import type { StreamTransformer } from "../events/run.js";
import type {
  DrawnGraph,
  GraphOptions,
  PipeInput,
  RunnableOf,
  RunnableShape,
} from "../runnable/types.js";
import type { BaseCache } from "../stores/cache.js";
import type { RetryPolicy } from "../plan/policy-types.js";
import type {
  Command,
  RunnableConfig,
  Send,
  StateSnapshot,
  StoreLike,
  TimeoutPolicy,
} from "../base/common-types.js";

type RunnableLike = { invoke(input: any, config?: any): any; [member: string]: any };

/** One write of a ChannelWrite; without a channel the mapper gives pairs of channel and value. */
export interface ChannelWriteEntry {
  channel?: string;
  value: unknown;
  skipNone?: boolean;
  mapper?: RunnableLike;
}

export interface ChannelWrite extends RunnableShape<any, any, RunnableConfig> {}
/** Writes what it is given to channels, and gives it on. */
export class ChannelWrite {
  constructor(writes: (ChannelWriteEntry | Send)[], tags?: string[]);
  lc_namespace: string[];
  readonly writes: (ChannelWriteEntry | Send)[];
  /** Writes the input to the channels. @returns the input */
  invoke(input: any, config?: any): Promise<any>;
  /** Whether it writes, so that a node may end with it. */
  static isWriter(runnable: unknown): runnable is ChannelWrite;
  /** Marks a Runnable as one that writes. @returns the same */
  static registerWriter<One>(runnable: One): One;
}

/**
 * What a node of a Pregel reads, when it runs, what it calls (`bound`) and what writes its result
 * (`writers`).
 */
export interface PregelNodeFields {
  /**
   * A list: the first one that holds something is the input. An object: those that hold something,
   * by key.
   */
  channels: Record<string, string> | string[];
  /** Channels whose writes make the node run. */
  triggers: string[];
  /** Makes the input of what the channels hold. */
  mapper?: (input: any) => any;
  /** Run with the result; each writes to channels. */
  writers?: RunnableLike[];
  /** What the node does; without it the input is the result. */
  bound?: RunnableLike;
  kwargs?: Record<string, any>;
  config?: RunnableConfig;
  metadata?: Record<string, unknown>;
  tags?: string[];
  retryPolicy?: any;
  cachePolicy?: any;
  timeout?: number | TimeoutPolicy;
  subgraphs?: RunnableLike[];
  ends?: string[];
}
export interface PregelNode<Input = any, Output = any> extends RunnableOf<Input, Output> {}
/** A node of a Pregel; made by `Channel.subscribeTo`, then told what to do by `pipe`. */
export class PregelNode<Input = any, Output = any> {
  constructor(fields: PregelNodeFields);
  lc_graph_name: string;
  channels: Record<string, string> | string[];
  triggers: string[];
  mapper?: (input: any) => any;
  writers: RunnableLike[];
  bound: RunnableLike;
  kwargs: Record<string, any>;
  metadata: Record<string, unknown>;
  tags: string[];
  retryPolicy?: RetryPolicy;
  cachePolicy?: any;
  timeout?: number | TimeoutPolicy;
  subgraphs?: RunnableLike[];
  ends?: string[];
  invoke(input: Input, config?: RunnableConfig): Promise<Output>;
  /** Its writers; those that write only to channels are joined. */
  getWriters(): RunnableLike[];
  /** What it does and its writers, as one Runnable; undefined: nothing. */
  getNode(): RunnableLike | undefined;
  /** Reads more channels without being triggered by them. */
  join(channels: string[]): PregelNode<Input, Output>;
  /** A node that does this next, or writes it. The node itself stays as it is. */
  pipe<Next = any>(next: PipeInput<any, Next>): PregelNode<Input, any>;
}

/** What may be said of a node that reads several channels. */
export interface MultipleChannelSubscriptionOptions {
  tags?: string[];
}
/** What may be said of a node that reads one channel. */
export interface SingleChannelSubscriptionOptions extends MultipleChannelSubscriptionOptions {
  /** The node's input is an object, with what the channel holds under this key. */
  key?: string;
}
/** Where nodes of a Pregel come from, and where they write to. */
export class Channel {
  /** A node that runs when one of the channels was written. */
  static subscribeTo(channel: string, options?: SingleChannelSubscriptionOptions): PregelNode;
  static subscribeTo(channels: string[], options?: MultipleChannelSubscriptionOptions): PregelNode;
  /** What a node pipes its output into. */
  static writeTo(channels: string[], writes?: Record<string, unknown>): ChannelWrite;
}

/**
 * What a low-level graph is made of: nodes and channels by name, which channels are given as input
 * and which are the result.
 */
export interface PregelParams<
  Nodes extends Record<string, PregelNode>,
  Channels extends Record<string, BaseChannel<any, any>>,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> {
  nodes: Nodes;
  channels: Channels;
  /** One: `invoke` is given its value. Several: an object of values. */
  inputChannels: keyof Channels | (keyof Channels)[];
  /** One: `invoke` gives its value. Several: an object of those that hold something. */
  outputChannels: keyof Channels | (keyof Channels)[];
  /** What streams and snapshots show; all channels without it. */
  streamChannels?: keyof Channels | (keyof Channels)[];
  name?: string;
  /** false: wrong names are not looked for. Default true. */
  autoValidate?: boolean;
  /** What `stream` shows where a call says nothing; default "values". */
  streamMode?: StreamMode | StreamMode[];
  interruptAfter?: (keyof Nodes)[] | "*";
  /** Breakpoints, as of StateGraph's `compile()`. */
  interruptBefore?: (keyof Nodes)[] | "*";
  /** Of a step, in ms. */
  stepTimeout?: number;
  debug?: boolean;
  checkpointer?: any;
  retryPolicy?: any;
  /** Beneath the config of each call. */
  config?: RunnableConfig;
  /** Make something of the events of every run with `streamEvents` of version 3. */
  streamTransformers?: TStreamTransformers;
  store?: StoreLike;
  /** For nodes and tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** What each call may take. */
  limits?: import("../base/run-limits.js").Limits;
}

/** What a low-level graph takes. */
export type PregelInputType = any;
/** What a low-level graph gives. */
export type PregelOutputType = any;
/** What a call of a graph may say. */
export interface PregelOptions<
  Nodes extends Record<string, any> = Record<string, any>,
  Channels extends Record<string, any> = Record<string, any>,
  Context extends Record<string, any> = Record<string, any>,
  Mode extends StreamMode | StreamMode[] | undefined = StreamMode | StreamMode[] | undefined,
  Subgraphs extends boolean = boolean,
  Encoding extends "text/event-stream" | undefined = "text/event-stream" | undefined,
> extends Omit<
    RunOptions<0 extends 1 & Nodes ? any : Extract<keyof Nodes, string>, Context>,
    "inputKeys" | "outputKeys" | "encoding"
  > {
  streamMode?: Mode;
  inputKeys?: keyof Channels | (keyof Channels)[];
  outputKeys?: keyof Channels | (keyof Channels)[];
  debug?: boolean;
  subgraphs?: Subgraphs;
  cache?: BaseCache;
  encoding?: Encoding;
}

type NodesOf<Nodes> = Extract<keyof Nodes, string>;
/**
 * LangGraph's low-level graph, of channels and of nodes that they wake. Graphs compiled by
 * StateGraph are instances too. Throws where channels or nodes that are named are not there.
 */
export interface Pregel<
  Nodes,
  Channels,
  Context,
  Input,
  Output,
  StreamUpdatesType,
  StreamValuesType,
  NodeReturnType,
  CommandType,
  StreamCustom,
  TStreamTransformers,
> extends EventfulRunnable<
      Input | CommandType | null,
      Output,
      RunOptions<NodesOf<Nodes>, Context>,
      TStreamTransformers
    >,
    GraphChannels,
    CompiledSettings<NodesOf<Nodes>> {}
export class Pregel<
  Nodes extends Record<string, any> = any,
  Channels extends Record<string, any> = any,
  Context extends Record<string, any> = Record<string, any>,
  Input = any,
  Output = any,
  StreamUpdatesType = any,
  StreamValuesType = Output,
  NodeReturnType = unknown,
  CommandType = Command<any, any, any>,
  StreamCustom = any,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> {
  constructor(fields: PregelParams<Nodes, Channels, TStreamTransformers>);
  static lc_name(): string;
  lc_namespace: string[];
  readonly lg_is_pregel: true;
  name?: string;
  "~InputType": Input;
  "~OutputType": Output;
  readonly nodes: Nodes;
  readonly channels: Channels;
  debug: boolean;
  readonly streamTransformers: TStreamTransformers;
  stepTimeout?: number;
  retryPolicy?: RetryPolicy;
  checkpointer?: any;
  store?: StoreLike;
  cache?: BaseCache;
  /** Empties the graph's cache. */
  clearCache(): Promise<void>;
  /** Throws what is wrong with the graph. */
  validate(): this;
  /**
   * Runs until no channel wakes a node; gives what the output channels hold. Rejects as a compiled
   * StateGraph does.
   */
  invoke(
    input: Input | CommandType | null,
    options?: Partial<RunOptions<NodesOf<Nodes>, Context>> & {
      streamMode?: StreamMode | StreamMode[];
    },
  ): Promise<Output>;
  stream<
    Mode extends StreamMode | StreamMode[] | undefined = undefined,
    Subgraphs extends boolean = false,
    Encoding extends "text/event-stream" | undefined = undefined,
  >(
    input: Input | CommandType | null,
    options?: Partial<PregelOptions<Nodes, any, Context, Mode, Subgraphs, Encoding>>,
  ): Promise<
    IterableReadableStream<
      StreamOutputMap<
        Mode,
        Subgraphs,
        StreamUpdatesType,
        StreamValuesType,
        string,
        NodeReturnType,
        StreamCustom,
        Encoding
      >
    >
  >;
  /**
   * How LangChain's Runnables see it: never chosen by a call, since the first form takes all of
   * them.
   */
  stream(
    input: Input | CommandType | null,
    options?: undefined,
  ): Promise<IterableReadableStream<Output>>;
  /** What `Parameters` and `ReturnType` tell. */
  stream(
    input: Input | CommandType | null,
    options?: Partial<RunOptions<NodesOf<Nodes>, Context>> & {
      streamMode?: StreamMode | StreamMode[];
    },
  ): Promise<
    IterableReadableStream<
      StreamOutputMap<
        undefined,
        false,
        StreamUpdatesType,
        StreamValuesType,
        string,
        NodeReturnType,
        StreamCustom
      >
    >
  >;
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot<any>>;
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot<any>, void, void>;
  updateState(config: RunnableConfig, values: any, asNode?: string): Promise<RunnableConfig>;
  bulkUpdateState(
    config: RunnableConfig,
    supersteps: { updates: { values?: any; asNode?: string }[] }[],
  ): Promise<RunnableConfig>;
  /**
   * The graphs inside its nodes, by name ("outer|inner" with `recurse`); `namespace`: only that
   * one.
   */
  getSubgraphs(namespace?: string, recurse?: boolean): Generator<[string, Pregel<any, any>]>;
  getSubgraphsAsync(
    namespace?: string,
    recurse?: boolean,
  ): AsyncGenerator<[string, Pregel<any, any>]>;
  withConfig<const More extends ReadonlyArray<() => StreamTransformer<any>>>(
    config: RunnableConfig & { streamTransformers: More },
  ): Pregel<
    Nodes,
    Channels,
    Context,
    Input,
    Output,
    StreamUpdatesType,
    StreamValuesType,
    NodeReturnType,
    CommandType,
    StreamCustom,
    readonly [...TStreamTransformers, ...More]
  >;
  withConfig(config: RunnableConfig): this;
  getGraph(options?: GraphOptions): DrawnGraph;
  getGraphAsync(options?: GraphOptions): Promise<DrawnGraph>;
}
