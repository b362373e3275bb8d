// SPDX-License-Identifier: MIT
// The builder and what it compiles to.
import type { GraphRunStream, StreamTransformer } from "../events/run.js";
import type { NodeErrorHandler, NodePolicyOptions, RetryPolicy, RunControl } from "../pregel/policies.js";
import type { BaseMessage } from "../messages/index.js";
import type { CheckpointMetadata, Command, END, INTERRUPT, Interrupt, LangGraphRunnableConfig, PregelTaskDescription, RunnableConfig, Send, START, StateSnapshot, StoreLike } from "../pregel/words.js";
import type { BatchOptions, DrawnGraph, GraphOptions, RunnableShape } from "../runnable/types.js";
import type { NodeReturn, StateInit, StateOf, UpdateOfState } from "./state.js";

type Maybe<Value> = Value | Promise<Value>;

/** Anything with LangChain's `invoke`. */
export interface RunnableLike<Input = any, Output = any> { invoke(input: Input, config?: any): Maybe<Output> }
export type NodeAction<State, Update, Context = any> =
  | ((state: State, config: LangGraphRunnableConfig<Context>) => Maybe<NodeReturn<Update>>)
  | ((state: State, config: LangGraphRunnableConfig<Context>) => Maybe<RunnableLike>)
  | RunnableLike;
export interface NodeOptions<Nodes extends string = string, Input extends StateInit = StateInit> extends NodePolicyOptions {
  errorHandler?: NodeErrorHandler<any, any, any>;
  /** The state that this node sees; its keys may be private to it. */
  input?: Input;
  /** Where the Commands of this node go. */
  ends?: Nodes[] | Record<Nodes, string>;
  /** Runs when nothing else is left to run. */
  defer?: boolean;
  metadata?: Record<string, unknown>;
  tags?: string[];
  /** The graphs that this node calls, so that their state is found. */
  subgraphs?: CompiledStateGraph<any, any, any, any, any, any>[];
}

type Destination<Nodes extends string> = Nodes | typeof END | Send | boolean | number | (string & {});
export type Condition<State, Nodes extends string = string, Context = any> = (
  state: State,
  config: LangGraphRunnableConfig<Context>,
) => Maybe<Destination<Nodes> | Destination<Nodes>[]>;
export type PathMap<Nodes extends string> = Record<string, Nodes | typeof END> | (Nodes | typeof END)[];

/** A saver of `weftgraph/savers/*`, or any of LangGraph's BaseCheckpointSavers. */
export type Checkpointer = { readonly store: object } | {
  getTuple(config: any): Promise<any>;
  list(config: any, options?: any): AsyncGenerator<any>;
  put(config: any, checkpoint: any, metadata: any, newVersions: any): Promise<any>;
  putWrites(config: any, writes: any, taskId: string): Promise<void>;
};
export interface CompileOptions<Nodes extends string = string> {
  /** One of `weftgraph/savers/*` or of LangGraph's; false: nothing is saved. */
  checkpointer?: Checkpointer | boolean;
  store?: StoreLike;
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  name?: string;
  description?: string;
  /** Make something of the events of every run with `streamEvents` of version 3. */
  transformers?: ReadonlyArray<() => StreamTransformer<any>>;
}

type Start = typeof START;

/** The older form of a state: null, `{ value | reducer, default }` or a channel by key. */
export interface ChannelsInit<State> { channels: { [Key in keyof State]: any } }
export interface StateGraphInit<Definition, InputInit, OutputInit> {
  state?: Definition;
  stateSchema?: Definition;
  input?: InputInit;
  inputSchema?: InputInit;
  output?: OutputInit;
  outputSchema?: OutputInit;
}

export class StateGraph<
  Definition = any,
  State = StateOf<Definition>,
  Update = UpdateOfState<Definition>,
  Nodes extends string = Start,
  InputInit = Definition,
  OutputInit = Definition,
  Context = any,
> {
  constructor(state: Definition extends StateInit ? Definition : never, options?: StateInit | { context?: StateInit; contextSchema?: any; input?: InputInit; output?: OutputInit });
  constructor(init: ChannelsInit<State>);
  constructor(init: StateGraphInit<Definition, InputInit, OutputInit>, options?: StateInit | { context?: StateInit; contextSchema?: any });
  compiled: boolean;

  addNode<Name extends string, Schema extends StateInit>(
    name: Name,
    action: NodeAction<StateOf<Schema>, Update, Context>,
    options: NodeOptions<string, Schema> & { input: Schema },
  ): StateGraph<Definition, State, Update, Nodes | Name, InputInit, OutputInit, Context>;
  addNode<Name extends string>(
    name: Name,
    action: NodeAction<State, Update, Context>,
    options?: NodeOptions,
  ): StateGraph<Definition, State, Update, Nodes | Name, InputInit, OutputInit, Context>;
  addNode<Name extends string>(
    nodes: Record<Name, NodeAction<State, Update, Context>> | [name: Name, action: NodeAction<State, Update, Context>, options?: NodeOptions][],
  ): StateGraph<Definition, State, Update, Nodes | Name, InputInit, OutputInit, Context>;

  /** Several starts: the edge fires when all of them have run. */
  addEdge(start: Nodes | Nodes[], end: Nodes | typeof END): this;
  addConditionalEdges(source: Nodes, path: Condition<State, Nodes, Context> | RunnableLike, pathMap?: PathMap<Nodes>): this;
  addConditionalEdges(edge: { source: Nodes; path: Condition<State, Nodes, Context> | RunnableLike; pathMap?: PathMap<Nodes> }): this;
  /** Nodes that run one after the other. */
  addSequence<Name extends string>(
    nodes: Record<Name, NodeAction<State, Update, Context>> | [name: Name, action: NodeAction<State, Update, Context>, options?: NodeOptions][],
  ): StateGraph<Definition, State, Update, Nodes | Name, InputInit, OutputInit, Context>;
  /** Policies of all nodes that have none of their own; a later call replaces what an earlier one gave. */
  setNodeDefaults(defaults: NodePolicyOptions & { errorHandler?: NodeErrorHandler<unknown, Update, Nodes> }): this;
  setEntryPoint(key: Nodes): this;
  setFinishPoint(key: Nodes): this;
  compile(options?: CompileOptions<Exclude<Nodes, Start>>): CompiledStateGraph<State, Update, Nodes, UpdateOfState<InputInit>, StateOf<OutputInit>, Context>;
}

export type StreamMode = "values" | "updates" | "messages" | "custom" | "tasks" | "checkpoints" | "debug" | "tools";
export type Durability = "async" | "sync" | "exit";
export interface RunOptions<Nodes extends string = string, Context = any> extends RunnableConfig {
  context?: Context;
  durability?: Durability;
  /** What `record()` of `weftgraph/record` gave: this run is recorded on it. */
  record?: { text(): string };
  /** The older word: true is durability "async", false is "exit". */
  checkpointDuring?: boolean;
  /** Asks the run to give way between two steps. */
  control?: RunControl;
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  /** Keys of the state that `values`, `updates` and the result show; one name: its bare value. */
  outputKeys?: string | string[];
  /** Chunks as the bytes of server-sent events. */
  encoding?: "text/event-stream";
}

/** A task of the mode `tasks`, before it runs. */
export interface TaskStart<Nodes extends string = string> {
  id: string;
  name: Nodes;
  input: any;
  triggers: string[];
  interrupts: Interrupt[];
  metadata?: Record<string, any>;
}
/** The same task when it has ended. Several writes of one key: `{ $writes: [...] }`. */
export interface TaskEnd<Nodes extends string = string> {
  id: string;
  name: Nodes;
  result: Record<string, any>;
  interrupts: Interrupt[];
}
/** A checkpoint in the stream; configs have the names of LangGraph's Python side (`recursion_limit`, `run_name`). */
export interface StreamedCheckpoint<State = any, Nodes extends string = string> {
  config: Record<string, any>;
  values: State;
  metadata: CheckpointMetadata;
  next: (Nodes | typeof START)[];
  tasks: PregelTaskDescription[];
  parentConfig?: Record<string, any>;
}
export type DebugChunk<State = any, Nodes extends string = string> = { step: number; timestamp: string } & (
  | { type: "task"; payload: TaskStart<Nodes> }
  | { type: "task_result"; payload: TaskEnd<Nodes> }
  | { type: "checkpoint"; payload: StreamedCheckpoint<State, Nodes> }
);

export interface StreamPayloads<Update, Output, Nodes extends string> {
  values: Output & { [INTERRUPT]?: Interrupt[] };
  updates: { [Node in Exclude<Nodes, Start>]?: Update } & { [INTERRUPT]?: Interrupt[] };
  messages: [message: BaseMessage, metadata: Record<string, any>];
  custom: any;
  tasks: TaskStart<Exclude<Nodes, Start>> | TaskEnd<Exclude<Nodes, Start>>;
  checkpoints: StreamedCheckpoint<Output, Exclude<Nodes, Start>>;
  debug: DebugChunk<Output, Exclude<Nodes, Start>>;
  tools: ToolChunk;
}
/** What a stream yields: payloads for one mode, [mode, payload] for a list of modes. */
export type StreamChunk<Mode, Update, Output, Nodes extends string> = Mode extends StreamMode
  ? StreamPayloads<Update, Output, Nodes>[Mode]
  : Mode extends readonly (infer One)[]
    ? One extends StreamMode
      ? [mode: One, payload: StreamPayloads<Update, Output, Nodes>[One]]
      : never
    : never;

/** What the mode `tools` tells of a tool below a node. */
export type ToolChunk = { toolCallId: string | undefined; name: string | undefined } & (
  | { event: "on_tool_start"; input: any }
  | { event: "on_tool_event"; data: any }
  | { event: "on_tool_end"; output: any }
  | { event: "on_tool_error"; error: any }
);

/** A ReadableStream that is its own async iterator. Unlike a reader that leaves, `cancel` stops the run. */
export type IterableReadableStream<Chunk> = ReadableStream<Chunk> &
  AsyncIterable<Chunk> & {
    /** Aborted by `cancel`. */
    readonly signal: AbortSignal;
    next(): Promise<IteratorResult<Chunk>>;
    return(value?: any): Promise<IteratorResult<Chunk>>;
    throw(error: unknown): Promise<IteratorResult<Chunk>>;
  };

export interface CompiledStateGraph<State, Update, Nodes, Input, Output, Context> extends RunnableShape<Input | Command<any, any, any> | null, Output, RunOptions<Nodes, Context>> {}
/** LangChain's event of version 1 or 2. */
export interface StreamEvent {
  /** `on_[chain|chat_model|llm|tool|retriever]_[start|stream|end]`, `on_tool_error`, `on_custom_event` */
  event: string;
  name: string;
  run_id: string;
  tags?: string[];
  metadata: Record<string, any>;
  data: { input?: any; output?: any; chunk?: any; [key: string]: any };
}
/** Which runs are shown. */
export interface EventFilter {
  includeNames?: string[];
  includeTypes?: string[];
  includeTags?: string[];
  excludeNames?: string[];
  excludeTypes?: string[];
  excludeTags?: string[];
}
/** Operations (JSON Patch) on a record of all runs. */
export interface RunLogPatch {
  ops: { op: string; path: string; value: any }[];
  concat(other: RunLogPatch): RunLogPatch & { state: any };
}

export class CompiledStateGraph<State = any, Update = any, Nodes extends string = string, Input = Update, Output = State, Context = any> {
  constructor(builder: StateGraph<any, State, Update, Nodes, any, any, Context>, options: CompileOptions);
  static lc_name(): string;
  readonly lc_runnable: true;
  readonly lg_is_pregel: true;
  readonly builder: StateGraph<any, State, Update, Nodes, any, any, Context>;
  name?: string;
  checkpointer?: Checkpointer | boolean;
  store?: StoreLike;
  /** Of nodes without one of their own. */
  retryPolicy?: RetryPolicy;
  /** What a step may take, in ms; then the run ends with an Error "Abort". */
  stepTimeout?: number;
  readonly nodes: Record<Nodes, any>;
  readonly channels: Record<string, any>;

  invoke(input: Input | Command<any, any, any> | null, options?: RunOptions<Nodes, Context> & { streamMode?: "values" }): Promise<Output & { [INTERRUPT]?: Interrupt[] }>;
  invoke<Mode extends StreamMode | StreamMode[]>(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { streamMode: Mode },
  ): Promise<StreamChunk<Mode, Update, Output, Nodes>[]>;

  stream(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { streamMode?: StreamMode | StreamMode[]; subgraphs?: boolean; encoding: "text/event-stream" },
  ): Promise<IterableReadableStream<Uint8Array>>;
  stream<const Mode extends StreamMode | readonly StreamMode[] = "updates">(
    input: Input | Command<any, any, any> | null,
    options?: RunOptions<Nodes, Context> & { streamMode?: Mode; subgraphs?: false; encoding?: undefined },
  ): Promise<IterableReadableStream<StreamChunk<Mode, Update, Output, Nodes>>>;
  stream(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { streamMode?: StreamMode | StreamMode[]; subgraphs: boolean },
  ): Promise<IterableReadableStream<any>>;

  batch(inputs: Input[], options?: RunOptions<Nodes, Context> | RunOptions<Nodes, Context>[], batchOptions?: BatchOptions): Promise<Output[]>;
  streamEvents(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { version: "v1" | "v2"; streamMode?: StreamMode | StreamMode[]; encoding: "text/event-stream" },
    filter?: EventFilter,
  ): IterableReadableStream<Uint8Array>;
  streamEvents(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { version: "v1" | "v2"; streamMode?: StreamMode | StreamMode[] },
    filter?: EventFilter,
  ): IterableReadableStream<StreamEvent>;
  streamEvents(
    input: Input | Command<any, any, any> | null,
    options: RunOptions<Nodes, Context> & { version: "v3"; transformers?: ReadonlyArray<() => StreamTransformer<any>> },
  ): Promise<GraphRunStream<State>>;
  streamLog(
    input: Input | Command<any, any, any> | null,
    options?: RunOptions<Nodes, Context> & { streamMode?: StreamMode | StreamMode[] },
    filter?: EventFilter,
  ): IterableReadableStream<RunLogPatch>;
  /** `subgraphs`: with the states of the graphs inside its tasks. A `checkpoint_ns` in the config asks one of them. */
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot<State>>;
  /** The graphs inside its nodes, by name ("outer|inner" with `recurse`); `namespace`: only that one. */
  getSubgraphs(namespace?: string, recurse?: boolean): Generator<[string, CompiledStateGraph<any, any, any>]>;
  getSubgraphsAsync(namespace?: string, recurse?: boolean): AsyncGenerator<[string, CompiledStateGraph<any, any, any>]>;
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot<State>, void, void>;
  /**
   * Writes as if a node had (END: gives up what was to run; "__input__": as an input; "__copy__": copies the checkpoint).
   * Without `asNode` the node that ran last speaks; InvalidUpdateError when that is not one node.
   */
  updateState(config: RunnableConfig, values: Update | Command<any, any, any> | Record<string, unknown> | unknown, asNode?: Nodes | (string & {})): Promise<RunnableConfig>;
  /** Several supersteps, each with the updates of several nodes. */
  bulkUpdateState(
    config: RunnableConfig,
    supersteps: { updates: { values?: Record<string, unknown> | unknown; asNode?: Nodes | (string & {}) }[] }[],
  ): Promise<RunnableConfig>;
  withConfig(config: RunOptions<Nodes, Context>): this;
  getGraph(config?: GraphOptions): DrawnGraph;
  getGraphAsync(config?: GraphOptions): Promise<DrawnGraph>;
}
