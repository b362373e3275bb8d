// SPDX-License-Identifier: MIT
// Declares the constants of a graph, its config, its snapshots, and the functions that node code
// calls.

import type { BaseStore } from "../stores/stores.js";
import type {
  StateMessage as BaseMessage,
  StateMessageLike as BaseMessageLike,
} from "../messages/core.js";
import type { CoreCallbacks } from "../runnable/core.js";
import type { RunControl } from "../plan/policy-types.js";

/** Name of a graph's start, as the source of an edge. */
export const START = "__start__";
/** Name of a graph's end, as the target of an edge or of `goto`. */
export const END = "__end__";
/** Key of a run's result that contains its interrupts if it stopped. */
export const INTERRUPT = "__interrupt__";
/** Key under which a Command stores its fields. */
export const COMMAND_SYMBOL: unique symbol;

/** A request to a person; `response_schema` (JSON Schema) describes the answer. */
export interface Interrupt<Value = any> {
  id?: string;
  value?: Value;
  response_schema?: Record<string, any>;
}

/**
 * Limits of an attempt, in ms. `idleTimeout` restarts with each sign of life: any (`auto`, the
 * default), or `heartbeat()` only.
 */
export interface TimeoutPolicy {
  runTimeout?: number;
  idleTimeout?: number;
  refreshOn?: "auto" | "heartbeat";
}

/** Options of a Send: `timeout` of this task only, in ms. */
export interface SendOptions {
  timeout?: number | TimeoutPolicy;
}
/** A task for a node with its own input instead of the state. */
export class Send<Node extends string = string, Args = any> {
  /**
   * Creates a task.
   * @param node name of the node
   * @param args input of the node
   * @param options `timeout` of this task
   * @throws BAD_ARGUMENT for a node without a name
   */
  constructor(node: Node, args: Args, options?: SendOptions);
  lg_name: string;
  /** Name of the node, which runs once per Send. */
  node: Node;
  /** Input of the node. */
  args: Args;
  timeout?: TimeoutPolicy;
  toJSON(): { lg_name: string; node: Node; args: Args; timeout?: TimeoutPolicy };
}

/** The form of a Send. */
export interface SendLike<Node extends string = string, Args = any> {
  node: Node;
  args: Args;
  timeout?: TimeoutPolicy;
}

/** A write that replaces the value of a channel with a reducer instead of being reduced into it. */
export class Overwrite<Value = any> {
  /** @param value that replaces the channel's */
  constructor(value: Value);
  lg_name: string;
  readonly __overwrite__: Value;
  get value(): Value;
  toJSON(): { __overwrite__: Value };
  /**
   * Checks for an Overwrite of Weft or of LangGraph.js.
   * @param value any value; a plain object with the key `__overwrite__` counts too
   */
  static isInstance<Value = any>(value: unknown): value is Overwrite<Value>;
}
/** The form of an Overwrite; at run time `{ type: "__overwrite__", value }` counts too. */
export interface OverwriteValue<Value> {
  __overwrite__: Value;
}

/**
 * LangGraph's base class of Command; use Command.
 * @example
 * ```ts
 * import { COMMAND_SYMBOL, Command, CommandInstance } from "weftgraph";
 *
 * const command = new Command({ goto: "end" });
 * console.log(command instanceof CommandInstance, command[COMMAND_SYMBOL].goto);
 * ```
 * ```text
 * true end
 * ```
 */
export class CommandInstance<
  Resume = unknown,
  Update = Record<string, unknown>,
  Nodes extends string = string,
> {
  /**
   * @param fields writes (`update`), destinations (`goto`), an answer (`resume`) and the graph that
   *   they are for; all may be left out
   */
  constructor(fields: CommandParams<Resume, Update, Nodes>);
  [COMMAND_SYMBOL]: CommandParams<Resume, Update, Nodes>;
}

/** Fields of a Command. */
export interface CommandParams<
  Resume = unknown,
  Update = Record<string, unknown>,
  Nodes extends string = string,
> {
  lg_name?: "Command";
  /** Command.PARENT: the Command is for the parent graph. */
  graph?: string;
  /** Writes to the state. */
  update?: Update | [string, unknown][];
  /** Value that the pending interrupt returns, or a map of values by interrupt id. */
  resume?: Resume;
  /** Destinations in addition to the node's edges. */
  goto?: Nodes | SendLike<Nodes> | (Nodes | SendLike<Nodes>)[];
}

/** Combines writes, destinations and a resume value in one value. */
export class Command<
  Resume = unknown,
  Update extends Record<string, unknown> = Record<string, unknown>,
  Nodes extends string = string,
> extends CommandInstance<Resume, Update, Nodes> {
  /**
   * @param fields writes, destinations and an answer
   * @throws BAD_ARGUMENT if fields is no object
   */
  constructor(fields: Omit<CommandParams<Resume, Update, Nodes>, "lg_name">);
  /** Value of `graph` for the parent graph. */
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

/**
 * Checks whether the value is a Command of Weft or of LangGraph.js.
 * @param value any value; a plain object of the same shape gives false
 */
export function isCommand(value: unknown): value is Command;
/**
 * Checks whether a run's result ends at an interrupt, or at a breakpoint (an empty list).
 * @param values result of `invoke`, or a chunk of `stream` in the mode values
 */
export function isInterrupted<Value = unknown>(
  values: unknown,
): values is { [INTERRUPT]: Interrupt<Value>[] };

/**
 * A store for data shared across threads, with LangGraph's interface; the graph passes it to its
 * nodes.
 */
export interface StoreLike {
  [method: string]: any;
}

/** Config of a call, LangChain's RunnableConfig. */
export interface RunnableConfig<Configurable extends Record<string, any> = Record<string, any>> {
  /**
   * `thread_id` names the thread, `checkpoint_id` one of its checkpoints; other keys are the
   * caller's.
   */
  configurable?: Configurable;
  /** Tags for callbacks and streams; inherited by all child runs. */
  tags?: string[];
  /** Metadata for callbacks and checkpoints. */
  metadata?: Record<string, unknown>;
  /** Handlers in LangChain's format, or a callback manager. */
  callbacks?: CoreCallbacks;
  /** Maximum number of steps of the run; 25 by default. Exceeding it is a GraphRecursionError. */
  recursionLimit?: number;
  /** Maximum number of nodes that run at the same time; by default all of a step. */
  maxConcurrency?: number;
  runName?: string;
  runId?: string;
  /** Aborts the run. */
  signal?: AbortSignal;
  /** Maximum duration of the call in ms. */
  timeout?: number;
  store?: BaseStore;
}

/** Position of a node's run. */
export interface ExecutionInfo {
  readonly checkpointId: string;
  readonly checkpointNs: string;
  readonly taskId: string;
  readonly threadId?: string;
  readonly runId?: string;
  /** Number of the attempt, from 1. */
  readonly nodeAttempt: number;
  /** Start of the first attempt, in ms since 1970. */
  readonly nodeFirstAttemptTime?: number;
}
/**
 * A server's description of itself, from `configurable` or `metadata`: assistant_id, graph_id,
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
/** Second argument of a node: the data and functions of its run. */
export interface Runtime<
  ContextType = Record<string, unknown>,
  InterruptType = unknown,
  WriterType = unknown,
> {
  configurable?: ContextType;
  /** Value of `context` in the graph's call. */
  context?: ContextType;
  /** Store of the compiled graph, or of the call. */
  store?: BaseStore;
  /** Writes to the `custom` stream. */
  writer: IsEqual<WriterType, unknown> extends true ? (chunk: unknown) => void : WriterType;
  /** Interrupts for a person, anywhere in the node, in every runtime. */
  interrupt: IsEqual<InterruptType, unknown> extends true
    ? <Value = unknown, Resume = any>(value: Value, options?: InterruptOptions) => Resume
    : InterruptType;
  /**
   * Calls a function made by `task()`, anywhere in the node and in every runtime: also after an
   * `await` without AsyncLocalStorage, as in browsers.
   * @param step function made by `task()`
   * @param args its arguments
   */
  task<Args extends unknown[], Output>(
    step: (...args: Args) => Promise<Output>,
    ...args: Args
  ): Promise<Output>;
  /** Aborted when the run or its step is aborted. */
  signal: AbortSignal;
  /** Signals that the node is alive; only present with a timeout. */
  heartbeat?: () => void;
  /** Position of this run of the node. */
  executionInfo?: ExecutionInfo;
  serverInfo?: ServerInfo;
  /** Value of `control` in the call. */
  control?: RunControl;
}
/** A config with the data and functions of a node. */
export interface LangGraphRunnableConfig<
  ContextType extends Record<string, any> = Record<string, any>,
> extends RunnableConfig<ContextType>,
    Omit<Partial<Runtime<ContextType, unknown, unknown>>, "configurable" | "store" | "signal"> {}

/**
 * Metadata of a checkpoint: `step` counts from -1, the input's; `parents` are the parent graphs'
 * checkpoints by namespace.
 */
export type CheckpointMetadata<Extra extends object = object> = {
  source: "input" | "loop" | "update" | "fork";
  step: number;
  parents: Record<string, string>;
  [key: string]: any;
} & Extra;
/** A task of the next step, or a stopped one: `path` tells why it runs, `result` what it wrote. */
export interface PregelTaskDescription {
  id: string;
  name: string;
  path: (string | number)[];
  /** Error that it failed with. */
  error?: unknown;
  /** Its pending interrupts. */
  interrupts: Interrupt[];
  result?: unknown;
  /** For a task with a subgraph: the subgraph's config, or its state with `{ subgraphs: true }`. */
  state?: RunnableConfig | StateSnapshot;
}
/** The state of a thread at one of its checkpoints. */
export interface StateSnapshot<Values = any> {
  /** The state. */
  values: Values;
  /** Names of the nodes that run next. */
  next: string[];
  /** Names the checkpoint: pass it to resume from it or to fork it. */
  config: RunnableConfig;
  metadata?: CheckpointMetadata;
  /** Time of creation, in ISO format. */
  createdAt?: string;
  /** Names the previous checkpoint. */
  parentConfig?: RunnableConfig;
  /** Next and stopped tasks, with their interrupts and errors. */
  tasks: PregelTaskDescription[];
}

/** Options of an interrupt. */
export interface InterruptOptions {
  /**
   * Schema of the answer: zod parses it, a JSON Schema is only passed on. Schemas of zod 3 and mini
   * are passed on if `weftgraph/zod` is imported.
   */
  responseSchema?: object;
}
/**
 * Stops the node until the run is resumed with `new Command({ resume })`, then returns the resume
 * value. Throws zod's error for an answer that does not fit; the interrupt then stays pending.
 * @param value presented to the person
 * @param options `responseSchema`: schema of the answer
 * @returns the answer, in a run that has one; a run without stops here by an error that must not be
 *   caught
 * @throws GraphInterrupt where there is no answer yet, which must not be caught; Error outside a
 *   node, a tool or a task
 */
export function interrupt<Value = unknown, Resume = any>(
  value: Value,
  options?: InterruptOptions,
): Resume;
/**
 * Shows a message in the `messages` stream before its node has ended, and writes it to the state.
 * @param message in any form; Error without an id
 * @param options config of the node; `stateKey`: "messages" by default, null writes to no key
 * @returns the message in its final form
 * @throws Error for a message without an id
 */
export function pushMessage(
  message: BaseMessageLike,
  options?: RunnableConfig & { stateKey?: string | null },
): BaseMessage;
/**
 * Returns the config of the calling node; undefined outside of a node, and after an `await` without
 * AsyncLocalStorage.
 */
export function getConfig(): LangGraphRunnableConfig;
/**
 * Returns the store of the run, from `config` or else the calling node.
 * @param config of the node; needed after an `await` without AsyncLocalStorage
 * @throws Error outside a node, a tool or a task, if no config is given
 */
export function getStore(config?: RunnableConfig): BaseStore | undefined;
/**
 * Returns the function that writes to the run's `custom` stream, from `config` or else the calling
 * node.
 * @param config of the node; needed after an `await` without AsyncLocalStorage
 * @throws Error outside a node, a tool or a task, if no config is given
 */
export function getWriter(config?: RunnableConfig): ((chunk: any) => void) | undefined;
/**
 * Writes one chunk to the `custom` stream of the calling node.
 * @param chunk any JSON value
 * @throws Error outside a node, a tool or a task
 * @example
 * ```ts
 * import { Annotation, START, StateGraph, writer } from "weftgraph";
 *
 * const graph = new StateGraph(Annotation.Root({ done: Annotation<boolean> }))
 *   .addNode("work", () => {
 *     writer({ percent: 50 });
 *     return { done: true };
 *   })
 *   .addEdge(START, "work")
 *   .compile();
 * for await (const chunk of await graph.stream({}, { streamMode: "custom" })) console.log(chunk);
 * ```
 * ```text
 * { percent: 50 }
 * ```
 */
export function writer<Chunk>(chunk: Chunk): void;
/**
 * Returns the input of the node of `config`, or else of the calling node.
 * @param config of the node; needed after an `await` without AsyncLocalStorage
 * @throws Error outside a node, a tool or a task
 */
export function getCurrentTaskInput<State = unknown>(config?: RunnableConfig): State;

/** Event of a graph callback handler when a run resumes from a checkpoint. */
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
  /** Namespace of the graph; empty for the root. */
  readonly checkpointNs: readonly string[];
}
/**
 * Event of a graph callback handler when a run stops for a person; a breakpoint has no interrupts.
 */
export interface GraphInterruptEvent extends GraphResumeEvent {
  readonly interrupts: readonly Interrupt[];
}
/** Any event of a graph callback handler. */
export type GraphLifecycleEvent = GraphInterruptEvent | GraphResumeEvent;
/** Status of a run at a checkpoint. */
export type GraphLifecycleStatus = GraphResumeEvent["status"];
/** LangChain's options of a handler. */
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
 * Base of handlers for pauses of a run: extend it and pass an instance in `callbacks`. It may have
 * LangChain's handler methods too.
 */
export class GraphCallbackHandler {
  name: string;
  raiseError: boolean;
  /**
   * Whether LangChain's models wait for it. By default only if the environment variable
   * LANGCHAIN_CALLBACKS_BACKGROUND is "false".
   */
  awaitHandlers: boolean;
  /**
   * @param input which kinds of runs are not reported, and whether errors of the handler fail the
   *   run (`raiseError`); default: all are reported, errors do not
   */
  constructor(input?: GraphCallbackHandlerInput);
  /** @param value any value; a handler of LangGraph.js counts too */
  static isInstance(value: unknown): value is GraphCallbackHandler;
  static lc_name(): string;
  /**
   * Creates a handler with LangChain's methods only, without pauses.
   * @param methods functions by LangChain's names: `handleChainStart`, `handleToolEnd` …
   */
  static fromMethods(methods: Record<string, any>): any;
  /**
   * Called when a run stops for a person or at a breakpoint.
   * @param event the run, its checkpoint and its interrupts; `status` is "interrupt_before" or
   *   "interrupt_after" at a breakpoint, else "pending"
   */
  handleInterrupt?(event: GraphInterruptEvent): void | Promise<void>;
  /**
   * Called when a run resumes from a checkpoint.
   * @param event the run, and the checkpoint at which it resumes; `status` is "pending"
   */
  handleResume?(event: GraphResumeEvent): void | Promise<void>;
  /**
   * LangChain's handler methods, which a handler overrides; LangChain declares their types.
   * @param told the serialized model, a list with the prompt, the run's id, the id of the run
   *   around it, extra parameters, tags, metadata, and the run's name
   */
  handleLLMStart?(...told: any[]): any;
  /**
   * @param told the text, its place as `{ prompt, completion }`, the run's id, the id of the run
   *   around it, its tags, and `{ chunk }` with the part
   */
  handleLLMNewToken?(...told: any[]): any;
  /**
   * @param told the result with its `generations`, the run's id, the id of the run around it, its
   *   tags
   */
  handleLLMEnd?(...told: any[]): any;
  /** @param told the error, the run's id, the id of the run around it, its tags */
  handleLLMError?(...told: any[]): any;
  /**
   * @param told the serialized model, a list with the list of messages, the run's id, the id of the
   *   run around it, extra parameters, tags, metadata, and the run's name
   */
  handleChatModelStart?(...told: any[]): any;
  /** @param told the event, the run's id, the id of the run around it, its tags */
  handleChatModelStreamEvent?(...told: any[]): any;
  /**
   * @param told the serialized Runnable, its inputs, the run's id, the id of the run around it,
   *   tags, metadata, the run's type and its name
   */
  handleChainStart?(...told: any[]): any;
  /** @param told the output, the run's id, the id of the run around it, its tags */
  handleChainEnd?(...told: any[]): any;
  /** @param told the error, the run's id, the id of the run around it, its tags */
  handleChainError?(...told: any[]): any;
  /**
   * @param told the serialized tool, its input as a text, the run's id, the id of the run around
   *   it, tags, metadata, the run's name, and the id of the call
   */
  handleToolStart?(...told: any[]): any;
  /** @param told what the tool yielded, the run's id, the id of the run around it, its tags */
  handleToolEvent?(...told: any[]): any;
  /** @param told the output, the run's id, the id of the run around it, its tags */
  handleToolEnd?(...told: any[]): any;
  /** @param told the error, the run's id, the id of the run around it, its tags */
  handleToolError?(...told: any[]): any;
  /**
   * @param told the serialized retriever, the query, the run's id, the id of the run around it,
   *   tags, metadata, and the run's name
   */
  handleRetrieverStart?(...told: any[]): any;
  /** @param told the documents, the run's id, the id of the run around it, its tags */
  handleRetrieverEnd?(...told: any[]): any;
  /** @param told the error, the run's id, the id of the run around it, its tags */
  handleRetrieverError?(...told: any[]): any;
  /** @param told the event's name, its data, the run's id, tags and metadata */
  handleCustomEvent?(...told: any[]): any;
  /** @param told the action, the run's id, the id of the run around it, its tags */
  handleAgentAction?(...told: any[]): any;
  /** @param told the last action, the run's id, the id of the run around it, its tags */
  handleAgentEnd?(...told: any[]): any;
  /** @param told the text, the run's id, the id of the run around it, its tags */
  handleText?(...told: any[]): any;
  copy(): this;
  [member: string]: any;
}
