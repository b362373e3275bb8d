// SPDX-License-Identifier: MIT
// Declares the middlewares of an agent that the package brings; names and options as in LangChain.
import type {
  AgentBuiltInState,
  AgentMiddleware,
  AgentModel,
  AgentRuntime,
  AgentTool,
  ToolCallRequest,
} from "./create-middleware.js";
import type { ApprovalRules } from "../approval/rules.js";
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type { MessageContent, SystemMessage, ToolCall } from "../messages/index.js";
import type { AISDKModel } from "../models/ai-sdk.js";
import type { AnnotationRoot, BaseChannel } from "../state/state.js";

// Exports only the declarations marked so.
export {};

type Maybe<Value> = Value | Promise<Value>;

// ---- approval

/** An answer that a person may give. */
export type HumanDecision = "approve" | "edit" | "reject";
/** When a person is asked about calls of one tool, and how. */
export interface InterruptOnConfig {
  allowedDecisions: HumanDecision[];
  /**
   * Text for the person. Default: `descriptionPrefix`, the tool's name and the arguments.
   * @param toolCall the call as it would run
   * @param state the agent's state
   * @param runtime what hooks get
   */
  description?:
    | string
    | ((
        toolCall: ToolCall,
        state: AgentBuiltInState,
        runtime: AgentRuntime,
      ) => string | Promise<string>);
  /** JSON Schema of the arguments that a person may write; only shown. */
  argsSchema?: Record<string, unknown>;
  /**
   * false: this call is not asked about. `request.tool` is undefined here.
   * @param request the call with the arguments as the tool's schema reads them, the state and the
   *   runtime
   */
  when?: (request: ToolCallRequest) => boolean | Promise<boolean>;
}
/** Options of humanInTheLoopMiddleware. */
export interface HumanInTheLoopOptions {
  /** By the tool's name. true: all decisions; false, or no entry: never asked. */
  interruptOn: Record<string, boolean | InterruptOnConfig>;
  /** Default "Tool execution requires approval". */
  descriptionPrefix?: string;
  /** Lets requests expire and signs decisions; all calls of a message are one question anyway. */
  approvals?: ApprovalRules;
}
/** A call that a person is asked about. */
export interface ActionRequest {
  name: string;
  args: Record<string, unknown>;
  description?: string;
}
/** What a person may answer about a call. */
export interface ReviewConfig {
  actionName: string;
  allowedDecisions: HumanDecision[];
  argsSchema?: Record<string, unknown>;
}
/**
 * Value of the interrupt, with LangChain's names; beside them it has those of this package's other
 * approval requests, for example `digest` (see ToolApprovalRequest of `weftgraph/prebuilt`).
 */
export interface HITLRequest {
  actionRequests: ActionRequest[];
  reviewConfigs: ReviewConfig[];
  /** Digest of all calls; an answer may name it. */
  digest: string;
  /** Why the answer before was not used. */
  problem?: string;
}
/** A decision about one call. */
export type HITLDecision =
  | { type: "approve" }
  | { type: "edit"; editedAction: { name: string; args: Record<string, unknown> } }
  | { type: "reject"; message?: string };
/** Resume value: one decision for each of `actionRequests`, in their order. */
export interface HITLResponse {
  decisions: HITLDecision[];
}
/**
 * Asks a person about tool calls of the model's answer before any of them runs; needs a
 * checkpointer. A decision counts once and only for the calls as they were shown; a rejected call
 * is answered with the person's message, the others run. An answer that a request does not allow
 * leads to the same question again (`problem`), or, about several calls, to an error.
 * For example, `humanInTheLoopMiddleware({ interruptOn: { send_email: true } })`.
 * @param options which tools are asked about, and what may be decided
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function humanInTheLoopMiddleware(options: HumanInTheLoopOptions): AgentMiddleware;

// ---- length of the conversation

/** A size of a conversation; of several parts all must be reached. */
export interface ContextSize {
  tokens?: number;
  messages?: number;
  /** Of `profile.maxInputTokens` of the model; without that it is never reached. */
  fraction?: number;
}
/** What is kept: one of the parts. */
export type KeepSize = { tokens: number } | { messages: number } | { fraction: number };
/**
 * Counts the tokens of messages.
 * @param messages whose tokens are added up
 */
export type TokenCounter = (messages: BaseMessage[]) => number | Promise<number>;
/** Options of summarizationMiddleware. */
export interface SummarizationOptions {
  /** Writes the summary. */
  model: string | AgentModel | AISDKModel;
  /** One size, or several of which one must be reached. Without it nothing is summarized. */
  trigger?: ContextSize | ContextSize[];
  /** Default `{ messages: 20 }`. */
  keep?: KeepSize;
  /**
   * Default: an estimate, and at least what the service counted with the last answer, which
   * includes tools and instructions.
   */
  tokenCounter?: TokenCounter;
  /** The conversation stands for `{messages}`, or follows it. */
  summaryPrompt?: string;
  /** Begins the message with the summary. */
  summaryPrefix?: string;
  /** At most so many tokens of the old messages are sent to the model, the last ones. 4000. */
  trimTokensToSummarize?: number;
}
/**
 * Replaces the beginning of a long conversation by a summary, before the model is called. A call
 * and its results stay together, a leading system message stays. The run fails, with the
 * conversation as it was, if there is no summary.
 * For example, `summarizationMiddleware({ model, trigger: { tokens: 8000 } })`.
 * @param options the model, when it summarizes, and what is kept
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function summarizationMiddleware(options: SummarizationOptions): AgentMiddleware;

/** An edit of what the model is sent. */
export interface ContextEdit {
  /**
   * Changes the list, not the messages in it.
   * @param request `countTokens` counts the instructions and tools too if it gets `messages`
   * @param request.messages what the model will be sent, without the instructions; a copy of the
   *   state's list
   * @param request.countTokens counts the tokens of a list of messages
   * @param request.model model of this call, for its `profile`
   */
  apply(request: {
    messages: BaseMessage[];
    countTokens: TokenCounter;
    model?: AgentModel;
  }): void | Promise<void>;
}
/** Options of ClearToolUsesEdit. */
export interface ClearToolUsesEditOptions {
  /** Default `{ tokens: 100000 }`. */
  trigger?: ContextSize | ContextSize[];
  /** Results of tools that stay. Default `{ messages: 3 }`. */
  keep?: KeepSize;
  /** Whether the arguments of these calls are cleared too. Default false. */
  clearToolInputs?: boolean;
  /** Names of tools whose results stay. */
  excludeTools?: string[];
  /** Default "[cleared]". */
  placeholder?: string;
}
/** Replaces old results of tools by a placeholder. */
export class ClearToolUsesEdit implements ContextEdit {
  /**
   * @param options when results are cleared and which stay; default: above 100,000 tokens all but
   *   the last three
   * @throws BAD_ARGUMENT for unusable options
   */
  constructor(options?: ClearToolUsesEditOptions);
  trigger: ContextSize | ContextSize[];
  keep: KeepSize;
  clearToolInputs: boolean;
  excludeTools: Set<string>;
  placeholder: string;
  apply(request: {
    messages: BaseMessage[];
    countTokens: TokenCounter;
    model?: AgentModel;
  }): Promise<void>;
}
/** Options of contextEditingMiddleware. */
export interface ContextEditingOptions {
  /** Default: one ClearToolUsesEdit. */
  edits?: ContextEdit[];
  /** "approx" (default): by characters; "model": by the model's `getNumTokensFromMessages`. */
  tokenCountMethod?: "approx" | "model";
}
/**
 * Shortens what the model is sent; the conversation in the state stays whole.
 * For example, `contextEditingMiddleware({ edits: [new ClearToolUsesEdit()] })`.
 * @param options which edits, and how tokens are counted
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function contextEditingMiddleware(options?: ContextEditingOptions): AgentMiddleware;

/** Options of anthropicPromptCachingMiddleware. */
export interface AnthropicPromptCachingOptions {
  /** Default true. */
  enableCaching?: boolean;
  /** How long the service keeps it. Default "5m". */
  ttl?: "5m" | "1h";
  /** Shorter conversations, with the instructions, are not kept. Default 3. */
  minMessagesToCache?: number;
  /** For models of others. Default "warn", on the console. */
  unsupportedModelBehavior?: "ignore" | "warn" | "raise";
}
/**
 * Passes `cache_control` to a model of Anthropic's (`getName()` is "ChatAnthropic").
 * For example, `anthropicPromptCachingMiddleware({ ttl: "1h" })`.
 * @param options how long the cache is kept, and from how many messages on
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function anthropicPromptCachingMiddleware(
  options?: AnthropicPromptCachingOptions,
): AgentMiddleware;

// ---- limits

/** Options of modelCallLimitMiddleware. */
export interface ModelCallLimitOptions {
  /** Most calls in the thread. */
  threadLimit?: number;
  /** Most calls in one run; a resumed run goes on counting. */
  runLimit?: number;
  /** "end" (default): the agent ends with a message that says so; "error": the run fails. */
  exitBehavior?: "end" | "error";
}
/**
 * Limits the calls of the model. For example, `modelCallLimitMiddleware({ runLimit: 10 })`.
 * @param options the limits of a thread and of a run, and what happens at them
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options; the run: ModelCallLimitMiddlewareError
 */
export function modelCallLimitMiddleware(options?: ModelCallLimitOptions): AgentMiddleware;
/**
 * The model was called as often as it may be.
 * @example
 * ```ts
 * import { ScriptedModel } from "weftgraph/models/scripted";
 * import { createAgent } from "weftgraph/agent";
 * import {
 *   ModelCallLimitMiddlewareError,
 *   modelCallLimitMiddleware,
 * } from "weftgraph/agent/middleware";
 *
 * const agent = createAgent({
 *   model: new ScriptedModel({ responses: ["Hello"] }),
 *   middleware: [modelCallLimitMiddleware({ runLimit: 0, exitBehavior: "error" })],
 * });
 * const error = await agent.invoke({ messages: "Hi" }).catch((error: unknown) => error);
 * console.log(error instanceof ModelCallLimitMiddlewareError);
 * ```
 * ```text
 * true
 * ```
 */
export class ModelCallLimitMiddlewareError extends Error {
  /**
   * @param threadCount calls of the model in the thread so far
   * @param runCount calls of the model in this run so far
   * @param limits the middleware's limits; the text names the thread's if it is reached, else the
   *   run's
   * @param limits.threadLimit most calls of a thread; undefined: any number
   * @param limits.runLimit most calls of a run; undefined: any number
   */
  constructor(
    threadCount: number,
    runCount: number,
    limits: { threadLimit?: number; runLimit?: number },
  );
  threadCount: number;
  runCount: number;
  threadLimit?: number;
  runLimit?: number;
}

/** Options of toolCallLimitMiddleware: at least one of the limits. */
export interface ToolCallLimitOptions {
  /** The tool whose calls are counted. Default: all tools. */
  toolName?: string;
  /** Most calls in the thread. */
  threadLimit?: number;
  /** Most calls in one run; not above `threadLimit`. */
  runLimit?: number;
  /**
   * "continue" (default): a call above the limit gets an error as its answer, and the model goes
   * on; "end": all open calls do, and the agent ends; "error": the run fails.
   */
  exitBehavior?: "continue" | "end" | "error";
}
/**
 * Limits the calls of tools.
 * For example, `toolCallLimitMiddleware({ toolName: "search", runLimit: 3 })`.
 * @param options the tool, its limits in a thread and in a run, and what happens at them
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options; the run: ToolCallLimitExceededError
 */
export function toolCallLimitMiddleware(options: ToolCallLimitOptions): AgentMiddleware;
/**
 * A tool would be called more often than it may be.
 * @example
 * ```ts
 * import { ToolCallLimitExceededError } from "weftgraph/agent/middleware";
 *
 * console.log(new ToolCallLimitExceededError(0, 2, undefined, 1, "search").message);
 * ```
 * ```text
 * 'search' tool call limit reached: run limit exceeded (2/1 calls).
 * ```
 */
export class ToolCallLimitExceededError extends Error {
  /**
   * @param threadCount calls in the thread, with those that are refused now
   * @param runCount calls in this run, with those that are refused now
   * @param threadLimit most calls of a thread; undefined: any number
   * @param runLimit most calls of a run; undefined: any number
   * @param toolName tool that is limited; undefined: all tools together
   */
  constructor(
    threadCount: number,
    runCount: number,
    threadLimit: number | undefined,
    runLimit: number | undefined,
    toolName?: string,
  );
  threadCount: number;
  runCount: number;
  threadLimit?: number;
  runLimit?: number;
  toolName?: string;
}

// ---- failures

/**
 * Asks the next model when one fails; the last one's error is the run's.
 * For example, `modelFallbackMiddleware("openai:gpt-5-mini", otherModel)`.
 * @param models names or models, tried in this order after the agent's own fails
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT without models
 */
export function modelFallbackMiddleware(
  ...models: (string | AgentModel | AISDKModel)[]
): AgentMiddleware;

/** Options of modelRetryMiddleware. */
export interface ModelRetryOptions {
  /** Calls after the first one. Default 2. */
  maxRetries?: number;
  /**
   * Which errors are worth another call. Default: all.
   * @param error what the call failed with; interrupts and aborts do not come here
   */
  retryOn?: ((error: Error) => boolean) | (new (...args: never[]) => Error)[];
  /**
   * "continue" (default): the answer is a message that says so; a function: it has this text;
   * "error": the run fails.
   * @param error what the last call failed with
   */
  onFailure?: "continue" | "error" | ((error: Error) => string | Promise<string>);
  /** Each wait is so many times the one before; 0: all are alike. Default 2. */
  backoffFactor?: number;
  /** Default 1000. */
  initialDelayMs?: number;
  /** Default 60000. */
  maxDelayMs?: number;
  /** Whether waits differ by up to a quarter. Default true. */
  jitter?: boolean;
}
/**
 * Calls the model again after an error; `modelSettings.maxRetries` is 0 for it. An abort ends it.
 * For example, `modelRetryMiddleware({ maxRetries: 4 })`.
 * @param options how often, after which errors and delays, and what happens at the end
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function modelRetryMiddleware(options?: ModelRetryOptions): AgentMiddleware;
/** Options of toolRetryMiddleware. */
export interface ToolRetryOptions extends ModelRetryOptions {
  /** Tools or their names. Default: all. */
  tools?: (string | AgentTool)[];
}
/**
 * Calls a tool again after an error. Only for tools that may run twice.
 * For example, `toolRetryMiddleware({ tools: ["search"] })`.
 * @param options which tools, how often, after which errors and delays
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function toolRetryMiddleware(options?: ToolRetryOptions): AgentMiddleware;

/** Options of toolErrorMiddleware. */
export interface ToolErrorOptions {
  /**
   * Returns the answer for the model; nothing: the run fails with the error.
   * @param error what the tool threw
   * @param request the call, its tool, the state and the runtime
   */
  onError: (
    error: unknown,
    request: ToolCallRequest,
  ) => Maybe<MessageContent | undefined> | Maybe<void>;
  /** Tools or their names. Default: all. */
  tools?: (string | AgentTool)[];
}
/**
 * Turns errors of tools into answers for the model.
 * For example, `toolErrorMiddleware({ onError: (error) => "The search is down." })`.
 * @param options which errors become answers to the model, and their texts
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function toolErrorMiddleware(options: ToolErrorOptions): AgentMiddleware;

// ---- personal data

/** Types of personal data with a detector. */
export type BuiltInPIIType = "email" | "credit_card" | "ip" | "mac_address" | "url";
/** What a detector found; `end` is behind its last UTF-16 unit. */
export interface PIIMatch {
  text: string;
  start: number;
  end: number;
}
/**
 * Finds personal data in a text.
 * @param content text of a message, or of one of its blocks
 */
export type PIIDetector = (content: string) => PIIMatch[];
/** Options of piiMiddleware. */
export interface PIIOptions {
  /**
   * "redact" (default): `[REDACTED_EMAIL]`; "mask": the last characters stay; "hash": the
   * beginning of its SHA-256; "block": the run fails.
   */
  strategy?: "redact" | "mask" | "hash" | "block";
  /**
   * Finds what has no detector here. The built-in ones take time in proportion to the text; a
   * pattern of your own must not backtrack without end on hostile text.
   */
  detector?: PIIDetector | RegExp | string;
  /** The user's messages, before the model. Default true. */
  applyToInput?: boolean;
  /** The model's answers, behind it: not what was streamed. Default false. */
  applyToOutput?: boolean;
  /** Results of tools, before the model. Default false. */
  applyToToolResults?: boolean;
}
/**
 * Handles personal data of one type in the texts of messages.
 * For example, `piiMiddleware("email", { strategy: "mask" })`.
 * @param type a built-in one, or a name for what `options.detector` finds
 * @param options what becomes of what is found, and where it is looked for
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options; the run with "block": PIIDetectionError
 */
export function piiMiddleware(
  type: BuiltInPIIType | (string & {}),
  options?: PIIOptions,
): AgentMiddleware;
/**
 * There is personal data where the strategy is "block"; the error does not hold it.
 * @example
 * ```ts
 * import { PIIDetectionError, detectEmail } from "weftgraph/agent/middleware";
 *
 * const { piiType, matches } = new PIIDetectionError("email", detectEmail("To ann@a.test"));
 * console.log(piiType, matches);
 * ```
 * ```text
 * email [ { start: 3, end: 13 } ]
 * ```
 */
export class PIIDetectionError extends Error {
  /**
   * @param piiType type that the middleware looks for, "email" for example
   * @param matches where it was found; only the places are kept, not the texts
   */
  constructor(piiType: string, matches: PIIMatch[]);
  piiType: string;
  matches: { start: number; end: number }[];
}
/**
 * Finds addresses of e-mail.
 * @param content text to search, of any length: the time grows with it linearly
 * @returns what was found, by its place in the text (`end` is behind it); `[]` without any
 * @throws TypeError if content is no text
 * @example
 * ```ts
 * import {
 *   detectCreditCard,
 *   detectEmail,
 *   detectIP,
 *   detectMacAddress,
 *   detectUrl,
 * } from "weftgraph/agent/middleware";
 *
 * const text = "ann@a.test, 4111 1111 1111 1111, 10.0.0.1, 00:1a:2b:3c:4d:5e, https://a.test";
 * for (const detect of [detectEmail, detectCreditCard, detectIP, detectMacAddress, detectUrl])
 *   console.log(detect(text).map(({ text }) => text));
 * ```
 * ```text
 * [ 'ann@a.test' ]
 * [ '4111 1111 1111 1111' ]
 * [ '10.0.0.1' ]
 * [ '00:1a:2b:3c:4d:5e' ]
 * [ 'https://a.test' ]
 * ```
 */
export function detectEmail(content: string): PIIMatch[];
/**
 * Finds numbers of cards whose check digit is right, of 16 digits or American Express's 15.
 * @param content text to search; digits may be in groups, between blanks or hyphens
 * @returns what was found, by its place in the text (`end` is behind it); `[]` without any
 * @throws TypeError if content is no text
 */
export function detectCreditCard(content: string): PIIMatch[];
/**
 * Finds addresses of IPv4 and IPv6.
 * @param content text to search; an address of IPv6 without any digit (`a::b`) is taken for a name
 *   of a program
 * @returns what was found, by its place in the text (`end` is behind it); `[]` without any
 * @throws TypeError if content is no text
 */
export function detectIP(content: string): PIIMatch[];
/**
 * Finds MAC addresses.
 * @param content text to search; the six pairs are separated by `:` or `-`
 * @returns what was found, by its place in the text (`end` is behind it); `[]` without any
 * @throws TypeError if content is no text
 */
export function detectMacAddress(content: string): PIIMatch[];
/**
 * Finds URLs with http, https, or "www." at their beginning.
 * @param content text to search; punctuation at the end of an address is not part of it
 * @returns what was found, by its place in the text (`end` is behind it); `[]` without any
 * @throws TypeError if content is no text
 */
export function detectUrl(content: string): PIIMatch[];

// ---- tools and instructions

/** An entry of the list of todos. */
export interface Todo {
  content: string;
  status: "pending" | "in_progress" | "completed";
}
/** Options of todoListMiddleware. */
export interface TodoListOptions {
  /** Added to the agent's instructions. */
  systemPrompt?: string;
  toolDescription?: string;
}
/**
 * Gives the agent the tool `write_todos`, and its state the key `todos`, which the tool replaces.
 * For example, `createAgent({ model, middleware: [todoListMiddleware()] })`.
 * @param options other texts for the prompt and the tool
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function todoListMiddleware(
  options?: TodoListOptions,
): AgentMiddleware<AnnotationRoot<{ todos: BaseChannel<Todo[], Todo[]> }>>;

/** Options of llmToolSelectorMiddleware. */
export interface LLMToolSelectorOptions {
  /** Selects the tools. Default: the agent's model. */
  model?: string | AgentModel | AISDKModel;
  systemPrompt?: string;
  /** The first so many of the selected tools are offered. Default: all. */
  maxTools?: number;
  /** Names of tools that are always offered; they do not count. */
  alwaysInclude?: string[];
}
/**
 * Offers the model only the tools that a call of a model before it selected, by the last message
 * of the user. The run fails if it selects what is no tool.
 * For example, `llmToolSelectorMiddleware({ model: smallModel, maxTools: 3 })`.
 * @param options the model that selects, how many tools, and which are always there
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function llmToolSelectorMiddleware(options?: LLMToolSelectorOptions): AgentMiddleware;

/** Options of toolEmulatorMiddleware. */
export interface ToolEmulatorOptions {
  /** Tools or their names; an empty list: none. Default: all. */
  tools?: (string | AgentTool)[];
  /** Plays the tools. Default: the agent's model. */
  model?: string | AgentModel | AISDKModel;
}
/**
 * Answers calls of tools by a model, to try out an agent without running its tools.
 * For example, `toolEmulatorMiddleware({ tools: ["send_email"] })`.
 * @param options which tools a model plays, and which model
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT for unusable options
 */
export function toolEmulatorMiddleware(options?: ToolEmulatorOptions): AgentMiddleware;

/**
 * Adds what a function returns to the instructions of each call of the model. For example,
 * `dynamicSystemPromptMiddleware((state, runtime) => "The user is " + runtime.configurable?.user)`.
 * @param fn returns the system prompt of a call from the state and the runtime
 * @returns one for the list `middleware` of createAgent
 * @throws BAD_ARGUMENT if `fn` is no function
 */
export function dynamicSystemPromptMiddleware<Context = unknown>(
  fn: (
    state: AgentBuiltInState,
    runtime: AgentRuntime<Context>,
  ) => string | SystemMessage | Promise<string | SystemMessage>,
): AgentMiddleware;
