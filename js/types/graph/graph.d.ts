// SPDX-License-Identifier: MIT
// The builder and what it compiles to.
import type { GraphRunStream, InferExtensions, StreamTransformer } from "../events/run.js";
import type { PregelNode, PregelOptions } from "./pregel.js";
import type { Limits } from "../base/run-limits.js";
import type { BaseCheckpointSaver } from "../savers/base-checkpoint-saver.js";
import type { BaseCache } from "../stores/cache.js";
import type { BaseStore } from "../stores/stores.js";
import type { Clock, RetryPolicy, RunControl } from "../plan/policy-types.js";
import type {
  Command,
  CommandInstance,
  END,
  INTERRUPT,
  Interrupt,
  LangGraphRunnableConfig,
  RunnableConfig,
  Runtime,
  START,
  StateSnapshot,
  StoreLike,
} from "../base/common-types.js";
import type { BatchOptions, DrawnGraph, GraphOptions, RunnableShape } from "../runnable/types.js";
import type {
  BranchOptions,
  BranchPathReturnValue,
  InferInterruptInputType,
  InferInterruptResumeType,
  InferWriterType,
  NodeErrorHandler,
  NodePolicyOptions,
  RunnableLike,
  StateGraphAddNodeOptions,
  StateGraphNodeSpec,
} from "./nodes.js";
import type {
  EventFilter,
  IterableReadableStream,
  RunLogPatch,
  StreamEvent,
  StreamMode,
  StreamOutputMap,
} from "./streams.js";
import type {
  AnnotationRoot,
  AnyStateSchema,
  BaseChannel,
  ContextSchemaInit,
  ExtractStateType,
  ExtractUpdateType,
  SingleReducer,
  StateDefinition,
  StateDefinitionInit,
  StateType,
  ToStateDefinition,
} from "../state/state.js";

export type { RunnableInterface, RunnableLike } from "./nodes.js";

type Start = typeof START;
type Prettify<T> = { [Key in keyof T]: T[Key] } & {};
/**
 * What nodes return while all of them are graphs: then a stream of updates has each key, as in
 * LangGraph.js.
 */
interface OfGraphs<Returned> {
  "~graphs": Returned;
}
type MergeReturnType<Before, Now> = (Before extends OfGraphs<infer Returned> ? Returned : Before) &
  Now extends infer T
  ? { [Key in keyof T]: T[Key] } & unknown
  : never;
type MergeGraph<Before, Now> = unknown extends Before
  ? OfGraphs<Now>
  : Before extends OfGraphs<infer Returned>
    ? OfGraphs<Returned & Now>
    : MergeReturnType<Before, Now>;
type ExtractStateDefinition<T> = T extends AnyStateSchema
  ? T
  : T extends StateDefinitionInit
    ? ToStateDefinition<T>
    : StateDefinition;

// ---- the constructor's forms

/** All that a graph can be told of its types, in one object; `state` alone is enough. */
export interface StateGraphInit<
  SD extends StateDefinitionInit = StateDefinitionInit,
  I extends StateDefinitionInit | undefined = undefined,
  O extends StateDefinitionInit | undefined = undefined,
  C extends StateDefinitionInit | undefined = undefined,
  N extends string = string,
  InterruptType = unknown,
  WriterType = unknown,
> {
  /** The state: a StateSchema, an Annotation.Root, a zod object, or channels by key. */
  state?: SD;
  /** @deprecated `state` */
  stateSchema?: SD;
  /** What the graph is called with; without a state it is the state. */
  input?: I;
  /** What `invoke` and `values` show; without it the state. */
  output?: O;
  /** What `context` must be; a zod object is checked at the start of each run. */
  context?: C;
  /** Types only: an `interrupt` function, or several by name. */
  interrupt?: InterruptType;
  /** Types only: what nodes write to the `custom` stream. */
  writer?: WriterType;
  /** Types only: names of nodes, for Commands in nodes that are written before all are added. */
  nodes?: N[];
}
/**
 * The same beside a state that is given by itself: the second argument of `new StateGraph(state,
 * options)`.
 */
export type StateGraphOptions<
  I extends StateDefinitionInit | undefined = undefined,
  O extends StateDefinitionInit | undefined = undefined,
  C extends StateDefinitionInit | undefined = undefined,
  N extends string = string,
  InterruptType = unknown,
  WriterType = unknown,
> = Omit<
  StateGraphInit<StateDefinitionInit, I, O, C, N, InterruptType, WriterType>,
  "state" | "stateSchema"
>;
type ChannelReducers<Channels extends object> = {
  [Key in keyof Channels]: SingleReducer<Channels[Key], any>;
};
/** The older form: null, `{ value | reducer, default }` by key. */
export interface StateGraphArgs<Channels extends object | unknown> {
  channels: Channels extends object
    ? Channels extends unknown[]
      ? ChannelReducers<{ __root__: Channels }>
      : ChannelReducers<Channels>
    : ChannelReducers<{ __root__: Channels }>;
}
/** A state of annotations, with the part of it that is taken and the part that is given. */
export interface StateGraphArgsWithStateSchema<
  SD extends StateDefinition,
  I extends StateDefinition,
  O extends StateDefinition,
> {
  stateSchema: AnnotationRoot<SD>;
  input?: AnnotationRoot<I>;
  output?: AnnotationRoot<O>;
}
/** Annotations of what is taken and of what is given; the first is the state too. */
export interface StateGraphArgsWithInputOutputSchemas<
  SD extends StateDefinition,
  O extends StateDefinition = SD,
> {
  input: AnnotationRoot<SD>;
  output: AnnotationRoot<O>;
}

// ---- the builder

/**
 * What may be a node: a function, a Runnable or an object of them, of the state S and its update U.
 */
export type NodeAction<
  S,
  U,
  C extends StateDefinitionInit = StateDefinition,
  InterruptType = unknown,
  WriterType = unknown,
> = RunnableLike<
  S,
  U extends object ? U & Record<string, any> : U,
  Runtime<StateType<ToStateDefinition<C>>, InterruptType, WriterType>
>;
/** A compiled graph. */
interface AnyGraph<Output> {
  readonly lg_is_pregel: boolean;
  "~OutputType": Output;
}
type StrictNodeAction<
  S,
  U,
  C extends StateDefinitionInit,
  Nodes extends string,
  InterruptType,
  WriterType,
> = RunnableLike<
  Prettify<S>,
  U | Command<InferInterruptResumeType<InterruptType>, U & Record<string, any>, Nodes>,
  Runtime<StateType<ToStateDefinition<C>>, InterruptType, WriterType>
>;

/** A saver of `weftgraph/savers/*`, or any of LangGraph's BaseCheckpointSavers. */
export type Checkpointer =
  | { readonly store: object }
  | {
      getTuple(config: any): Promise<any>;
      list(config: any, options?: any): AsyncGenerator<any>;
      put(config: any, checkpoint: any, metadata: any, newVersions: any): Promise<any>;
      putWrites(config: any, writes: any, taskId: string, taskPath?: string): Promise<void>;
    };
/** What `compile()` takes beside the graph; all of it may be left out. */
export interface CompileOptions<
  Nodes extends string = string,
  Transformers extends ReadonlyArray<() => StreamTransformer<any>> = ReadonlyArray<
    () => StreamTransformer<any>
  >,
> {
  /** One of `weftgraph/savers/*` or of LangGraph's; false: nothing is saved. */
  checkpointer?: Checkpointer | boolean;
  /** What nodes find as `runtime.store`. */
  store?: StoreLike;
  /** For nodes and tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** What each call may take. */
  limits?: Limits;
  /**
   * Breakpoints: runs stop before these nodes ("*": all) and go on with `null` as input, which
   * takes a checkpointer.
   */
  interruptBefore?: Nodes[] | "*";
  /** The same behind them. */
  interruptAfter?: Nodes[] | "*";
  /**
   * What a run does while another one of its thread is under way. Default: runs of this saver wait
   * for each other.
   */
  multitaskStrategy?: MultitaskStrategy;
  /** The version of the state's shape, a positive integer; each thread holds that of its state. */
  stateVersion?: number;
  /**
   * Makes this version's state of an older one (0: of a time without `stateVersion`), before
   * anything else reads a thread; questions and finished tasks of the checkpoint stay. A thread of
   * a newer version is an error (STATE_VERSION).
   */
  migrate?: (state: any, fromVersion: number) => object | Promise<object>;
  /** Shown in traces and drawings; "LangGraph" by default. */
  name?: string;
  description?: string;
  /** Make something of the events of every run with `streamEvents` of version 3. */
  transformers?: Transformers;
}

/**
 * LangGraph's builder: nodes that read and update one state, and the edges between them.
 * `compile()` makes the graph that runs; what is wrong with a graph is thrown where it is said,
 * else by `compile()`.
 */
export class StateGraph<
  SD extends StateDefinitionInit | unknown,
  S = ExtractStateType<SD>,
  U = ExtractUpdateType<SD, S>,
  N extends string = Start,
  I extends StateDefinitionInit = ExtractStateDefinition<SD>,
  O extends StateDefinitionInit = ExtractStateDefinition<SD>,
  C extends StateDefinitionInit = StateDefinition,
  NodeReturnType = unknown,
  InterruptType = unknown,
  WriterType = unknown,
> {
  constructor(
    state: SD extends StateDefinitionInit ? SD : never,
    options?:
      | C
      | AnnotationRoot<ToStateDefinition<C>>
      | StateGraphOptions<I, O, C, N, InterruptType, WriterType>,
  );
  constructor(
    fields: SD extends StateDefinition
      ? StateGraphArgsWithInputOutputSchemas<SD, ToStateDefinition<O>>
      : never,
    contextSchema?: C | AnnotationRoot<ToStateDefinition<C>>,
  );
  constructor(
    fields: SD extends StateDefinition
      ?
          | AnnotationRoot<SD>
          | StateGraphArgsWithStateSchema<SD, ToStateDefinition<I>, ToStateDefinition<O>>
      : never,
    contextSchema?: C | AnnotationRoot<ToStateDefinition<C>>,
  );
  constructor(
    init: Omit<
      StateGraphInit<
        SD extends StateDefinitionInit ? SD : StateDefinitionInit,
        SD extends StateDefinitionInit ? SD : StateDefinitionInit,
        O,
        C extends ContextSchemaInit ? C : undefined,
        N,
        InterruptType,
        WriterType
      >,
      "state" | "stateSchema" | "input"
    > & { input: SD extends StateDefinitionInit ? SD : never; state?: never; stateSchema?: never },
    contextSchema?: C | AnnotationRoot<ToStateDefinition<C>>,
  );
  constructor(
    init: StateGraphInit<
      SD extends StateDefinitionInit ? SD : StateDefinitionInit,
      I,
      O,
      C extends ContextSchemaInit ? C : undefined,
      N,
      InterruptType,
      WriterType
    >,
  );
  /** @deprecated Annotation.Root, StateSchema or zod */
  constructor(fields: StateGraphArgs<S>, contextSchema?: C | AnnotationRoot<ToStateDefinition<C>>);

  /** What was added so far. */
  nodes: Record<N, StateGraphNodeSpec<S, U>>;
  edges: Set<[N | Start, N | typeof END]>;
  /** Edges of several starts. */
  waitingEdges: Set<[N[], N]>;
  /** The conditions of each node, by name. */
  branches: Record<string, Record<string, { path: RunnableShape; ends?: Record<string, string> }>>;
  entryPoint?: string;
  channels: Record<string, BaseChannel>;
  /** Whether `compile()` was called; what is added then does not reach what was compiled. */
  compiled: boolean;
  get allEdges(): Set<[string, string]>;
  /**
   * Types only: `typeof builder.Node`, a node of this graph; its Commands may go to the nodes that
   * are known so far.
   */
  Node: StrictNodeAction<S, U, C, N, InterruptType, WriterType>;
  /** Types only: `typeof builder.State`, `typeof builder.Update`. */
  State: S;
  Update: U;

  /**
   * Adds a node, or several. Error: the name is taken, reserved (START, END, a key of the state),
   * or holds "|" or ":".
   */
  addNode<
    K extends string,
    NodeMap extends Record<K, NodeAction<S, U, C, InterruptType, WriterType>>,
  >(
    nodes: NodeMap,
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<
      NodeReturnType,
      {
        [Key in keyof NodeMap]: NodeMap[Key] extends NodeAction<
          S,
          infer Returned,
          C,
          InterruptType,
          WriterType
        >
          ? Returned
          : never;
      }
    >,
    InterruptType,
    WriterType
  >;
  addNode<K extends string, NodeInput = S, NodeOutput extends U = U>(
    nodes: [
      key: K,
      action: NodeAction<NodeInput, NodeOutput, C, InterruptType, WriterType>,
      options?: StateGraphAddNodeOptions<N | K, StateDefinitionInit | undefined, NodeInput, U>,
    ][],
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<NodeReturnType, { [Key in K]: NodeOutput }>,
    InterruptType,
    WriterType
  >;
  addNode<K extends string, NodeInput = S, Ends extends string = never, Output = any>(
    key: K,
    action: NodeAction<NodeInput, U, C, InterruptType, WriterType> & AnyGraph<Output>,
    options?: StateGraphAddNodeOptions<N | K | Ends, StateDefinitionInit | undefined, NodeInput, U>,
  ): StateGraph<
    SD,
    S,
    U,
    N | K | Ends,
    I,
    O,
    C,
    MergeGraph<NodeReturnType, { [Key in K]: Output }>,
    InterruptType,
    WriterType
  >;
  addNode<K extends string, InputSchema extends StateDefinitionInit, NodeOutput extends U = U>(
    key: K,
    action: NodeAction<ExtractStateType<InputSchema>, NodeOutput, C, InterruptType, WriterType>,
    options: StateGraphAddNodeOptions<N | K, InputSchema, ExtractStateType<InputSchema>, U> & {
      input: InputSchema;
    },
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<NodeReturnType, { [Key in K]: NodeOutput }>,
    InterruptType,
    WriterType
  >;
  addNode<K extends string, NodeInput = S, NodeOutput extends U = U>(
    key: K,
    action: NodeAction<NodeInput, NodeOutput, C, InterruptType, WriterType>,
    options?: StateGraphAddNodeOptions<N | K, StateDefinitionInit | undefined, NodeInput, U>,
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<NodeReturnType, { [Key in K]: NodeOutput }>,
    InterruptType,
    WriterType
  >;
  addNode<K extends string, NodeInput = S>(
    key: K,
    action: NodeAction<NodeInput, U, C, InterruptType, WriterType>,
    options?: StateGraphAddNodeOptions<N | K, StateDefinitionInit | undefined, NodeInput, U>,
  ): StateGraph<SD, S, U, N | K, I, O, C, NodeReturnType, InterruptType, WriterType>;

  /**
   * Policies of all nodes that have none of their own; a later call replaces what an earlier one
   * gave.
   */
  setNodeDefaults(
    defaults: NodePolicyOptions & { errorHandler?: NodeErrorHandler<unknown, U, N> },
  ): this;
  /** Several starts: the edge fires when all of them have run. */
  addEdge(startKey: Start | N | N[], endKey: N | typeof END): this;
  /**
   * After `source`, `path` says where to go on: nodes, END, Sends; with `pathMap` by words of its
   * own. Error: the node has a condition of this name.
   */
  addConditionalEdges(
    source: BranchOptions<S, N, LangGraphRunnableConfig<StateType<ToStateDefinition<C>>>>,
  ): this;
  addConditionalEdges(
    source: N,
    path: RunnableLike<
      S,
      BranchPathReturnValue,
      LangGraphRunnableConfig<StateType<ToStateDefinition<C>>>
    >,
    pathMap?: BranchOptions<S, N>["pathMap"],
  ): this;
  /** Nodes that run one after the other. */
  addSequence<K extends string, NodeInput = S, NodeOutput extends U = U>(
    nodes: [
      key: K,
      action: NodeAction<NodeInput, NodeOutput, C, InterruptType, WriterType>,
      options?: StateGraphAddNodeOptions<N | K, StateDefinitionInit | undefined, NodeInput, U>,
    ][],
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<NodeReturnType, { [Key in K]: NodeOutput }>,
    InterruptType,
    WriterType
  >;
  addSequence<
    K extends string,
    NodeMap extends Record<K, NodeAction<S, U, C, InterruptType, WriterType>>,
  >(
    nodes: NodeMap,
  ): StateGraph<
    SD,
    S,
    U,
    N | K,
    I,
    O,
    C,
    MergeReturnType<
      NodeReturnType,
      {
        [Key in keyof NodeMap]: NodeMap[Key] extends NodeAction<
          S,
          infer Returned,
          C,
          InterruptType,
          WriterType
        >
          ? Returned
          : never;
      }
    >,
    InterruptType,
    WriterType
  >;
  /** @deprecated `addEdge(START, key)` */
  setEntryPoint(key: N): this;
  /** @deprecated `addEdge(key, END)` */
  setFinishPoint(key: N): this;
  /** Says, on the console, that a change does not reach a graph that has been compiled. */
  warnIfCompiled(message: string): void;
  /** Checks the graph as compile() does. @param interrupt nodes that must be there */
  validate(interrupt?: string[]): void;
  /**
   * Checks the graph and makes it runnable. Throws UnreachableNodeError, an Error for edges to or
   * from nodes that are not there.
   */
  compile<const Transformers extends ReadonlyArray<() => StreamTransformer<any>> = []>(
    options?: CompileOptions<N, Transformers>,
  ): CompiledStateGraph<
    Prettify<S>,
    Prettify<U>,
    N,
    I,
    O,
    C,
    NodeReturnType,
    InterruptType,
    WriterType,
    Transformers
  >;
}

/**
 * When a step is saved: while the next one runs ("async", the default), before it begins ("sync"),
 * or when the run ends ("exit"). Tool calls that must not be repeated are saved at once in all
 * three.
 */
export type Durability = "async" | "sync" | "exit";
/**
 * A run of a thread at which another run is at work waits for its end ("enqueue"), rejects with
 * BUSY ("reject"), or begins ("concurrent"). The first two look beyond this saver too, where its
 * store can: other processes (files), other tabs (IDBFS), other savers over the same storage in
 * this process (Durable Objects, Deno KV).
 */
export type MultitaskStrategy = "enqueue" | "reject" | "concurrent";
/**
 * What a call of a graph may say, beside LangChain's config. `context` is what nodes find as
 * `runtime.context`.
 */
export interface RunOptions<Nodes extends string = string, Context = any> extends RunnableConfig {
  /** What nodes find as `runtime.context`: given anew with each call, never saved. */
  context?: Context;
  /** Default "async". */
  durability?: Durability;
  /** In place of the graph's. */
  multitaskStrategy?: MultitaskStrategy;
  /** What `record()` of `weftgraph/record` gave: this run is recorded on it. */
  record?: { text(): string };
  /** The older word: true is durability "async", false is "exit". */
  checkpointDuring?: boolean;
  /** What this call may take; over the graph's own. */
  limits?: Limits;
  /** For tests: the time of checkpoints, retries and timeouts, in milliseconds. */
  clock?: Clock | number | (() => number);
  /**
   * For tests: where checkpoints, questions, messages and callbacks get their ids from; each call
   * gives another UUID.
   */
  ids?: () => string;
  /** Asks the run to give way between two steps. */
  control?: RunControl;
  /** In place of the graph's. */
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  /** Keys of the state that `values`, `updates` and the result show; one name: its bare value. */
  outputKeys?: string | string[];
  /** Of low-level graphs, as LangGraph.js has it: nothing heeds it. */
  inputKeys?: string | string[];
  /** Heeded as a property of the graph only, as in LangGraph.js. */
  debug?: boolean;
  /** In place of the graph's. */
  cache?: BaseCache;
  /** Show what graphs inside stream, each chunk behind its namespace. */
  subgraphs?: boolean;
  /** Chunks as the bytes of server-sent events. */
  encoding?: "text/event-stream";
}

/** What `getState` shows. */
export interface GetStateOptions {
  /**
   * With the states of the graphs inside its tasks. A `checkpoint_ns` in the config asks one of
   * them.
   */
  subgraphs?: boolean;
}

/** What a graph is given and shows, by the names of its channels. */
export interface GraphChannels {
  readonly inputChannels: string | string[];
  /** What `invoke` gives; may be set. */
  outputChannels: string | string[];
  /** What streams and states show; may be set. */
  streamChannels?: string | string[];
  readonly streamChannelsList: string[];
  readonly streamChannelsAsIs: string | string[];
  /** The nodes that each channel wakes. */
  readonly triggerToNodes: Record<string, string[]>;
  streamMode: StreamMode[];
}

/** What a graph was compiled with. */
export interface CompiledSettings<Nodes extends string> {
  /** Where calls stop that say nothing else; may be set. */
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  /** What withConfig gave. */
  config?: LangGraphRunnableConfig;
  autoValidate: boolean;
}

/** A Runnable with the events of graphs. */
export interface EventfulRunnable<
  Input,
  Output,
  Options extends RunOptions<any>,
  Transformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> extends RunnableShape<Input, Output, Options> {
  /** A run as events: of LangGraph's streaming protocol ("v3"), or LangChain's ("v2", "v1"). */
  streamEvents<const More extends ReadonlyArray<() => StreamTransformer<any>> = []>(
    input: Input,
    options: Partial<Options> & {
      version: "v3";
      transformers?: More;
      encoding: "text/event-stream";
    },
  ): Promise<IterableReadableStream<Uint8Array>>;
  streamEvents<const More extends ReadonlyArray<() => StreamTransformer<any>> = []>(
    input: Input,
    options: Partial<Options> & { version: "v3"; transformers?: More },
  ): Promise<GraphRunStream<Output, InferExtensions<readonly [...Transformers, ...More]>>>;
  streamEvents(
    input: Input,
    options: Partial<Options> & {
      version: "v1" | "v2";
      streamMode?: StreamMode | StreamMode[];
      encoding: "text/event-stream";
    },
    filter?: EventFilter,
  ): IterableReadableStream<Uint8Array>;
  streamEvents(
    input: Input,
    options: Partial<Options> & { version: "v1" | "v2"; streamMode?: StreamMode | StreamMode[] },
    filter?: EventFilter,
  ): IterableReadableStream<StreamEvent>;
  /** A run as patches of one record of all that ran. */
  streamLog(
    input: Input,
    options?: Partial<Options> & { streamMode?: StreamMode | StreamMode[] },
    filter?: EventFilter,
  ): IterableReadableStream<RunLogPatch>;
}
/** What a graph is once compiled, by the types of its calls. */
export interface CompiledGraph<
  N extends string,
  State = any,
  Update = any,
  ContextType extends Record<string, any> = Record<string, any>,
  InputType = any,
  OutputType = any,
  NodeReturnType = unknown,
  CommandType = unknown,
  StreamCustomType = any,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> extends EventfulRunnable<
      InputType | CommandType | null,
      OutputType,
      RunOptions<N, ContextType>,
      TStreamTransformers
    >,
    GraphChannels,
    CompiledSettings<N | Start> {
  /** Those of `compile`: each run with `streamEvents` of version 3 has them. */
  readonly streamTransformers: TStreamTransformers;
  readonly lg_is_pregel: true;
  "~NodeType": N;
  "~NodeReturnType": NodeReturnType;
  "~RunInput": Update;
  "~RunOutput": State;
  "~InputType": InputType;
  "~OutputType": OutputType;
  name?: string;
  checkpointer?: BaseCheckpointSaver | boolean;
  store?: BaseStore;
  cache?: BaseCache;
  /** Of nodes without one of their own. */
  retryPolicy?: RetryPolicy;
  /** What a step may take, in ms; then the run ends with an Error "Abort". */
  stepTimeout?: number;
  /** Each can be called by itself, without its graph: `graph.nodes.n.invoke(state, config)`. */
  readonly nodes: Record<N | Start, PregelNode<State, Update>>;
  readonly channels: Record<string, BaseChannel>;
  /**
   * Tells each step on the console: its state, its tasks, what they wrote. Set it on the compiled
   * graph; `compile({ debug })` does nothing, as in LangGraph.js.
   */
  debug: boolean;
  /** Compiling has checked the graph. */
  validate(): this;

  /**
   * Runs the graph until nothing is left to do, or somebody must be asked, and gives the state (of
   * `output`); the questions stand
   * under INTERRUPT. `null` goes on where the thread stopped, a Command with `resume` answers.
   * Rejects with what a node threw,
   * GraphRecursionError, EmptyInputError, InvalidUpdateError, a LimitError, a WeftError of the
   * saver.
   */
  invoke(
    input: InputType | CommandType | null,
    options?: Partial<RunOptions<N, ContextType> & { streamMode?: StreamMode | StreamMode[] }>,
  ): Promise<OutputType>;
  /**
   * The same run, shown as it goes: chunks of `streamMode` (default "updates"). Fails as `invoke`
   * rejects. A reader that leaves before the end stops the run.
   */
  stream<
    Mode extends StreamMode | StreamMode[] | undefined = undefined,
    Subgraphs extends boolean = false,
    Encoding extends "text/event-stream" | undefined = undefined,
  >(
    input: InputType | CommandType | null,
    options?: Partial<PregelOptions<Record<N, any>, any, ContextType, Mode, Subgraphs, Encoding>>,
  ): Promise<
    IterableReadableStream<
      StreamOutputMap<
        Mode,
        Subgraphs,
        InputType,
        OutputType,
        N | Start,
        NodeReturnType,
        StreamCustomType,
        Encoding
      >
    >
  >;
  /**
   * How LangChain's Runnables see it: never chosen by a call, since the first form takes all of
   * them.
   */
  stream(
    input: InputType | CommandType | null,
    options?: undefined,
  ): Promise<IterableReadableStream<OutputType>>;
  /** What `Parameters` and `ReturnType` tell. */
  stream(
    input: InputType | CommandType | null,
    options?: Partial<RunOptions<N, ContextType>> & { streamMode?: StreamMode | StreamMode[] },
  ): Promise<
    IterableReadableStream<
      StreamOutputMap<
        undefined,
        false,
        InputType,
        OutputType,
        N | Start,
        NodeReturnType,
        StreamCustomType
      >
    >
  >;
  /** `invoke` for each input; rejects with the first failure, unless `returnExceptions`. */
  batch(
    inputs: (InputType | CommandType | null)[],
    options?: Partial<RunOptions<N, ContextType>> | Partial<RunOptions<N, ContextType>>[],
    batchOptions?: BatchOptions,
  ): Promise<OutputType[]>;
  /**
   * The state of a thread, or of the checkpoint that the config names; empty for a new thread.
   * GraphValueError without a checkpointer.
   */
  getState(config: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot>;
  /**
   * The graphs inside its nodes, by name ("outer|inner" with `recurse`); `namespace`: only that
   * one.
   */
  getSubgraphs(namespace?: string, recurse?: boolean): Generator<[string, CompiledGraph<any>]>;
  getSubgraphsAsync(
    namespace?: string,
    recurse?: boolean,
  ): AsyncGenerator<[string, CompiledGraph<any>]>;
  /** The newest first; without a `thread_id` of all threads. */
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot, void, void>;
  /**
   * Writes as if a node had (END: gives up what was to run; "__input__": as an input; "__copy__":
   * copies the checkpoint). Without `asNode` the node that ran last speaks; InvalidUpdateError when
   * that is not one node.
   */
  updateState(
    config: LangGraphRunnableConfig,
    values: Record<string, unknown> | unknown,
    asNode?: N | string,
  ): Promise<RunnableConfig>;
  /** Several supersteps, each with the updates of several nodes. */
  bulkUpdateState(
    config: LangGraphRunnableConfig,
    supersteps: {
      updates: { values?: Record<string, unknown> | unknown; asNode?: N | string }[];
    }[],
  ): Promise<RunnableConfig>;
  /** Empties the graph's cache. */
  clearCache(): Promise<void>;
  withConfig<const More extends ReadonlyArray<() => StreamTransformer<any>>>(
    config: Omit<LangGraphRunnableConfig, "store" | "writer" | "interrupt"> & {
      streamTransformers: More;
    },
  ): CompiledGraph<
    N,
    State,
    Update,
    ContextType,
    InputType,
    OutputType,
    NodeReturnType,
    CommandType,
    StreamCustomType,
    readonly [...TStreamTransformers, ...More]
  >;
  withConfig(
    config:
      | Omit<LangGraphRunnableConfig, "store" | "writer" | "interrupt">
      | (RunOptions<N, ContextType> & { streamMode?: StreamMode | StreamMode[] }),
  ): this;
  /** The graph to be drawn: `drawMermaid()`, or `drawSvg` of `weftgraph/svg`. */
  getGraph(config?: GraphOptions): DrawnGraph;
  getGraphAsync(config?: GraphOptions): Promise<DrawnGraph>;
}
/**
 * The same by named types: `CompiledGraphType<{ state: State; update: Update; node: "a" | "b" }>`.
 */
export type CompiledGraphType<Spec extends object = object> = CompiledGraph<
  Spec extends { node: infer N extends string } ? N : any,
  Spec extends { state: infer State } ? State : any,
  Spec extends { update: infer Update } ? Update : any,
  Spec extends { context: infer Context extends Record<string, any> }
    ? Context
    : Record<string, any>,
  Spec extends { input: infer Input } ? Input : any,
  Spec extends { output: infer Output } ? Output : any,
  Spec extends { nodeReturn: infer NodeReturn } ? NodeReturn : unknown,
  Spec extends { command: infer CommandType } ? CommandType : unknown,
  Spec extends { streamCustom: infer Custom } ? Custom : any
>;

type RecordOf<T> = T extends Record<string, any> ? T : Record<string, any>;
/** What `StateGraph.compile()` makes: a graph to call, stream, draw, and put into other graphs. */
export interface CompiledStateGraph<
  S,
  U,
  N extends string,
  I extends StateDefinitionInit,
  O extends StateDefinitionInit,
  C extends StateDefinitionInit,
  NodeReturnType,
  InterruptType,
  WriterType,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>>,
> extends CompiledGraph<
    N,
    S,
    U,
    RecordOf<ExtractStateType<C>>,
    ExtractUpdateType<I, ExtractStateType<I>>,
    ExtractStateType<O>,
    NodeReturnType,
    CommandInstance<InferInterruptResumeType<InterruptType>, Prettify<U>, N>,
    InferWriterType<WriterType>,
    TStreamTransformers
  > {}
export class CompiledStateGraph<
  S = any,
  U = any,
  N extends string = Start,
  I extends StateDefinitionInit = StateDefinition,
  O extends StateDefinitionInit = StateDefinition,
  C extends StateDefinitionInit = StateDefinition,
  NodeReturnType = unknown,
  InterruptType = unknown,
  WriterType = unknown,
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = [],
> {
  constructor(
    builder: StateGraph<unknown, S, U, N, I, O, C, NodeReturnType>,
    options: CompileOptions,
  );
  static lc_name(): string;
  lc_namespace: string[];
  /** What it was compiled from. */
  readonly builder: StateGraph<unknown, S, U, N, I, O, C, NodeReturnType>;
  description?: string;
  /** Did a run end at an interrupt, or at a breakpoint? */
  isInterrupted(
    input: unknown,
  ): input is { [INTERRUPT]: Interrupt<InferInterruptInputType<InterruptType>>[] };
}
