// SPDX-License-Identifier: MIT
// What the events of the streaming protocol carry, as types.

type Open = Record<string, any>;
/** What becomes of a graph, as `lifecycle` events say it. */
export type AgentStatus = "started" | "running" | "completed" | "failed" | "interrupted";
/** What made a graph inside begin. */
export type LifecycleCause =
  | { type: "toolCall"; tool_call_id: string }
  | { type: "send"; from_node: string }
  | { type: "edge"; from_node: string };
/**
 * The data of a `lifecycle` event: a graph began, or how it ended; `error` is the text of a
 * failure.
 */
export interface LifecycleData {
  event: AgentStatus;
  graph_name?: string;
  cause?: LifecycleCause;
  error?: string;
  checkpoint?: { id: string; ns?: string };
}
/** Tokens that a message took, as its provider counts them. */
export type UsageInfo = Open & {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  input_token_details?: Open & { audio?: number; cache_creation?: number; cache_read?: number };
  output_token_details?: Open & { audio?: number; reasoning?: number };
};
/**
 * The data of a `messages` event: one message, block by block; the blocks of a message are numbered
 * by `index`.
 */
export type MessagesEventData = Open &
  (
    | { event: "message-start"; role: string; id: string; metadata?: any }
    | { event: "content-block-start"; index: number; content: any }
    | { event: "content-block-delta"; index: number; delta: any }
    | { event: "content-block-finish"; index: number; content: any }
    | { event: "message-finish"; usage?: UsageInfo }
    | { event: "error"; message: string; code?: string }
  );
/**
 * A block of a message: `{ type: "text", text }`, `{ type: "reasoning", reasoning }`, `{ type:
 * "tool_call", id, name, args }` and others.
 */
export type StreamedBlock = Open & { type: string };
/** A call of a tool that a message holds, once it is whole. */
export interface StreamedToolCall {
  type: "tool_call";
  id?: string;
  name: string;
  args: unknown;
}
/** What a piece adds to its block. */
export type ContentBlockDelta =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; reasoning: string }
  | { type: "data-delta"; data: string; encoding?: "base64" }
  | { type: "block-delta"; fields: StreamedBlock };
/** An event of one message: it starts, its blocks grow, by `index`, and it ends. */
export type ChatModelStreamEvent =
  | { event: "message-start"; id?: string; usage?: UsageInfo }
  | { event: "content-block-start"; index: number; content: StreamedBlock }
  | { event: "content-block-delta"; index: number; delta: ContentBlockDelta }
  | { event: "content-block-finish"; index: number; content: StreamedBlock }
  | { event: "usage"; usage: UsageInfo }
  | { event: "provider"; provider: string; name: string; payload: unknown }
  | {
      event: "message-finish";
      reason?: "stop" | "length" | "tool_use" | "content_filter";
      usage?: UsageInfo;
      responseMetadata?: Record<string, unknown>;
    }
  | { event: "error"; message: string; code?: string };
/** The data of a `tools` event: one call of a tool, from its start to its result or error. */
export type ToolsEventData = Open & { tool_call_id: string } & (
    | { event: "tool-started"; tool_name: string; input?: any }
    | { event: "tool-output-delta"; delta: string }
    | { event: "tool-finished"; output: any }
    | { event: "tool-error"; message: string; code?: string }
  );
/** The data of an `updates` event: what one node wrote. */
export type UpdatesEventData = Open & { node?: string; values: Record<string, any> };
/** How far a call of a tool is. */
export type ToolCallStatus = "running" | "finished" | "error";
/** One call of a tool as a run shows it. */
export interface ToolCallStream<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly callId: string;
  readonly input: Input;
  /** Rejects when the tool failed. */
  readonly output: Promise<Output>;
  readonly status: Promise<ToolCallStatus>;
  /** The text of the failure; undefined when there was none. */
  readonly error: Promise<string | undefined>;
}
