// SPDX-License-Identifier: MIT
// Declares the low-level graph: channels, the nodes that read and write them, and their runner.
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

/** One write of a ChannelWrite; without a channel the mapper returns pairs of channel and value. */
export interface ChannelWriteEntry {
  channel?: string;
  value: unknown;
  skipNone?: boolean;
  mapper?: RunnableLike;
}

export interface ChannelWrite extends RunnableShape<any, any, RunnableConfig> {}
/** Writes its input to channels and returns it. */
export class ChannelWrite {
  /**
   * @param writes channels with their values, and Sends, in the order in which they are written
   * @param tags for the traces of its calls
   * @throws BAD_ARGUMENT if writes is no list of objects
   */
  constructor(writes: (ChannelWriteEntry | Send)[], tags?: string[]);
  lc_namespace: string[];
  readonly writes: (ChannelWriteEntry | Send)[];
  /**
   * Writes the input to the channels.
   * @param input what is written, unless an entry has a value of its own
   * @param config config of the node
   * @returns the input
   * @throws Error outside of a graph
   */
  invoke(input: any, config?: any): Promise<any>;
  /**
   * Checks whether a Runnable writes, so that a node may end with it.
   * @param runnable any value
   */
  static isWriter(runnable: unknown): runnable is ChannelWrite;
  /**
   * Marks a Runnable as one that writes.
   * @param runnable object that is marked, itself and not a copy
   * @returns the same Runnable
   */
  static registerWriter<One>(runnable: One): One;
}

/**
 * Fields of a Pregel node: its input, triggers, callee (`bound`) and the `writers` of its result.
 */
export interface PregelNodeFields {
  /**
   * A list: the input is the value of the first non-empty channel. An object: the input has the
   * values of non-empty channels, by key.
   */
  channels: Record<string, string> | string[];
  /** Channels whose writes trigger the node. */
  triggers: string[];
  /**
   * Converts the channels' values to the input.
   * @param input value of the first non-empty channel, or an object of values, as `channels` says
   */
  mapper?: (input: any) => any;
  /** Receive the result; each writes to channels. */
  writers?: RunnableLike[];
  /** The node's work; without it the input is the result. */
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
/** A node of a Pregel; created by `Channel.subscribeTo` and completed by `pipe`. */
export class PregelNode<Input = any, Output = any> {
  constructor(fields: PregelNodeFields);
  lc_graph_name: string;
  channels: Record<string, string> | string[];
  triggers: string[];
  /**
   * @param input value of the first non-empty channel, or an object of values, as `channels` says
   */
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
  /**
   * @param input what the node's work gets; its `mapper` is not applied
   * @param config config of the call; the node's work gets it, and its writers do not run
   */
  invoke(input: Input, config?: RunnableConfig): Promise<Output>;
  /** Returns its writers; those that only write to channels are merged. */
  getWriters(): RunnableLike[];
  /** Returns its callee and writers as one Runnable; undefined when there are none. */
  getNode(): RunnableLike | undefined;
  /**
   * Reads more channels without being triggered by them.
   * @param channels names of channels; the input is then an object with a key for each
   */
  join(channels: string[]): PregelNode<Input, Output>;
  /**
   * Returns a node that also does or writes this. The node itself stays unchanged.
   * @param next Runnable, function or object of them that gets the result, or a ChannelWrite that
   *   writes it
   */
  pipe<Next = any>(next: PipeInput<any, Next>): PregelNode<Input, any>;
}

/** Options of a node that reads several channels. */
export interface MultipleChannelSubscriptionOptions {
  tags?: string[];
}
/** Options of a node that reads one channel. */
export interface SingleChannelSubscriptionOptions extends MultipleChannelSubscriptionOptions {
  /** Makes the node's input an object with the channel's value under this key. */
  key?: string;
}
/** Creates nodes of a Pregel, and their writes. */
export class Channel {
  /**
   * Creates a node that runs when one of the channels was written.
   * @param channel name of the channel; its value is the input
   * @param options tags; and for a single channel `key`, under which an object has its value
   * @throws Error for a `key` for several channels
   */
  static subscribeTo(channel: string, options?: SingleChannelSubscriptionOptions): PregelNode;
  /** @param channels names of channels; the input is an object of their values */
  static subscribeTo(channels: string[], options?: MultipleChannelSubscriptionOptions): PregelNode;
  /**
   * Creates a write to which a node pipes its output.
   * @param channels names of channels that get the output as it is
   * @param writes by channel, a value, or a function or Runnable that makes it of the output,
   *   undefined for no write
   * @throws BAD_ARGUMENT if channels is no list
   */
  static writeTo(channels: string[], writes?: Record<string, unknown>): ChannelWrite;
}

/** Fields of a low-level graph: nodes and channels by name, input and output channels. */
export interface PregelParams<
  Nodes extends Record<string, PregelNode>,
  Channels extends Record<string, BaseChannel<any, any>>,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> {
  nodes: Nodes;
  channels: Channels;
  /** One channel: `invoke` takes its value. Several: an object of values. */
  inputChannels: keyof Channels | (keyof Channels)[];
  /** One channel: `invoke` returns its value. Several: an object of the non-empty ones. */
  outputChannels: keyof Channels | (keyof Channels)[];
  /** Channels in streams and snapshots; all by default. */
  streamChannels?: keyof Channels | (keyof Channels)[];
  name?: string;
  /** Whether to check names; true by default. */
  autoValidate?: boolean;
  /** Default of `stream`; "values" by default. */
  streamMode?: StreamMode | StreamMode[];
  interruptAfter?: (keyof Nodes)[] | "*";
  /** Breakpoints, as in StateGraph's `compile()`. */
  interruptBefore?: (keyof Nodes)[] | "*";
  /** Maximum duration of a step in ms. */
  stepTimeout?: number;
  debug?: boolean;
  checkpointer?: any;
  retryPolicy?: any;
  /** Config that each call's config overrides. */
  config?: RunnableConfig;
  /** Transformers for every run with `streamEvents` of version 3. */
  streamTransformers?: TStreamTransformers;
  store?: StoreLike;
  /** Cache for nodes and tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** Limits of each call. */
  limits?: import("../base/run-limits.js").Limits;
}

/** Input of a low-level graph. */
export type PregelInputType = any;
/** Output of a low-level graph. */
export type PregelOutputType = any;
/** Options of a graph's call. */
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
 * LangGraph's low-level graph of channels and the nodes they trigger. Graphs compiled by StateGraph
 * are instances too. The constructor throws for unknown channels and nodes.
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
  /** Throws if the graph is invalid. */
  validate(): this;
  /**
   * Runs until no channel triggers a node; resolves with the output channels' values. Rejects like
   * a compiled StateGraph.
   * @param input value of the input channel, or an object of values by channel if there are
   *   several; Command, or null to resume
   * @param options config of the call
   */
  invoke(
    input: Input | CommandType | null,
    options?: Partial<RunOptions<NodesOf<Nodes>, Context>> & {
      streamMode?: StreamMode | StreamMode[];
    },
  ): Promise<Output>;
  /**
   * Runs the graph and streams chunks. Fails as `invoke` rejects.
   * @param input value of the input channel, or an object of values by channel if there are
   *   several; Command, or null to resume
   * @param options config of the call, and `streamMode`, `subgraphs`, `encoding`
   */
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
   * LangChain's signature of a Runnable: never selected for a call, since the first one accepts all
   * calls.
   */
  stream(
    input: Input | CommandType | null,
    options?: undefined,
  ): Promise<IterableReadableStream<Output>>;
  /** Signature for `Parameters` and `ReturnType`. */
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
  /**
   * Reads the state of a thread or of one of its checkpoints. Rejects with GraphValueError without
   * a checkpointer.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   * @param options what is read
   * @param options.subgraphs whether the states of subgraphs are read too; default false
   */
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot<any>>;
  /**
   * Reads the checkpoints of a thread, the newest first.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint (`checkpoint_id`)
   *   to read that one alone
   * @param options which checkpoints
   * @param options.limit most checkpoints; default: all
   * @param options.before config of a checkpoint: only older ones
   * @param options.filter metadata that they must have, compared with ===
   */
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot<any>, void, void>;
  /**
   * Writes to a thread's state as if a node had; resolves with the new checkpoint's config.
   * @param config names the thread, and the checkpoint that the update follows if not the newest
   * @param values writes as a node returns them
   * @param asNode node that they are by; default: the last one that ran
   * @throws Error without a `thread_id`
   */
  updateState(
    config: RunnableConfig & Pick<RunOptions, "multitaskStrategy">,
    values: any,
    asNode?: string,
  ): Promise<RunnableConfig>;
  /**
   * Writes several supersteps; resolves with the newest checkpoint's config.
   * @param config names the thread, and the checkpoint that the first superstep follows if not the
   *   newest
   * @param supersteps one after the other, each with a list of `{ values, asNode }`; `asNode` may
   *   be left out where there is a single update
   * @throws Error without a `thread_id`, or for an empty list; BAD_ARGUMENT for lists of another
   *   form
   */
  bulkUpdateState(
    config: RunnableConfig,
    supersteps: { updates: { values?: any; asNode?: string }[] }[],
  ): Promise<RunnableConfig>;
  /**
   * Lists the subgraphs of its nodes by name ("outer|inner" with `recurse`).
   * @param namespace only the subgraph at this namespace
   * @param recurse whether those inside of them are listed too; default false
   */
  getSubgraphs(namespace?: string, recurse?: boolean): Generator<[string, Pregel<any, any>]>;
  /**
   * Lists the subgraphs as an async iterator.
   * @param namespace only the subgraph at this namespace
   * @param recurse whether those inside of them are listed too; default false
   */
  getSubgraphsAsync(
    namespace?: string,
    recurse?: boolean,
  ): AsyncGenerator<[string, Pregel<any, any>]>;
  /**
   * Copies the graph with a config that each call's config overrides.
   * @param config merged over the graph's own; its `streamTransformers` are added to those that
   *   there are
   */
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
  /**
   * Returns the graph for drawing.
   * @param options `xray`: how many levels of subgraphs are drawn with their own nodes, true for
   *   all; default: none
   */
  getGraph(options?: GraphOptions): DrawnGraph;
  /**
   * Returns the graph for drawing, with subgraphs that must be awaited.
   * @param options `xray`: how many levels of subgraphs are drawn with their own nodes, true for
   *   all; default: none
   */
  getGraphAsync(options?: GraphOptions): Promise<DrawnGraph>;
}
