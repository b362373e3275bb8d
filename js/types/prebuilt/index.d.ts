// SPDX-License-Identifier: MIT
// Agents and the nodes they are made of; names and shapes as in LangGraph's `prebuilt`.
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
import type { MessageContent, ToolApproval, ToolConfig } from "../tools/index.js";

// Only what says so is exported.
export {};

type Maybe<Value> = Value | Promise<Value>;

/** A tool by shape: ours or LangChain's. */
export interface ToolLike {
  name: string;
  description?: string;
  schema?: any;
  returnDirect?: boolean;
  approval?: ToolApproval;
  invoke(input: any, config?: any): any;
}
/** A tool that the provider runs: told to the model, never run here. */
export type ServerTool = Record<string, unknown>;

// ---- people in the loop

/** What a person may answer. */
export interface HumanInterruptConfig {
  allow_ignore: boolean;
  allow_respond: boolean;
  allow_edit: boolean;
  allow_accept: boolean;
}
/** A tool's name and the arguments for it. */
export interface ActionRequest {
  action: string;
  args: Record<string, any>;
}
/** LangGraph's question about a tool call. */
export interface HumanInterrupt {
  action_request: ActionRequest;
  config: HumanInterruptConfig;
  description?: string;
}
/** A person's answer: `args` is what to run for "edit", the text for "response", null else. */
export type HumanResponse = {
  type: "accept" | "ignore" | "response" | "edit";
  args: null | string | ActionRequest;
};
/** LangChain's form of a question, which its human-in-the-loop interfaces show. */
export interface ActionRequests {
  action_requests: {
    name: string;
    args: Record<string, any>;
    /** The same as `args`, as older interfaces name them. */
    arguments: Record<string, any>;
    description: string;
    /** The tool call's. */
    id: string;
  }[];
  review_configs: { action_name: string; allowed_decisions: ("approve" | "edit" | "reject")[] }[];
}
/**
 * What a ToolNode asks for a tool with `approval: "ask"`. The resume value is a HumanResponse, or
 * an answer as other interfaces give it (ApprovalAnswer).
 */
export interface ToolApprovalRequest extends HumanInterrupt, ActionRequests {
  tool_call_id: string;
  /**
   * The arguments as they would run, byte for byte: as the tool's schema reads them. What JSON
   * cannot hold stands in a form of its own: `{"$date": ISO}`, `{"$bigint": text}`, `{"$map":
   * entries}`, `{"$set": items}`, `{"$class": [name, fields]}`.
   */
  canonical: string;
  /**
   * SHA-256 over call, tool, definition and arguments (hex). Sent back with the answer, it must
   * still fit.
   */
  digest: string;
  /**
   * The request's own id, 32 hex digits, where the thread is kept by a saver of this package; an
   * answer may name it.
   */
  approval_id?: string;
  /** For the person, where the arguments hold what JSON cannot. */
  note?: string;
  /** Why the last answer could not be used. */
  problem?: string;
}
/**
 * What a ToolNode asks about a call that was in flight when the process died. accept runs it again,
 * response is its result, ignore tells the model that nobody knows.
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
 * accept runs the call, edit runs another one (of another tool that asks, once that was accepted),
 * response rejects it with a reason, ignore skips it.
 */
export type ToolApprovalResponse = HumanResponse & { digest?: string; approval_id?: string };
/** A decision in LangChain's form. */
export type ApprovalDecision =
  | { type: "approve" }
  | { type: "edit"; edited_action: { name: string; args: Record<string, any> } }
  | { type: "reject"; message?: string };
/**
 * All forms in which a question about tool calls may be answered: those of Agent Inbox, of
 * LangChain's interfaces (one decision for each call, in order), of AG-UI and the AI SDK, and true
 * or false.
 */
export type ApprovalAnswer =
  | ToolApprovalResponse
  | ToolApprovalResponse[]
  | { decisions: ApprovalDecision[] }
  | { approved: true; editedArgs?: Record<string, any> }
  | { approved: false; reason?: string }
  | boolean;

/** May a call run? By the arguments too. */
export type ReviewPolicy = ToolApproval;
/** Which calls `reviewToolCalls` asks about, and how. */
export interface ReviewOptions {
  /** Per tool. */
  policies?: Record<string, ReviewPolicy>;
  /** Of tools without one. Default "auto". */
  fallback?: ReviewPolicy;
  /** Default "messages". */
  messagesKey?: string;
  /** What the page may offer, and what counts as an answer; default: everything. */
  config?: Partial<HumanInterruptConfig>;
  /**
   * The tools of the agent: calls and edits are read by their schemas before anybody is asked.
   * Without them a tool whose schema changes arguments refuses what was approved.
   */
  tools?: readonly ToolLike[] | ToolNode;
  /** The text of a request. */
  describe?: (call: { name: string; args: any; id: string }) => string;
}
/** A request of reviewToolCalls; `id` is the call's. */
export interface ReviewRequest extends HumanInterrupt, ActionRequests {
  id: string;
  canonical?: string;
  digest?: string;
  approval_id?: string;
  problem?: string;
}
/**
 * A node that asks about all open tool calls of the last AI message with one interrupt, a list of
 * ReviewRequests; made to be an agent's `postModelHook`. The resume value is a list of
 * HumanResponses in that order, or an object with one by id. accept runs a call, edit changes it,
 * response and ignore answer it without running. What cannot be used is asked again.
 */
export function reviewToolCalls(
  options?: ReviewOptions,
): (state: any, config?: any) => Promise<{ [messagesKey: string]: BaseMessage[] }>;

// ---- ToolNode

type ErrorClass = new (...args: any[]) => any;
/** A function says the text, or gives the whole ToolMessage. */
export type HandleToolErrors =
  | boolean
  | string
  | ErrorClass
  | readonly ErrorClass[]
  | ((
      error: any,
      call: ToolCall,
    ) => MessageContent | ToolMessage | Promise<MessageContent | ToolMessage>);
/** One call that is about to run. */
export interface ToolCallRequest {
  toolCall: ToolCall;
  tool: ToolLike;
  state: any;
  runtime: ToolConfig;
}

/** How a ToolNode runs calls; what a tool says for itself counts first. */
export interface ToolNodeOptions {
  /** Default "func", as in LangGraph. */
  name?: string;
  /** Added to the tags of its runs. */
  tags?: string[];
  /**
   * What becomes of a failing tool or a refused call. Default true: the model is told what
   * happened. false: the node fails. A text, or a function's: what the model is told. Classes: only
   * such errors are told, others fail the node.
   */
  handleToolErrors?: HandleToolErrors;
  /**
   * Around each call: may look at it, change it, repeat it, or answer itself. Where a tool of the
   * node wants a decision it gets a copy, and a call that it passes on changed is judged, and asked
   * about, like a new one.
   */
  wrapToolCall?: (
    request: ToolCallRequest,
    handler: (request?: ToolCallRequest) => Promise<ToolMessage | Command>,
  ) => Maybe<ToolMessage | Command>;
  /** The key of the state that holds the messages. Default "messages". */
  messagesKey?: string;
  /** For tools that say nothing themselves. Default "auto". */
  approval?: ToolApproval;
  /**
   * What to do with a call that was in flight when the process died, for tools that say nothing
   * themselves. Default "ask".
   */
  onUnknown?: "ask" | "retry" | "fail";
  /** What an attempt at a call may take, in ms, for tools that say nothing themselves. */
  timeout?: number | TimeoutPolicy;
  /** Of calls of tools that say nothing themselves. */
  retryPolicy?: RetryPolicy;
}
type ToolNodeInput = BaseMessage[] | Record<string, any>;
export interface ToolNode<T = any> extends RunnableShape<any, any> {}
/** Runs the unanswered tool calls of the last AI message, all at the same time. */
export class ToolNode<T = any> {
  constructor(tools: readonly ToolLike[], options?: ToolNodeOptions);
  lc_namespace: string[];
  /** May be changed: what is called next goes by the tools that are there then. */
  tools: ToolLike[];
  /** What invoke() calls. */
  func: (input: any, config?: any) => Promise<any>;
  static isRunnable(thing: any): boolean;
  name: string;
  tags?: string[];
  handleToolErrors: HandleToolErrors;
  messagesKey: string;
  approval?: ToolApproval;
  trace: boolean;
  wrapToolCall?: ToolNodeOptions["wrapToolCall"];
  /** Runs one call that was found good; a subclass may override it. */
  runTool(call: ToolCall, config: any, state: any): Promise<ToolMessage | Command>;
  /** What invoke() does; a subclass may override it. */
  run(input: any, config?: any): Promise<any>;
  /** The call with the arguments that the host fills in (`injected` of the tool). */
  injectToolArgs(call: ToolCall, state: any, config?: any): ToolCall;
  /**
   * Given messages, the answers; given a state, an update of it. What tools' Commands and
   * handleToolErrors ask for besides is in the list then.
   */
  invoke(input: BaseMessage[], config?: any): Promise<(ToolMessage | ToolMessage[] | Command)[]>;
  invoke(input: T, config?: any): Promise<T>;
  stream(input: ToolNodeInput, config?: any): Promise<ChunkStream>;
  batch(inputs: ToolNodeInput[], config?: any, batchOptions?: BatchOptions): Promise<any[]>;
  withConfig(config: any): RunnableOf<any, any>;
}

/** "tools" when the last message has tool calls, else END. */
export function toolsCondition(
  state: readonly BaseMessage[] | { messages: readonly BaseMessage[] },
): "tools" | typeof END;
/** The same where the messages stand under another key. */
export function toolsCondition(
  state: Record<string, any>,
  messagesKey: string,
): "tools" | typeof END;

// ---- ValidationNode

/**
 * How a ValidationNode reads and answers. `name` is "validation" and `messagesKey` "messages" by
 * default.
 */
export interface ValidationNodeOptions {
  name?: string;
  tags?: string[];
  messagesKey?: string;
  /** What the model is told of a call that does not fit. */
  formatError?: (error: Error, call: ToolCall, schema: any) => string | Promise<string>;
}
export interface ValidationNode extends RunnableShape<any, any> {}
/**
 * Answers every tool call of the last message with its validated arguments, or with what is wrong;
 * runs none.
 */
export class ValidationNode {
  constructor(
    schemas: readonly (ToolLike | { name: string; schema: any } | object)[] | Record<string, any>,
    options?: ValidationNodeOptions,
  );
  lc_namespace: string[];
  name: string;
  tags?: string[];
  messagesKey: string;
  invoke(input: BaseMessage[], config?: any): Promise<ToolMessage[]>;
  invoke(input: Record<string, any>, config?: any): Promise<any>;
  stream(input: ToolNodeInput, config?: any): Promise<ChunkStream>;
  batch(inputs: ToolNodeInput[], config?: any, batchOptions?: BatchOptions): Promise<any[]>;
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
  constructor(fields: ToolExecutorArgs);
  readonly lc_runnable: true;
  lc_graph_name: string;
  tools: ToolLike[];
  toolMap: Record<string, ToolLike>;
  invalidToolMsgTemplate: string;
  getName(): string;
  _execute(invocation: ToolInvocationInterface, config?: any): Promise<any>;
  invoke(invocation: ToolInvocationInterface, config?: any): Promise<any>;
  batch(invocations: readonly ToolInvocationInterface[], config?: any): Promise<any[]>;
  pipe(next: any): RunnableInterface & { [method: string]: any };
}
/** The state of createAgentExecutor. */
export interface AgentExecutorState {
  agentOutcome?: any;
  steps: { action: any; observation: unknown }[];
  input: string;
  chatHistory?: BaseMessage[];
}
/** @deprecated use createReactAgent */
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
/** The state of createFunctionCallingExecutor. */
export type FunctionCallingExecutorState = { messages: BaseMessage[] };
/** @deprecated use createReactAgent */
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

/** A chat model by shape: this package's or LangChain's. */
export interface ModelLike {
  invoke(input: any, config?: any): Promise<any>;
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

/** What `llm` and `preModelHook` read. */
type AgentStateOf<Schema> = StateOrMessages<Schema> & { llmInputMessages: BaseMessage[] };

/**
 * What a model is told: a text or message before the conversation, or what makes its whole input of
 * the state.
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

/** What an agent is made of; `llm` and `tools` are needed. */
export interface CreateReactAgentParams<Schema = undefined, Answer = undefined, Context = any> {
  /**
   * A model, "provider:model" of a registered provider, or a function that chooses one for each
   * call and binds its tools.
   */
  llm:
    | ModelLike
    | string
    | ((
        state: AgentStateOf<Schema>,
        runtime: LangGraphRunnableConfig<any>,
      ) => Maybe<ModelLike | string>);
  /**
   * What the model may call. A ToolNode brings its own options; a ServerTool is the provider's to
   * run.
   */
  tools: ToolNode | readonly (ToolLike | ServerTool)[];
  /** Put in front of the conversation, or making what the model is called with. */
  prompt?: Prompt<StateOrMessages<Schema>, Context>;
  /** @deprecated use `prompt` */
  stateModifier?: Prompt<StateOrMessages<Schema>, Context>;
  /** @deprecated use `prompt` */
  messageModifier?:
    | string
    | SystemMessage
    | ((messages: BaseMessage[]) => Maybe<BaseMessage[]>)
    | RunnableInterface<BaseMessage[], BaseMessage[]>;
  /**
   * Must have `messages`. With the managed value `RemainingSteps` as `remainingSteps` the agent
   * answers before the recursion limit is reached.
   */
  stateSchema?: Schema;
  /** What `context` of a call must be. */
  contextSchema?: any;
  /** Keeps its threads, as in `compile()`. */
  checkpointer?: Checkpointer | boolean;
  /** The same, by LangGraph's older name. */
  checkpointSaver?: Checkpointer | boolean;
  store?: StoreLike;
  /** What each call may take. */
  limits?: import("../base/run-limits.js").Limits;
  /** Breakpoints, as in `compile()`. */
  interruptBefore?: AgentNode[] | "*";
  interruptAfter?: AgentNode[] | "*";
  /** The answer in this form, under `structuredResponse`; the model needs withStructuredOutput. */
  responseFormat?:
    | SchemaOf<Answer>
    | { schema: SchemaOf<Answer>; prompt?: string; strict?: boolean; [option: string]: unknown };
  /**
   * Runs before each call of the model. What it writes to `llmInputMessages` the model is called
   * with instead of `messages`.
   */
  preModelHook?:
    | RunnableInterface
    | ((state: AgentStateOf<Schema>, config: LangGraphRunnableConfig<any>) => any);
  /**
   * Runs after each call of the model, before its tool calls; `reviewToolCalls` is made for here.
   */
  postModelHook?:
    | RunnableInterface
    | ((state: StateOrMessages<Schema>, config: LangGraphRunnableConfig<any>) => any);
  /** Of the nodes "agent" and "tools". */
  retryPolicy?: any;
  debug?: boolean;
  /** "v1" (default): one task runs all calls; "v2": one task per call. */
  version?: "v1" | "v2";
  /** Its name among agents and in traces; its messages bear it. */
  name?: string;
  description?: string;
  /** "inline": models are told who said what inside the text. */
  includeAgentName?: "inline";
  /**
   * Fail with INVALID_CHAT_HISTORY instead of sending a conversation with unanswered calls to the
   * model.
   */
  validateHistory?: boolean;
}
/** The graph in which a model calls tools until it has its answer. */
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

/** A compiled agent with a name of its own. */
export interface NamedAgent {
  name?: string;
  description?: string;
  invoke(input: any, config?: any): Promise<any>;
}
/**
 * A tool with which an agent hands the conversation to another one of the graph around it. Calls
 * beside it are answered: with their results, or with a word that these were not kept.
 */
export function createHandoffTool(options: {
  agentName: string;
  name?: string;
  description?: string;
}): ToolLike & { [key: string]: any };
/** `messages`, and `activeAgent`: who has the conversation. */
export function createSwarmState(): AnnotationRoot<
  (typeof MessagesAnnotation)["spec"] & { activeAgent: LastValue<string> }
>;
/**
 * Agents that hand the conversation to each other by handoff tools; the next turn begins with the
 * one that has it. To be compiled.
 */
export function createSwarm(options: {
  agents: readonly NamedAgent[];
  defaultActiveAgent: string;
  stateSchema?: StateInit;
}): StateGraph<any, any, any, any, any, any>;
/** What a supervisor is made of: its agents, and all that createReactAgent takes. */
export interface CreateSupervisorParams
  extends Omit<
    CreateReactAgentParams<any, any, any>,
    "tools" | "name" | "checkpointer" | "checkpointSaver" | "store"
  > {
  /** Compiled, each with a name of its own. */
  agents: readonly NamedAgent[];
  /** Its own, beside a handoff to each agent. */
  tools?: readonly (ToolLike | ServerTool)[] | ToolNode;
  /** Default "supervisor". */
  supervisorName?: string;
  /** What of an agent's work the others see: its last message (default), or all. */
  outputMode?: "last_message" | "full_history";
  /** Tell the model that the conversation came back. Default true. */
  addHandoffBackMessages?: boolean;
}
/**
 * A supervisor that hands tasks to agents and gets the conversation back after each. To be
 * compiled.
 */
export function createSupervisor(
  options: CreateSupervisorParams,
): StateGraph<any, any, any, any, any, any>;

/** The state of an agent with a structured answer. */
export function createReactAgentAnnotation<Answer = Record<string, any>>(): AnnotationRoot<
  (typeof MessagesAnnotation)["spec"] & { structuredResponse: LastValue<Answer> }
>;
/** What an agent's state holds. */
export type AgentState<Answer = Record<string, any>> = {
  messages: BaseMessage[];
  structuredResponse: Answer;
};

/** From now on `llm: "provider:model"` is what `make` makes of the model's name. */
export function registerModelProvider(provider: string, make: (model: string) => ModelLike): void;

/** How names of agents are told to models: within the text. */
export type AgentNameMode = "inline";
/** A model that reads and writes names of agents inside the text of AI messages. */
export function withAgentName(
  model: ModelLike,
  mode: AgentNameMode,
): RunnableInterface<BaseMessage[], AIMessage>;
