// SPDX-License-Identifier: MIT
// Declares the errors that a user can catch.
import type { Command, Interrupt } from "./common-types.js";

/**
 * Fields of LangGraph's errors. `lc_error_code`: LangGraph's code, which names its page on the
 * error.
 */
export interface LangGraphErrorFields {
  lc_error_code?: string;
}

/** An error of Weft: `code` is stable, the text is for people. */
export class WeftError extends Error {
  /**
   * @param code stable name of the error: one of the list of error codes, or your own
   * @param message text for people, which may change: programs go by `code`
   * @param options the error that led to it
   * @param options.cause becomes `cause`; undefined leaves it out
   */
  constructor(code: string, message: string, options?: { cause?: unknown });
  code: string;
}
/** Base of LangGraph's errors; Weft throws its own errors under LangGraph's names. */
export class BaseLangGraphError extends Error {
  /**
   * @param message text for people; empty by default
   * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error
   *   into the text
   */
  constructor(message?: string, fields?: LangGraphErrorFields);
  lc_error_code?: string;
}
/**
 * Base of errors that signal something to the run rather than a failure.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class GraphBubbleUp extends BaseLangGraphError {
  get is_bubble_up(): true;
}
/**
 * Reports that the run reached `recursionLimit` before its end; the thread can resume.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class GraphRecursionError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Reports a call that needs a checkpointer (`getState`, `updateState`, …) on a graph without one.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 * @example
 * ```ts
 * import { Annotation, GraphValueError, START, StateGraph } from "weftgraph";
 *
 * const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge(START, "add")
 *   .compile();
 * const thread = { configurable: { thread_id: "1" } };
 * const error = await graph.getState(thread).catch((error: unknown) => error);
 * console.log(error instanceof GraphValueError);
 * ```
 * ```text
 * true
 * ```
 */
export class GraphValueError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/** Reports that a run was drained between two steps; it resumes with `null` as input. */
export class GraphDrained extends GraphBubbleUp {
  /**
   * @param reason argument of `requestDrain`; default "shutdown"
   * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error
   *   into the text
   */
  constructor(reason?: string, fields?: LangGraphErrorFields);
  /** Argument of `requestDrain`. */
  reason: string;
  static get unminifiable_name(): string;
}
/** A node's failure, as an error handler receives it. */
export class NodeError {
  /**
   * @param node where it failed, by its name in the graph
   * @param error what the node threw, after the last retry
   */
  constructor(node: string, error: Error);
  node: string;
  error: Error;
  static get unminifiable_name(): string;
}
/** Reports that an attempt at a node exceeded its timeout; times in ms. */
export class NodeTimeoutError extends BaseLangGraphError {
  /**
   * @param fields which limit was exceeded and by how much
   * @param fields.node the node by its name in the graph
   * @param fields.elapsed how long the attempt took, in ms
   * @param fields.kind "run": the whole attempt was too long; "idle": it made no progress
   * @param fields.runTimeout longest attempt in ms; required for the kind "run"
   * @param fields.idleTimeout longest time without progress in ms; required for the kind "idle"
   * @param errorFields `lc_error_code`, which also puts the address of LangGraph's page on the
   *   error into the text
   * @throws Error without the timeout of its kind
   */
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
  /** "run": the whole attempt; "idle": without a sign of life. */
  kind: "run" | "idle";
  timeout: number;
  /** Duration of the attempt. */
  elapsed: number;
  runTimeout?: number;
  idleTimeout?: number;
  static get unminifiable_name(): string;
}
/**
 * Thrown through a node by `interrupt()`: must not be caught. `interrupts` are the raised
 * interrupts.
 */
export class GraphInterrupt extends GraphBubbleUp {
  /**
   * @param interrupts what is asked; the text shows it as JSON. Default: none
   * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error
   *   into the text
   */
  constructor(interrupts?: Interrupt[], fields?: LangGraphErrorFields);
  interrupts: Interrupt[];
  static get unminifiable_name(): string;
}
/** Thrown by a node to interrupt the run; the node runs again from its start. */
export class NodeInterrupt extends GraphInterrupt {
  /**
   * @param message what the person is asked, any value; becomes the interrupt's `value`
   * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error
   *   into the text
   */
  constructor(message: any, fields?: LangGraphErrorFields);
}
/** Carries a Command to the parent graph; a node may throw one. */
export class ParentCommand extends GraphBubbleUp {
  /** @param command what the parent graph shall do: its writes and destinations are the parent's */
  constructor(command: Command);
  command: Command;
  static get unminifiable_name(): string;
}
/**
 * Reports an error of a graph on a server.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class RemoteException extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Reports an input without a write to any channel of the graph, or an empty Command.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class EmptyInputError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Reports a resume for an approval request that is not pending: by an interrupt id, or by the
 * `approval_id` of an answer. Nothing was written: pending interrupts can still be answered.
 */
export class UnknownInterruptError extends BaseLangGraphError {
  /**
   * @param message text for people, which may change: programs go by `code`
   * @param fields why: `reason` is "not_pending" by default; `interruptIds` were answered,
   *   `pendingIds` still can be
   */
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
   * The resume names an interrupt that is not pending; names none; or is a single value although
   * several are pending. The last two only with `configurable.__pregel_strict_resume`.
   */
  reason: "not_pending" | "empty_map" | "ambiguous";
  /** Ids in the resume that are not pending. */
  interruptIds: string[];
  /** Ids of the pending interrupts. */
  pendingIds: string[];
}
/**
 * Checks for the error by name, also from another copy of the package.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 */
export function isUnknownInterruptError(error: unknown): error is UnknownInterruptError;
/**
 * Checks whether an error, or its `cause`, was thrown because an answer does not fit the
 * `responseSchema` of its interrupt. The interrupt can be answered again.
 * @param error anything that was caught; its causes are followed, at most 100
 * @example
 * ```ts
 * import { _markInvalidResume, isInvalidResume } from "weftgraph";
 *
 * const error = new Error("The answer has no decision.");
 * _markInvalidResume(error);
 * console.log(isInvalidResume(error));
 * ```
 * ```text
 * true
 * ```
 */
export function isInvalidResume(error: unknown): boolean;
/**
 * Marks an error for `isInvalidResume`. @internal
 * @param error an error; other values, and objects that cannot be changed, stay as they are
 * @throws nothing
 */
export function _markInvalidResume(error: unknown): void;
/**
 * Reports that an empty channel was read.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 * @example
 * ```ts
 * import { EmptyChannelError, MultipleSubgraphsError } from "weftgraph";
 * import { LastValue } from "weftgraph/channels";
 *
 * try {
 *   new LastValue().get();
 * } catch (error) {
 *   console.log(error instanceof EmptyChannelError, error instanceof MultipleSubgraphsError);
 * }
 * ```
 * ```text
 * true false
 * ```
 */
export class EmptyChannelError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Reports a write that its channel refuses: several in one step, an unknown node, an invalid value.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class InvalidUpdateError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Thrown by `compile()`: no edge, condition or `ends` leads to a node.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 * @example
 * ```ts
 * import {
 *   Annotation,
 *   END,
 *   START,
 *   StateGraph,
 *   StateGraphInputError,
 *   UnreachableNodeError,
 * } from "weftgraph";
 *
 * const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
 *   .addNode("add", () => ({ count: 1 }))
 *   .addNode("lost", () => ({ count: 2 }))
 *   .addEdge(START, "add")
 *   .addEdge("add", END);
 * try {
 *   graph.compile();
 * } catch (error) {
 *   console.log(error instanceof UnreachableNodeError);
 * }
 * try {
 *   new StateGraph({} as any);
 * } catch (error) {
 *   console.log(error instanceof StateGraphInputError);
 * }
 * ```
 * ```text
 * true
 * true
 * ```
 */
export class UnreachableNodeError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Returns the namespaces in which subgraphs were seen; always empty.
 * @example
 * ```ts
 * import { getSubgraphsSeenSet } from "weftgraph";
 *
 * console.log(getSubgraphsSeenSet().size);
 * ```
 * ```text
 * 0
 * ```
 */
export function getSubgraphsSeenSet(): Set<string>;
/**
 * Part of LangGraph's list of errors; Weft distinguishes several subgraphs of a node and never
 * throws it.
 * @param message text for people; empty by default
 * @param fields `lc_error_code`, which also puts the address of LangGraph's page on the error into
 *   the text
 */
export class MultipleSubgraphsError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}
/**
 * Reports that `new StateGraph()` received no state, or a field that is no channel.
 * @param message ignored: the text is always the same
 * @param fields `lc_error_code`, LangGraph's code
 */
export class StateGraphInputError extends BaseLangGraphError {
  static get unminifiable_name(): string;
}

/**
 * Checks for an error of Weft or of LangGraph.js, by marks instead of classes. All checks below do
 * the same.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 * @example
 * ```ts
 * import {
 *   BaseLangGraphError,
 *   Command,
 *   GraphBubbleUp,
 *   GraphDrained,
 *   GraphInterrupt,
 *   NodeInterrupt,
 *   ParentCommand,
 *   isGraphBubbleUp,
 *   isGraphDrained,
 *   isGraphInterrupt,
 *   isParentCommand,
 * } from "weftgraph";
 *
 * const asked = new NodeInterrupt("May I?");
 * console.log(isGraphInterrupt(asked), asked instanceof GraphInterrupt, isGraphBubbleUp(asked));
 * console.log(asked instanceof GraphBubbleUp, asked instanceof BaseLangGraphError);
 * console.log(isParentCommand(new ParentCommand(new Command({ goto: "end" }))));
 * console.log(isGraphDrained(new GraphDrained("the process ends")));
 * ```
 * ```text
 * true true true
 * true true
 * true
 * true
 * ```
 */
export function isGraphBubbleUp(error: unknown): error is GraphBubbleUp;
/**
 * Checks for a GraphDrained error.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 */
export function isGraphDrained(error: unknown): error is GraphDrained;
/**
 * Checks for a NodeError, which an error handler receives.
 * @param value second argument of an error handler, or any other value
 * @example
 * ```ts
 * import {
 *   NodeError,
 *   NodeTimeoutError,
 *   UnknownInterruptError,
 *   isNodeError,
 *   isNodeTimeoutError,
 *   isUnknownInterruptError,
 * } from "weftgraph";
 *
 * console.log(isNodeError(new NodeError("search", new Error("offline"))));
 * console.log(isNodeTimeoutError(new Error("late")), isUnknownInterruptError(new Error("gone")));
 * console.log(NodeTimeoutError.name, UnknownInterruptError.name);
 * ```
 * ```text
 * true
 * false false
 * NodeTimeoutError UnknownInterruptError
 * ```
 */
export function isNodeError(value: unknown): value is NodeError;
/**
 * Checks for a NodeTimeoutError.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 */
export function isNodeTimeoutError(error: unknown): error is NodeTimeoutError;
/**
 * Checks for the error thrown by `interrupt()`, or a NodeInterrupt.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 */
export function isGraphInterrupt(error: unknown): error is GraphInterrupt;
/**
 * Checks for a ParentCommand.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 */
export function isParentCommand(error: unknown): error is ParentCommand;
