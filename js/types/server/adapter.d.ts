// SPDX-License-Identifier: MIT
// The public names of `weftgraph/server/adapter`.
import type { AgentServer } from "../server.js";

/** How a thread of a server is reached. */
export interface AdapterOptions {
  /**
   * The one thread of the adapter. Default: it goes from thread to thread, as `useStream` says;
   * states and history are then read by `useStream`'s client.
   */
  threadId?: string;
  /** Headers of the request that the server's `authenticate` looks at. */
  headers?: Record<string, string>;
}

/** The SDK's AgentServerAdapter: what `useStream` takes as `transport`. */
export interface LocalAdapter {
  /** Empty while no thread is known. */
  readonly threadId: string;
  /** Goes to another thread: streams of the one before end. Not where `threadId` was given. */
  setThreadId?(threadId: string): void;
  open(): Promise<void>;
  /** Sends a command of protocol v2. */
  send(command: any): Promise<any>;
  /** Events that `subscription.subscribe` was sent for. */
  events(): AsyncIterable<any>;
  /** Events of the thread, from its first kept one on, and then what comes. */
  openEventStream(params: any): { events: AsyncIterable<any>; ready: Promise<void>; close(): void };
  close(): Promise<void>;
  /** The thread's state; null: there is no such thread. Where `threadId` was given. */
  getState?(): Promise<any>;
  /** States of the thread, the newest first. Where `threadId` was given. */
  getHistory?(options?: { limit?: number }): Promise<any[]>;
}

/**
 * Reaches a thread of a server in the same program, without requests between them.
 *
 * @throws BAD_ARGUMENT for what is no server
 * @example
 * const transport = createAdapter(server, { threadId: "anna" });
 * const thread = useStream({ assistantId: "agent", threadId: "anna", transport });
 */
export function createAdapter(server: AgentServer, options?: AdapterOptions): LocalAdapter;
