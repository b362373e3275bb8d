// SPDX-License-Identifier: MIT
// Declares nodes and conditions: their forms, inputs, results and options, and helper types for
// writing them separately from a graph.
import type {
  CachePolicy,
  NodeErrorHandler,
  NodePolicyOptions,
  RetryPolicy,
} from "../plan/policy-types.js";
import type {
  CommandInstance,
  END,
  Interrupt,
  LangGraphRunnableConfig,
  RunnableConfig,
  Send,
  TimeoutPolicy,
} from "../base/common-types.js";
import type {
  ExtractStateType,
  ExtractUpdateType,
  StateDefinition,
  StateDefinitionInit,
} from "../state/state.js";

/** Any object with LangChain's `invoke`. */
export interface RunnableInterface<Input = any, Output = any, Config = any> {
  /**
   * @param input what it works on, in a node the state
   * @param options config of the call
   */
  invoke(input: Input, options?: Partial<Config>): Promise<Output>;
}
/**
 * A function in place of a Runnable; may return a promise.
 * @param input what it works on, in a node the state
 * @param options config of the call
 */
export type RunnableFunc<Input, Output, Config = RunnableConfig> = (
  input: Input,
  options: Config,
) => Output | Promise<Output>;
/** An object of Runnables: each receives the input, its result is stored under its key. */
export type RunnableMapLike<Input, Output> = {
  [Key in keyof Output]: RunnableLike<Input, Output[Key]>;
};
/** A Runnable, a function, or an object of them. */
export type RunnableLike<Input = any, Output = any, Config = RunnableConfig> =
  | RunnableInterface<Input, Output, Config>
  | RunnableFunc<Input, Output, Config>
  | RunnableMapLike<Input, Output>;

// ---- helper types

/** Result of a node: an update of the state or a Command, or a promise of one. */
export type GraphNodeReturnValue<Update, Nodes extends string = string> =
  | Update
  | CommandInstance<unknown, Update, Nodes>
  | Promise<Update | CommandInstance<unknown, Update, Nodes>>;
/** All types of a node in one object, for GraphNode. */
export interface GraphNodeTypes<
  InputSchema = unknown,
  OutputSchema = unknown,
  ContextSchema = unknown,
  Nodes extends string = string,
> {
  InputSchema?: InputSchema;
  OutputSchema?: OutputSchema;
  ContextSchema?: ContextSchema;
  Nodes?: Nodes;
}
type IsNodeBag<T> = T extends { InputSchema: unknown }
  ? true
  : T extends { OutputSchema: unknown }
    ? true
    : false;
type IsRouterBag<T> = T extends { InputSchema: unknown }
  ? true
  : T extends { ContextSchema: unknown }
    ? true
    : false;
type BagInput<Bag, Default> = Bag extends { InputSchema: infer Input }
  ? ExtractStateType<Input>
  : Default;
type BagOutput<Bag, Default> = Bag extends { OutputSchema: infer Output }
  ? ExtractUpdateType<Output>
  : Default;
type BagContext<Bag> = Bag extends { ContextSchema: infer Schema }
  ? ExtractStateType<Schema> extends infer Context
    ? Context extends Record<string, unknown>
      ? Context
      : Record<string, unknown>
    : Record<string, unknown>
  : Record<string, unknown>;
type BagNodes<Bag> = Bag extends { Nodes: infer Nodes extends string } ? Nodes : string;
/** A node as a function, typed by its state's schema or by an object of types. */
export type GraphNode<
  Schema,
  Context extends Record<string, any> = Record<string, any>,
  Nodes extends string = string,
> =
  IsNodeBag<Schema> extends true
    ? (
        state: BagInput<Schema, unknown>,
        config: LangGraphRunnableConfig<BagContext<Schema>>,
      ) => GraphNodeReturnValue<
        BagOutput<Schema, Partial<BagInput<Schema, unknown>>>,
        BagNodes<Schema>
      >
    : (
        state: ExtractStateType<Schema>,
        config: LangGraphRunnableConfig<Context>,
      ) => GraphNodeReturnValue<ExtractUpdateType<Schema>, Nodes>;
/** All types of a condition in one object, for ConditionalEdgeRouter. */
export interface ConditionalEdgeRouterTypes<
  InputSchema = unknown,
  ContextSchema = unknown,
  Nodes extends string = string,
> {
  InputSchema?: InputSchema;
  ContextSchema?: ContextSchema;
  Nodes?: Nodes;
}
type RouterReturnValue<Nodes extends string, State> =
  | Nodes
  | typeof END
  | Send<Nodes, State>
  | (Nodes | Send<Nodes, State>)[];
type RouterReturn<Nodes extends string, State> =
  | RouterReturnValue<Nodes, State>
  | Promise<RouterReturnValue<Nodes, State>>;
/** A condition as a function, typed like GraphNode. */
export type ConditionalEdgeRouter<
  Schema,
  Context extends Record<string, any> = Record<string, any>,
  Nodes extends string = string,
> =
  IsRouterBag<Schema> extends true
    ? (
        state: BagInput<Schema, unknown>,
        config: LangGraphRunnableConfig<BagContext<Schema>>,
      ) => RouterReturn<BagNodes<Schema>, BagInput<Schema, unknown>>
    : (
        state: ExtractStateType<Schema>,
        config: LangGraphRunnableConfig<Context>,
      ) => RouterReturn<Nodes, ExtractStateType<Schema>>;

// ---- conditions

/** Result of a condition: the name of a node, a Send, or a list of both. */
export type BranchPathReturnValue =
  | string
  | Send
  | (string | Send)[]
  | Promise<string | Send | (string | Send)[]>;
/** The object form of `addConditionalEdges`: source, condition, destinations. */
export interface BranchOptions<State, Nodes extends string, Config = LangGraphRunnableConfig> {
  /** Node after which the condition runs. */
  source: Nodes;
  path: RunnableLike<State, BranchPathReturnValue, Config>;
  /** Maps each result of the condition to a node. */
  pathMap?: Record<string, Nodes | typeof END> | (Nodes | typeof END)[];
}

// ---- options of nodes

export type {
  CachePolicy,
  NodeErrorHandler,
  NodeErrorHandlerReturnValue,
  NodePolicyOptions,
  RetryPolicy,
} from "../plan/policy-types.js";
/** Options of a node of any graph. */
export interface AddNodeOptions<Nodes extends string = string> {
  /** Added to the metadata of the node's runs. */
  metadata?: Record<string, unknown>;
  /** Graphs that the node calls. */
  subgraphs?: any[];
  /** Destinations of the node's Commands. */
  ends?: Nodes[] | Record<string, string>;
  /** Whether it runs only when nothing else is left to run. */
  defer?: boolean;
}
/**
 * Replaces a node's input and output in the data that `LangChainTracer` sends to LangSmith, for
 * example to remove secrets; the run, its times and its child runs are sent unchanged. Other
 * callbacks receive the original values. The functions must not change their arguments.
 */
export interface TracePolicy {
  processInputs?: (inputs: Record<string, any>) => Record<string, any>;
  processOutputs?: (outputs: Record<string, any>) => Record<string, any>;
}
/** Options of a node of a StateGraph: its input, its policies and its error handler. */
export type StateGraphAddNodeOptions<
  Nodes extends string = string,
  InputSchema extends StateDefinitionInit | undefined = StateDefinitionInit | undefined,
  HandlerState = InputSchema extends StateDefinitionInit ? ExtractStateType<InputSchema> : unknown,
  Update = unknown,
> = {
  /** Schema of the node's input; its keys may be private to the node. */
  input?: InputSchema;
  /** Changes the data that `LangChainTracer` sends for this node's runs. */
  tracePolicy?: TracePolicy;
  errorHandler?: NodeErrorHandler<HandlerState, Update, Nodes>;
} & NodePolicyOptions &
  AddNodeOptions<Nodes>;
/** A node as its builder stores it, in `builder.nodes`. */
export interface NodeSpec<Input, Output> {
  runnable: RunnableInterface<Input, Output>;
  metadata?: Record<string, unknown>;
  subgraphs?: any[];
  ends?: string[];
  defer?: boolean;
  isErrorHandler?: boolean;
  errorHandlerNode?: string;
}
/** A node of a StateGraph, with its own input and policies. */
export type StateGraphNodeSpec<Input, Output> = NodeSpec<Input, Output> & {
  input?: StateDefinition;
  tracePolicy?: TracePolicy;
  retryPolicy?: RetryPolicy;
  cachePolicy?: CachePolicy | false;
  timeout?: TimeoutPolicy;
};

// ---- interrupts and writers of a graph, as its types name them

type InterruptFunction = <Value = unknown, Resume = any>(value: Value, options?: any) => Resume;
type WithoutAny<Type> = 0 extends 1 & Type ? never : Type;
/** Type of the interrupts' values, from `interrupt` functions by name. */
export type InferInterruptInputType<T> = T extends (value: infer Value, options?: any) => any
  ? Value
  : T extends { [key: string]: (value: any, options?: any) => any }
    ? { [Key in keyof T]: InferInterruptInputType<T[Key]> }[keyof T]
    : unknown;
/** Type of the interrupts' resume values. */
export type InferInterruptResumeType<T, Inner = false> = T extends (
  value: any,
  options?: any,
) => infer Resume
  ? Inner extends true
    ? WithoutAny<Resume>
    : Resume
  : T extends { [key: string]: (value: any, options?: any) => any }
    ? { [Key in keyof T]: InferInterruptResumeType<T[Key], true> }[keyof T]
    : unknown;
/** Type of the chunks of a graph's writer. */
export type InferWriterType<T> = T extends (chunk: infer Chunk) => void ? Chunk : any;
export type { Interrupt, InterruptFunction };
