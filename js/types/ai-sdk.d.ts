// SPDX-License-Identifier: MIT
// The public names of `weftgraph/ai-sdk`.

/** A chunk of the AI SDK's UI message stream. */
export interface UIChunk {
  type: string;
  [key: string]: unknown;
}
/** How a graph's stream is converted. */
export interface UIStreamOptions {
  /** The id of the UI's message that goes on. Default: the UI makes a new one. */
  messageId?: string;
  /** Ids of tool calls that a person has just refused. */
  denied?: ReadonlySet<string>;
  /** The text that the user is shown of an error. Default: "An error occurred." */
  onError?(error: unknown): string;
  /** The run's signal: a stream that it ended is reported as aborted. */
  signal?: AbortSignal;
}
/**
 * A graph's stream as the AI SDK's UI message stream: text, reasoning, tool calls with their
 * states, files, sources, data parts of what nodes write, and approval requests.
 *
 * @param stream of a graph, in the modes values, messages and custom
 * @example
 * const stream = graph.stream(input, { streamMode: ["values", "messages", "custom"] });
 * return createUIMessageStreamResponse({ stream: toUIMessageStream(stream) });
 */
export function toUIMessageStream(
  stream: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
  options?: UIStreamOptions,
): ReadableStream<any>;

/**
 * A thread as messages of the AI SDK, for a chat that is opened again: with the states of its tool
 * calls, and approvals that are open.
 *
 * @param state of a graph's thread
 * @example
 * const state = await graph.getState({ configurable: { thread_id: id } });
 * const chat = useChat({ id, messages: toUIMessages(state), transport });
 */
export function toUIMessages(state: { values: any; tasks: readonly any[] }): any[];

/** A graph as a chat. */
export interface ChatOptions {
  /** A compiled graph with a checkpointer; the chat's id is the thread's. */
  graph: {
    stream(input: any, config?: any): any;
    getState(config: any, options?: any): Promise<any>;
    getStateHistory(config: any, options?: any): any;
  };
  /** Beneath the config of each run. */
  config?: Record<string, any>;
  /**
   * The graph's input, of the user's new messages and the request's body. Default `{ messages }`.
   */
  toInput?(messages: any[], body: Record<string, unknown>): unknown;
  /** The text that the user is shown of an error. Default: "An error occurred." */
  onError?(error: unknown): string;
}
/**
 * A chat transport of the AI SDK whose other end is a graph in the same tab. A chat's id is its
 * thread's. Approvals are answered by the AI SDK's own buttons; other questions come as parts
 * `data-interrupt` and are answered by `sendMessage(undefined, { body: { resume: { [id]: answer } }
 * })`.
 *
 * @example
 * const chat = useChat({ transport: new WeftChatTransport({ graph }) });
 */
export class WeftChatTransport {
  constructor(options: ChatOptions);
  readonly resumeStreamIsReplay: boolean;
  /** Runs the graph with the chat's new messages or answers; resolves with the chunks. */
  sendMessages(request: {
    trigger?: string;
    chatId: string;
    messageId?: string;
    messages: any[];
    abortSignal?: AbortSignal;
    body?: any;
  }): Promise<ReadableStream<any>>;
  /** Joins a running or interrupted chat; null without one. */
  reconnectToStream(request: { chatId: string }): Promise<ReadableStream<any> | null>;
}
/**
 * Answers the AI SDK's DefaultChatTransport: POST runs the graph, GET …/:id/stream joins what goes
 * on (204: nothing does). What cannot be taken is refused: 409, 413, 422.
 *
 * @example
 * export default { fetch: (request: Request) => handleChat(request, { graph }) };
 */
export function handleChat(request: Request, options: ChatOptions): Promise<Response>;
