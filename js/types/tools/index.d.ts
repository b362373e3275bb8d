// SPDX-License-Identifier: MIT
// Declares tools in LangChain's format, without LangChain; accepts schemas by their members (zod 3
// and 4, Standard Schema, JSON Schema).
import type { MessageContent, ToolCall, ToolMessage } from "../messages/index.js";
import type { RunnableInterface } from "../graph/graph.js";
import type { ApprovalExpiry, OnApprovalExpire } from "../approval/rules.js";
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
/** Arguments as the schema reads them: the function's first parameter. */
export type ToolArgs<Schema> = [Schema] extends [StandardLike<any, infer Output>]
  ? Output
  : [Schema] extends [ParserLike<infer Output>]
    ? Output
    : [Schema] extends [undefined]
      ? string
      : any;
/** Arguments as the schema accepts them. */
export type ToolInput<Schema> = [Schema] extends [StandardLike<infer Input, any>]
  ? Input
  : ToolArgs<Schema>;
/**
 * Schema of a tool's arguments: a Standard Schema (zod, valibot, arktype …), a parser, or a JSON
 * Schema.
 */
export type ToolSchema = StandardLike<any, any> | ParserLike<any> | JsonSchema;

/** Second parameter of a tool's function: the run's config, with the tool call. */
export interface ToolConfig {
  configurable?: Record<string, any>;
  metadata?: Record<string, unknown>;
  tags?: string[];
  /** Aborted when the run or this attempt is aborted. */
  signal?: AbortSignal;
  callbacks?: any;
  /** The model's call. */
  toolCall?: ToolCall;
  /**
   * From a ToolNode: the call's id, the state, and a key that is the same for all attempts of this
   * call.
   */
  toolCallId?: string;
  state?: any;
  idempotencyKey?: string;
  [key: string]: any;
}

/**
 * Whether a person must approve a call. A function decides per call. Applied by ToolNode.
 * @param args the arguments as the tool's schema reads them
 * @param state the input of the node that decides: the state, or the list of messages
 */
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
/**
 * Fills in the state of the calling graph, or one key of it.
 * @param field of the state; default: the whole state
 * @returns a mark for the option `injected` of a tool, under the name of the argument
 * @throws nothing
 */
export function InjectedState(field?: string): Injected;
/**
 * Fills in the store of the calling graph; a call without a store fails.
 * @returns a mark for the option `injected` of a tool, under the name of the argument
 */
export function InjectedStore(): Injected;
/**
 * Fills in the tool's second argument.
 * @returns a mark for the option `injected` of a tool, under the name of the argument
 */
export function ToolRuntime(): Injected;

/** Options of a tool; `name` is required. */
export interface ToolFields<Schema = any> {
  /** Name of the tool for the model. */
  name: string;
  /** Description for the model. Default: "<name> tool". */
  description?: string;
  /** Schema of the arguments. Without one the tool takes a single text. */
  schema?: Schema;
  /** Arguments that ToolNode fills in: the model neither sees nor sets them. */
  injected?: Record<string, Injected>;
  /** Whether the agent ends with this tool's result. */
  returnDirect?: boolean;
  /** "content_and_artifact": the function returns [content, artifact]. Default "content". */
  responseFormat?: "content" | "content_and_artifact";
  /** Approval policy. Default "auto". */
  approval?: ToolApproval<ToolArgs<Schema>>;
  /**
   * When a request about a call expires, and what becomes of the call then. Needs
   * `approvals: approvalRules()` of weftgraph/approval, whose options these replace.
   */
  expires?: ApprovalExpiry;
  onExpire?: OnApprovalExpire;
  /**
   * Version of aspects that the schema does not express (a refinement, the function's behavior):
   * pending approvals become void when it changes. A Standard Schema without a JSON Schema needs
   * one so that approvals survive a restart of the process.
   */
  version?: string;
  /** Whether running it twice is harmless, so that a call in flight at a crash may be repeated. */
  idempotent?: boolean;
  /** Handling of a call in flight at a crash. */
  onUnknown?: "ask" | "retry" | "fail";
  /**
   * Finds out whether a call in flight at a crash took effect: returns its result, or undefined.
   * @param args the arguments as they would run
   * @param config config of the call, as the function gets it
   */
  reconcile?: (args: ToolArgs<Schema>, config: ToolConfig) => unknown;
  /**
   * Makes the function's `config.idempotencyKey`. Default: thread, task and id of the call, the
   * same for all attempts.
   * @param args the call's arguments
   * @param config the node's config: `configurable.thread_id`, `executionInfo.taskId`
   */
  idempotencyKey?: (args: ToolArgs<Schema>, config: ToolConfig) => string;
  /**
   * Timeout of an attempt in ms: then `config.signal` aborts and the call fails with a
   * NodeTimeoutError. Applied by ToolNode.
   */
  timeout?: number | TimeoutPolicy;
  /**
   * Retry policy of failed calls, with LangGraph's defaults for omitted fields. Applied by
   * ToolNode.
   */
  retryPolicy?: RetryPolicy;
  /** Whether errors about arguments contain all details of the schema. */
  verboseParsingErrors?: boolean;
  metadata?: Record<string, unknown>;
  tags?: string[];
  /** Options of the provider's own declaration of the tool; kept unchanged. */
  extras?: Record<string, unknown>;
}

/** A function that models can call. Created by `tool()`. */
export class Tool<Schema = any, Output = any> {
  /**
   * @param fn called with the arguments as the schema reads them, and the config; may be
   *   asynchronous
   * @param fields name, description and schema for the model, and rules of approval, retries and
   *   timeouts
   * @throws TypeError for a wrong function or field, Error for a timeout that is not above 0
   * @throws BAD_ARGUMENT for an unknown field, BAD_SCHEMA for an unusable JSON Schema
   */
  constructor(
    fn: (input: any, config: any) => Output | Promise<Output>,
    fields: ToolFields<Schema>,
  );
  name: string;
  description: string;
  /** Schema without the arguments that the host fills in. */
  schema: Schema;
  injected?: Record<string, Injected>;
  /**
   * The function.
   * @param input the arguments as the schema reads them
   * @param config config of the call, as ToolConfig describes it
   */
  func: (input: any, config: any) => Output | Promise<Output>;
  returnDirect: boolean;
  responseFormat: "content" | "content_and_artifact";
  metadata?: Record<string, unknown>;
  tags?: string[];
  extras?: Record<string, unknown>;
  approval?: ToolApproval;
  expires?: ApprovalExpiry;
  onExpire?: OnApprovalExpire;
  version?: string;
  idempotent?: boolean;
  onUnknown?: "ask" | "retry" | "fail";
  /**
   * @param args the arguments as they would run
   * @param config config of the call, as the function gets it
   */
  reconcile?: (args: any, config: ToolConfig) => unknown;
  /**
   * @param args the call's arguments
   * @param config the node's config: `configurable.thread_id`, `executionInfo.taskId`
   */
  idempotencyKey?: (args: any, config: ToolConfig) => string;
  timeout?: number | TimeoutPolicy;
  retryPolicy?: RetryPolicy;
  verboseParsingErrors: boolean;
  readonly lc_runnable: true;
  lc_namespace: string[];
  getName(): string;
  /**
   * Runs the tool. For a model's call the result is its ToolMessage, else the function's return
   * value. zod and Standard Schemas are checked here (ToolInputParsingException); plain JSON Schema
   * is checked by ToolNode.
   * @param call a model's call; its `id` is that of the answer
   * @param config config of the call; the function receives it as its second argument
   */
  invoke(
    call: ToolCall & { id: string; type: "tool_call" },
    config?: ToolConfig,
  ): Promise<ToolMessage>;
  /** @param input arguments, as the schema takes them */
  invoke(input: ToolInput<Schema>, config?: ToolConfig): Promise<Output>;
  /**
   * Calls the tool for several inputs.
   * @param inputs arguments, one call each
   * @param config config of all, or a list with one for each
   */
  batch(inputs: readonly ToolInput<Schema>[], config?: any): Promise<Output[]>;
  /**
   * Streams the result as one chunk.
   * @param input arguments, as the schema takes them
   * @param config config of the call
   */
  stream(
    input: ToolInput<Schema>,
    config?: ToolConfig,
  ): Promise<ReadableStream<Output> & AsyncIterable<Output>>;
  /**
   * Returns a Runnable that calls the tool, then `next` with its result.
   * @param next Runnable or function that gets the result
   */
  pipe<Next = any>(
    next: RunnableInterface<any, Next> | ((output: any, config?: any) => Next | Promise<Next>),
  ): RunnableInterface<ToolInput<Schema>, Next> & { [method: string]: any };
  /**
   * Returns a Runnable that calls the tool with this config.
   * @param config lies beneath that of each call
   */
  withConfig(config: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
  /**
   * Returns a Runnable that retries failed calls.
   * @param fields `stopAfterAttempt`: how many attempts, 3 by default; `onFailedAttempt(error,
   *   input)`: may throw to end them
   */
  withRetry(fields?: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
  /**
   * Returns a Runnable that tries other Runnables when the tool fails.
   * @param fields list of Runnables in the order in which they are tried, or `{ fallbacks }`
   */
  withFallbacks(fields: any): RunnableInterface<ToolInput<Schema>, any> & { [method: string]: any };
}

/**
 * Makes a tool of a function.
 * @param fn the function
 * @param fields options of the tool
 * @returns the tool, for an agent, a ToolNode or a model's `bindTools`; `invoke` calls it directly
 * @throws TypeError for a wrong function or field, Error for a timeout that is not above 0
 * @throws BAD_ARGUMENT for an unknown field, BAD_SCHEMA for an unusable JSON Schema
 */
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

/**
 * Reports arguments that do not fit the tool's schema; `output` contains them as JSON.
 * @example
 * ```ts
 * import { ToolInputParsingException } from "weftgraph";
 *
 * // An agent tells the model of it; it is made here to show what it holds.
 * const error = new ToolInputParsingException("a must be a number", '{"a":"one"}');
 * console.log(error.message, error.output);
 * ```
 * ```text
 * a must be a number {"a":"one"}
 * ```
 */
export class ToolInputParsingException extends Error {
  /**
   * @param message what does not fit; agents show it to the model
   * @param output the arguments as JSON; undefined if they are not told
   */
  constructor(message: string, output?: string);
  output?: string;
}
/**
 * Reports a part of a schema that cannot be described to a model.
 * @example
 * ```ts
 * import { UnsupportedSchemaError } from "weftgraph";
 *
 * // toolJsonSchema throws it for what JSON Schema cannot say, like zod's date.
 * console.log(new UnsupportedSchemaError("zod's date").code);
 * ```
 * ```text
 * UNSUPPORTED_SCHEMA
 * ```
 */
export class UnsupportedSchemaError extends Error {
  /** @param what the part of the schema, at the beginning of the text */
  constructor(what: string);
  code: "UNSUPPORTED_SCHEMA";
}

/** A tool in the format of OpenAI's chat completions. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description?: string; parameters?: JsonSchema; strict?: boolean };
}
/**
 * Returns the JSON Schema of a tool's arguments, also for tools of LangChain, OpenAI and the AI
 * SDK. Throws UnsupportedSchemaError.
 * @param tool of Weft, LangChain, OpenAI or the AI SDK
 * @throws TypeError if tool is no object, UnsupportedSchemaError for a schema that JSON Schema
 *   cannot say
 */
export function toolJsonSchema(tool: object): JsonSchema;
/**
 * Returns the declaration for OpenAI-compatible services. Throws UnsupportedSchemaError.
 * @param tool of Weft or of LangChain
 * @throws TypeError for a tool without a name, UnsupportedSchemaError for a schema that JSON Schema
 *   cannot say
 * @example
 * ```ts
 * import { toOpenAITool, tool } from "weftgraph";
 *
 * const add = tool(({ a }: { a: number }) => String(a + 1), {
 *   name: "add",
 *   description: "Adds one.",
 *   schema: { type: "object", properties: { a: { type: "number" } } },
 * });
 * console.log(toOpenAITool(add).function.parameters);
 * ```
 * ```text
 * { type: 'object', properties: { a: { type: 'number' } } }
 * ```
 */
export function toOpenAITool(tool: object): OpenAITool;
export type { MessageContent };

export {
  type RepairedCall,
  type RepairToolCall,
  repairBySchema,
  type ToolCallFailure,
  type ToolCallRepair,
} from "./repair.js";
