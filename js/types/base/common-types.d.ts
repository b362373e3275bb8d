// SPDX-License-Identifier: MIT
// The words of a graph, its config, its snapshots, and what node code calls.

import type { BaseStore } from "../stores/stores.js";
import type {
  StateMessage as BaseMessage,
  StateMessageLike as BaseMessageLike,
} from "../messages/core.js";
import type { CoreCallbacks } from "../runnable/core.js";
import type { RunControl } from "../plan/policy-types.js";

/** Where a graph begins, as the source of an edge. */
export const START = "__start__";
/** Where a path of a graph ends, as the target of an edge or of `goto`. */
export const END = "__end__";
/** The key under which the result of a run that stopped holds its questions. */
export const INTERRUPT = "__interrupt__";
/** Under it a Command keeps its fields. */
export const COMMAND_SYMBOL: unique symbol;

/** What a person is asked; `response_schema` (JSON Schema) says what the answer looks like. */
export interface Interrupt<Value = any> {
  id?: string;
  value?: Value;
  response_schema?: Record<string, any>;
}

/**
 * Times in ms. `idleTimeout` begins anew with each sign of life: any (`auto`, the default), or
 * `heartbeat()` alone.
 */
export interface TimeoutPolicy {
  runTimeout?: number;
  idleTimeout?: number;
  refreshOn?: "auto" | "heartbeat";
}

/** `timeout` of the task alone, in ms. */
export interface SendOptions {
  timeout?: number | TimeoutPolicy;
}
/** A task for a node with an input of its own, instead of the state. */
export class Send<Node extends string = string, Args = any> {
  constructor(node: Node, args: Args, options?: SendOptions);
  lg_name: string;
  /** The node that runs, once for each Send. */
  node: Node;
  /** Its input. */
  args: Args;
  timeout?: TimeoutPolicy;
  toJSON(): { lg_name: string; node: Node; args: Args; timeout?: TimeoutPolicy };
}

/** The shape of a Send. */
export interface SendLike<Node extends string = string, Args = any> {
  node: Node;
  args: Args;
  timeout?: TimeoutPolicy;
}

/** A write that replaces the value of a channel with a reducer, instead of being folded into it. */
export class Overwrite<Value = any> {
  constructor(value: Value);
  lg_name: string;
  readonly __overwrite__: Value;
  get value(): Value;
  toJSON(): { __overwrite__: Value };
  static isInstance<Value = any>(value: unknown): value is Overwrite<Value>;
}
/** A write that replaces; at run time `{ type: "__overwrite__", value }` is one too. */
export interface OverwriteValue<Value> {
  __overwrite__: Value;
}

/** What LangGraph makes Commands of; use Command. */
export class CommandInstance<
  Resume = unknown,
  Update = Record<string, unknown>,
  Nodes extends string = string,
> {
  constructor(fields: CommandParams<Resume, Update, Nodes>);
  [COMMAND_SYMBOL]: CommandParams<Resume, Update, Nodes>;
}

/** What a Command is made of. */
export interface CommandParams<
  Resume = unknown,
  Update = Record<string, unknown>,
  Nodes extends string = string,
> {
  lg_name?: "Command";
  /** Command.PARENT: the Command is for the graph around this one. */
  graph?: string;
  /** Writes to the state. */
  update?: Update | [string, unknown][];
  /** What the pending interrupt returns, or a map from interrupt ids. */
  resume?: Resume;
  /** Where to go, in addition to the node's edges. */
  goto?: Nodes | SendLike<Nodes> | (Nodes | SendLike<Nodes>)[];
}

/** What to write, where to go and how to resume, in one value. */
export class Command<
  Resume = unknown,
  Update extends Record<string, unknown> = Record<string, unknown>,
  Nodes extends string = string,
> extends CommandInstance<Resume, Update, Nodes> {
  constructor(fields: Omit<CommandParams<Resume, Update, Nodes>, "lg_name">);
  /** For `graph`: the graph around this one. */
  static PARENT: string;
  readonly lg_name: "Command";
  lc_direct_tool_output: boolean;
  graph?: string;
  update?: Update | [string, unknown][];
  resume?: Resume;
  goto?: Nodes | Send<Nodes> | (Nodes | Send<Nodes>)[];
  _updateAsTuples(): [string, unknown][];
  toJSON(): Record<string, unknown>;
}

/** Whether the value is a Command, of Weft or of LangGraph.js. */
export function isCommand(value: unknown): value is Command;
/** Did a run end at an interrupt, or at a breakpoint (an empty list)? */
export function isInterrupted<Value = unknown>(
  values: unknown,
): values is { [INTERRUPT]: Interrupt<Value>[] };

/**
 * A store for what is kept across threads, in LangGraph's shape; the graph hands it to its nodes.
 */
export interface StoreLike {
  [method: string]: any;
}

/** What LangChain calls RunnableConfig. */
export interface RunnableConfig<Configurable extends Record<string, any> = Record<string, any>> {
  /**
   * `thread_id` names the thread, `checkpoint_id` one of its checkpoints; the rest is the caller's.
   */
  configurable?: Configurable;
  /** For callbacks and streams; inherited by all that runs below. */
  tags?: string[];
  /** For callbacks and the checkpoints' metadata. */
  metadata?: Record<string, unknown>;
  /** Handlers in LangChain's shape, or a callback manager. */
  callbacks?: CoreCallbacks;
  /** Steps that the run may take; 25 by default, then a GraphRecursionError. */
  recursionLimit?: number;
  /** Nodes that run at the same time; all of a step by default. */
  maxConcurrency?: number;
  runName?: string;
  runId?: string;
  /** Gives the run up. */
  signal?: AbortSignal;
  /** What the call may take, in ms. */
  timeout?: number;
  store?: BaseStore;
}

/** Where a node's run stands. */
export interface ExecutionInfo {
  readonly checkpointId: string;
  readonly checkpointNs: string;
  readonly taskId: string;
  readonly threadId?: string;
  readonly runId?: string;
  /** From 1. */
  readonly nodeAttempt: number;
  /** When the first attempt began, in ms since 1970. */
  readonly nodeFirstAttemptTime?: number;
}
/**
 * What a server told of itself in `configurable` or `metadata`: assistant_id, graph_id,
 * langgraph_auth_user.
 */
export interface ServerInfo {
  readonly assistantId: string;
  readonly graphId: string;
  readonly user?: Record<string, any>;
}

type IsEqual<Left, Right> = [Left] extends [Right]
  ? [Right] extends [Left]
    ? true
    : false
  : false;
/** The second argument of a node: what belongs to its run. */
export interface Runtime<
  ContextType = Record<string, unknown>,
  InterruptType = unknown,
  WriterType = unknown,
> {
  configurable?: ContextType;
  /** What the graph was called with as `context`. */
  context?: ContextType;
  /** What the graph was compiled with, or the call brought. */
  store?: BaseStore;
  /** Writes to the `custom` stream. */
  writer: IsEqual<WriterType, unknown> extends true ? (chunk: unknown) => void : WriterType;
  /** Stops for a person, anywhere in the node, in every runtime. */
  interrupt: IsEqual<InterruptType, unknown> extends true
    ? <Value = unknown, Resume = any>(value: Value, options?: InterruptOptions) => Resume
    : InterruptType;
  /**
   * Calls what `task()` made, anywhere in the node, in every runtime: also after an `await` where
   * there is no AsyncLocalStorage, as in a browser's tab.
   */
  task<Args extends unknown[], Output>(
    step: (...args: Args) => Promise<Output>,
    ...args: Args
  ): Promise<Output>;
  /** Aborted when the run or its step is given up. */
  signal: AbortSignal;
  /** Says that the node is alive; only where it has a timeout. */
  heartbeat?: () => void;
  /** Where this run of the node stands. */
  executionInfo?: ExecutionInfo;
  serverInfo?: ServerInfo;
  /** What the caller gave as `control`. */
  control?: RunControl;
}
/** A config with what a node finds in it. */
export interface LangGraphRunnableConfig<
  ContextType extends Record<string, any> = Record<string, any>,
> extends RunnableConfig<ContextType>,
    Omit<Partial<Runtime<ContextType, unknown, unknown>>, "configurable" | "store" | "signal"> {}

/**
 * What made a checkpoint: `step` counts from -1, the input's; `parents` are the checkpoints of the
 * graphs around, by namespace.
 */
export type CheckpointMetadata<Extra extends object = object> = {
  source: "input" | "loop" | "update" | "fork";
  step: number;
  parents: Record<string, string>;
  [key: string]: any;
} & Extra;
/**
 * A task of the next step, or of one that stopped: `path` says why it runs, `result` what it wrote.
 */
export interface PregelTaskDescription {
  id: string;
  name: string;
  path: (string | number)[];
  /** What it failed with. */
  error?: unknown;
  /** What it asks. */
  interrupts: Interrupt[];
  result?: unknown;
  /**
   * Of a task that holds a graph: where that one saves, or with `{ subgraphs: true }` how it
   * stands.
   */
  state?: RunnableConfig | StateSnapshot;
}
/** The state of a thread at one of its checkpoints. */
export interface StateSnapshot<Values = any> {
  /** The state. */
  values: Values;
  /** Nodes that run next. */
  next: string[];
  /** Names the checkpoint: to go on from it, to fork it. */
  config: RunnableConfig;
  metadata?: CheckpointMetadata;
  /** ISO time. */
  createdAt?: string;
  /** Names the checkpoint before. */
  parentConfig?: RunnableConfig;
  /** What runs next, or stopped: with their questions and errors. */
  tasks: PregelTaskDescription[];
}

/** What may be said of a question. */
export interface InterruptOptions {
  /**
   * What the answer must look like: zod parses it, JSON Schema is only shown. Zod 3 and mini are
   * shown when `weftgraph/zod` is imported.
   */
  responseSchema?: object;
}
/**
 * Stops the node until the run is resumed with `new Command({ resume })`, and returns the resume
 * value then. Throws zod's error for an answer that it refuses; the question then stands.
 */
export function interrupt<Value = unknown, Resume = any>(
  value: Value,
  options?: InterruptOptions,
): Resume;
/**
 * Shows a message in the `messages` stream before its node has ended, and writes it to the state.
 * @param message in any form; without an id it is an error
 * @param options the node's config; `stateKey` is "messages" unless given, null keeps the message
 *   nowhere
 */
export function pushMessage(
  message: BaseMessageLike,
  options?: RunnableConfig & { stateKey?: string | null },
): BaseMessage;
/**
 * The config of the node that calls; undefined outside of a node, and after an `await` where there
 * is no AsyncLocalStorage.
 */
export function getConfig(): LangGraphRunnableConfig;
/**
 * The store of the run: of `config`, else of the node that calls. Error where getConfig finds none.
 */
export function getStore(config?: RunnableConfig): BaseStore | undefined;
/**
 * What writes to the `custom` stream of the run: of `config`, else of the node that calls. Error
 * where getConfig finds none.
 */
export function getWriter(config?: RunnableConfig): ((chunk: any) => void) | undefined;
/**
 * Writes one chunk to the `custom` stream of the node that calls. Error where getConfig finds none.
 */
export function writer<Chunk>(chunk: Chunk): void;
/**
 * What the node of `config`, else the one that calls, was given. Error where getConfig finds none.
 */
export function getCurrentTaskInput<State = unknown>(config?: RunnableConfig): State;

/** What a graph callback handler is told when a run goes on from a checkpoint. */
export interface GraphResumeEvent {
  readonly runId: string | undefined;
  readonly status:
    | "pending"
    | "done"
    | "interrupt_before"
    | "interrupt_after"
    | "out_of_steps"
    | "draining";
  readonly checkpointId: string;
  /** The graph that it is about; empty: the root. */
  readonly checkpointNs: readonly string[];
}
/** The same when it stops for a person; a breakpoint has no interrupts. */
export interface GraphInterruptEvent extends GraphResumeEvent {
  readonly interrupts: readonly Interrupt[];
}
/** What a graph callback handler is told. */
export type GraphLifecycleEvent = GraphInterruptEvent | GraphResumeEvent;
/** How a run stood at that checkpoint. */
export type GraphLifecycleStatus = GraphResumeEvent["status"];
/** LangChain's fields of a handler. */
export interface GraphCallbackHandlerInput {
  ignoreLLM?: boolean;
  ignoreChain?: boolean;
  ignoreAgent?: boolean;
  ignoreRetriever?: boolean;
  ignoreCustomEvent?: boolean;
  raiseError?: boolean;
  _awaitHandler?: boolean;
}
/**
 * Extend it and pass an instance in `callbacks` to hear of pauses; it may have LangChain's handler
 * methods too.
 */
export class GraphCallbackHandler {
  name: string;
  raiseError: boolean;
  /**
   * LangChain's models wait for it. By default only where LANGCHAIN_CALLBACKS_BACKGROUND of the
   * environment is "false".
   */
  awaitHandlers: boolean;
  constructor(input?: GraphCallbackHandlerInput);
  static isInstance(value: unknown): value is GraphCallbackHandler;
  static lc_name(): string;
  /** A handler of LangChain's methods alone, which hears of no pauses. */
  static fromMethods(methods: Record<string, any>): any;
  /** A run stopped for a person or at a breakpoint. */
  handleInterrupt?(event: GraphInterruptEvent): void | Promise<void>;
  /** A run goes on from a checkpoint. */
  handleResume?(event: GraphResumeEvent): void | Promise<void>;
  /** LangChain's, which a handler overrides; @langchain/core says what each is told. */
  handleLLMStart?(...told: any[]): any;
  handleLLMNewToken?(...told: any[]): any;
  handleLLMEnd?(...told: any[]): any;
  handleLLMError?(...told: any[]): any;
  handleChatModelStart?(...told: any[]): any;
  handleChatModelStreamEvent?(...told: any[]): any;
  handleChainStart?(...told: any[]): any;
  handleChainEnd?(...told: any[]): any;
  handleChainError?(...told: any[]): any;
  handleToolStart?(...told: any[]): any;
  handleToolEvent?(...told: any[]): any;
  handleToolEnd?(...told: any[]): any;
  handleToolError?(...told: any[]): any;
  handleRetrieverStart?(...told: any[]): any;
  handleRetrieverEnd?(...told: any[]): any;
  handleRetrieverError?(...told: any[]): any;
  handleCustomEvent?(...told: any[]): any;
  handleAgentAction?(...told: any[]): any;
  handleAgentEnd?(...told: any[]): any;
  handleText?(...told: any[]): any;
  copy(): this;
  [member: string]: any;
}
