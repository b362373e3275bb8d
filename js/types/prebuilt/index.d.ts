// SPDX-License-Identifier: MIT
// Declares agents and their nodes; names and forms as in LangGraph's `prebuilt`.
import type {
  StateMessage as BaseMessage,
  StateMessageLike as BaseMessageLike,
} from "../messages/core.js";
import type { AIMessage, SystemMessage, ToolCall, ToolMessage } from "../messages/index.js";
import type {
  Checkpointer,
  CompiledGraph,
  CompiledStateGraph,
  RunnableInterface,
  StateGraph,
} from "../graph/graph.js";
import type {
  AnnotationRoot,
  LastValue,
  MessagesAnnotation,
  StateInit,
  StateOf,
  ToStateDefinition,
  UpdateOfState,
} from "../state/state.js";
import type { RetryPolicy } from "../plan/policy-types.js";
import type {
  Command,
  END,
  LangGraphRunnableConfig,
  StoreLike,
  TimeoutPolicy,
} from "../base/common-types.js";
import type { BatchOptions, ChunkStream, RunnableOf, RunnableShape } from "../runnable/types.js";
import type { AISDKModel } from "../models/ai-sdk.js";
import type { MessageContent, ToolApproval, ToolConfig } from "../tools/index.js";
import type { ApprovalRules } from "../approval/rules.js";
import type { RepairToolCall, ToolCallRepair } from "../tools/repair.js";

// Exports only the declarations marked so.
export {};

type Maybe<Value> = Value | Promise<Value>;

/** A tool by its methods: Weft's or LangChain's. */
export interface ToolLike {
  name: string;
  description?: string;
  schema?: any;
  returnDirect?: boolean;
  approval?: ToolApproval;
  /**
   * @param input the model's call (`type: "tool_call"`), or the arguments alone
   * @param config config of the call; within a ToolNode also `toolCallId` and `state`
   */
  invoke(input: any, config?: any): any;
}
/**
 * A plain function that models can call: its properties are the options of a tool, its name is
 * `toolName`, else the function's.
 */
export interface ToolFunction {
  (input: any, config?: any): any;
  schema: any;
  toolName?: string;
  description?: string;
  returnDirect?: boolean;
  approval?: ToolApproval;
}
/** A tool that the provider runs, or a JSON Schema with a title: only declared to the model. */
export type ServerTool = Record<string, unknown>;

// ---- people in the loop

/** Answers that a person may give. */
export interface HumanInterruptConfig {
  allow_ignore: boolean;
  allow_respond: boolean;
  allow_edit: boolean;
  allow_accept: boolean;
}
/** A tool's name and arguments. */
export interface ActionRequest {
  action: string;
  args: Record<string, any>;
}
/** LangGraph's approval request for a tool call. */
export interface HumanInterrupt {
  action_request: ActionRequest;
  config: HumanInterruptConfig;
  description?: string;
}
/** A person's answer: `args` is the call to run for "edit", the text for "response", else null. */
export type HumanResponse = {
  type: "accept" | "ignore" | "response" | "edit";
  args: null | string | ActionRequest;
};
/** LangChain's form of an approval request, which its human-in-the-loop interfaces display. */
export interface ActionRequests {
  action_requests: {
    name: string;
    args: Record<string, any>;
    /** Same as `args`, under the name of older interfaces. */
    arguments: Record<string, any>;
    description: string;
    /** Id of the tool call. */
    id: string;
  }[];
  review_configs: {
    action_name: string;
    allowed_decisions: ("approve" | "edit" | "reject")[];
    /** JSON Schema of the arguments (`form` of approvalRules of weftgraph/approval). */
    args_schema?: Record<string, any>;
  }[];
}
/**
 * The approval request that a ToolNode raises for a tool with `approval: "ask"`. The resume value
 * is a HumanResponse, or an answer in the form of other interfaces (ApprovalAnswer).
 */
export interface ToolApprovalRequest extends HumanInterrupt, ActionRequests {
  tool_call_id: string;
  /**
   * The arguments as they would run, as the tool's schema reads them, in JSON bytes. Values that
   * JSON lacks have special forms: `{"$date": ISO}`, `{"$bigint": text}`, `{"$map": entries}`,
   * `{"$set": items}`, `{"$class": [name, fields]}`.
   */
  canonical: string;
  /**
   * SHA-256 over call, tool, definition and arguments (hex). If an answer contains it, it must
   * match.
   */
  digest: string;
  /**
   * Id of the request, 32 hex digits, if a saver of this package stores the thread; an answer may
   * name it.
   */
  approval_id?: string;
  /** Remark for the person if JSON lacks some of the arguments' values. */
  note?: string;
  /** How the arguments were repaired before they were shown (the node's option `repair`). */
  repaired?: ToolCallRepair[];
  /** true: `wrapToolCall` or `runTool` made this call of the model's. */
  changed?: boolean;
  /** When the request expires, in ISO form (approvalRules of weftgraph/approval). */
  expires_at?: string;
  /** Whom the question was escalated to after an earlier one had expired, and how often. */
  escalated_to?: string;
  escalations?: number;
  /** Why the last answer was unusable. */
  problem?: string;
}
/**
 * The one request of a ToolNode with `approvals: "batch"` about several calls of a message. The
 * resume value is `{ decisions }` with one for each call, in their order; an answer that the
 * question does not allow rejects with an error (`isInvalidResume`), and the question stays open.
 */
export interface ToolApprovalBatch {
  action_requests: (ActionRequests["action_requests"][number] & {
    /** The arguments as they would run, as in ToolApprovalRequest. */
    canonical: string;
    /** Id of the request in the log, if a saver of this package stores the thread. */
    approval_id?: string;
    /** Remark for the person if JSON lacks some of the arguments' values. */
    note?: string;
    /** How the arguments were repaired before they were shown. */
    repaired?: ToolCallRepair[];
  })[];
  review_configs: ActionRequests["review_configs"];
  description: string;
  /** All calls as they would run, in JSON bytes. */
  canonical: string;
  /** SHA-256 over all calls and their definitions (hex); if an answer has it, it must match. */
  digest: string;
  /** When the request expires, in ISO form (approvalRules of weftgraph/approval). */
  expires_at?: string;
  /** Whom the question was escalated to after an earlier one had expired, and how often. */
  escalated_to?: string;
  escalations?: number;
  /** Why the calls are presented again. */
  problem?: string;
}
/**
 * The request that a ToolNode raises about a call that was in flight when the process died. accept
 * runs it again, response is its result, ignore tells the model that the outcome is unknown.
 */
export interface UnknownToolCall extends HumanInterrupt {
  kind: "unknown_tool_call";
  tool_call_id: string;
  canonical: string;
  digest: string;
  approval_id?: string;
  problem?: string;
}
/**
 * An answer to an approval request. accept runs the call, edit runs another one (after its own
 * approval if that needs one), response rejects it with a reason, ignore without one.
 */
export type ToolApprovalResponse = HumanResponse & { digest?: string; approval_id?: string };
/**
 * A decision in LangChain's format. respond is a rejection whose message the model is told, as
 * HumanResponse's response.
 */
export type ApprovalDecision =
  | { type: "approve" }
  | { type: "edit"; edited_action: { name: string; args: Record<string, any> } }
  | { type: "reject"; message?: string }
  | { type: "respond"; message: string };
/**
 * All forms of an answer to an approval request: those of Agent Inbox, of LangChain's interfaces
 * (one decision per call, in order), of AG-UI and the AI SDK, and true or false.
 */
export type ApprovalAnswer =
  | ToolApprovalResponse
  | ToolApprovalResponse[]
  | { decisions: ApprovalDecision[]; digest?: string }
  | { approved: true; editedArgs?: Record<string, any> }
  | { approved: false; reason?: string }
  | boolean;

/** Whether a call may run, possibly by its arguments. */
export type ReviewPolicy = ToolApproval;
/** Which calls `reviewToolCalls` requests approval for, and how. */
export interface ReviewOptions {
  /** Policies by tool name. */
  policies?: Record<string, ReviewPolicy>;
  /** Policy of tools without one. Default "auto". */
  fallback?: ReviewPolicy;
  /** Key of the messages. Default "messages". */
  messagesKey?: string;
  /** Answers that the interface may offer and that are accepted; default: all. */
  config?: Partial<HumanInterruptConfig>;
  /**
   * Tools of the agent: calls and edits are read by their schemas before approval is requested.
   * Without them, a tool whose schema changes arguments refuses the approved ones.
   */
  tools?: readonly (ToolLike | ToolFunction)[] | ToolNode;
  /**
   * Makes the description of a request.
   * @param call the call as it would run
   * @param call.name the tool's name
   * @param call.args the arguments as the request shows them
   * @param call.id the id of the call
   */
  describe?: (call: { name: string; args: any; id: string }) => string;
}
/** One request of reviewToolCalls; `id` is the call's. */
export interface ReviewRequest extends HumanInterrupt, ActionRequests {
  id: string;
  canonical?: string;
  digest?: string;
  approval_id?: string;
  problem?: string;
}
/**
 * Creates a node that requests approval of all open tool calls of the last AI message with one
 * interrupt, a list of ReviewRequests; use it as an agent's `postModelHook`. The resume value is a
 * list of HumanResponses in that order, or an object with one by id. accept runs a call, edit
 * changes it, response and ignore answer it without running. An unusable answer leads to another
 * request.
 * @param options policies, and the form of the requests
 * @returns the node; its update has the messages that changed, `{}` if nothing was asked
 * @throws BAD_ARGUMENT for invalid options; APPROVAL when the node runs, for an unknown policy or
 *   tools with the same name
 */
export function reviewToolCalls(
  options?: ReviewOptions,
): (state: any, config?: any) => Promise<{ [messagesKey: string]: BaseMessage[] }>;

// ---- ToolNode

type ErrorClass = new (...args: any[]) => any;
/**
 * How errors of tools are handled. A function returns the text, or the whole ToolMessage.
 * @param error what the tool threw, or why the call was refused; interrupts and limits of the run
 *   do not come here
 * @param call the model's call
 */
export type HandleToolErrors =
  | boolean
  | string
  | ErrorClass
  | readonly ErrorClass[]
  | ((
      error: any,
      call: ToolCall,
    ) => MessageContent | ToolMessage | Promise<MessageContent | ToolMessage>);
/** A call that is about to run. */
export interface ToolCallRequest {
  toolCall: ToolCall;
  /** Undefined only with `wrapUnknown`. */
  tool: ToolLike;
  state: any;
  runtime: ToolConfig;
}

/** Options of a ToolNode; a tool's own options take precedence. */
export interface ToolNodeOptions {
  /** Name of the node. Default "func", as in LangGraph. */
  name?: string;
  /** Added to the tags of its runs. */
  tags?: string[];
  /**
   * Handling of failed tools and refused calls. Default true: the model receives the error. false:
   * the node fails. A text, or a function's result: the answer to the model. Classes: the model
   * receives only such errors, others fail the node.
   */
  handleToolErrors?: HandleToolErrors;
  /**
   * Wraps each call: may inspect, change or repeat it, or answer it itself. If a tool of the node
   * needs decisions the wrapper receives a copy, and a changed call is judged and approved like a
   * new one.
   * @param request the call, its tool, the node's input as `state`, and the config for the tool as
   *   `runtime`
   * @param handler runs the call, or the changed request that it gets; may be called again
   */
  wrapToolCall?: (
    request: ToolCallRequest,
    handler: (request?: ToolCallRequest) => Promise<ToolMessage | Command>,
  ) => Maybe<ToolMessage | Command>;
  /**
   * Whether wrapToolCall also gets calls of unknown tools, with `tool` undefined: it may pass a
   * tool on to the handler.
   */
  wrapUnknown?: boolean;
  /** Key of the messages in the state. Default "messages". */
  messagesKey?: string;
  /** Policy of tools without one. Default "auto". */
  approval?: ToolApproval;
  /**
   * How several calls of a message are asked about: "each" (default) with a question of its own, a
   * ToolApprovalRequest; "batch": all with one question, a ToolApprovalBatch; or approvalRules() of
   * weftgraph/approval, with which requests expire and decisions are signed.
   */
  approvals?: "each" | "batch" | ApprovalRules;
  /**
   * Repairs calls whose arguments do not fit, before they are judged and asked about, as
   * repairBySchema of weftgraph/tools does. It runs again when the node does. What it returns is
   * checked like a model's call; undefined lets the model read the error. A call that a person has
   * reviewed or edited is never repaired. Default: none.
   */
  repair?: RepairToolCall;
  /**
   * Handling of calls that were in flight when the process died, for tools without their own.
   * Default "ask".
   */
  onUnknown?: "ask" | "retry" | "fail";
  /** Timeout of an attempt in ms, for tools without their own. */
  timeout?: number | TimeoutPolicy;
  /** Retry policy of tools without their own. */
  retryPolicy?: RetryPolicy;
}
type ToolNodeInput = BaseMessage[] | Record<string, any>;
export interface ToolNode<T = any> extends RunnableShape<any, any> {}
/** Runs the unanswered tool calls of the last AI message, all at the same time. */
export class ToolNode<T = any> {
  /**
   * @param tools functions and tools that it runs, by name
   * @param options messages' key, errors, approval, repair of arguments
   * @throws BAD_ARGUMENT for a tool without a name and `invoke`, or wrong options
   */
  constructor(tools: readonly (ToolLike | ToolFunction)[], options?: ToolNodeOptions);
  lc_namespace: string[];
  /** The tools; may be changed: later calls use the new list. */
  tools: ToolLike[];
  /**
   * The function that invoke() calls.
   * @param input list of messages, state with them under `messagesKey`, or `{ lg_tool_call }` for a
   *   single call
   * @param config config of the call
   */
  func: (input: any, config?: any) => Promise<any>;
  /** @param thing any value; LangChain's Runnables count too */
  static isRunnable(thing: any): boolean;
  name: string;
  tags?: string[];
  handleToolErrors: HandleToolErrors;
  messagesKey: string;
  approval?: ToolApproval;
  approvals?: "each" | "batch";
  repair?: ToolNodeOptions["repair"];
  trace: boolean;
  wrapToolCall?: ToolNodeOptions["wrapToolCall"];
  wrapUnknown: boolean;
  /**
   * Runs one valid call; a subclass may override it.
   * @param call name, arguments and id of the call; the arguments have been checked by the tool's
   *   schema
   * @param config the node's config
   * @param state the node's input: the state, or the list of messages
   */
  runTool(call: ToolCall, config: any, state: any): Promise<ToolMessage | Command>;
  /**
   * Implements invoke(); a subclass may override it.
   * @param input list of messages, state with them under `messagesKey`, or `{ lg_tool_call }` for a
   *   single call
   * @param config config of the call, to whose tags the node's are added already
   */
  run(input: any, config?: any): Promise<any>;
  /**
   * Returns the call with the arguments that the host fills in (the tool's `injected`).
   * @param call a model's call; it is not changed
   * @param state the node's input, of which the tool may be given a part
   * @param config config whose store the tool may be given
   */
  injectToolArgs(call: ToolCall, state: any, config?: any): ToolCall;
  /**
   * Answers the tool calls: for messages returns the answers, for a state an update of it. Commands
   * of tools and other outputs make the result a list.
   * @param input list of messages or state with them under `messagesKey`; the last AI message in it
   *   has the calls
   * @param config config of the call; tools get it with the call
   */
  invoke(input: BaseMessage[], config?: any): Promise<(ToolMessage | ToolMessage[] | Command)[]>;
  invoke(input: T, config?: any): Promise<T>;
  /**
   * Streams the result as one chunk.
   * @param input as of `invoke`
   * @param config config of the call
   */
  stream(input: ToolNodeInput, config?: any): Promise<ChunkStream>;
  /**
   * Answers several inputs.
   * @param inputs as of `invoke`, one run each
   * @param config config of all, or a list with one for each
   * @param batchOptions how many at once, and whether errors are results
   */
  batch(inputs: ToolNodeInput[], config?: any, batchOptions?: BatchOptions): Promise<any[]>;
  /**
   * Returns a Runnable that calls the node with this config.
   * @param config lies beneath that of each call
   */
  withConfig(config: any): RunnableOf<any, any>;
}

/**
 * Routes to "tools" when the last message has tool calls, else to END.
 * @param state with messages, or the messages
 * @param messagesKey of the state, "messages" by default
 * @returns name of the next node; a graph whose node of tools has another name needs a map of
 *   destinations
 * @throws BAD_ARGUMENT for a state without messages
 */
export function toolsCondition(
  state: readonly BaseMessage[] | { messages: readonly BaseMessage[] },
): "tools" | typeof END;
/** Routes by the messages under another key of the state. */
export function toolsCondition(
  state: Record<string, any>,
  messagesKey: string,
): "tools" | typeof END;

// ---- ValidationNode

/** Options of a ValidationNode. `name` is "validation" and `messagesKey` "messages" by default. */
export interface ValidationNodeOptions {
  name?: string;
  tags?: string[];
  messagesKey?: string;
  /**
   * Makes the answer to a call with invalid arguments.
   * @param error says what does not fit, or that there is no such tool
   * @param call the model's call
   * @param schema schema of the tool; undefined for an unknown tool
   */
  formatError?: (error: Error, call: ToolCall, schema: any) => string | Promise<string>;
}
export interface ValidationNode extends RunnableShape<any, any> {}
/**
 * Answers every tool call of the last message with its validated arguments, or with the error; runs
 * none.
 */
export class ValidationNode {
  /**
   * @param schemas tools or schemas, as a list or by name
   * @param options name, tags and the format of errors
   * @throws BAD_ARGUMENT if schemas is no list and no object of schemas
   */
  constructor(
    schemas: readonly (ToolLike | { name: string; schema: any } | object)[] | Record<string, any>,
    options?: ValidationNodeOptions,
  );
  lc_namespace: string[];
  name: string;
  tags?: string[];
  messagesKey: string;
  /**
   * Validates the tool calls of the last message. Rejects with an Error when that is no AI message.
   * @param input list of messages, or state with them under `messagesKey`
   * @param config takes no part: nothing is called
   */
  invoke(input: BaseMessage[], config?: any): Promise<ToolMessage[]>;
  invoke(input: Record<string, any>, config?: any): Promise<any>;
  /**
   * Streams the result as one chunk.
   * @param input as of `invoke`
   * @param config config of the call
   */
  stream(input: ToolNodeInput, config?: any): Promise<ChunkStream>;
  /**
   * Validates several inputs.
   * @param inputs as of `invoke`, one run each
   * @param config config of all, or a list with one for each
   * @param batchOptions how many at once, and whether errors are results
   */
  batch(inputs: ToolNodeInput[], config?: any, batchOptions?: BatchOptions): Promise<any[]>;
  /**
   * Returns a Runnable that calls the node with this config.
   * @param config lies beneath that of each call
   */
  withConfig(config: any): RunnableOf<any, any>;
}

// ---- agents from before tool calling

/** @deprecated use ToolNode */
export interface ToolExecutorArgs {
  tools: ToolLike[];
  invalidToolMsgTemplate?: string;
}
/** @deprecated use ToolNode */
export interface ToolInvocationInterface {
  tool: string;
  toolInput: any;
}
/** @deprecated use ToolNode */
export class ToolExecutor {
  /**
   * @param fields the tools, and the text for a call of an unknown one
   * @throws BAD_ARGUMENT if fields or its tools have another form
   * @throws APPROVAL for a tool that needs approval: nobody can be asked here
   */
  constructor(fields: ToolExecutorArgs);
  readonly lc_runnable: true;
  lc_graph_name: string;
  tools: ToolLike[];
  toolMap: Record<string, ToolLike>;
  invalidToolMsgTemplate: string;
  getName(): string;
  _execute(invocation: ToolInvocationInterface, config?: any): Promise<any>;
  /**
   * @param invocation name of a tool and its input; for an unknown name the result is the text
   *   `invalidToolMsgTemplate`
   * @param config config of the call, passed to the tool
   */
  invoke(invocation: ToolInvocationInterface, config?: any): Promise<any>;
  /**
   * @param invocations one call each
   * @param config config of all, or a list with one for each
   */
  batch(invocations: readonly ToolInvocationInterface[], config?: any): Promise<any[]>;
  /** @param next what gets the tool's result: a Runnable, a function, or an object of them */
  pipe(next: any): RunnableInterface & { [method: string]: any };
}
/** State of createAgentExecutor. */
export interface AgentExecutorState {
  agentOutcome?: any;
  steps: { action: any; observation: unknown }[];
  input: string;
  chatHistory?: BaseMessage[];
}
/**
 * @deprecated use createReactAgent
 * @param options the agent and its tools
 * @param options.agentRunnable decides the next step: returns an action (`tool`, `toolInput`) or an
 *   end (`returnValues`)
 * @param options.tools tools that actions may name; none of them may need approval
 * @throws BAD_ARGUMENT if options is no object
 * @example
 * ```ts
 * import { createAgentExecutor } from "weftgraph/prebuilt";
 *
 * const agentRunnable = { invoke: () => ({ returnValues: { output: "Hello" }, log: "" }) };
 * const agent = createAgentExecutor({ agentRunnable: agentRunnable as any, tools: [] });
 * const { agentOutcome } = await agent.invoke({ input: "Hi" });
 * console.log(agentOutcome);
 * ```
 * ```text
 * { returnValues: { output: 'Hello' }, log: '' }
 * ```
 */
export function createAgentExecutor(options: {
  agentRunnable: RunnableInterface;
  tools: ToolLike[] | ToolExecutor;
}): CompiledGraph<
  "agent" | "action",
  AgentExecutorState,
  Partial<AgentExecutorState>,
  Record<string, any>,
  Partial<AgentExecutorState>,
  AgentExecutorState
>;
/** State of createFunctionCallingExecutor. */
export type FunctionCallingExecutorState = { messages: BaseMessage[] };
/**
 * @deprecated use createReactAgent
 * @param options the model and its tools
 * @param options.model chat model that calls functions in OpenAI's older form; needs `bind`
 * @param options.tools tools that the model may call; none of them may need approval
 * @throws BAD_ARGUMENT if options is no object, Error for a model without `bind`
 * @example
 * ```ts part
 * const agent = createFunctionCallingExecutor({ model, tools });
 * const { messages } = await agent.invoke({ messages: [new HumanMessage("Hi")] });
 * ```
 */
export function createFunctionCallingExecutor<Model extends object>(options: {
  model: Model;
  tools: ToolLike[] | ToolExecutor;
}): CompiledGraph<
  "agent" | "action",
  FunctionCallingExecutorState,
  Partial<FunctionCallingExecutorState>,
  Record<string, any>,
  Partial<FunctionCallingExecutorState>,
  FunctionCallingExecutorState
>;

// ---- createReactAgent

/** A chat model by its methods: this package's or LangChain's. */
export interface ModelLike {
  /**
   * @param input list of messages
   * @param config config of the call, with the run's `signal` and `callbacks`
   */
  invoke(input: any, config?: any): Promise<any>;
  /**
   * Returns the model with tools to offer.
   * @param tools list of those that the model may call: tools, functions with a schema or
   *   definitions of the provider
   * @param options of each call, such as `tool_choice`; createReactAgent passes none
   */
  bindTools?(tools: any, options?: any): any;
}

type StateOrMessages<Schema> = [Schema] extends [undefined]
  ? { messages: BaseMessage[] }
  : StateOf<Schema>;
type UpdateOrMessages<Schema> = UpdateOfState<
  [Schema] extends [undefined] ? typeof MessagesAnnotation : Schema
>;
type AgentFields<Schema> = (typeof MessagesAnnotation)["spec"] &
  ([Schema] extends [undefined] ? {} : ToStateDefinition<Schema>);

/** State that `llm` and `preModelHook` receive. */
type AgentStateOf<Schema> = StateOrMessages<Schema> & { llmInputMessages: BaseMessage[] };

/**
 * Instructions for a model: a text or message before the conversation, or a function that makes the
 * whole input from the state.
 * @param state the agent's state; `messages` are the `llmInputMessages` if a hook wrote them
 * @param config config of the node, with `context` and `store`
 */
export type Prompt<State = any, Context = any> =
  | string
  | SystemMessage
  | ((state: State, config: LangGraphRunnableConfig<any>) => Maybe<BaseMessageLike[]>)
  | RunnableInterface<State, BaseMessageLike[]>;
type SchemaOf<Answer> =
  | { parse(value: unknown): Answer }
  | { readonly "~standard": { readonly types?: { readonly output: Answer } | undefined } }
  | Record<string, any>;
type AgentNode =
  | "agent"
  | "tools"
  | "pre_model_hook"
  | "post_model_hook"
  | "generate_structured_response";

/** Options of an agent; `llm` and `tools` are required. */
export interface CreateReactAgentParams<Schema = undefined, Answer = undefined, Context = any> {
  /**
   * A model, one of the AI SDK, "provider:model" of a registered provider, or a function that
   * chooses a model for each call and binds its tools.
   * @param state the agent's state
   * @param runtime config of the node, with `context` and `store`
   */
  llm:
    | ModelLike
    | AISDKModel
    | string
    | ((
        state: AgentStateOf<Schema>,
        runtime: LangGraphRunnableConfig<any>,
      ) => Maybe<ModelLike | AISDKModel | string>);
  /** Tools of the model. A ToolNode has its own options; a ServerTool is run by the provider. */
  tools: ToolNode | readonly (ToolLike | ToolFunction | ServerTool)[];
  /** Added before the conversation, or makes the model's input. */
  prompt?: Prompt<StateOrMessages<Schema>, Context>;
  /** @deprecated use `prompt` */
  stateModifier?: Prompt<StateOrMessages<Schema>, Context>;
  /**
   * @param messages the conversation, or the `llmInputMessages` if a hook wrote them
   * @deprecated use `prompt`
   */
  messageModifier?:
    | string
    | SystemMessage
    | ((messages: BaseMessage[]) => Maybe<BaseMessage[]>)
    | RunnableInterface<BaseMessage[], BaseMessage[]>;
  /**
   * Schema of the state; must have `messages`. With the managed value `RemainingSteps` as
   * `remainingSteps` the agent answers before it reaches the recursion limit.
   */
  stateSchema?: Schema;
  /** Schema of a call's `context`. */
  contextSchema?: any;
  /** Stores its threads, as in `compile()`. */
  checkpointer?: Checkpointer | boolean;
  /** LangGraph's older name of `checkpointer`. */
  checkpointSaver?: Checkpointer | boolean;
  store?: StoreLike;
  /** Limits of each call. */
  limits?: import("../base/run-limits.js").Limits;
  /** Breakpoints, as in `compile()`. */
  interruptBefore?: AgentNode[] | "*";
  interruptAfter?: AgentNode[] | "*";
  /**
   * Schema of the final answer, under `structuredResponse`; the model needs withStructuredOutput.
   */
  responseFormat?:
    | SchemaOf<Answer>
    | { schema: SchemaOf<Answer>; prompt?: string; strict?: boolean; [option: string]: unknown };
  /**
   * Runs before each call of the model. If it writes `llmInputMessages`, the model receives these
   * instead of `messages`.
   * @param state the agent's state
   * @param config config of the node
   */
  preModelHook?:
    | RunnableInterface
    | ((state: AgentStateOf<Schema>, config: LangGraphRunnableConfig<any>) => any);
  /**
   * Runs after each call of the model, before its tool calls, for example `reviewToolCalls`.
   * @param state the agent's state, with the model's answer as the last message
   * @param config config of the node
   */
  postModelHook?:
    | RunnableInterface
    | ((state: StateOrMessages<Schema>, config: LangGraphRunnableConfig<any>) => any);
  /** Policy of tools without one, for a list of tools. Default "auto". */
  approval?: ToolApproval;
  /** Option of the ToolNode for a list of tools; "batch" needs version "v1". */
  approvals?: ToolNodeOptions["approvals"];
  /** Repair of calls that do not fit, for a list of tools; see ToolNodeOptions. */
  repair?: ToolNodeOptions["repair"];
  /** Retry policy of the nodes "agent" and "tools". */
  retryPolicy?: any;
  debug?: boolean;
  /** "v1" (default): one task runs all calls; "v2": one task per call. */
  version?: "v1" | "v2";
  /** Name among agents, in traces and in its messages. */
  name?: string;
  description?: string;
  /** "inline": puts the author's name into the text of messages for the model. */
  includeAgentName?: "inline";
  /**
   * Whether to fail with INVALID_CHAT_HISTORY instead of sending a conversation with unanswered
   * calls to the model.
   */
  validateHistory?: boolean;
}
/**
 * Builds and compiles the graph in which a model calls tools until it has its answer.
 * @param params options; `llm` and `tools` are required
 * @throws BAD_ARGUMENT for invalid options
 */
export function createReactAgent<
  Schema extends StateInit | undefined = undefined,
  Answer = undefined,
  Context = any,
>(
  params: CreateReactAgentParams<Schema, Answer, Context>,
): CompiledStateGraph<
  StateOrMessages<Schema>,
  UpdateOrMessages<Schema>,
  any,
  AgentFields<Schema>,
  AgentFields<Schema> & {
    structuredResponse: LastValue<[Answer] extends [undefined] ? Record<string, any> : Answer>;
  }
>;

// ---- agents that work together

/** A compiled agent with its own name. */
export interface NamedAgent {
  name?: string;
  description?: string;
  /**
   * @param input state update, with the conversation under `messages`
   * @param config config of the call
   */
  invoke(input: any, config?: any): Promise<any>;
}
/**
 * Creates a tool by which an agent hands the conversation to another agent of the parent graph.
 * Calls beside it are answered: with their results, or with a note that they were not kept.
 * @param options to whom the tool hands over, and how the model sees it
 * @param options.agentName node of the other agent in the parent graph
 * @param options.name name of the tool; default `transfer_to_` and the agent's name in small
 *   letters
 * @param options.description tells the model when to hand over; default "Ask agent '…' for help"
 * @returns a tool without arguments, for the tools of an agent in a team
 * @throws BAD_ARGUMENT for invalid options
 */
export function createHandoffTool(options: {
  agentName: string;
  name?: string;
  description?: string;
}): ToolLike & { [key: string]: any };
/**
 * Creates the state of a swarm: `messages`, and `activeAgent`, the agent that has the conversation.
 * @returns the state; put more keys beside its `spec` for one of your own
 */
export function createSwarmState(): AnnotationRoot<
  (typeof MessagesAnnotation)["spec"] & { activeAgent: LastValue<string> }
>;
/**
 * Creates a graph of agents that hand the conversation to each other by handoff tools; the next
 * conversation turn begins with the agent that has it. Not compiled yet.
 * @param options the agents, and the first one
 * @param options.agents compiled agents with different names; each is a node of that name
 * @param options.defaultActiveAgent agent that answers first in a new thread; must be one of them
 * @param options.stateSchema state of the graph, needs the keys `messages` and `activeAgent`;
 *   default: only these
 * @returns the graph, not compiled; only with a checkpointer the next turn begins with the last
 *   agent
 * @throws BAD_ARGUMENT for invalid options, or agents without unique names
 */
export function createSwarm(options: {
  agents: readonly NamedAgent[];
  defaultActiveAgent: string;
  stateSchema?: StateInit;
}): StateGraph<any, any, any, any, any, any>;
/** Options of a supervisor: its agents, and the options of createReactAgent. */
export interface CreateSupervisorParams
  extends Omit<
    CreateReactAgentParams<any, any, any>,
    "tools" | "name" | "checkpointer" | "checkpointSaver" | "store"
  > {
  /** Compiled agents, each with its own name. */
  agents: readonly NamedAgent[];
  /** The supervisor's own tools, beside a handoff to each agent. */
  tools?: readonly (ToolLike | ToolFunction | ServerTool)[] | ToolNode;
  /** Name of the supervisor. Default "supervisor". */
  supervisorName?: string;
  /** Part of an agent's messages that others see: the last message (default), or all. */
  outputMode?: "last_message" | "full_history";
  /** Whether to tell the model that the conversation came back. Default true. */
  addHandoffBackMessages?: boolean;
}
/**
 * Creates a graph of a supervisor that delegates tasks to agents and gets the conversation back
 * after each. Not compiled yet.
 * @param options the agents, and the supervisor's own options
 * @returns the graph, not compiled; a checkpointer keeps its conversations
 * @throws BAD_ARGUMENT for invalid options, or agents without unique names
 */
export function createSupervisor(
  options: CreateSupervisorParams,
): StateGraph<any, any, any, any, any, any>;

/**
 * Creates the state of an agent with a structured answer.
 * @returns the state, with the keys `messages` and `structuredResponse`
 * @example
 * ```ts
 * import { createReactAgentAnnotation, createSwarmState } from "weftgraph/prebuilt";
 *
 * console.log(Object.keys(createReactAgentAnnotation().spec));
 * console.log(Object.keys(createSwarmState().spec));
 * ```
 * ```text
 * [ 'messages', 'structuredResponse' ]
 * [ 'messages', 'activeAgent' ]
 * ```
 */
export function createReactAgentAnnotation<Answer = Record<string, any>>(): AnnotationRoot<
  (typeof MessagesAnnotation)["spec"] & { structuredResponse: LastValue<Answer> }
>;
/** State of an agent. */
export type AgentState<Answer = Record<string, any>> = {
  messages: BaseMessage[];
  structuredResponse: Answer;
};

/**
 * Registers a provider: `llm: "provider:model"` becomes what `make` returns for the model's name.
 * @param provider without a colon
 * @param make makes a model by its name
 * @throws BAD_ARGUMENT for invalid arguments
 */
export function registerModelProvider(provider: string, make: (model: string) => ModelLike): void;

/** How models receive agents' names: within the text. */
export type AgentNameMode = "inline";
/**
 * Wraps a model so that it reads and writes agent names inside the text of AI messages.
 * @param model to wrap
 * @param mode "inline"
 * @returns the wrapped model, for an agent's `llm`; the tools are still bound to the model inside
 * @throws BAD_ARGUMENT for a model without `invoke`; Error for another mode
 * @example
 * ```ts
 * import { AIMessage } from "weftgraph";
 * import { ScriptedModel } from "weftgraph/models/scripted";
 * import { withAgentName } from "weftgraph/prebuilt";
 *
 * const model = new ScriptedModel({ responses: ["Hello"] });
 * const named = withAgentName(model, "inline");
 * await named.invoke([new AIMessage({ content: "I am done.", name: "researcher" }) as any]);
 * console.log(model.calls[0].messages[0].content);
 * ```
 * ```text
 * <name>researcher</name><content>I am done.</content>
 * ```
 */
export function withAgentName(
  model: ModelLike,
  mode: AgentNameMode,
): RunnableInterface<BaseMessage[], AIMessage>;
