// SPDX-License-Identifier: MIT
// Tools in LangChain's shape, without LangChain; schemas by shape (zod 3 and 4, Standard Schema,
// JSON Schema).
import type { MessageContent, ToolCall, ToolMessage } from "../messages/index.js";
import type { RunnableInterface } from "../graph/graph.js";
import type { RetryPolicy } from "../plan/policy-types.js";
import type { TimeoutPolicy } from "../base/common-types.js";

/** A JSON Schema as an object. */
export type JsonSchema = { [keyword: string]: any };
interface StandardLike<Input, Output> {
  readonly "~standard": {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    validate: (value: unknown) => any;
  };
}
interface ParserLike<Output> {
  parse(value: unknown): Output;
  safeParse(value: unknown): any;
}
/** What a schema makes of the arguments: the function's first parameter. */
export type ToolArgs<Schema> = [Schema] extends [StandardLike<any, infer Output>]
  ? Output
  : [Schema] extends [ParserLike<infer Output>]
    ? Output
    : [Schema] extends [undefined]
      ? string
      : any;
/** What a schema takes. */
export type ToolInput<Schema> = [Schema] extends [StandardLike<infer Input, any>]
  ? Input
  : ToolArgs<Schema>;
/**
 * What the arguments of a tool may be described with: a Standard Schema (zod, valibot, arktype …),
 * a parser, a JSON Schema.
 */
export type ToolSchema = StandardLike<any, any> | ParserLike<any> | JsonSchema;

/** The second parameter of a tool's function: the run's config, with the call it answers. */
export interface ToolConfig {
  configurable?: Record<string, any>;
  metadata?: Record<string, unknown>;
  tags?: string[];
  /** Aborted when the run or this attempt is given up. */
  signal?: AbortSignal;
  callbacks?: any;
  /** The model's call. */
  toolCall?: ToolCall;
  /**
   * From a ToolNode: the call's id, the state, and a key that is the same for all attempts at this
   * call.
   */
  toolCallId?: string;
  state?: any;
  idempotencyKey?: string;
  [key: string]: any;
}

/** Must a person approve a call? A function decides call by call. Applied by ToolNode. */
export type ToolApproval<Args = any> =
  | "auto"
  | "ask"
  | "deny"
  | ((args: Args, state: any) => "auto" | "ask" | "deny" | Promise<"auto" | "ask" | "deny">);

/** Marks an argument that the host fills in. */
export interface Injected {
  readonly kind: "state" | "store" | "runtime";
  readonly field?: string;
}
/** The state of the graph that calls the tool, or one key of it. */
export function InjectedState(field?: string): Injected;
/** The store of the graph that calls the tool; calling without one is an error. */
export function InjectedStore(): Injected;
/** The tool's second argument. */
export function ToolRuntime(): Injected;

/** What a tool is, beside its function; `name` is needed. */
export interface ToolFields<Schema = any> {
  /** What the model calls it by. */
  name: string;
  /** Told to the model. Default: "<name> tool". */
  description?: string;
  /** Without one the tool takes a single text. */
  schema?: Schema;
  /** Arguments that ToolNode fills in: the model is not told of them and cannot set them. */
  injected?: Record<string, Injected>;
  /** The agent ends with this tool's result. */
  returnDirect?: boolean;
  /** "content_and_artifact": the function returns [content, artifact]. Default "content". */
  responseFormat?: "content" | "content_and_artifact";
  /** Default "auto". */
  approval?: ToolApproval<ToolArgs<Schema>>;
  /**
   * What the schema cannot tell of the tool (a refinement, what the function does): approvals that
   * wait become void when it changes. A Standard Schema without a JSON Schema needs one for
   * approvals to outlive the process.
   */
  version?: string;
  /** Running it twice is harmless, so a call in flight at a crash may be repeated. */
  idempotent?: boolean;
  /** What to do with a call in flight at a crash. */
  onUnknown?: "ask" | "retry" | "fail";
  /** Finds out whether a call in flight at a crash took effect; its result, or undefined. */
  reconcile?: (args: ToolArgs<Schema>, config: ToolConfig) => unknown;
  /**
   * What the function finds as `config.idempotencyKey`. Default: thread, task and id of the call,
   * the same for all attempts.
   */
  idempotencyKey?: (args: ToolArgs<Schema>, config: ToolConfig) => string;
  /**
   * What an attempt may take, in ms: then `config.signal` aborts and the call fails with a
   * NodeTimeoutError. Applied by ToolNode.
   */
  timeout?: number | TimeoutPolicy;
  /**
   * Calls that fail are tried again, with LangGraph's defaults for what is left open. Applied by
   * ToolNode.
   */
  retryPolicy?: RetryPolicy;
  /** Errors about arguments bring all that the schema says of them. */
  verboseParsingErrors?: boolean;
  metadata?: Record<string, unknown>;
  tags?: string[];
  /** For the provider's own declaration of the tool; kept, not looked at. */
  extras?: Record<string, unknown>;
}

/** A function that models can call. Made by `tool()`. */
export class Tool<Schema = any, Output = any> {
  constructor(
    fn: (input: any, config: any) => Output | Promise<Output>,
    fields: ToolFields<Schema>,
  );
  name: string;
  description: string;
  /** Without what the host fills in. */
  schema: Schema;
  injected?: Record<string, Injected>;
  /** The function. */
  func: (input: any, config: any) => Output | Promise<Output>;
  returnDirect: boolean;
  responseFormat: "content" | "content_and_artifact";
  metadata?: Record<string, unknown>;
  tags?: string[];
  extras?: Record<string, unknown>;
  approval?: ToolApproval;
  version?: string;
  idempotent?: boolean;
  onUnknown?: "ask" | "retry" | "fail";
  reconcile?: (args: any, config: ToolConfig) => unknown;
  idempotencyKey?: (args: any, config: ToolConfig) => string;
  timeout?: number | TimeoutPolicy;
  retryPolicy?: RetryPolicy;
  verboseParsingErrors: boolean;
  readonly lc_runnable: true;
  lc_namespace: string[];
  getName(): string;
  /**
   * With a model's call the result is its ToolMessage, else what the function returns.
   * zod and Standard Schemas are checked here (ToolInputParsingException); plain JSON Schema
   * is checked by ToolNode.
   */
  invoke(
    call: ToolCall & { id: string; type: "tool_call" },
    config?: ToolConfig,
  ): Promise<ToolMessage>;
  invoke(input: ToolInput<Schema>, config?: ToolConfig): Promise<Output>;
  batch(inputs: readonly ToolInput<Schema>[], config?: any): Promise<Output[]>;
  stream(
    input: ToolInput<Schema>,
    config?: ToolConfig,
  ): Promise<ReadableStream<Output> & AsyncIterable<Output>>;
  pipe<Next = any>(
    next: RunnableInterface<any, Next> | ((output: any, config?: any) => Next | Promise<Next>),
  ): RunnableInterface<ToolInput<Schema>, Next> & { [method: string]: any };
  withConfig(config: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
  withRetry(fields?: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
  withFallbacks(fields: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
}

/** Makes a tool of a function. */
export function tool<
  Schema extends ToolSchema | undefined = undefined,
  Output = any,
  Filled extends Record<string, Injected> = {},
>(
  fn: (
    input: ToolArgs<Schema> & { [Key in keyof Filled]: any },
    config: ToolConfig,
  ) => Output | Promise<Output>,
  fields: ToolFields<Schema> & { injected?: Filled },
): Tool<Schema, Output>;

/** The arguments do not fit the tool's schema; `output` holds them as JSON. */
export class ToolInputParsingException extends Error {
  constructor(message: string, output?: string);
  output?: string;
}
/** A part of a schema cannot be told to a model. */
export class UnsupportedSchemaError extends Error {
  constructor(what: string);
  code: "UNSUPPORTED_SCHEMA";
}

/** A tool as OpenAI's chat completions want it. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description?: string; parameters?: JsonSchema; strict?: boolean };
}
/**
 * The JSON Schema of a tool's arguments; tools of LangChain, OpenAI and the AI SDK are read too.
 */
export function toolJsonSchema(tool: object): JsonSchema;
/** The declaration for OpenAI-compatible services. */
export function toOpenAITool(tool: object): OpenAITool;
export type { MessageContent };
