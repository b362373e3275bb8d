// SPDX-License-Identifier: MIT
// Declares messages in LangChain's format, without LangChain. Instances of @langchain/core are
// accepted wherever a message is, and its models accept these.

/** Text in a message's content. */
export interface TextBlock {
  type: "text";
  text: string;
  [key: string]: unknown;
}
/** A picture in a message's content: a URL or a data URL, in OpenAI's format. */
export interface ImageBlock {
  type: "image_url";
  image_url: string | { url: string; detail?: string };
  [key: string]: unknown;
}
/** A part of a message's content; blocks of other types are kept unchanged. */
export type ContentBlock = TextBlock | ImageBlock | { type: string; [key: string]: unknown };
/** A text, or several blocks. */
export type MessageContent = string | ContentBlock[];
/** LangChain's name of a message's author. */
export type MessageType =
  | "human"
  | "ai"
  | "system"
  | "tool"
  | "function"
  | "generic"
  | "remove"
  | (string & {});

/** A tool call requested by a model; its ToolMessage refers to the `id`. */
export interface ToolCall<
  Name extends string = string,
  Args extends Record<string, any> = Record<string, any>,
> {
  name: Name;
  args: Args;
  id?: string;
  type?: "tool_call";
  /** What the service needs back with the call, unchanged: a signature, an item's id. */
  extras?: Record<string, any>;
}
/** A call with unreadable arguments; `args` is the model's text, unchanged. */
export interface InvalidToolCall {
  name?: string;
  args?: string;
  id?: string;
  error?: string;
  type?: "invalid_tool_call";
  extras?: Record<string, any>;
}
/**
 * A part of a call while it streams: `args` is a part of the JSON text, `index` distinguishes
 * calls.
 */
export interface ToolCallChunk {
  name?: string;
  args?: string;
  id?: string;
  index?: number | string;
  type?: "tool_call_chunk";
  extras?: Record<string, any>;
}
/** Token usage of an answer. */
export interface UsageMetadata {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_token_details?: Record<string, number>;
  output_token_details?: Record<string, number>;
}

/** Fields of every message; requires `content` or `contentBlocks`. */
export interface BaseMessageFields {
  content?: MessageContent;
  contentBlocks?: ContentBlock[];
  id?: string;
  name?: string;
  /** Other data from the provider. */
  additional_kwargs?: Record<string, any>;
  /** Provider's data on the answer: its model, its finish reason. */
  response_metadata?: Record<string, any>;
}
/** Additional fields of an AIMessage. */
export interface AIMessageFields extends BaseMessageFields {
  tool_calls?: ToolCall[];
  invalid_tool_calls?: InvalidToolCall[];
  usage_metadata?: UsageMetadata;
}
/** Additional fields of an AIMessageChunk. */
export interface AIMessageChunkFields extends AIMessageFields {
  tool_call_chunks?: ToolCallChunk[];
}
/** Fields of a ToolMessage; `status` "error" tells the model that the call failed. */
export interface ToolMessageFields extends BaseMessageFields {
  /** Id of the answered call. */
  tool_call_id: string;
  status?: "success" | "error";
  /** Data stored beside the content; the model does not receive it. */
  artifact?: any;
  metadata?: Record<string, unknown>;
}
/** Fields of a ChatMessage. */
export interface ChatMessageFields extends BaseMessageFields {
  role: string;
}
/** A message in the format of LangChain's `toJSON()`. */
export interface SerializedMessage {
  lc: 1;
  type: "constructor";
  id: string[];
  kwargs: Record<string, any>;
}

/** Base of all messages; only subclasses are created. */
export abstract class BaseMessage {
  /**
   * @param fields the content, or an object with `content` and what else the message has (`id`,
   *   `name` …)
   * @throws TypeError for what is neither content nor an object
   */
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
  /** Text of the message, without its other blocks. */
  get text(): string;
  /**
   * Content as a list of blocks; calls that are not among them come last. Where an adapter of a
   * model is used, what a service wrote in its own form is in LangChain's standard form.
   */
  get contentBlocks(): ContentBlock[];
  lc_serializable: boolean;
  lc_namespace: string[];
  get lc_id(): string[];
  /** Fields that the message was created from. */
  lc_kwargs: Record<string, any>;
  get lc_aliases(): Record<string, string>;
  get lc_secrets(): Record<string, string> | undefined;
  _updateId(id: string | undefined): void;
  /**
   * Formats the message for people: a heading, the tool calls, the text. Any format but "pretty"
   * returns the message's JSON.
   * @param format "pretty" by default
   */
  toFormattedString(format?: "pretty"): string;
  /** Returns plain data in LangChain's older format. */
  toDict(): { type: string; data: Record<string, any> };
  /** Returns plain data in LangChain's format, which `coerceMessageLikeToMessage` reads. */
  toJSON(): { lc: number; type: string; id: string[]; kwargs?: any };
  static lc_name(): string;
  /**
   * @param value any value; a message of LangChain or of another copy of the package counts too, a
   *   plain object does not
   */
  static isInstance(value: unknown): value is BaseMessage;
}
/**
 * A part of a message; `concat` joins it with the next one.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 * @example
 * ```ts
 * import {
 *   AIMessageChunk,
 *   BaseMessageChunk,
 *   HumanMessageChunk,
 *   SystemMessageChunk,
 *   ToolMessageChunk,
 * } from "weftgraph";
 *
 * const whole = new AIMessageChunk("Hel").concat(new AIMessageChunk("lo"));
 * console.log(whole.content, BaseMessageChunk.isInstance(whole));
 * console.log(new HumanMessageChunk("Hi").concat(new HumanMessageChunk("!")).content);
 * console.log(new SystemMessageChunk("Be ").concat(new SystemMessageChunk("short.")).content);
 * const part = (content: string) => new ToolMessageChunk({ content, tool_call_id: "1" });
 * console.log(part("4 ").concat(part("°C")).content);
 * ```
 * ```text
 * Hello true
 * Hi!
 * Be short.
 * 4 °C
 * ```
 */
export abstract class BaseMessageChunk extends BaseMessage {
  /**
   * Joins two parts into a new one; neither is changed.
   * @param chunk the next part: its text and tool calls are appended, its usage is added; `id` and
   *   `name` are those of the first part that has them
   * @throws BAD_ARGUMENT for what is no object
   */
  abstract concat(chunk: BaseMessageChunk): BaseMessageChunk;
  static isInstance(value: unknown): value is BaseMessageChunk;
}

/**
 * A person's message.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 */
export class HumanMessage extends BaseMessage {
  readonly type: "human";
  static isInstance(value: unknown): value is HumanMessage;
}
/**
 * A part of a HumanMessage.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 */
export class HumanMessageChunk extends BaseMessageChunk {
  readonly type: "human";
  concat(chunk: HumanMessageChunk): HumanMessageChunk;
  static isInstance(value: unknown): value is HumanMessageChunk;
}
/**
 * An instruction of the program to the model.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 * @example
 * ```ts
 * import { SystemMessage } from "weftgraph";
 *
 * console.log(new SystemMessage("Be short.").concat(" Be kind.").content);
 * ```
 * ```text
 * Be short. Be kind.
 * ```
 */
export class SystemMessage extends BaseMessage {
  readonly type: "system";
  /**
   * @param other text, or message whose text or blocks are appended
   * @throws BAD_ARGUMENT for what is no text and no object
   */
  concat(other: string | SystemMessage): SystemMessage;
  static isInstance(value: unknown): value is SystemMessage;
}
/**
 * A part of a SystemMessage.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 */
export class SystemMessageChunk extends BaseMessageChunk {
  readonly type: "system";
  concat(chunk: SystemMessageChunk): SystemMessageChunk;
  static isInstance(value: unknown): value is SystemMessageChunk;
}
/** A model's answer: text and tool calls. */
export class AIMessage extends BaseMessage {
  /**
   * @param fields the content, or an object with `content` and what else the message has (`id`,
   *   `name` …); calls of tools in OpenAI's form (`additional_kwargs.tool_calls`) are read
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: MessageContent | AIMessageFields);
  readonly type: "ai";
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
  usage_metadata?: UsageMetadata;
  static isInstance(value: unknown): value is AIMessage;
}
/** A part of an AIMessage while it streams. */
export class AIMessageChunk extends BaseMessageChunk {
  /**
   * @param fields the content, or an object; `tool_call_chunks` are read as far as they have come
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: MessageContent | AIMessageChunkFields);
  readonly type: "ai";
  /** Tool calls from the parts so far; incomplete arguments are completed, for display only. */
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
  tool_call_chunks: ToolCallChunk[];
  usage_metadata?: UsageMetadata;
  concat(chunk: AIMessageChunk): AIMessageChunk;
  static isInstance(value: unknown): value is AIMessageChunk;
}
/** A tool's answer to the call `tool_call_id`; the model does not receive `artifact`. */
export class ToolMessage extends BaseMessage {
  /**
   * @param fields an object with `content` and `tool_call_id`; `status` is "error" for a call that
   *   failed
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: ToolMessageFields);
  /**
   * @param content text, or a list of blocks (text, image, file …)
   * @param toolCallId id of the model's call that it answers
   * @param name tool that was called
   */
  constructor(content: MessageContent, toolCallId: string, name?: string);
  readonly type: "tool";
  tool_call_id: string;
  status?: "success" | "error";
  artifact?: any;
  metadata?: Record<string, unknown>;
  lc_direct_tool_output: true;
  static isInstance(value: unknown): value is ToolMessage;
}
/** A part of a ToolMessage. */
export class ToolMessageChunk extends BaseMessageChunk {
  /**
   * @param fields an object with `content` and `tool_call_id`
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: ToolMessageFields);
  readonly type: "tool";
  tool_call_id: string;
  status?: "success" | "error";
  artifact?: any;
  concat(chunk: ToolMessageChunk): ToolMessageChunk;
  static isInstance(value: unknown): value is ToolMessageChunk;
}
/** A function's answer, in the older format. */
export class FunctionMessage extends BaseMessage {
  /**
   * @param fields the content, or an object with `content` and what else the message has (`id`,
   *   `name` …)
   * @param name function that was called; default: `name` of the fields
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: MessageContent | BaseMessageFields, name?: string);
  readonly type: "function";
  static isInstance(value: unknown): value is FunctionMessage;
}
/**
 * A part of a FunctionMessage.
 * @param fields the content, or an object with `content` and what else the message has (`id`,
 *   `name` …)
 * @throws TypeError for what is neither content nor an object
 */
export class FunctionMessageChunk extends BaseMessageChunk {
  readonly type: "function";
  concat(chunk: FunctionMessageChunk): FunctionMessageChunk;
  static isInstance(value: unknown): value is FunctionMessageChunk;
}
/**
 * A message of any other author: `role`.
 * @example
 * ```ts
 * import { ChatMessage, ChatMessageChunk, FunctionMessage, FunctionMessageChunk } from "weftgraph";
 *
 * console.log(new ChatMessage("Hello", "editor").role, new FunctionMessage("3", "add").name);
 * const said = new ChatMessageChunk("Hel", "editor").concat(new ChatMessageChunk("lo", "editor"));
 * console.log(said.content, new FunctionMessageChunk("3").getType());
 * ```
 * ```text
 * editor add
 * Hello function
 * ```
 */
export class ChatMessage extends BaseMessage {
  /**
   * @param fields an object with `role` and `content`
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: ChatMessageFields);
  /**
   * @param content text, or a list of blocks (text, image, file …)
   * @param role who wrote it: a name of your own, "editor" for example
   */
  constructor(content: MessageContent, role: string);
  readonly type: "generic";
  role: string;
  static isInstance(value: unknown): value is ChatMessage;
}
/** A part of a ChatMessage; only parts of one role are joined. */
export class ChatMessageChunk extends BaseMessageChunk {
  /**
   * @param fields an object with `role` and `content`
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: ChatMessageFields);
  /**
   * @param content text, or a list of blocks (text, image, file …)
   * @param role who writes it; only parts of one role are joined
   */
  constructor(content: MessageContent, role: string);
  readonly type: "generic";
  role: string;
  concat(chunk: ChatMessageChunk): ChatMessageChunk;
  static isInstance(value: unknown): value is ChatMessageChunk;
}
/** Tells a messages channel to remove the message with this id. */
export class RemoveMessage extends BaseMessage {
  /**
   * @param fields `id` of the message to remove; REMOVE_ALL_MESSAGES removes all
   * @throws TypeError for what is neither content nor an object
   */
  constructor(fields: BaseMessageFields & { id: string });
  readonly type: "remove";
  static isInstance(value: unknown): value is RemoveMessage;
}
/** Id of a RemoveMessage that removes all messages before it. */
export const REMOVE_ALL_MESSAGES = "__remove_all__";

/** All input forms of a message. */
export type BaseMessageLike =
  | BaseMessage
  | string
  | [role: string, content: MessageContent]
  | ({ role: string; content: MessageContent | null } & Record<string, unknown>)
  | ({ type: string } & Record<string, unknown>)
  | SerializedMessage;

/**
 * Reports a value in none of the forms of a message.
 * @example
 * ```ts
 * import {
 *   MessageCoercionError,
 *   UnknownMessageError,
 *   coerceMessageLikeToMessage,
 * } from "weftgraph";
 *
 * try {
 *   coerceMessageLikeToMessage({ content: "Hi" } as any);
 * } catch (error) {
 *   if (error instanceof MessageCoercionError) console.log(error.lc_error_code);
 * }
 * console.log(new UnknownMessageError("letter").code);
 * ```
 * ```text
 * MESSAGE_COERCION_FAILURE
 * UNKNOWN_MESSAGE
 * ```
 */
export class MessageCoercionError extends Error {
  /** @param received value that was to be a message; the text shows it as JSON */
  constructor(received: unknown);
  lc_error_code: "MESSAGE_COERCION_FAILURE";
}
/**
 * Converts any input form to a message; throws MessageCoercionError.
 * @param like a message, its fields, a pair of role and text, or a text
 * @returns a new message; one that is a message already is returned as it is
 * @throws MessageCoercionError for a value in none of the forms of a message
 */
export function coerceMessageLikeToMessage(like: BaseMessageLike): BaseMessage;

/**
 * Returns the type of a message of any package, undefined for other values.
 * @param value any value; plain objects like `{ role, content }` are no messages yet
 * @throws nothing
 */
export function messageType(value: unknown): MessageType | undefined;
/**
 * Returns the text of a message's content, without its other blocks.
 * @param content content of a message; for anything but a text or a list the result is ""
 * @throws nothing
 */
export function textOf(content: MessageContent): string;
/**
 * Checks for a message of Weft or of LangChain, by type instead of class. All checks below do the
 * same.
 * @param value any value; texts and objects that only can be made messages give false
 * @example
 * ```ts
 * import {
 *   AIMessage,
 *   ChatMessage,
 *   FunctionMessage,
 *   HumanMessage,
 *   RemoveMessage,
 *   SystemMessage,
 *   isBaseMessage,
 *   isChatMessage,
 *   isFunctionMessage,
 *   isHumanMessage,
 *   isRemoveMessage,
 *   isSystemMessage,
 * } from "weftgraph";
 *
 * console.log(isBaseMessage(new AIMessage("Hello")), isBaseMessage({ role: "user" }));
 * console.log(isHumanMessage(new HumanMessage("Hi")), isSystemMessage(new SystemMessage("Hi")));
 * console.log(isChatMessage(new ChatMessage("Hi", "editor")));
 * console.log(isFunctionMessage(new FunctionMessage("3", "add")));
 * console.log(isRemoveMessage(new RemoveMessage({ id: "1" })));
 * ```
 * ```text
 * true false
 * true true
 * true
 * true
 * true
 * ```
 */
export function isBaseMessage(value: unknown): value is BaseMessage;
/**
 * Checks for a part of a message of any kind.
 * @param value any value; whole messages give false
 * @example
 * ```ts
 * import {
 *   AIMessageChunk,
 *   ChatMessageChunk,
 *   FunctionMessageChunk,
 *   HumanMessageChunk,
 *   SystemMessageChunk,
 *   ToolMessageChunk,
 *   isBaseMessageChunk,
 *   isChatMessageChunk,
 *   isFunctionMessageChunk,
 *   isHumanMessageChunk,
 *   isSystemMessageChunk,
 *   isToolMessageChunk,
 * } from "weftgraph";
 *
 * console.log(isBaseMessageChunk(new AIMessageChunk("Hel")));
 * console.log(isHumanMessageChunk(new HumanMessageChunk("Hi")));
 * console.log(isSystemMessageChunk(new SystemMessageChunk("Be")));
 * console.log(isChatMessageChunk(new ChatMessageChunk("Hi", "editor")));
 * console.log(isFunctionMessageChunk(new FunctionMessageChunk("3")));
 * console.log(isToolMessageChunk(new ToolMessageChunk({ content: "3", tool_call_id: "1" })));
 * ```
 * ```text
 * true
 * true
 * true
 * true
 * true
 * true
 * ```
 */
export function isBaseMessageChunk(value: unknown): value is BaseMessageChunk;
/**
 * Checks for a person's message or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isHumanMessage(value: unknown): value is HumanMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isHumanMessageChunk(value: unknown): value is HumanMessageChunk;
/**
 * Checks for a system message or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isSystemMessage(value: unknown): value is SystemMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isSystemMessageChunk(value: unknown): value is SystemMessageChunk;
/**
 * Checks for a model's answer or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isAIMessage(value: unknown): value is AIMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isAIMessageChunk(value: unknown): value is AIMessageChunk;
/**
 * Checks for a tool's answer or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isToolMessage(value: unknown): value is ToolMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isToolMessageChunk(value: unknown): value is ToolMessageChunk;
/**
 * Checks for a function's answer or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isFunctionMessage(value: unknown): value is FunctionMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isFunctionMessageChunk(value: unknown): value is FunctionMessageChunk;
/**
 * Checks for a message with a `role`, or a part of one.
 * @param value any value; messages of LangChain pass too, and parts of a stream
 */
export function isChatMessage(value: unknown): value is ChatMessage;
/**
 * Checks the type only, as in LangChain: a whole message passes too.
 * @param value any value; to tell a part from a whole message use `isBaseMessageChunk`
 */
export function isChatMessageChunk(value: unknown): value is ChatMessageChunk;
/**
 * Checks for a RemoveMessage.
 * @param value any value; messages of LangChain pass too
 */
export function isRemoveMessage(value: unknown): value is RemoveMessage;
/**
 * Checks whether a ToolNode returns the value unchanged as its answer: a ToolMessage or a Command.
 * @param value what a tool returned
 * @example
 * ```ts
 * import { Command, ToolMessage, isDirectToolOutput } from "weftgraph";
 *
 * console.log(isDirectToolOutput(new ToolMessage({ content: "3", tool_call_id: "1" })));
 * console.log(isDirectToolOutput(new Command({ goto: "end" })), isDirectToolOutput("3"));
 * ```
 * ```text
 * true
 * true false
 * ```
 */
export function isDirectToolOutput(value: unknown): boolean;
/**
 * Checks for a list of tool calls in OpenAI's format.
 * @param value any value; an empty list passes
 * @example
 * ```ts
 * import { isOpenAIToolCallArray } from "weftgraph";
 *
 * const call = { id: "1", type: "function", function: { name: "add", arguments: "{}" } };
 * console.log(isOpenAIToolCallArray([call]), isOpenAIToolCallArray([{ name: "add", args: {} }]));
 * ```
 * ```text
 * true false
 * ```
 */
export function isOpenAIToolCallArray(value: unknown): boolean;

/**
 * Joins the content of two parts.
 * @param first content so far; undefined gives `second`
 * @param second content that follows; blocks with the `index` of one in `first` are joined with it
 * @returns a text if there are only texts, else a list of blocks
 * @throws BAD_ARGUMENT for what is neither a text nor a list of blocks nor undefined
 * @throws TypeError if blocks of one `index` have a field of different types
 * @example
 * ```ts
 * import { mergeContent, textOf } from "weftgraph";
 *
 * const content = mergeContent("Hel", [{ type: "text", text: "lo" }]);
 * console.log(content, textOf(content));
 * ```
 * ```text
 * [ { type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' } ] Hello
 * ```
 */
export function mergeContent(first: MessageContent, second: MessageContent): MessageContent;
/**
 * Joins parts into tool calls; incomplete arguments are completed, unreadable ones become invalid
 * calls.
 * @param chunks parts of one message in their order; those with one `index`, else one `id`, are one
 *   call
 * @returns calls with an id and readable arguments, and those without; both in the order of their
 *   first parts
 * @throws BAD_ARGUMENT if chunks is no list of objects
 * @example
 * ```ts
 * import { collapseToolCallChunks } from "weftgraph";
 *
 * const { tool_calls } = collapseToolCallChunks([
 *   { name: "add", args: '{"a":', id: "1", index: 0, type: "tool_call_chunk" },
 *   { args: "1}", index: 0, type: "tool_call_chunk" },
 * ]);
 * console.log(tool_calls);
 * ```
 * ```text
 * [ { name: 'add', args: { a: 1 }, id: '1', type: 'tool_call' } ]
 * ```
 */
export function collapseToolCallChunks(chunks: ToolCallChunk[]): {
  tool_calls: ToolCall[];
  invalid_tool_calls: InvalidToolCall[];
};

/**
 * Counts tokens of a list of messages.
 * @param messages whose tokens are added up
 */
export type TokenCounter = (messages: BaseMessage[]) => number | Promise<number>;
/** A type of messages, or a class. */
export type MessageKind = MessageType | (abstract new (...args: any[]) => BaseMessage);
/** Options of trimMessages. */
export interface TrimMessagesOptions {
  maxTokens: number;
  /** Counts the tokens of messages; a model with `getNumTokens` is asked for each content. */
  tokenCounter: TokenCounter | { getNumTokens(content: any): number | Promise<number> };
  /** Which messages remain. Default "last". */
  strategy?: "first" | "last";
  /** Whether a part of a message may remain: some of its blocks, or of its lines. */
  allowPartial?: boolean;
  /** The first of the remaining messages is of this kind. Only with "last". */
  startOn?: MessageKind | MessageKind[];
  /** The last of the remaining messages is of this kind. */
  endOn?: MessageKind | MessageKind[];
  /** Whether a system message at the beginning remains. Only with "last". */
  includeSystem?: boolean;
  /**
   * Splits a text for `allowPartial`. Default: after each line.
   * @param text of a message; the parts that remain are joined without a separator
   */
  textSplitter?:
    | ((text: string) => string[] | Promise<string[]>)
    | { splitText(text: string): Promise<string[]> };
  /**
   * Whether results without their call, and answers whose calls have lost a result, are dropped
   * too: services refuse them.
   */
  keepToolPairs?: boolean;
}
/**
 * Returns the messages that remain within `maxTokens`.
 * @param messages in any form; without them a Runnable is made
 * @param options how many tokens, and what is kept
 * @throws BAD_ARGUMENT for options of another form
 */
export function trimMessages(
  messages: BaseMessageLike[],
  options: TrimMessagesOptions,
): Promise<BaseMessage[]>;
/** Returns a Runnable that does so. */
export function trimMessages(options: TrimMessagesOptions): {
  readonly lc_runnable: true;
  invoke(messages: BaseMessageLike[]): Promise<BaseMessage[]>;
};
/**
 * Estimates the tokens of messages, and of tools, by their characters.
 * @param messages that are counted
 * @param options `{ tools }`, or the list of tools as in LangChain
 * @returns a whole number: characters of texts, calls and tools, divided by 4; pictures do not
 *   count
 * @throws BAD_ARGUMENT if messages is no list
 */
export function countTokensApproximately(
  messages: BaseMessage[],
  options?: { tools?: readonly object[] } | readonly object[] | null,
): number;

/** A message as plain data. Nested values are shared with the message. */
export type MessageRecord = [kind: string, fields: Record<string, any>];
/** Reports stored data of a message kind that this package does not know. */
export class UnknownMessageError extends Error {
  /** @param kind what the data names as the kind; any value, shown as JSON */
  constructor(kind: unknown);
  code: "UNKNOWN_MESSAGE";
  kind: unknown;
}
/**
 * Converts a message to a record for messageFromRecord.
 * @param message message of Weft or of LangChain; values in it are not copied
 * @returns kind and fields, which are JSON if the values in the message are
 * @throws UnknownMessageError for what is no message of a known kind
 * @example
 * ```ts
 * import { HumanMessage, messageFromRecord, messageToRecord, messageType } from "weftgraph";
 *
 * const record = messageToRecord(new HumanMessage("Hi"));
 * const message = messageFromRecord(JSON.parse(JSON.stringify(record)));
 * console.log(messageType(message), message.content);
 * ```
 * ```text
 * human Hi
 * ```
 */
export function messageToRecord(message: BaseMessage): MessageRecord;
/**
 * Restores the message of a record; throws UnknownMessageError.
 * @param record a kind and the message's fields, also after JSON
 * @returns a new message of the record's class, with its fields
 * @throws UnknownMessageError for a kind that this package does not know
 */
export function messageFromRecord(record: MessageRecord): BaseMessage;
