// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/server/adapter`.
import type { AgentServer } from "../server.js";

/** Options of an adapter for a server's threads. */
export interface AdapterOptions {
  /**
   * The adapter's only thread. Default: it changes threads as `useStream` requests; then
   * `useStream`'s client reads states and history.
   */
  threadId?: string;
  /** Headers of the request passed to the server's `authenticate`. */
  headers?: Record<string, string>;
}

/** The SDK's AgentServerAdapter: the `transport` of `useStream`. */
export interface LocalAdapter {
  /** Id of the thread; empty until it is known. */
  readonly threadId: string;
  /**
   * Changes the thread and ends the streams of the previous one. Absent if `threadId` was passed
   * in.
   * @param threadId id of the thread that requests are about from then on
   */
  setThreadId?(threadId: string): void;
  open(): Promise<void>;
  /**
   * Sends a command of protocol v2.
   * @param command `{ id, method, params }`, `run.start` or `subscription.subscribe` for example; a
   *   refused one resolves with an answer of the type "error"
   */
  send(command: any): Promise<any>;
  /** Returns the events that `subscription.subscribe` requested. */
  events(): AsyncIterable<any>;
  /**
   * Returns the thread's events, from the first one kept, followed by new ones.
   * @param params those of `subscription.subscribe`: `channels`, `namespaces`, `depth` and `since`;
   *   if they are refused `ready` rejects and `events` throws
   */
  openEventStream(params: any): { events: AsyncIterable<any>; ready: Promise<void>; close(): void };
  close(): Promise<void>;
  /**
   * Returns the thread's state; null without the thread. Only present if `threadId` was passed in.
   */
  getState?(): Promise<any>;
  /**
   * Returns the thread's states, the newest first. Only present if `threadId` was passed in.
   * @param options which states
   * @param options.limit most states; default 10
   */
  getHistory?(options?: { limit?: number }): Promise<any[]>;
}

/**
 * Makes an adapter for a thread of a server in the same program, without requests in between.
 *
 * @param server that answers
 * @param options the thread
 * @returns for the option `transport` of `useStream`
 * @throws BAD_ARGUMENT for an invalid server
 * @example
 * ```ts part
 * const transport = createAdapter(server, { threadId: "anna" });
 * const thread = useStream({ assistantId: "agent", threadId: "anna", transport });
 * ```
 */
export function createAdapter(server: AgentServer, options?: AdapterOptions): LocalAdapter;
