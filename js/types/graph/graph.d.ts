// SPDX-License-Identifier: MIT
// Declares the builder and the compiled graph.
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
 * Return types of nodes while all of them are subgraphs: then a stream of updates has all keys, as
 * in LangGraph.js.
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

// ---- forms of the constructor

/** All types and schemas of a graph in one object; `state` alone is enough. */
export interface StateGraphInit<
  SD extends StateDefinitionInit = StateDefinitionInit,
  I extends StateDefinitionInit | undefined = undefined,
  O extends StateDefinitionInit | undefined = undefined,
  C extends StateDefinitionInit | undefined = undefined,
  N extends string = string,
  InterruptType = unknown,
  WriterType = unknown,
> {
  /** Schema of the state: a StateSchema, an Annotation.Root, a zod object, or channels by key. */
  state?: SD;
  /** @deprecated use `state` */
  stateSchema?: SD;
  /** Schema of the graph's input; without a state it is the state. */
  input?: I;
  /** Schema of the result and of `values`; the state by default. */
  output?: O;
  /** Schema of `context`; a zod object is checked at the start of each run. */
  context?: C;
  /** Types only: an `interrupt` function, or several by name. */
  interrupt?: InterruptType;
  /** Types only: chunks that nodes write to the `custom` stream. */
  writer?: WriterType;
  /** Types only: names of nodes, for Commands in nodes written before all are added. */
  nodes?: N[];
}
/** Second argument of `new StateGraph(state, options)`: all but the state. */
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
/** A state of annotations, with the parts that are input and output. */
export interface StateGraphArgsWithStateSchema<
  SD extends StateDefinition,
  I extends StateDefinition,
  O extends StateDefinition,
> {
  stateSchema: AnnotationRoot<SD>;
  input?: AnnotationRoot<I>;
  output?: AnnotationRoot<O>;
}
/** Annotations of input and output; the input is the state too. */
export interface StateGraphArgsWithInputOutputSchemas<
  SD extends StateDefinition,
  O extends StateDefinition = SD,
> {
  input: AnnotationRoot<SD>;
  output: AnnotationRoot<O>;
}

// ---- the builder

/** A node: a function, a Runnable or an object of them, of the state S and its update U. */
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

/** A saver of `weftgraph/savers/*`, or any LangGraph BaseCheckpointSaver. */
export type Checkpointer =
  | { readonly store: object }
  | {
      getTuple(config: any): Promise<any>;
      list(config: any, options?: any): AsyncGenerator<any>;
      put(config: any, checkpoint: any, metadata: any, newVersions: any): Promise<any>;
      putWrites(config: any, writes: any, taskId: string, taskPath?: string): Promise<void>;
    };
/** Options of `compile()`; all may be omitted. */
export interface CompileOptions<
  Nodes extends string = string,
  Transformers extends ReadonlyArray<() => StreamTransformer<any>> = ReadonlyArray<
    () => StreamTransformer<any>
  >,
> {
  /** A saver of `weftgraph/savers/*` or of LangGraph; false: nothing is saved. */
  checkpointer?: Checkpointer | boolean;
  /** The nodes' `runtime.store`. */
  store?: StoreLike;
  /** Cache for nodes and tasks with a `cachePolicy`. */
  cache?: BaseCache;
  /** Limits of each call. */
  limits?: Limits;
  /**
   * Breakpoints: runs stop before these nodes ("*": all) and resume with `null` as input. Needs a
   * checkpointer.
   */
  interruptBefore?: Nodes[] | "*";
  /** Breakpoints after these nodes. */
  interruptAfter?: Nodes[] | "*";
  /**
   * What a run does while another run of its thread is in progress. By default it waits.
   */
  multitaskStrategy?: MultitaskStrategy;
  /** Version of the state's form, a positive integer; each thread stores that of its state. */
  stateVersion?: number;
  /**
   * Migrates a state of an older version (0: without `stateVersion`) before a thread is read; the
   * checkpoint's interrupts and finished tasks stay. A thread of a newer version is an error
   * (STATE_VERSION).
   * @param state values of the state's keys, as they were saved
   * @param fromVersion the version that it has: 0 or a positive integer below `stateVersion`
   */
  migrate?: (state: any, fromVersion: number) => object | Promise<object>;
  /** Name in traces and drawings; "LangGraph" by default. */
  name?: string;
  description?: string;
  /** Transformers for every run with `streamEvents` of version 3. */
  transformers?: Transformers;
}

/**
 * LangGraph's builder: nodes that read and update one state, and the edges between them.
 * `compile()` makes the runnable graph; mistakes are thrown by the method that causes them, else by
 * `compile()`.
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
  /**
   * Creates a graph without nodes.
   * @param state what nodes read and write: a StateSchema, an Annotation.Root or a zod object
   * @param options schemas of input, output and context, names of the nodes; or the schema of the
   *   context alone. By default input and output are the whole state
   * @throws StateGraphInputError for what describes no state
   */
  constructor(
    state: SD extends StateDefinitionInit ? SD : never,
    options?:
      | C
      | AnnotationRoot<ToStateDefinition<C>>
      | StateGraphOptions<I, O, C, N, InterruptType, WriterType>,
  );
  /**
   * @param fields the state, or an object with it and its `input` and `output`
   * @param contextSchema schema of the call's `context`, which one of zod checks; default: any
   */
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
  /** @param init all schemas in one object, with the state as `state`, `stateSchema` or `input` */
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
  /** @deprecated use Annotation.Root, StateSchema or zod */
  constructor(fields: StateGraphArgs<S>, contextSchema?: C | AnnotationRoot<ToStateDefinition<C>>);

  /** The nodes added so far. */
  nodes: Record<N, StateGraphNodeSpec<S, U>>;
  edges: Set<[N | Start, N | typeof END]>;
  /** Edges with several starts. */
  waitingEdges: Set<[N[], N]>;
  /** Conditions of each node, by name. */
  branches: Record<string, Record<string, { path: RunnableShape; ends?: Record<string, string> }>>;
  entryPoint?: string;
  channels: Record<string, BaseChannel>;
  /** Whether `compile()` was called; later additions do not affect the compiled graph. */
  compiled: boolean;
  get allEdges(): Set<[string, string]>;
  /**
   * Types only: `typeof builder.Node`, a node of this graph; its Commands may go to the nodes known
   * so far.
   */
  Node: StrictNodeAction<S, U, C, N, InterruptType, WriterType>;
  /** Types only: `typeof builder.State`, `typeof builder.Update`. */
  State: S;
  Update: U;

  /**
   * Adds a node, or several. START, END and the keys of the state are no names of nodes.
   * @param nodes several at once, by name or as a list
   * @param key name of the node
   * @param action function, Runnable or compiled graph
   * @param options retries, timeout, cache, `ends`, an error handler
   * @throws Error for a name that is taken, reserved or has `|` or `:`, and for what is no node
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
   * Sets default policies of nodes that have none; a later call overrides an earlier one.
   * @param defaults policies and an error handler
   */
  setNodeDefaults(
    defaults: NodePolicyOptions & { errorHandler?: NodeErrorHandler<unknown, U, N> },
  ): this;
  /**
   * Adds an edge; with several starts it fires when all of them have run. Throws an Error for END
   * as a start and, with several starts, for unknown nodes.
   * @param startKey a node, or several that must all have run
   * @param endKey a node, or END
   * @throws Error for an edge from END or to START, or a start that is not added yet; BAD_ARGUMENT
   *   for names that are no texts
   */
  addEdge(startKey: Start | N | N[], endKey: N | typeof END): this;
  /**
   * Adds a condition after `source`: `path` returns nodes, END or Sends; `pathMap` maps its results
   * to nodes. Throws an Error if the node has a condition of this name.
   * @param source node after which is decided
   * @param path returns what comes next
   * @param pathMap names of nodes by what `path` returns
   * @throws Error for what is no condition, or one whose name the node has already
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
  /**
   * Adds nodes that run one after the other. Throws an Error for an empty list or a duplicate name.
   * @param nodes by name, or as a list of pairs
   * @throws Error for an empty list, or names that are not unique
   */
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
  /**
   * @param key node that runs first
   * @deprecated use `addEdge(START, key)`
   */
  setEntryPoint(key: N): this;
  /**
   * @param key node after which the run ends
   * @deprecated use `addEdge(key, END)`
   */
  setFinishPoint(key: N): this;
  /**
   * Warns on the console that a change does not affect a graph that has been compiled.
   * @param message the warning
   */
  warnIfCompiled(message: string): void;
  /** Checks the graph as compile() does. @param interrupt nodes that must exist */
  validate(interrupt?: string[]): void;
  /**
   * Checks the graph and makes it runnable. Throws UnreachableNodeError, or an Error for edges to
   * or from unknown nodes.
   * @param options checkpointer, store, cache, breakpoints, limits and name
   * @throws UnreachableNodeError for a node to which nothing leads, Error for an edge to a node
   *   that is not there, BAD_ARGUMENT for renamed options
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
 * What a run does while another run of its thread is in progress: it waits ("enqueue", as without
 * a strategy), rejects with BUSY ("reject"), or begins ("concurrent"). The first two also consider
 * runs outside of this saver if its store can: other processes (files), other tabs (IDBFS), other
 * savers over the same storage in this process (Durable Objects, Deno KV).
 */
export type MultitaskStrategy = "enqueue" | "reject" | "concurrent";
/** Options of a graph's call beside LangChain's config. */
export interface RunOptions<Nodes extends string = string, Context = any> extends RunnableConfig {
  /** The nodes' `runtime.context`: passed in with each call, never saved. */
  context?: Context;
  /** When steps are saved; "async" by default. */
  durability?: Durability;
  /** Overrides the graph's. */
  multitaskStrategy?: MultitaskStrategy;
  /** A recording made by `record()` of `weftgraph/record`, for this run. */
  record?: { text(): string };
  /** LangGraph's older option: true is durability "async", false is "exit". */
  checkpointDuring?: boolean;
  /** Limits of this call, merged over the graph's. */
  limits?: Limits;
  /** For tests: the clock of checkpoints, retries and timeouts, in milliseconds. */
  clock?: Clock | number | (() => number);
  /**
   * For tests: makes the ids of checkpoints, interrupts, messages and callbacks; must return
   * another UUID each time.
   */
  ids?: () => string;
  /** Lets the caller drain the run between two steps. */
  control?: RunControl;
  /** Overrides the graph's. */
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  /**
   * Keys of the state in `values`, `updates` and the result; a single name gives its bare value.
   */
  outputKeys?: string | string[];
  /** For low-level graphs, as in LangGraph.js: ignored. */
  inputKeys?: string | string[];
  /** Only the graph's property counts, as in LangGraph.js. */
  debug?: boolean;
  /** Overrides the graph's. */
  cache?: BaseCache;
  /** Streams the chunks of subgraphs too, each with its namespace. */
  subgraphs?: boolean;
  /** Encodes chunks as server-sent events. */
  encoding?: "text/event-stream";
}

/** Options of `getState`. */
export interface GetStateOptions {
  /**
   * Includes the states of the subgraphs of tasks. A `checkpoint_ns` in the config selects one of
   * them.
   */
  subgraphs?: boolean;
}

/** Input and output of a graph, by names of channels. */
export interface GraphChannels {
  readonly inputChannels: string | string[];
  /** Channels of `invoke`'s result; may be set. */
  outputChannels: string | string[];
  /** Channels in streams and states; may be set. */
  streamChannels?: string | string[];
  readonly streamChannelsList: string[];
  readonly streamChannelsAsIs: string | string[];
  /** Nodes that each channel triggers. */
  readonly triggerToNodes: Record<string, string[]>;
  streamMode: StreamMode[];
}

/** Settings of a compiled graph. */
export interface CompiledSettings<Nodes extends string> {
  /** Default breakpoints of calls; may be set. */
  interruptBefore?: Nodes[] | "*";
  interruptAfter?: Nodes[] | "*";
  /** Config from withConfig. */
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
  /**
   * Streams a run as events: of LangGraph's streaming protocol ("v3"), or LangChain's ("v2", "v1").
   */
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
  /** Streams a run as patches of one record of all runs. */
  streamLog(
    input: Input,
    options?: Partial<Options> & { streamMode?: StreamMode | StreamMode[] },
    filter?: EventFilter,
  ): IterableReadableStream<RunLogPatch>;
}
/** A compiled graph, by the types of its calls. */
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
  /** Transformers of `compile`, for each run with `streamEvents` of version 3. */
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
  /** Default policy of nodes without one. */
  retryPolicy?: RetryPolicy;
  /** Maximum duration of a step in ms; exceeding it ends the run with an Error "Abort". */
  stepTimeout?: number;
  /** The nodes, which can be called without their graph: `graph.nodes.n.invoke(state, config)`. */
  readonly nodes: Record<N | Start, PregelNode<State, Update>>;
  readonly channels: Record<string, BaseChannel>;
  /**
   * Prints each step on the console: its state, its tasks, their writes. Set it on the compiled
   * graph; `compile({ debug })` does nothing, as in LangGraph.js.
   */
  debug: boolean;
  /** Does nothing: compile() has checked the graph. */
  validate(): this;

  /**
   * Runs the graph to its end or to an interrupt, and resolves with the state (of `output`), with
   * the interrupts under INTERRUPT; undefined if nothing was written. `null` as input resumes a
   * stopped thread, a Command with `resume` answers its interrupts. Rejects with a node's error,
   * GraphRecursionError, EmptyInputError, InvalidUpdateError, a LimitError, or a WeftError of the
   * saver.
   * @param input state update, Command, or null to resume
   * @param options config of the call
   */
  invoke(
    input: InputType | CommandType | null,
    options?: Partial<RunOptions<N, ContextType> & { streamMode?: StreamMode | StreamMode[] }>,
  ): Promise<OutputType>;
  /**
   * Runs the graph and streams chunks of `streamMode` (default "updates"). Fails as `invoke`
   * rejects. A reader that leaves before the end stops the run.
   * @param input state update, Command, or null to resume
   * @param options config of the call, and `streamMode`, `subgraphs`, `encoding`
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
   * LangChain's signature of a Runnable: never selected for a call, since the first one accepts all
   * calls.
   */
  stream(
    input: InputType | CommandType | null,
    options?: undefined,
  ): Promise<IterableReadableStream<OutputType>>;
  /**
   * Signature for `Parameters` and `ReturnType`; no call selects it. Its chunks are results too, so
   * that TypeScript 7, which infers from this method first, finds the result of a Runnable.
   */
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
      > &
        OutputType
    >
  >;
  /**
   * Calls `invoke` for each input; rejects with the first failure, unless `returnExceptions`.
   * @param inputs one run each
   * @param options config of all, or a list with one for each
   * @param batchOptions how many at once, and whether errors are results
   * @throws Error for a list of options that is longer or shorter than that of inputs
   */
  batch(
    inputs: (InputType | CommandType | null)[],
    options?: Partial<RunOptions<N, ContextType>> | Partial<RunOptions<N, ContextType>>[],
    batchOptions?: BatchOptions,
  ): Promise<OutputType[]>;
  /**
   * Reads the state of a thread, or of the checkpoint that the config names; empty for a new
   * thread. Rejects with GraphValueError without a checkpointer.
   * @param config names the thread, and the checkpoint if not the newest
   * @param options `subgraphs`: whether the states of subgraphs are read too; default false
   */
  getState(config: RunnableConfig, options?: GetStateOptions): Promise<StateSnapshot>;
  /**
   * Lists the subgraphs of its nodes by name ("outer|inner" with `recurse`).
   * @param namespace only the subgraph at this namespace
   * @param recurse whether those inside of them are listed too; default false
   */
  getSubgraphs(namespace?: string, recurse?: boolean): Generator<[string, CompiledGraph<any>]>;
  /**
   * Lists the subgraphs as an async iterator.
   * @param namespace only the subgraph at this namespace
   * @param recurse whether those inside of them are listed too; default false
   */
  getSubgraphsAsync(
    namespace?: string,
    recurse?: boolean,
  ): AsyncGenerator<[string, CompiledGraph<any>]>;
  /**
   * Reads checkpoints, the newest first; of all threads without a `thread_id`.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint (`checkpoint_id`)
   *   to read that one alone
   * @param options `limit`: maximum number; `before`: only older checkpoints; `filter`: required
   *   values of the metadata
   * @param options.limit most checkpoints; default: all
   * @param options.before config of a checkpoint: only older ones
   * @param options.filter metadata that they must have, compared with ===
   */
  getStateHistory(
    config: RunnableConfig,
    options?: { limit?: number; before?: RunnableConfig; filter?: Record<string, any> },
  ): AsyncGenerator<StateSnapshot, void, void>;
  /**
   * Writes to a thread's state as if a node had (END: drops pending tasks; "__input__": as an
   * input; "__copy__": copies the checkpoint). Without `asNode` it writes as the last node that
   * ran; InvalidUpdateError if several ran. It takes its turn among the runs of the thread, by
   * `multitaskStrategy` as they do; in a node of such a run it is made at once.
   * @param config names the thread, and the checkpoint that the update follows if not the newest
   * @param values update of the state
   * @param asNode node that the update is written as
   * @returns config of the new checkpoint
   * @throws Error without a `thread_id`
   */
  updateState(
    config: LangGraphRunnableConfig & { multitaskStrategy?: MultitaskStrategy },
    values: Record<string, unknown> | unknown,
    asNode?: N | string,
  ): Promise<RunnableConfig>;
  /**
   * Writes several supersteps, each with the updates of several nodes.
   * @param config names the thread, and the checkpoint that the first superstep follows if not the
   *   newest
   * @param supersteps one after the other, each with a list of `{ values, asNode }`; `asNode` may
   *   be left out where there is a single update
   * @returns config of the newest checkpoint
   * @throws Error without a `thread_id`, or for an empty list; BAD_ARGUMENT for lists of another
   *   form
   */
  bulkUpdateState(
    config: LangGraphRunnableConfig & { multitaskStrategy?: MultitaskStrategy },
    supersteps: {
      updates: { values?: Record<string, unknown> | unknown; asNode?: N | string }[];
    }[],
  ): Promise<RunnableConfig>;
  /** Empties the graph's cache. */
  clearCache(): Promise<void>;
  /**
   * Copies the graph with a config that each call's config overrides.
   * @param config merged over the graph's own; its `streamTransformers` are added to those that
   *   there are
   */
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
  /**
   * Returns the graph for drawing: by `drawMermaid()`, or `drawSvg` of `weftgraph/svg`.
   * @param config `xray`: how many levels of subgraphs are drawn with their own nodes, true for
   *   all; default: none
   */
  getGraph(config?: GraphOptions): DrawnGraph;
  /**
   * Returns the graph for drawing, with subgraphs that must be awaited.
   * @param config `xray`: how many levels of subgraphs are drawn with their own nodes, true for
   *   all; default: none
   */
  getGraphAsync(config?: GraphOptions): Promise<DrawnGraph>;
}
/**
 * A compiled graph by named types: `CompiledGraphType<{ state: State; update: Update; node: "a" |
 * "b" }>`.
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
/**
 * Result of `StateGraph.compile()`: a graph to call, stream, draw, and use as a node of other
 * graphs.
 * @example
 * ```ts
 * import { Annotation, CompiledStateGraph, START, StateGraph } from "weftgraph";
 *
 * const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge(START, "add")
 *   .compile();
 * console.log(graph instanceof CompiledStateGraph, await graph.invoke({ count: 1 }));
 * ```
 * ```text
 * true { count: 2 }
 * ```
 */
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
  /**
   * @param builder graph that is compiled; later changes of it have no effect on runs
   * @param options those of `compile()`: checkpointer, store, cache, breakpoints, limits
   * @throws BAD_ARGUMENT for options of another form
   */
  constructor(
    builder: StateGraph<unknown, S, U, N, I, O, C, NodeReturnType>,
    options: CompileOptions,
  );
  static lc_name(): string;
  lc_namespace: string[];
  /** Its builder. */
  readonly builder: StateGraph<unknown, S, U, N, I, O, C, NodeReturnType>;
  description?: string;
  /**
   * Checks whether a run's result ends at an interrupt or a breakpoint.
   * @param input result of `invoke`, or a chunk of `stream` in the mode values
   */
  isInterrupted(
    input: unknown,
  ): input is { [INTERRUPT]: Interrupt<InferInterruptInputType<InterruptType>>[] };
}
