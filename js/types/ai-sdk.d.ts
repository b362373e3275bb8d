// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/ai-sdk`.

/** A chunk of the AI SDK's UI message stream. */
export interface UIChunk {
  type: string;
  [key: string]: unknown;
}
/** Options of converting a graph's stream. */
export interface UIStreamOptions {
  /** Id of the UI's message to continue. Default: the UI makes a new one. */
  messageId?: string;
  /** Ids of tool calls that a person has just refused. */
  denied?: ReadonlySet<string>;
  /**
   * Returns the text about an error for the user. Default: "An error occurred."
   * @param error what the stream failed with; not called for an abort
   */
  onError?(error: unknown): string;
  /** The run's signal: a stream that it aborted is reported as aborted. */
  signal?: AbortSignal;
}
/**
 * Converts a graph's stream to the AI SDK's UI message stream: text, reasoning, tool calls with
 * their states, files, sources, data parts of the nodes' chunks, and approval requests.
 *
 * @param stream result of a graph, in the modes values, messages and custom
 * @param options id of the message to continue, calls that were just refused, texts of errors, the
 *   run's signal
 * @returns chunks, for `createUIMessageStreamResponse`; the stream itself does not fail, unless
 *   `onError` does
 * @throws TypeError if options is null; a failure of the graph is a chunk `error`, or `abort` if
 *   the run was aborted
 * @example
 * ```ts
 * import { MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { toUIMessageStream } from "weftgraph/ai-sdk";
 *
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile();
 * const stream = graph.stream(
 *   { messages: "Hi" },
 *   { streamMode: ["values", "messages", "custom"] },
 * );
 * for await (const chunk of toUIMessageStream(stream)) console.log(chunk.type);
 * ```
 * ```text
 * start
 * start-step
 * text-start
 * text-delta
 * text-end
 * finish-step
 * finish
 * ```
 */
export function toUIMessageStream(
  stream: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
  options?: UIStreamOptions,
): ReadableStream<any>;

/**
 * Converts a thread to messages of the AI SDK, for reopening a chat: with the states of its tool
 * calls and pending approval requests.
 *
 * @param state result of `getState()`
 * @param state.values the state; without a list `messages` the result has only pending requests
 * @param state.tasks the next tasks; an interrupt of them is an approval request or a part
 *   `data-interrupt`
 * @returns messages for the option `messages` of `useChat`; a turn of the graph is one of the
 *   assistant; a call of an earlier turn that has no outcome is over, in the state `output-error`
 * @throws TypeError for what is no state of a thread
 * @example
 * ```ts
 * import { MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { toUIMessages } from "weftgraph/ai-sdk";
 *
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile({ checkpointer: new MemorySaver() });
 * const thread = { configurable: { thread_id: "anna" } };
 * await graph.invoke({ messages: "Hi" }, thread);
 * for (const { role, parts } of toUIMessages(await graph.getState(thread)))
 *   console.log(role, parts.length);
 * ```
 * ```text
 * user 1
 * assistant 2
 * ```
 */
export function toUIMessages(state: { values: any; tasks: readonly any[] }): any[];

/** Options of a graph as a chat. */
export interface ChatOptions {
  /** A compiled graph with a checkpointer; the chat's id is the thread's. */
  graph: {
    stream(input: any, config?: any): any;
    getState(config: any, options?: any): Promise<any>;
    getStateHistory(config: any, options?: any): any;
  };
  /** Config that each run's config overrides. */
  config?: Record<string, any>;
  /**
   * Makes the graph's input from the user's new messages and the request's body. Default `{
   * messages }`.
   * @param messages the user's new messages as `{ role: "user", content, id? }`
   * @param body the request's body without `id`, `messages`, `trigger` and `messageId`
   */
  toInput?(messages: any[], body: Record<string, unknown>): unknown;
  /**
   * Returns the text about an error for the user. Default: "An error occurred."
   * @param error what the run failed with; not called for an abort
   */
  onError?(error: unknown): string;
}
/**
 * Implements a chat transport of the AI SDK with a graph in the same tab. A chat's id is its
 * thread's. Approval requests use the AI SDK's own buttons; other interrupts are parts
 * `data-interrupt`, answered by `sendMessage(undefined, { body: { resume: { [id]: answer } } })`.
 * @example
 * ```ts part
 * const chat = useChat({ transport: new WeftChatTransport({ graph }) });
 * ```
 */
export class WeftChatTransport {
  /**
   * @param options the graph, and how a chat becomes its input
   * @throws BAD_ARGUMENT without a compiled graph
   */
  constructor(options: ChatOptions);
  readonly resumeStreamIsReplay: boolean;
  /**
   * Runs the graph with the chat's new messages or answers; resolves with the chunks.
   * @param request what `useChat` passes
   * @param request.trigger "submit-message", or "regenerate-message": the last message of the
   *   person is answered anew
   * @param request.chatId is the id of the thread
   * @param request.messageId the person's message that was edited: the run begins before it.
   *   Ignored with "regenerate-message"
   * @param request.messages the whole chat; only what the thread does not have is its input
   * @param request.abortSignal stops the run
   * @param request.body `resume` answers interrupts by id; the whole goes to `toInput`
   */
  sendMessages(request: {
    trigger?: string;
    chatId: string;
    messageId?: string;
    messages: any[];
    abortSignal?: AbortSignal;
    body?: any;
  }): Promise<ReadableStream<any>>;
  /**
   * Joins a running or interrupted chat from the beginning of its turn; null without one.
   * @param request what `useChat` passes
   * @param request.chatId is the id of the thread
   */
  reconnectToStream(request: { chatId: string }): Promise<ReadableStream<any> | null>;
}
/** Options of a graph as a chat behind an address. */
export interface HandleChatOptions extends ChatOptions {
  /**
   * What happens to a run when its connection ends. "continue" lets GET …/:id/stream join it in the
   * same process; DELETE …/:id/stream stops it. Default "stop".
   */
  onDisconnect?: "stop" | "continue";
  /**
   * Receives the promise of each run, for runtimes that stop after a response.
   * @param work resolves when the run has ended
   */
  waitUntil?(work: Promise<void>): void;
  /** Maximum bytes of a request body (413): a client sends the whole chat. Default 10 MB. */
  maxBodyBytes?: number;
}
/**
 * Answers the AI SDK's DefaultChatTransport: POST runs the graph, GET …/:id/stream joins a running
 * or interrupted one from the beginning of its turn (204 without one), DELETE of the same stops it.
 * Refuses invalid requests with 405, 409, 413 or 422.
 * @param request of a chat's transport
 * @param options the graph, limits, and what happens when a client leaves
 * @returns the response; a failure of the graph is a part of its stream
 * @throws BAD_ARGUMENT for wrong options; what a client sent wrong is an answer
 * @example
 * ```ts
 * import { MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { handleChat } from "weftgraph/ai-sdk";
 *
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile({ checkpointer: new MemorySaver() });
 * const messages = [{ id: "u1", role: "user", parts: [{ type: "text", text: "Hi" }] }];
 * const body = JSON.stringify({ id: "anna", trigger: "submit-message", messages });
 * const request = new Request("http://weft.local/chat", { method: "POST", body });
 * const response = await handleChat(request, { graph });
 * console.log((await response.text()).includes('"delta":"Hello"'));
 * ```
 * ```text
 * true
 * ```
 */
export function handleChat(request: Request, options: HandleChatOptions): Promise<Response>;
