// SPDX-License-Identifier: MIT
// Declares a middleware of an agent, with LangChain's names and forms: its hooks, what they receive
// and return, and the state that several middlewares have together.
import type { StateAIMessage, StateMessage as BaseMessage } from "../messages/core.js";
import type { AIMessage, SystemMessage, ToolCall, ToolMessage } from "../messages/index.js";
import type { BaseStore } from "../stores/stores.js";
import type { Command, InterruptOptions } from "../base/common-types.js";
import type { ExtractStateType, ExtractUpdateType } from "../state/state.js";
import type { ModelLike, ServerTool, ToolFunction, ToolLike } from "../prebuilt/index.js";
import type { ModelProfile } from "../models/base.js";

// Exports only the declarations marked so.
export {};

type Maybe<Value> = Value | Promise<Value>;

/** A place that a hook may jump to: the next call of the model, the tools, or the end. */
export type JumpToTarget = "model" | "tools" | "end";

/** Keys of every agent's state. */
export interface AgentBuiltInState {
  messages: BaseMessage[];
  /** The answer in the form of `responseFormat`, once the agent has it. */
  structuredResponse?: Record<string, unknown>;
}

/** A tool of an agent; a ServerTool is run by the provider. */
export type AgentTool = ToolLike | ToolFunction | ServerTool;

/** A chat model of an agent. */
export interface AgentModel extends ModelLike {
  profile?: ModelProfile;
  getName?(): string;
}

type OrNone<State> = [State] extends [never] ? {} : State;
/** The state of a schema as hooks read it; without a schema it is empty. */
export type SchemaState<Schema> = [Schema] extends [undefined]
  ? {}
  : OrNone<ExtractStateType<Schema, {}>>;
/** The state of a schema as hooks and callers write it. */
export type SchemaUpdate<Schema> = [Schema] extends [undefined]
  ? {}
  : OrNone<ExtractUpdateType<Schema, {}>>;
/** The value of `context` that a schema describes. */
export type SchemaContext<Schema> = [Schema] extends [undefined]
  ? unknown
  : Schema extends { readonly "~standard": { readonly types?: { readonly output: infer Output } } }
    ? Output
    : Schema extends { _output: infer Output }
      ? Output
      : SchemaState<Schema>;

/** What a hook knows of its run; it cannot be changed. */
export interface AgentRuntime<Context = unknown> {
  /** Value of `context` in the call. */
  readonly context: Context;
  /** The agent's store. */
  readonly store?: BaseStore;
  /** `configurable` of the call, for example `thread_id`. */
  readonly configurable?: { readonly thread_id?: string; readonly [key: string]: unknown };
  /**
   * Writes to the `custom` stream.
   * @param chunk any value; the stream passes it on as it is
   */
  readonly writer?: (chunk: unknown) => void;
  /**
   * Stops for a person and returns the resume value, also after an `await` in a browser.
   * @param value presented to the person
   * @param options `responseSchema`: schema of the answer
   */
  readonly interrupt: <Value = unknown, Resume = unknown>(
    value: Value,
    options?: InterruptOptions,
  ) => Resume;
  /** Aborted when the run is. */
  readonly signal?: AbortSignal;
}

// ---- hooks

/** State that a hook receives. */
export type HookState<Schema> = SchemaState<Schema> & AgentBuiltInState;
/** What a hook may return: changes of the state, and a jump that its `canJumpTo` lists. */
export type MiddlewareResult<Schema = undefined> =
  | (Partial<SchemaUpdate<Schema>> & {
      messages?: unknown;
      structuredResponse?: Record<string, unknown>;
      jumpTo?: JumpToTarget;
    })
  // A function without a return value is a hook too.
  | void;
/**
 * A hook as a function.
 * @param state the agent's state, with the keys of the middleware's own schema
 * @param runtime context, store and `configurable` of the run; it cannot be changed
 */
export type HookFunction<Schema = undefined, Context = unknown> = (
  state: HookState<Schema>,
  runtime: AgentRuntime<Context>,
) => Maybe<MiddlewareResult<Schema>>;
/** A hook: a function, or one with the places that it may jump to. */
export type Hook<Schema = undefined, Context = unknown> =
  | HookFunction<Schema, Context>
  | { hook: HookFunction<Schema, Context>; canJumpTo?: readonly JumpToTarget[] };

/** A call of the model that is about to happen; `handler` takes a changed copy. */
export interface ModelRequest<State = {}, Context = unknown> {
  model: AgentModel;
  /** The conversation, without the system message. */
  messages: BaseMessage[];
  /** Text of the system message. */
  systemPrompt: string;
  /** The system message; without content it is left out. */
  systemMessage: SystemMessage;
  /** The tools that the model may call. */
  tools: AgentTool[];
  /** How the model chooses among them. */
  toolChoice?:
    | "auto"
    | "none"
    | "required"
    | "any"
    | { type: "function"; function: { name: string } };
  state: State & AgentBuiltInState;
  runtime: AgentRuntime<Context>;
  /** Form of the answer, as in createAgent. */
  responseFormat?: unknown;
  /** Options of this call of the model. */
  modelSettings?: Record<string, unknown>;
}
/** Calls the next wrapper, or the model. Change `systemPrompt` or `systemMessage`, not both. */
export type ModelCallHandler<Schema = undefined, Context = unknown> = (
  request: ModelRequest<SchemaState<Schema>, Context>,
) => Promise<AIMessage>;
/**
 * Wraps the calls of the model: changes, repeats, replaces them, or their answers.
 * @param request what the model would be asked, and the tools, the state and the runtime
 * @param handler asks the next wrapper, or the model, with this request or a changed copy; may be
 *   called again
 */
export type WrapModelCall<Schema = undefined, Context = unknown> = (
  request: ModelRequest<SchemaState<Schema>, Context>,
  handler: ModelCallHandler<Schema, Context>,
) => Maybe<AIMessage | StateAIMessage | Command>;

/** A call of a tool that is about to happen. */
export interface ToolCallRequest<State = {}, Context = unknown> {
  toolCall: ToolCall;
  /** The tool; undefined if the agent does not know it. */
  tool: ToolLike | undefined;
  state: State & AgentBuiltInState;
  runtime: AgentRuntime<Context>;
}
/** Calls the next wrapper, or the tool. */
export type ToolCallHandler<Schema = undefined, Context = unknown> = (
  request: ToolCallRequest<SchemaState<Schema>, Context>,
) => Promise<ToolMessage | Command>;
/**
 * Wraps the calls of tools: changes, repeats, answers them, or changes their answers.
 * @param request the call, its tool, the state and the runtime
 * @param handler asks the next wrapper, or the tool, with this request or a changed copy; may be
 *   called again
 */
export type WrapToolCall<Schema = undefined, Context = unknown> = (
  request: ToolCallRequest<SchemaState<Schema>, Context>,
  handler: ToolCallHandler<Schema, Context>,
) => Maybe<ToolMessage | Command>;

// ---- middlewares

/** Parts of a middleware; only `name` is required. */
export interface MiddlewareConfig<
  Schema = undefined,
  ContextSchema = undefined,
  Tools extends readonly AgentTool[] = readonly AgentTool[],
> {
  /** Unique within the agent: its nodes are `<name>.before_model` and so on. */
  name: string;
  /**
   * Schema of the keys that it adds to the state; keys that begin with "_" are neither input nor
   * output.
   */
  stateSchema?: Schema;
  /** Schema of the keys of `context` that it reads. */
  contextSchema?: ContextSchema;
  /** Tools that it adds to the agent's. */
  tools?: Tools;
  /** Transformers that it adds to the agent's runs with `streamEvents` of version 3. */
  streamTransformers?: readonly (() => object)[];
  /** Runs once, before the first step. */
  beforeAgent?: Hook<Schema, SchemaContext<ContextSchema>>;
  /** Runs before each call of the model. */
  beforeModel?: Hook<Schema, SchemaContext<ContextSchema>>;
  /** Runs after each call of the model, before its tool calls; the last middleware's first. */
  afterModel?: Hook<Schema, SchemaContext<ContextSchema>>;
  /** Runs once, after the last step; the last middleware's first. */
  afterAgent?: Hook<Schema, SchemaContext<ContextSchema>>;
  /** Wraps each call of the model; the first middleware's is the outermost. */
  wrapModelCall?: WrapModelCall<Schema, SchemaContext<ContextSchema>>;
  /** Wraps each call of a tool; the first middleware's is the outermost. */
  wrapToolCall?: WrapToolCall<Schema, SchemaContext<ContextSchema>>;
}
/** A middleware, made by createMiddleware. */
export interface AgentMiddleware<
  Schema = undefined,
  ContextSchema = undefined,
  Tools extends readonly AgentTool[] = readonly AgentTool[],
> extends MiddlewareConfig<Schema, ContextSchema, Tools> {
  /** Types only. */
  readonly "~middlewareTypes"?: { Schema: Schema; ContextSchema: ContextSchema; Tools: Tools };
}
/** A middleware of any state and context: this package's or LangChain's. */
export interface AnyMiddleware {
  readonly name: string;
  readonly stateSchema?: unknown;
  readonly contextSchema?: unknown;
  readonly tools?: readonly unknown[];
  readonly streamTransformers?: readonly unknown[];
  readonly beforeAgent?: object;
  readonly beforeModel?: object;
  readonly afterModel?: object;
  readonly afterAgent?: object;
  readonly wrapModelCall?: object;
  readonly wrapToolCall?: object;
}

type PublicKeys<State> = {
  [Key in keyof State as Key extends `_${string}` ? never : Key]: State[Key];
};
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type SchemaOf<Middleware> = Middleware extends { stateSchema?: infer Schema }
  ? Exclude<Schema, undefined>
  : never;
type StateOfOne<Middleware> = [SchemaOf<Middleware>] extends [never]
  ? {}
  : PublicKeys<SchemaState<SchemaOf<Middleware>>>;
type UpdateOfOne<Middleware> = [SchemaOf<Middleware>] extends [never]
  ? {}
  : PublicKeys<SchemaUpdate<SchemaOf<Middleware>>>;
type ContextOfOne<Middleware> = Middleware extends { contextSchema?: infer Schema }
  ? [Exclude<Schema, undefined>] extends [never]
    ? {}
    : SchemaContext<Exclude<Schema, undefined>>
  : {};
/** The state that middlewares add, without their private keys. */
export type MiddlewareStates<Middlewares extends readonly AnyMiddleware[]> = Together<
  { [At in keyof Middlewares]: StateOfOne<Middlewares[At]> }[number] | {}
>;
/** The input that middlewares add, without their private keys. */
export type MiddlewareUpdates<Middlewares extends readonly AnyMiddleware[]> = Together<
  { [At in keyof Middlewares]: UpdateOfOne<Middlewares[At]> }[number] | {}
>;
/** The context that middlewares read. */
export type MiddlewareContexts<Middlewares extends readonly AnyMiddleware[]> = Together<
  { [At in keyof Middlewares]: ContextOfOne<Middlewares[At]> }[number] | {}
>;

/**
 * Makes a middleware of createAgent: hooks around the run, the model's calls and the tools' calls.
 * For example, `createMiddleware({ name: "Log", beforeModel: (state) => console.log(state) })`.
 * @param config its name, hooks, schemas and tools
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable parts
 */
export function createMiddleware<
  Schema = undefined,
  ContextSchema = undefined,
  const Tools extends readonly AgentTool[] = readonly AgentTool[],
>(
  config: MiddlewareConfig<Schema, ContextSchema, Tools>,
): AgentMiddleware<Schema, ContextSchema, Tools>;
