// SPDX-License-Identifier: MIT
// Agents and the nodes they are made of; names and shapes as in LangGraph's `prebuilt`.
import type { AIMessage, BaseMessage, BaseMessageLike, SystemMessage, ToolCall, ToolMessage } from "../messages/index.js";
import type { Checkpointer, CompiledStateGraph, RunnableLike } from "../graph/graph.js";
import type { AnnotationRoot, LastValue, MessagesAnnotation, StateInit, StateOf, UpdateOfState, Messages } from "../graph/state.js";
import type { Command, END, LangGraphRunnableConfig, StoreLike } from "../pregel/words.js";
import type { ToolApproval } from "../tools/index.js";

type Maybe<Value> = Value | Promise<Value>;

/** A tool by shape: ours or LangChain's. */
export interface ToolLike { name: string; description?: string; schema?: any; returnDirect?: boolean; approval?: ToolApproval; invoke(input: any, config?: any): any }
/** A tool that the provider runs: told to the model, never run here. */
export type ServerTool = Record<string, unknown>;

// ---- people in the loop

export interface HumanInterruptConfig { allow_ignore: boolean; allow_respond: boolean; allow_edit: boolean; allow_accept: boolean }
export interface ActionRequest { action: string; args: Record<string, any> }
export interface HumanInterrupt { action_request: ActionRequest; config: HumanInterruptConfig; description?: string }
export type HumanResponse = { type: "accept" | "ignore" | "response" | "edit"; args: null | string | ActionRequest };
/** What a ToolNode asks for a tool with `approval: "ask"`; the resume value is a HumanResponse. */
export interface ToolApprovalRequest extends HumanInterrupt {
  tool_call_id: string;
  /** The arguments as they would run, byte for byte. */
  canonical: string;
  /** SHA-256 over call, tool, definition and arguments (hex). Sent back with the answer, it must still fit. */
  digest: string;
  /** Why the last answer could not be used. */
  problem?: string;
}
/** accept runs the call, edit runs another one, response rejects it with a reason, ignore skips it. */
export type ToolApprovalResponse = HumanResponse & { digest?: string };

// ---- ToolNode

export interface ToolNodeOptions {
  /** Default "func", as in LangGraph. */
  name?: string;
  tags?: string[];
  /** false: a failing tool or a refused call fails the node. Default true: the model is told. */
  handleToolErrors?: boolean;
  /** The key of the state that holds the messages. Default "messages". */
  messagesKey?: string;
  /** For tools that say nothing themselves. Default "auto". */
  approval?: ToolApproval;
}
type ToolNodeInput = BaseMessage[] | Record<string, any>;
/** Runs the unanswered tool calls of the last AI message, all at the same time. */
export class ToolNode {
  constructor(tools: readonly ToolLike[], options?: ToolNodeOptions);
  readonly lc_runnable: true;
  readonly tools: readonly ToolLike[];
  name: string;
  tags?: string[];
  handleToolErrors: boolean;
  messagesKey: string;
  approval?: ToolApproval;
  getName(): string;
  invoke(input: BaseMessage[], config?: any): Promise<(ToolMessage | ToolMessage[] | Command)[]>;
  invoke(input: Record<string, any>, config?: any): Promise<any>;
  batch(inputs: readonly ToolNodeInput[], config?: any): Promise<any[]>;
  pipe<Next = any>(next: RunnableLike<any, Next> | ((output: any, config?: any) => Maybe<Next>)): RunnableLike<ToolNodeInput, Next> & { [method: string]: any };
}

/** "tools" when the last message has tool calls, else END. */
export function toolsCondition(state: readonly BaseMessage[] | { messages: readonly BaseMessage[] }): "tools" | typeof END;

// ---- ValidationNode

export interface ValidationNodeOptions {
  name?: string;
  tags?: string[];
  messagesKey?: string;
  /** What the model is told of a call that does not fit. */
  formatError?: (error: Error, call: ToolCall, schema: any) => string;
}
/** Answers every tool call of the last message with its validated arguments, or with what is wrong; runs none. */
export class ValidationNode {
  constructor(schemas: readonly (ToolLike | { name: string; schema: any } | object)[] | Record<string, any>, options?: ValidationNodeOptions);
  readonly lc_runnable: true;
  name: string;
  tags?: string[];
  messagesKey: string;
  getName(): string;
  invoke(input: BaseMessage[], config?: any): Promise<ToolMessage[]>;
  invoke(input: Record<string, any>, config?: any): Promise<any>;
  batch(inputs: readonly ToolNodeInput[], config?: any): Promise<any[]>;
  pipe<Next = any>(next: RunnableLike<any, Next> | ((output: any, config?: any) => Maybe<Next>)): RunnableLike<ToolNodeInput, Next> & { [method: string]: any };
}

// ---- createReactAgent

/** A chat model by shape: this package's or LangChain's. */
export interface ModelLike { invoke(input: any, config?: any): Promise<any>; bindTools?(tools: any, options?: any): any }

type StateOrMessages<Schema> = [Schema] extends [undefined] ? { messages: BaseMessage[] } : StateOf<Schema>;
type UpdateOrMessages<Schema> = [Schema] extends [undefined] ? { messages?: Messages } : UpdateOfState<Schema>;
type WithAnswer<State, Answer> = [Answer] extends [undefined] ? State : State & { structuredResponse: Answer };

export type Prompt<State = any, Context = any> =
  | string
  | SystemMessage
  | ((state: State, config: LangGraphRunnableConfig<Context>) => Maybe<BaseMessageLike[]>)
  | RunnableLike<State, BaseMessageLike[]>;
type SchemaOf<Answer> = { parse(value: unknown): Answer } | { readonly "~standard": { readonly types?: { readonly output: Answer } | undefined } } | Record<string, any>;
type AgentNode = "agent" | "tools" | "pre_model_hook" | "post_model_hook" | "generate_structured_response";

export interface CreateReactAgentParams<Schema = undefined, Answer = undefined, Context = any> {
  /** A model, or a function that chooses one for each call. */
  llm: ModelLike | ((state: StateOrMessages<Schema>, runtime: LangGraphRunnableConfig<Context>) => Maybe<ModelLike>);
  tools: ToolNode | readonly (ToolLike | ServerTool)[];
  /** Put in front of the conversation, or making what the model is called with. */
  prompt?: Prompt<StateOrMessages<Schema>, Context>;
  /** @deprecated use `prompt` */
  stateModifier?: Prompt<StateOrMessages<Schema>, Context>;
  /** @deprecated use `prompt` */
  messageModifier?: string | SystemMessage | ((messages: BaseMessage[]) => Maybe<BaseMessage[]>) | RunnableLike<BaseMessage[], BaseMessage[]>;
  /** Must have `messages`. With `remainingSteps` the agent answers before the recursion limit is reached. */
  stateSchema?: Schema;
  contextSchema?: any;
  checkpointer?: Checkpointer | boolean;
  checkpointSaver?: Checkpointer | boolean;
  store?: StoreLike;
  interruptBefore?: AgentNode[] | "*";
  interruptAfter?: AgentNode[] | "*";
  /** The answer in this form, under `structuredResponse`; the model needs withStructuredOutput. */
  responseFormat?: SchemaOf<Answer> | { schema: SchemaOf<Answer>; prompt?: string; strict?: boolean; [option: string]: unknown };
  preModelHook?: RunnableLike | ((state: StateOrMessages<Schema>, config: LangGraphRunnableConfig<Context>) => any);
  postModelHook?: RunnableLike | ((state: StateOrMessages<Schema>, config: LangGraphRunnableConfig<Context>) => any);
  /** "v1" (default): one task runs all calls; "v2": one task per call. */
  version?: "v1" | "v2";
  name?: string;
  description?: string;
  /** "inline": models are told who said what inside the text. */
  includeAgentName?: "inline";
  /** Fail with INVALID_CHAT_HISTORY instead of sending a conversation with unanswered calls to the model. */
  validateHistory?: boolean;
}
/** The graph in which a model calls tools until it has its answer. */
export function createReactAgent<Schema extends StateInit | undefined = undefined, Answer = undefined, Context = any>(
  params: CreateReactAgentParams<Schema, Answer, Context>,
): CompiledStateGraph<
  WithAnswer<StateOrMessages<Schema>, Answer>,
  UpdateOrMessages<Schema>,
  "__start__" | "agent" | "tools",
  UpdateOrMessages<Schema>,
  WithAnswer<StateOrMessages<Schema>, Answer>,
  Context
>;

/** The state of an agent with a structured answer. */
export function createReactAgentAnnotation<Answer = Record<string, any>>(): AnnotationRoot<
  (typeof MessagesAnnotation)["spec"] & { structuredResponse: LastValue<Answer> }
>;
export type AgentState<Answer = Record<string, any>> = { messages: BaseMessage[]; structuredResponse: Answer };

export type AgentNameMode = "inline";
/** A model that reads and writes names of agents inside the text of AI messages. */
export function withAgentName(model: ModelLike, mode: AgentNameMode): RunnableLike<BaseMessage[], AIMessage>;
