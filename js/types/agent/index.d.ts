// SPDX-License-Identifier: MIT
// Declares createAgent: an agent of a model, tools and middlewares; names and forms as in
// LangChain's `createAgent`.
import type { CompiledGraph, Checkpointer } from "../graph/graph.js";
import type {
  Command,
  Interrupt,
  LangGraphRunnableConfig,
  StoreLike,
} from "../base/common-types.js";
import type { Limits } from "../base/run-limits.js";
import type { StreamTransformer } from "../events/run.js";
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { AIMessage, SystemMessage, ToolCall } from "../messages/index.js";
import type { AISDKModel } from "../models/ai-sdk.js";
import type { ToolNodeOptions } from "../prebuilt/index.js";
import type { BaseStore } from "../stores/stores.js";
import type { Messages } from "../state/state.js";
import type {
  AgentModel,
  AgentTool,
  AnyMiddleware,
  MiddlewareContexts,
  MiddlewareStates,
  MiddlewareUpdates,
  SchemaContext,
  SchemaState,
  SchemaUpdate,
} from "./create-middleware.js";

export type {
  AgentBuiltInState,
  AgentMiddleware,
  AgentModel,
  AgentRuntime,
  AgentTool,
  AnyMiddleware,
  Hook,
  HookFunction,
  HookState,
  JumpToTarget,
  MiddlewareConfig,
  MiddlewareContexts,
  MiddlewareResult,
  MiddlewareStates,
  MiddlewareUpdates,
  ModelCallHandler,
  ModelRequest,
  SchemaContext,
  SchemaState,
  SchemaUpdate,
  ToolCallHandler,
  ToolCallRequest,
  WrapModelCall,
  WrapToolCall,
} from "./create-middleware.js";
export { createMiddleware } from "./create-middleware.js";

// ---- what `langchain` exports too

export * from "./middleware.js";
export {
  AIMessage,
  AIMessageChunk,
  BaseMessage,
  BaseMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
  countTokensApproximately,
  trimMessages,
} from "../messages/index.js";
export { InMemoryStore } from "../stores/stores.js";
export { tool } from "../tools/index.js";

// ---- the form of the answer

/** Handling of a structured answer that does not fit. */
export interface ToolStrategyOptions {
  /** Text of the message that ends the conversation. Default: the answer as JSON. */
  toolMessageContent?: string;
  /**
   * true (default): the model gets the error and answers again; false: the run fails; a text or a
   * function's result: what the model gets instead.
   * @param error says what does not fit, or that there are several answers
   */
  handleError?: boolean | string | ((error: ToolStrategyError) => string | Promise<string>);
}
/** An error of a structured answer. */
export type ToolStrategyError = StructuredOutputParsingError | MultipleStructuredOutputsError;
/**
 * Requests the answer as the arguments of a tool. Made by toolStrategy.
 * @example
 * ```ts
 * import { ProviderStrategy, ToolStrategy, providerStrategy, toolStrategy } from "weftgraph/agent";
 *
 * const schema = { title: "City", type: "object", properties: { name: { type: "string" } } };
 * const [asTool] = toolStrategy(schema);
 * console.log(asTool instanceof ToolStrategy, asTool.name);
 * console.log(providerStrategy(schema) instanceof ProviderStrategy);
 * ```
 * ```text
 * true City
 * true
 * ```
 */
export class ToolStrategy<Answer = unknown> {
  /**
   * @param schema JSON Schema, zod or a Standard Schema of the answer; its title is the tool's
   *   name, else it is "extract"
   * @param options text of the message behind the answer, and what happens with one that does not
   *   fit; by default the model gets the error and tries again
   * @throws BAD_ARGUMENT for what is no schema
   */
  constructor(schema: unknown, options?: ToolStrategyOptions);
  /**
   * @param schema JSON Schema, zod or a Standard Schema of the answer
   * @param options text of the message behind the answer, and what happens with one that does not
   *   fit; by default the model gets the error and tries again
   * @throws BAD_ARGUMENT for what is no schema
   */
  static fromSchema(schema: unknown, options?: ToolStrategyOptions): ToolStrategy;
  /** Types only. */
  readonly "~answer"?: Answer;
  readonly options?: ToolStrategyOptions;
  /** The JSON Schema. */
  get schema(): Record<string, unknown>;
  /** The schema's title, or "extract". */
  get name(): string;
  /** The tool as the model gets it. */
  get tool(): {
    type: "function";
    function: { name: string; description: string; parameters: Record<string, unknown> };
  };
  /**
   * Returns the value of a call's arguments; rejects with a StructuredOutputParsingError.
   * @param args arguments of the call, as an object
   * @param name of the tool, for the error
   */
  parse(args: unknown, name?: string): Promise<Answer>;
}
/** Requests the answer through the service's own structured output. Made by providerStrategy. */
export class ProviderStrategy<Answer = unknown> {
  /**
   * @param schema JSON Schema, zod or a Standard Schema of the answer
   * @param strict whether the service must hold the model to the schema; default: true if all
   *   properties are required, else the service decides
   * @throws BAD_ARGUMENT for what is no schema
   */
  constructor(schema: unknown, strict?: boolean);
  /**
   * @param schema JSON Schema, zod or a Standard Schema of the answer
   * @param strict whether the service must hold the model to the schema; default: true if all
   *   properties are required, else the service decides
   * @throws BAD_ARGUMENT for what is no schema
   */
  static fromSchema(schema: unknown, strict?: boolean): ProviderStrategy;
  /** Types only. */
  readonly "~answer"?: Answer;
  /** undefined: strict if all properties of the schema are required. */
  readonly strict: boolean | undefined;
  /** The JSON Schema. */
  get schema(): Record<string, unknown>;
  /**
   * Returns the value of an answer; rejects with a StructuredOutputParsingError. `fit`: takes back
   * what a service demanded beyond the schema.
   * @param message the model's answer, whose text is JSON
   * @param fit changes the value before it is checked; gets it with the JSON Schema. Default:
   *   nothing
   */
  parse(
    message: AIMessage,
    fit?: (value: unknown, schema: Record<string, unknown>) => unknown,
  ): Promise<Answer>;
}
type OutputOf<Schema> = Schema extends { readonly _zod: { output: infer Output } }
  ? Output
  : Schema extends { readonly "~standard": { readonly types?: { readonly output: infer Output } } }
    ? Output
    : Schema extends { _output: infer Output }
      ? Output
      : Record<string, unknown>;
/** The answer that a responseFormat requests. */
export type AnswerOf<Format> =
  Format extends ToolStrategy<infer Answer>
    ? Answer
    : Format extends ProviderStrategy<infer Answer>
      ? Answer
      : Format extends readonly (infer One)[]
        ? AnswerOf<One>
        : OutputOf<Format>;
/**
 * Requests the answer as the arguments of a tool, or of one of several: after an error the model
 * repairs it.
 * @param format a schema (zod, Standard Schema, JSON Schema), or a list of schemas
 * @param options how errors of the answer are told to the model
 * @returns one for each schema, for the option `responseFormat` of createAgent
 * @throws BAD_ARGUMENT for what is no schema
 */
export function toolStrategy<const Format>(
  format: Format,
  options?: ToolStrategyOptions,
): ToolStrategy<AnswerOf<Format>>[];
/**
 * Requests the answer through the service's own structured output.
 * @param format a schema, or `{ schema, strict }`
 * @param format.schema JSON Schema, zod or a Standard Schema of the answer
 * @param format.strict whether the service must hold the model to the schema; default: true if all
 *   properties are required, else the service decides
 * @returns for the option `responseFormat` of createAgent
 * @throws BAD_ARGUMENT for what is no schema
 */
export function providerStrategy<const Schema>(format: {
  schema: Schema;
  strict?: boolean;
}): ProviderStrategy<AnswerOf<Schema>>;
export function providerStrategy<const Schema>(format: Schema): ProviderStrategy<AnswerOf<Schema>>;

// ---- agents

/** Options of createAgent; only `model` is required. */
export interface CreateAgentParams<
  Schema = undefined,
  Middlewares extends readonly AnyMiddleware[] = readonly [],
  Format = undefined,
  ContextSchema = undefined,
> {
  /** A chat model without tools, one of the AI SDK, or "provider:model" of a known provider. */
  model: AgentModel | AISDKModel | string;
  /** Tools of the model; those of middlewares are added. A ServerTool is run by the provider. */
  tools?: readonly AgentTool[];
  /** Instructions before the conversation. */
  systemPrompt?: string | SystemMessage;
  /** Hooks and wrappers around the steps; the first is the outermost. */
  middleware?: Middlewares;
  /**
   * Schema of the answer, under `structuredResponse`: by the service's own structured output if
   * the model's profile has it, else by a tool. Or a list of schemas, toolStrategy,
   * providerStrategy.
   */
  responseFormat?: Format;
  /** Schema of the state's keys beside `messages`; those that begin with "_" are private. */
  stateSchema?: Schema;
  /** Schema of a call's `context`. */
  contextSchema?: ContextSchema;
  /** Stores its threads, as in `compile()`. */
  checkpointer?: Checkpointer | boolean;
  store?: StoreLike;
  /** Name among agents, in traces and in its messages. */
  name?: string;
  description?: string;
  /** "inline": puts the author's name into the text of messages for the model. */
  includeAgentName?: "inline";
  /** Aborts its runs. */
  signal?: AbortSignal;
  /** "v2" (default): one task per tool call; "v1": one task runs all calls. */
  version?: "v1" | "v2";
  /** Transformers of each run with `streamEvents` of version 3. */
  streamTransformers?: readonly (() => StreamTransformer<unknown>)[];
  /** Limits of each call. */
  limits?: Limits;
  /** How several calls are asked about; "batch" needs version "v1". */
  approvals?: ToolNodeOptions["approvals"];
  /** Repair of calls whose arguments do not fit, as a ToolNode has it: `repairBySchema`. */
  repair?: ToolNodeOptions["repair"];
}

/** The state of an agent as its calls return it. */
export type AgentStateOf<
  Schema,
  Middlewares extends readonly AnyMiddleware[],
  Format,
> = SchemaState<Schema> &
  MiddlewareStates<Middlewares> & {
    messages: BaseMessage[];
    /** The questions at which the run stopped. */
    __interrupt__?: Interrupt<unknown>[];
  } & ([Format] extends [undefined] ? {} : { structuredResponse: AnswerOf<Format> });
/** The input of an agent. */
export type AgentInputOf<
  Schema,
  Middlewares extends readonly AnyMiddleware[],
> = SchemaUpdate<Schema> & MiddlewareUpdates<Middlewares> & { messages?: Messages };
/** The `context` of an agent's calls. */
export type AgentContextOf<ContextSchema, Middlewares extends readonly AnyMiddleware[]> = ([
  ContextSchema,
] extends [undefined]
  ? {}
  : SchemaContext<ContextSchema>) &
  MiddlewareContexts<Middlewares>;

type RecordOf<Value> = Value extends Record<string, unknown> ? Value : Record<string, unknown>;
/** The graph of an agent. */
export type AgentGraph<State, Input, Context> = CompiledGraph<
  string,
  State,
  Input,
  RecordOf<Context>,
  Input,
  State,
  unknown,
  Command
>;
/**
 * An agent; its calls are those of its graph.
 * @example
 * ```ts
 * import { ReactAgent, createAgent } from "weftgraph/agent";
 * import { ScriptedModel } from "weftgraph/models/scripted";
 *
 * const agent = createAgent({ model: new ScriptedModel({ responses: ["Hello"] }) });
 * const { messages } = await agent.invoke({ messages: "Hi" });
 * console.log(agent instanceof ReactAgent, messages.at(-1)?.content);
 * ```
 * ```text
 * true Hello
 * ```
 */
export interface ReactAgent<State, Input, Context>
  extends Pick<
    AgentGraph<State, Input, Context>,
    | "invoke"
    | "stream"
    | "streamEvents"
    | "getState"
    | "getStateHistory"
    | "updateState"
    | "getSubgraphs"
    | "getSubgraphsAsync"
    | "getGraphAsync"
  > {}
export class ReactAgent<State = unknown, Input = unknown, Context = Record<string, unknown>> {
  /**
   * @param options those of createAgent; `model` is required
   * @param config config that lies beneath that of each call
   * @throws BAD_ARGUMENT for options that createAgent refuses
   */
  constructor(options: CreateAgentParams, config?: LangGraphRunnableConfig);
  /** The options that it was made of. */
  readonly options: CreateAgentParams<unknown, readonly AnyMiddleware[], unknown, unknown>;
  /** The compiled graph: for nodes of other graphs, servers, and all that graphs have. */
  readonly graph: AgentGraph<State, Input, Context>;
  get name(): string | undefined;
  get description(): string | undefined;
  checkpointer?: AgentGraph<State, Input, Context>["checkpointer"];
  store?: BaseStore;
  get builder(): unknown;
  /**
   * Returns this agent with a config beneath that of each call.
   * @param config merged over the agent's own
   */
  withConfig(
    config: Omit<LangGraphRunnableConfig, "store" | "writer" | "interrupt">,
  ): ReactAgent<State, Input, Context>;
  /**
   * Draws the graph as Mermaid text.
   * @param params how it is drawn
   * @param params.withStyles false: edges only. Default true
   * @param params.curveStyle Mermaid's name of a curve; default "linear"
   * @param params.nodeColors Mermaid's styles of the classes "default", "first" and "last", in
   *   place of the usual ones
   * @param params.wrapLabelNWords words per line of an edge's label; default 9
   */
  drawMermaid(params?: {
    withStyles?: boolean;
    curveStyle?: string;
    nodeColors?: Record<string, string>;
    wrapLabelNWords?: number;
  }): Promise<string>;
  /**
   * Draws the graph as an image, by LangGraph's way: through the service mermaid.ink.
   * @param params those of drawMermaid, and `backgroundColor`: a name of a color or #rrggbb;
   *   default "white"
   */
  drawMermaidPng(params?: object): Promise<Uint8Array>;
}

/**
 * Makes an agent: a model that calls tools until it has its answer, with middlewares around each
 * step. For example, `createAgent({ model, tools: [search], systemPrompt: "Be brief." })`, then
 * `await agent.invoke({ messages: "Weather in Oslo?" })`.
 * @param params options; `model` is required
 * @returns the agent, ready to be called; `graph` is its compiled graph
 * @throws BAD_ARGUMENT for invalid options; Error for two middlewares of one name;
 *   MultipleToolsBoundError for a model with tools of its own
 */
export function createAgent<
  Schema = undefined,
  const Middlewares extends readonly AnyMiddleware[] = readonly [],
  Format = undefined,
  ContextSchema = undefined,
>(
  params: CreateAgentParams<Schema, Middlewares, Format, ContextSchema>,
): ReactAgent<
  AgentStateOf<Schema, Middlewares, Format>,
  AgentInputOf<Schema, Middlewares>,
  AgentContextOf<ContextSchema, Middlewares>
>;

// ---- errors

/** Reports a model that brings tools of its own: an agent binds its tools itself. */
export class MultipleToolsBoundError extends Error {
  constructor();
}
/** Reports several structured answers in one message, where one is expected. */
export class MultipleStructuredOutputsError extends Error {
  /** @param toolNames tools that the model called to give its answer, in its order */
  constructor(toolNames: string[]);
  readonly toolNames: string[];
}
/**
 * Reports a structured answer that does not fit its schema.
 * @example
 * ```ts
 * import {
 *   MultipleStructuredOutputsError,
 *   MultipleToolsBoundError,
 *   StructuredOutputParsingError,
 * } from "weftgraph/agent";
 *
 * console.log(new StructuredOutputParsingError("City", ["name is missing"]).message);
 * console.log(new MultipleStructuredOutputsError(["City", "Town"]).toolNames);
 * console.log(new MultipleToolsBoundError().name);
 * ```
 * ```text
 * Failed to parse structured output for tool 'City':
 *   - name is missing.
 * [ 'City', 'Town' ]
 * MultipleToolsBoundError
 * ```
 */
export class StructuredOutputParsingError extends Error {
  /**
   * @param toolName tool whose arguments were to be the answer
   * @param errors what does not fit, one text each; may be empty
   */
  constructor(toolName: string, errors: string[]);
  readonly toolName: string;
  readonly errors: string[];
}
/**
 * Reports arguments of a tool call that do not fit.
 * @example
 * ```ts
 * import { ToolInvocationError } from "weftgraph/agent";
 *
 * const call = { name: "add", args: { a: "one" }, id: "1" };
 * const error = new ToolInvocationError(new Error("a is no number"), call);
 * console.log(ToolInvocationError.isInstance(error), error.toolCall.name);
 * ```
 * ```text
 * true add
 * ```
 */
export class ToolInvocationError extends Error {
  /**
   * @param toolError why the arguments were refused; made an Error if it is none
   * @param toolCall call of the model; the text shows its name and its arguments as JSON
   */
  constructor(toolError: unknown, toolCall: ToolCall);
  readonly toolCall: ToolCall;
  readonly toolError: Error;
  /** @param error any value; an error of LangChain or of another copy of the package counts too */
  static isInstance(error: unknown): error is ToolInvocationError;
}
/**
 * Reports the failure of a middleware; `cause` is its error, and `name` that error's.
 * @example
 * ```ts
 * import { MiddlewareError } from "weftgraph/agent";
 *
 * const error = MiddlewareError.wrap(new TypeError("no text"), "summary");
 * console.log(MiddlewareError.isInstance(error), error.name, error.message);
 * ```
 * ```text
 * true TypeError no text
 * ```
 */
export class MiddlewareError extends Error {
  /**
   * @param error what the middleware threw; becomes `cause`, and gives the name and the text if it
   *   is an Error
   * @param middlewareName with `Error` behind it, the name of the error if no Error was thrown
   */
  constructor(error: unknown, middlewareName: string);
  /**
   * Returns the error in a MiddlewareError; errors that control the run stay as they are.
   * @param error what the middleware threw; a GraphBubbleUp (an interrupt, a Command for a parent)
   *   and a MiddlewareError are returned as they are
   * @param middlewareName with `Error` behind it, the name of the error if no Error was thrown
   */
  static wrap(error: unknown, middlewareName: string): Error;
  /** @param error any value; an error of LangChain or of another copy of the package counts too */
  static isInstance(error: unknown): error is MiddlewareError;
}
