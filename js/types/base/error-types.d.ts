// SPDX-License-Identifier: MIT
// The errors a user can catch.
import type { Command, Interrupt } from "./common-types.js";

/** `lc_error_code`: LangGraph's code, which its pages on errors are named after. */
export interface LangGraphErrorFields {
  lc_error_code?: string;
}

/** What Weft itself reports: `code` is stable, the text is for people. */
export class WeftError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  code: string;
}
/** What LangGraph's own errors have in common; `weftgraph` throws its own by LangGraph's names. */
export class BaseLangGraphError extends Error {
  constructor(message?: string, fields?: LangGraphErrorFields);
  lc_error_code?: string;
}
/** Errors that are messages to the run, not failures. */
export class GraphBubbleUp extends BaseLangGraphError {
  get is_bubble_up(): true;
}
/**
 * The run took as many steps as `recursionLimit` allows and was not at its end; the thread can go
 * on.
 */
export class GraphRecursionError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** A call that needs a checkpointer (`getState`, `updateState`, …), on a graph without one. */
export class GraphValueError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** A run gave way between two steps; it goes on with `null` as input. */
export class GraphDrained extends GraphBubbleUp {
  constructor(reason?: string, fields?: LangGraphErrorFields);
  /** What `requestDrain` was given. */
  reason: string;
  static get unminifiable_name(): string;
}
/** What an error handler gets. */
export class NodeError {
  constructor(node: string, error: Error);
  node: string;
  error: Error;
  static get unminifiable_name(): string;
}
/** An attempt at a node took too long; times in ms. */
export class NodeTimeoutError extends BaseLangGraphError {
  constructor(
    fields: {
      node: string;
      elapsed: number;
      kind: "run" | "idle";
      runTimeout?: number;
      idleTimeout?: number;
    },
    errorFields?: LangGraphErrorFields,
  );
  node: string;
  /** "run": the attempt as a whole; "idle": without a sign of life. */
  kind: "run" | "idle";
  timeout: number;
  /** How long it ran. */
  elapsed: number;
  runTimeout?: number;
  idleTimeout?: number;
  static get unminifiable_name(): string;
}
/** What `interrupt()` throws through a node: let it pass. `interrupts` are its questions. */
export class GraphInterrupt extends GraphBubbleUp {
  constructor(interrupts?: Interrupt[], fields?: LangGraphErrorFields);
  interrupts: Interrupt[];
  static get unminifiable_name(): string;
}
/** Thrown by a node that stops with a question; the node runs again from its top. */
export class NodeInterrupt extends GraphInterrupt {
  constructor(message: any, fields?: LangGraphErrorFields);
}
/** A Command for the graph around, on its way there; a node may throw one. */
export class ParentCommand extends GraphBubbleUp {
  constructor(command: Command);
  command: Command;
  static get unminifiable_name(): string;
}
/** What went wrong in a graph on a server. */
export class RemoteException extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** An input without a write to any channel of the graph, or an empty Command. */
export class EmptyInputError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * A resume names a question about a tool call that does not wait: by an interrupt id, or by the
 * `approval_id` of an answer. Nothing was written: those that wait can still be answered.
 */
export class UnknownInterruptError extends BaseLangGraphError {
  constructor(
    message: string,
    fields?: {
      reason?: "not_pending" | "empty_map" | "ambiguous";
      interruptIds?: string[];
      pendingIds?: string[];
    } & LangGraphErrorFields,
  );
  static get unminifiable_name(): string;
  readonly code: "UNKNOWN_INTERRUPT";
  /**
   * It names what does not wait; names nothing; is one value where several wait. The last two only
   * with `configurable.__pregel_strict_resume`.
   */
  reason: "not_pending" | "empty_map" | "ambiguous";
  /** What the resume names and does not wait. */
  interruptIds: string[];
  /** What waits. */
  pendingIds: string[];
}
/** By its name, also of another copy of the package. */
export function isUnknownInterruptError(error: unknown): error is UnknownInterruptError;
/**
 * Whether an error was thrown because an answer does not fit the `responseSchema` of its question,
 * itself or as the `cause` of another one. The question can be answered again.
 */
export function isInvalidResume(error: unknown): boolean;
/** Marks an error for `isInvalidResume`. @internal */
export function _markInvalidResume(error: unknown): void;
/** A channel was read that holds nothing. */
export class EmptyChannelError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * A write that its channel does not take: several in one step, an unknown node, a value of no use.
 */
export class InvalidUpdateError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** From `compile()`: no edge, condition or `ends` leads to a node. */
export class UnreachableNodeError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** Namespaces that graphs inside were seen in; always empty. */
export function getSubgraphsSeenSet(): Set<string>;
/** Of LangGraph's list of errors; Weft tells graphs that a node calls apart and never throws it. */
export class MultipleSubgraphsError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** `new StateGraph()` was given nothing, or a field that is no channel. */
export class StateGraphInputError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}

/**
 * Whether the value is one, of Weft or of LangGraph.js: these tests go by marks, not by classes. So
 * do all below.
 */
export function isGraphBubbleUp(error: unknown): error is GraphBubbleUp;
/** A run gave way. */
export function isGraphDrained(error: unknown): error is GraphDrained;
/** What an error handler gets. */
export function isNodeError(value: unknown): value is NodeError;
/** A node took too long. */
export function isNodeTimeoutError(error: unknown): error is NodeTimeoutError;
/** What `interrupt()` throws; NodeInterrupt too. */
export function isGraphInterrupt(error: unknown): error is GraphInterrupt;
/** A Command on its way to the graph around. */
export function isParentCommand(error: unknown): error is ParentCommand;
