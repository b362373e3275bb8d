// SPDX-License-Identifier: MIT
// Messages in LangChain's shape, without LangChain. Instances of @langchain/core are accepted
// wherever a message is, and its models accept these.

/** Text in a message's content. */
export interface TextBlock {
  type: "text";
  text: string;
  [key: string]: unknown;
}
/** A picture in a message's content: an address or a data URL, in OpenAI's form. */
export interface ImageBlock {
  type: "image_url";
  image_url: string | { url: string; detail?: string };
  [key: string]: unknown;
}
/** A part of a message's content; blocks of other types are kept as they are. */
export type ContentBlock = TextBlock | ImageBlock | { type: string; [key: string]: unknown };
/** A text, or several blocks. */
export type MessageContent = string | ContentBlock[];
/** LangChain's word for who speaks. */
export type MessageType =
  | "human"
  | "ai"
  | "system"
  | "tool"
  | "function"
  | "generic"
  | "remove"
  | (string & {});

/** A call of a tool that a model asked for; `id` is what its ToolMessage answers to. */
export interface ToolCall<
  Name extends string = string,
  Args extends Record<string, any> = Record<string, any>,
> {
  name: Name;
  args: Args;
  id?: string;
  type?: "tool_call";
}
/** A call whose arguments could not be read; `args` is the model's text, unchanged. */
export interface InvalidToolCall {
  name?: string;
  args?: string;
  id?: string;
  error?: string;
  type?: "invalid_tool_call";
}
/**
 * A piece of a call as it streams: `args` is a part of the JSON text, `index` tells calls apart.
 */
export interface ToolCallChunk {
  name?: string;
  args?: string;
  id?: string;
  index?: number | string;
  type?: "tool_call_chunk";
}
/** Tokens that an answer took. */
export interface UsageMetadata {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_token_details?: Record<string, number>;
  output_token_details?: Record<string, number>;
}

/** What every message may be made of; `content` or `contentBlocks` is given. */
export interface BaseMessageFields {
  content?: MessageContent;
  contentBlocks?: ContentBlock[];
  id?: string;
  name?: string;
  /** What the provider sent besides. */
  additional_kwargs?: Record<string, any>;
  /** What the provider said of the answer: its model, why it ended. */
  response_metadata?: Record<string, any>;
}
/** What an AIMessage may be made of besides. */
export interface AIMessageFields extends BaseMessageFields {
  tool_calls?: ToolCall[];
  invalid_tool_calls?: InvalidToolCall[];
  usage_metadata?: UsageMetadata;
}
/** What an AIMessageChunk may be made of besides. */
export interface AIMessageChunkFields extends AIMessageFields {
  tool_call_chunks?: ToolCallChunk[];
}
/** What a ToolMessage is made of; `status` "error" tells the model that the call failed. */
export interface ToolMessageFields extends BaseMessageFields {
  /** The call that is answered. */
  tool_call_id: string;
  status?: "success" | "error";
  /** Kept beside the content; the model is not shown it. */
  artifact?: any;
  metadata?: Record<string, unknown>;
}
/** What a ChatMessage is made of. */
export interface ChatMessageFields extends BaseMessageFields {
  role: string;
}
/** A message as LangChain's `toJSON()` writes it. */
export interface SerializedMessage {
  lc: 1;
  type: "constructor";
  id: string[];
  kwargs: Record<string, any>;
}

/** What all messages have. Made only through its subclasses. */
export abstract class BaseMessage {
  constructor(fields: MessageContent | BaseMessageFields);
  readonly type: MessageType;
  content: MessageContent;
  id?: string;
  name?: string;
  additional_kwargs: Record<string, any>;
  response_metadata: Record<string, any>;
  getType(): MessageType;
  /** @deprecated use `type` */
  _getType(): MessageType;
  /** The text of the message, without its other blocks. */
  get text(): string;
  /** Content as a list of blocks; tool calls come last. */
  get contentBlocks(): ContentBlock[];
  lc_serializable: boolean;
  lc_namespace: string[];
  get lc_id(): string[];
  /** What the message was made from. */
  lc_kwargs: Record<string, any>;
  get lc_aliases(): Record<string, string>;
  get lc_secrets(): Record<string, string> | undefined;
  _updateId(id: string | undefined): void;
  /**
   * For people: a heading, the calls of tools, the text. Any format but "pretty" gives the
   * message's JSON.
   */
  toFormattedString(format?: "pretty"): string;
  /** As plain data: LangChain's older form. */
  toDict(): { type: string; data: Record<string, any> };
  /** As plain data: LangChain's form, which `coerceMessageLikeToMessage` reads. */
  toJSON(): { lc: number; type: string; id: string[]; kwargs?: any };
  static lc_name(): string;
  static isInstance(value: unknown): value is BaseMessage;
}
/** A piece of a message; `concat` joins it with the next. */
export abstract class BaseMessageChunk extends BaseMessage {
  /** The two pieces as one; neither is changed. */
  abstract concat(chunk: BaseMessageChunk): BaseMessageChunk;
  static isInstance(value: unknown): value is BaseMessageChunk;
}

/** What a person said. */
export class HumanMessage extends BaseMessage {
  readonly type: "human";
  static isInstance(value: unknown): value is HumanMessage;
}
/** A piece of a HumanMessage. */
export class HumanMessageChunk extends BaseMessageChunk {
  readonly type: "human";
  concat(chunk: HumanMessageChunk): HumanMessageChunk;
  static isInstance(value: unknown): value is HumanMessageChunk;
}
/** What the model is told by its program. */
export class SystemMessage extends BaseMessage {
  readonly type: "system";
  concat(other: string | SystemMessage): SystemMessage;
  static isInstance(value: unknown): value is SystemMessage;
}
/** A piece of a SystemMessage. */
export class SystemMessageChunk extends BaseMessageChunk {
  readonly type: "system";
  concat(chunk: SystemMessageChunk): SystemMessageChunk;
  static isInstance(value: unknown): value is SystemMessageChunk;
}
/** What a model answered: text, and calls of tools. */
export class AIMessage extends BaseMessage {
  constructor(fields: MessageContent | AIMessageFields);
  readonly type: "ai";
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
  usage_metadata?: UsageMetadata;
  static isInstance(value: unknown): value is AIMessage;
}
/** A piece of it, as it streams. */
export class AIMessageChunk extends BaseMessageChunk {
  constructor(fields: MessageContent | AIMessageChunkFields);
  readonly type: "ai";
  /** What the pieces amount to so far; cut arguments are completed, for display only. */
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
  tool_call_chunks: ToolCallChunk[];
  usage_metadata?: UsageMetadata;
  concat(chunk: AIMessageChunk): AIMessageChunk;
  static isInstance(value: unknown): value is AIMessageChunk;
}
/** What a tool answered to the call `tool_call_id`; `artifact` is not shown to the model. */
export class ToolMessage extends BaseMessage {
  constructor(fields: ToolMessageFields);
  constructor(content: MessageContent, toolCallId: string, name?: string);
  readonly type: "tool";
  tool_call_id: string;
  status?: "success" | "error";
  artifact?: any;
  metadata?: Record<string, unknown>;
  lc_direct_tool_output: true;
  static isInstance(value: unknown): value is ToolMessage;
}
/** A piece of a ToolMessage. */
export class ToolMessageChunk extends BaseMessageChunk {
  constructor(fields: ToolMessageFields);
  readonly type: "tool";
  tool_call_id: string;
  status?: "success" | "error";
  artifact?: any;
  concat(chunk: ToolMessageChunk): ToolMessageChunk;
  static isInstance(value: unknown): value is ToolMessageChunk;
}
/** What a function answered, in the older form. */
export class FunctionMessage extends BaseMessage {
  constructor(fields: MessageContent | BaseMessageFields, name?: string);
  readonly type: "function";
  static isInstance(value: unknown): value is FunctionMessage;
}
/** A piece of a FunctionMessage. */
export class FunctionMessageChunk extends BaseMessageChunk {
  readonly type: "function";
  concat(chunk: FunctionMessageChunk): FunctionMessageChunk;
  static isInstance(value: unknown): value is FunctionMessageChunk;
}
/** Of a speaker that has no class: `role`. */
export class ChatMessage extends BaseMessage {
  constructor(fields: ChatMessageFields);
  constructor(content: MessageContent, role: string);
  readonly type: "generic";
  role: string;
  static isInstance(value: unknown): value is ChatMessage;
}
/** A piece of a ChatMessage; pieces of one role are joined. */
export class ChatMessageChunk extends BaseMessageChunk {
  constructor(fields: ChatMessageFields);
  constructor(content: MessageContent, role: string);
  readonly type: "generic";
  role: string;
  concat(chunk: ChatMessageChunk): ChatMessageChunk;
  static isInstance(value: unknown): value is ChatMessageChunk;
}
/** Tells a messages channel to drop the message of this id. */
export class RemoveMessage extends BaseMessage {
  constructor(fields: BaseMessageFields & { id: string });
  readonly type: "remove";
  static isInstance(value: unknown): value is RemoveMessage;
}
/** As the id of a RemoveMessage: drop everything before it. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

/** All forms in which a message may be written. */
export type BaseMessageLike =
  | BaseMessage
  | string
  | [role: string, content: MessageContent]
  | ({ role: string; content: MessageContent | null } & Record<string, unknown>)
  | ({ type: string } & Record<string, unknown>)
  | SerializedMessage;

/** The value is in none of the forms of a message. */
export class MessageCoercionError extends Error {
  constructor(received: unknown);
  lc_error_code: "MESSAGE_COERCION_FAILURE";
}
/** A message from any of its written forms; throws MessageCoercionError. */
export function coerceMessageLikeToMessage(like: BaseMessageLike): BaseMessage;

/** The type of a message of any package, undefined for other values. */
export function messageType(value: unknown): MessageType | undefined;
/** The text of a message's content, without its other blocks. */
export function textOf(content: MessageContent): string;
/**
 * Whether the value is a message, of Weft or of LangChain: these tests go by type, not by class. So
 * do all below.
 */
export function isBaseMessage(value: unknown): value is BaseMessage;
/** A piece of a message of any kind. */
export function isBaseMessageChunk(value: unknown): value is BaseMessageChunk;
/** What a person said; pieces too. */
export function isHumanMessage(value: unknown): value is HumanMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isHumanMessageChunk(value: unknown): value is HumanMessageChunk;
/** What the model is told by its program; pieces too. */
export function isSystemMessage(value: unknown): value is SystemMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isSystemMessageChunk(value: unknown): value is SystemMessageChunk;
/** A model's answer; pieces too. */
export function isAIMessage(value: unknown): value is AIMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isAIMessageChunk(value: unknown): value is AIMessageChunk;
/** A tool's answer; pieces too. */
export function isToolMessage(value: unknown): value is ToolMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isToolMessageChunk(value: unknown): value is ToolMessageChunk;
/** A function's answer; pieces too. */
export function isFunctionMessage(value: unknown): value is FunctionMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isFunctionMessageChunk(value: unknown): value is FunctionMessageChunk;
/** Of a speaker by `role`; pieces too. */
export function isChatMessage(value: unknown): value is ChatMessage;
/** By type alone, as in LangChain: a whole message passes too. */
export function isChatMessageChunk(value: unknown): value is ChatMessageChunk;
/** The removal of a message. */
export function isRemoveMessage(value: unknown): value is RemoveMessage;
/** Whether a ToolNode takes the value as it is for its answer: a ToolMessage or a Command. */
export function isDirectToolOutput(value: unknown): boolean;
/** Whether the value is a list of tool calls in OpenAI's form. */
export function isOpenAIToolCallArray(value: unknown): boolean;

/** The content of two pieces as one. */
export function mergeContent(first: MessageContent, second: MessageContent): MessageContent;
/** The calls that pieces amount to; cut arguments are completed, what cannot be read is invalid. */
export function collapseToolCallChunks(chunks: ToolCallChunk[]): {
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
};

/** A message as plain data. Nested values are shared with the message. */
export type MessageRecord = [kind: string, fields: Record<string, any>];
/** Stored data hold a message of a kind this package does not know. */
export class UnknownMessageError extends Error {
  constructor(kind: unknown);
  code: "UNKNOWN_MESSAGE";
  kind: unknown;
}
/** What messageFromRecord makes the message of again. */
export function messageToRecord(message: BaseMessage): MessageRecord;
/** The message of a record; throws UnknownMessageError. */
export function messageFromRecord(record: MessageRecord): BaseMessage;
