// SPDX-License-Identifier: MIT
// What the events of the streaming protocol carry, as types.

type Open = Record<string, any>;
export type AgentStatus = "started" | "running" | "completed" | "failed" | "interrupted";
/** What made a graph inside begin. */
export type LifecycleCause = { type: "toolCall"; tool_call_id: string } | { type: "send"; from_node: string } | { type: "edge"; from_node: string };
export interface LifecycleData {
  event: AgentStatus;
  graph_name?: string;
  cause?: LifecycleCause;
  error?: string;
  checkpoint?: { id: string; ns?: string };
}
export type UsageInfo = Open & {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  input_token_details?: Open & { audio?: number; cache_creation?: number; cache_read?: number };
  output_token_details?: Open & { audio?: number; reasoning?: number };
};
export type MessagesEventData = Open &
  (
    | { event: "message-start"; role: string; id: string; metadata?: any }
    | { event: "content-block-start"; index: number; content: any }
    | { event: "content-block-delta"; index: number; delta: any }
    | { event: "content-block-finish"; index: number; content: any }
    | { event: "message-finish"; usage?: UsageInfo }
    | { event: "error"; message: string; code?: string }
  );
export type ToolsEventData = Open & { tool_call_id: string } & (
    | { event: "tool-started"; tool_name: string; input?: any }
    | { event: "tool-output-delta"; delta: string }
    | { event: "tool-finished"; output: any }
    | { event: "tool-error"; message: string; code?: string }
  );
export type UpdatesEventData = Open & { node?: string; values: Record<string, any> };
export type ToolCallStatus = "running" | "finished" | "error";
/** One call of a tool as a run shows it. */
export interface ToolCallStream<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly callId: string;
  readonly input: Input;
  readonly output: Promise<Output>;
  readonly status: Promise<ToolCallStatus>;
  readonly error: Promise<string | undefined>;
}
