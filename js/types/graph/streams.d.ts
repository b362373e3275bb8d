// SPDX-License-Identifier: MIT
// Declares the streams of a graph: modes, chunks, events. Does not depend on builders.
import type { StateMessage as BaseMessage } from "../messages/core.js";
import type {
  CheckpointMetadata,
  Interrupt,
  PregelTaskDescription,
  START,
} from "../base/common-types.js";
import type { CorePatch, IsAny } from "../runnable/core.js";
import type { ChunkStream } from "../runnable/types.js";

// Exports only the declarations marked so.
export {};

/**
 * Content of a stream: the state after each step (`values`), the writes of each node (`updates`),
 * messages token by token (`messages`), chunks written by nodes (`custom`), tool calls (`tools`),
 * tasks as they begin and end (`tasks`), checkpoints as they are made (`checkpoints`), or the last
 * two with their steps (`debug`).
 */
export type StreamMode =
  | "values"
  | "updates"
  | "messages"
  | "custom"
  | "tasks"
  | "checkpoints"
  | "debug"
  | "tools";

/** A task of the mode `tasks`, before it runs. */
export interface TaskStart<Nodes extends string = string> {
  id: string;
  name: Nodes;
  input: any;
  triggers: string[];
  interrupts: Interrupt[];
  metadata?: Record<string, any>;
}
/**
 * A task of the mode `tasks`, after it has ended. Several writes of one key: `{ $writes: [...] }`.
 */
export interface TaskEnd<Nodes extends string = string> {
  id: string;
  name: Nodes;
  result: Record<string, any>;
  interrupts: Interrupt[];
}
/**
 * A checkpoint in the stream; configs have the names of LangGraph's Python side (`recursion_limit`,
 * `run_name`).
 */
export interface StreamedCheckpoint<State = any, Nodes extends string = string> {
  config: Record<string, any>;
  values: State;
  metadata: CheckpointMetadata;
  next: (Nodes | typeof START)[];
  tasks: PregelTaskDescription[];
  parentConfig?: Record<string, any>;
}
/** Payload of the mode `updates`: return values by node. */
type UpdatesOf<NodeReturnType, Nodes, Updates> =
  NodeReturnType extends Record<string, unknown>
    ? { [Key in keyof NodeReturnType]?: NodeReturnType[Key] }
    : Record<Nodes extends string ? Nodes : string, Updates>;
interface StreamPayloads<Updates, Values, Nodes, NodeReturnType, Custom> {
  values: Values;
  updates: UpdatesOf<NodeReturnType, Nodes, Updates>;
  messages: [message: BaseMessage, metadata: Record<string, any>];
  custom: Custom;
  tasks: TaskStart | TaskEnd;
  checkpoints: StreamedCheckpoint<Values>;
  /** A step, a time, a `type` and its `payload`, as in the modes `tasks` and `checkpoints`. */
  debug: Record<string, any>;
  tools: ToolChunk;
}
type ManyModes<Mode> = undefined extends Mode
  ? never
  : Mode extends readonly (infer One extends StreamMode)[]
    ? One
    : StreamMode | StreamMode[] extends Mode
      ? StreamMode
      : never;
/**
 * Chunks of a stream: the payload for one mode, [mode, payload] for a list of modes, preceded by
 * the namespace with `subgraphs`.
 */
export type StreamOutputMap<
  Mode,
  Subgraphs extends boolean,
  Updates,
  Values,
  Nodes,
  NodeReturnType,
  Custom,
  Encoding = undefined,
> = [Encoding] extends ["text/event-stream"]
  ? Uint8Array
  : [ManyModes<Mode>] extends [never]
    ? (undefined extends Mode ? "updates" : Mode) extends infer Single extends StreamMode
      ? [Subgraphs] extends [true]
        ? {
            [Key in Single]: [
              string[],
              StreamPayloads<Updates, Values, Nodes, NodeReturnType, Custom>[Key],
            ];
          }[Single]
        : StreamPayloads<Updates, Values, Nodes, NodeReturnType, Custom>[Single]
      : never
    : [Subgraphs] extends [true]
      ? {
          [Key in ManyModes<Mode>]: [
            string[],
            Key,
            StreamPayloads<Updates, Values, Nodes, NodeReturnType, Custom>[Key],
          ];
        }[ManyModes<Mode>]
      : {
          [Key in ManyModes<Mode>]: [
            Key,
            StreamPayloads<Updates, Values, Nodes, NodeReturnType, Custom>[Key],
          ];
        }[ManyModes<Mode>];

/** Payload of the mode `tools`: an event of a tool below a node. */
export type ToolChunk = { toolCallId?: string; name: string } & (
  | { event: "on_tool_start"; input: unknown }
  | { event: "on_tool_event"; data: unknown }
  | { event: "on_tool_end"; output: unknown }
  | { event: "on_tool_error"; error: unknown }
);

/**
 * A ReadableStream that is its own async iterator. A reader that leaves before the end (`break`,
 * `return`, `cancel`) stops the run.
 */
export type IterableReadableStream<Chunk> = ChunkStream<Chunk> & {
  /** Aborted when its reader leaves before the end, and by `cancel`. */
  readonly signal: AbortSignal;
};

/** LangChain's event of version 1 or 2. */
export interface StreamEvent {
  /**
   * `on_[chain|chat_model|llm|tool|retriever]_[start|stream|end]`, `on_tool_error`,
   * `on_custom_event`
   */
  event: string;
  name: string;
  run_id: string;
  tags?: string[];
  metadata: Record<string, any>;
  data: { input?: any; output?: any; chunk?: any; [key: string]: any };
}
/** Filters the runs of an event stream. */
export interface EventFilter {
  includeNames?: string[];
  includeTypes?: string[];
  includeTags?: string[];
  excludeNames?: string[];
  excludeTypes?: string[];
  excludeTags?: string[];
}
/** Operations (JSON Patch) on a record of all runs. */
export type RunLogPatch = IsAny<CorePatch> extends true ? OwnPatch : CorePatch;
/** A RunLogPatch without @langchain/core. */
export interface OwnPatch {
  ops: { op: string; path: string; value: any }[];
  /** @param other the next patch; its operations follow this one's */
  concat(other: RunLogPatch): OwnPatch & { state: any };
}
