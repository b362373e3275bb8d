// SPDX-License-Identifier: MIT
// Declares the data of the streaming protocol's events.

type Open = Record<string, any>;
/** Status of a graph in `lifecycle` events. */
export type AgentStatus = "started" | "running" | "completed" | "failed" | "interrupted";
/** What started a subgraph. */
export type LifecycleCause =
  | { type: "toolCall"; tool_call_id: string }
  | { type: "send"; from_node: string }
  | { type: "edge"; from_node: string };
/**
 * Data of a `lifecycle` event: the start or the end of a graph; `error` is the text of a failure.
 */
export interface LifecycleData {
  event: AgentStatus;
  graph_name?: string;
  cause?: LifecycleCause;
  error?: string;
  checkpoint?: { id: string; ns?: string };
}
/** Token usage of a message, as its provider counts it. */
export type UsageInfo = Open & {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  input_token_details?: Open & { audio?: number; cache_creation?: number; cache_read?: number };
  output_token_details?: Open & { audio?: number; reasoning?: number };
};
/**
 * Data of a `messages` event: one message, block by block; `index` numbers the blocks of a message.
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
/** A complete tool call of a message. */
export interface StreamedToolCall {
  type: "tool_call";
  id?: string;
  name: string;
  args: unknown;
}
/** An addition to a block. */
export type ContentBlockDelta =
  | { type: "text-delta"; text: string }
  | { type: "reasoning-delta"; reasoning: string }
  | { type: "data-delta"; data: string; encoding?: "base64" }
  | { type: "block-delta"; fields: StreamedBlock };
/** An event of one message: its start, the growth of its blocks by `index`, and its end. */
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
/** Data of a `tools` event: one tool call, from its start to its result or error. */
export type ToolsEventData = Open & { tool_call_id: string } & (
    | { event: "tool-started"; tool_name: string; input?: any }
    | { event: "tool-output-delta"; delta: string }
    | { event: "tool-finished"; output: any }
    | { event: "tool-error"; message: string; code?: string }
  );
/** Data of an `updates` event: the writes of one node. */
export type UpdatesEventData = Open & { node?: string; values: Record<string, any> };
/** Status of a tool call. */
export type ToolCallStatus = "running" | "finished" | "error";
/** One tool call of a run. */
export interface ToolCallStream<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly callId: string;
  readonly input: Input;
  /** Result of the call; rejects when the tool failed. */
  readonly output: Promise<Output>;
  readonly status: Promise<ToolCallStatus>;
  /** Text of the failure; undefined without one. */
  readonly error: Promise<string | undefined>;
}
