// SPDX-License-Identifier: MIT
// The words of a graph, its config, its snapshots, and what node code calls.

import type { BaseMessage, BaseMessageLike } from "../messages/index.js";
import type { RunControl } from "./policies.js";

export const START: "__start__";
export const END: "__end__";
export const INTERRUPT: "__interrupt__";
export const COMMAND_SYMBOL: unique symbol;

/** What a person is asked; `response_schema` (JSON Schema) says what the answer looks like. */
export interface Interrupt<Value = any> { id?: string; value?: Value; response_schema?: Record<string, any> }

export interface TimeoutPolicy { runTimeout?: number; idleTimeout?: number; refreshOn?: "auto" | "heartbeat" }

/** A task for a node with an input of its own, beside or instead of the state. */
export class Send<Node extends string = string, Args = any> {
  constructor(node: Node, args: Args, options?: { timeout?: number | TimeoutPolicy });
  lg_name: "Send";
  node: Node;
  args: Args;
  timeout?: TimeoutPolicy;
  toJSON(): { lg_name: string; node: Node; args: Args; timeout?: TimeoutPolicy };
}

export interface SendLike<Node extends string = string, Args = any> { node: Node; args: Args; [key: string]: any }

/** A write that replaces the value of a channel with a reducer, instead of being folded into it. */
export class Overwrite<Value = any> {
  constructor(value: Value);
  readonly lg_name: "Overwrite";
  readonly __overwrite__: Value;
  get value(): Value;
  toJSON(): { __overwrite__: Value };
  static isInstance<Value = any>(value: unknown): value is Overwrite<Value>;
}
/** The forms in which an overwriting write is recognised. */
export type OverwriteValue<Value> = Overwrite<Value> | { __overwrite__: Value } | { type: "__overwrite__"; value: Value };

export class CommandInstance<Resume = unknown, Update extends Record<string, any> = Record<string, any>, Nodes extends string = string> {
  constructor(fields: CommandParams<Resume, Update, Nodes>);
  [COMMAND_SYMBOL]: CommandParams<Resume, Update, Nodes>;
}

export interface CommandParams<Resume = unknown, Update extends Record<string, any> = Record<string, any>, Nodes extends string = string> {
  /** Command.PARENT: the Command is for the graph around this one. */
  graph?: string;
  /** Writes to the state. */
  update?: Update | [string, any][];
  /** What the pending interrupt returns, or a map from interrupt ids. */
  resume?: Resume;
  /** Where to go, in addition to the node's edges. */
  goto?: Nodes | Send<Nodes> | SendLike<Nodes> | (Nodes | Send<Nodes> | SendLike<Nodes>)[];
}

/** What to write, where to go and how to resume, in one value. */
export class Command<
  Resume = unknown,
  Update extends Record<string, any> = Record<string, any>,
  Nodes extends string = string,
> extends CommandInstance<Resume, Update, Nodes> {
  static PARENT: "__parent__";
  readonly lg_name: "Command";
  lc_direct_tool_output: true;
  graph?: string;
  update?: Update | [string, any][];
  resume?: Resume;
  goto: (Nodes | Send<Nodes>)[];
  _updateAsTuples(): [string, any][];
  toJSON(): Record<string, unknown>;
}

export function isCommand(value: unknown): value is Command;
/** Did a run end at an interrupt, or at a breakpoint (an empty list)? */
export function isInterrupted<Value = unknown>(values: unknown): values is { [INTERRUPT]: Interrupt<Value>[] };

/** A store for what is kept across threads, in LangGraph's shape; the graph hands it to its nodes. */
export interface StoreLike { [method: string]: any }

/** What LangChain calls RunnableConfig. */
export interface RunnableConfig<Configurable extends Record<string, any> = Record<string, any>> {
  configurable?: Configurable & { thread_id?: string; checkpoint_id?: string; checkpoint_ns?: string; checkpoint_map?: Record<string, string>; [key: string]: any };
  tags?: string[];
  metadata?: Record<string, unknown>;
  callbacks?: any;
  recursionLimit?: number;
  maxConcurrency?: number;
  runName?: string;
  runId?: string;
  signal?: AbortSignal;
  timeout?: number;
  store?: StoreLike;
  [key: string]: any;
}

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

/** The second argument of a node: LangGraph's config and runtime in one. */
export interface LangGraphRunnableConfig<Context = any> extends RunnableConfig {
  context?: Context;
  store?: StoreLike;
  /** Writes to the `custom` stream. */
  writer: (chunk: unknown) => void;
  /** Stops for a person, anywhere in the node, in every runtime. */
  interrupt: <Value = unknown, Resume = any>(value: Value) => Resume;
  signal: AbortSignal;
  /** Says that the node is alive; only where it has a timeout. */
  heartbeat?: () => void;
  executionInfo: ExecutionInfo;
  /** What a server told of itself in `configurable` or `metadata`: assistant_id, graph_id, langgraph_auth_user. */
  serverInfo?: { assistantId: string; graphId: string; user?: Record<string, any> };
  control: RunControl;
}
export type Runtime<Context = any> = LangGraphRunnableConfig<Context>;

export interface CheckpointMetadata {
  source: "input" | "loop" | "update" | "fork";
  step: number;
  parents: Record<string, string>;
  [key: string]: any;
}
export interface PregelTaskDescription {
  id: string;
  name: string;
  path: (string | number)[];
  error?: unknown;
  interrupts: Interrupt[];
  result?: unknown;
  /** Of a task that holds a graph: where that one saves, or with `{ subgraphs: true }` how it stands. */
  state?: RunnableConfig | StateSnapshot;
}
export interface StateSnapshot<Values = any> {
  values: Values;
  /** Nodes that run next. */
  next: string[];
  config: RunnableConfig;
  metadata?: CheckpointMetadata;
  createdAt?: string;
  parentConfig?: RunnableConfig;
  tasks: PregelTaskDescription[];
}

export interface InterruptOptions {
  /** What the answer must look like: zod parses it, JSON Schema is only shown. Zod 3 and mini are shown when `weftgraph/zod` is imported. */
  responseSchema?: object;
}
/**
 * Stops the node until the run is resumed with `new Command({ resume })`, and returns the resume value then. Throws zod's
 * error for an answer that it refuses; the question then stands.
 */
export function interrupt<Value = unknown, Resume = any>(value: Value, options?: InterruptOptions): Resume;
/**
 * Shows a message in the `messages` stream before its node has ended, and writes it to the state.
 * @param message in any form; without an id it is an error
 * @param options the node's config; `stateKey` is "messages" unless given, null keeps the message nowhere
 */
export function pushMessage(message: BaseMessageLike, options?: RunnableConfig & { stateKey?: string | null }): BaseMessage;
export function getConfig(): LangGraphRunnableConfig;
export function getStore(config?: RunnableConfig): StoreLike | undefined;
export function getWriter(config?: RunnableConfig): ((chunk: any) => void) | undefined;
export function writer<Chunk>(chunk: Chunk): void;
export function getCurrentTaskInput<State = unknown>(config?: RunnableConfig): State;

/** What a graph callback handler is told when a run goes on from a checkpoint. */
export interface GraphResumeEvent {
  readonly runId: string | undefined;
  readonly status: "pending" | "done" | "interrupt_before" | "interrupt_after" | "out_of_steps" | "draining";
  readonly checkpointId: string;
  readonly checkpointNs: readonly string[];
}
/** The same when it stops for a person; a breakpoint has no interrupts. */
export interface GraphInterruptEvent extends GraphResumeEvent { readonly interrupts: readonly Interrupt[] }
export type GraphLifecycleEvent = GraphInterruptEvent | GraphResumeEvent;
export type GraphLifecycleStatus = GraphResumeEvent["status"];
/** Extend it and pass an instance in `callbacks` to hear of pauses; it may have LangChain's handler methods too. */
export class GraphCallbackHandler {
  name: string;
  raiseError: boolean;
  awaitHandlers: boolean;
  static isInstance(value: unknown): value is GraphCallbackHandler;
  handleInterrupt?(event: GraphInterruptEvent): void | Promise<void>;
  handleResume?(event: GraphResumeEvent): void | Promise<void>;
  copy(): this;
  [member: string]: any;
}
