// SPDX-License-Identifier: MIT
// The errors a user can catch.
import type { Command, Interrupt } from "./words.js";

export interface LangGraphErrorFields { lc_error_code?: string }

/** What Weft itself reports: `code` is stable, the text is for people. */
export class WeftError extends Error {
  constructor(code: string, message: string, options?: { cause?: unknown });
  code: string;
}
export class BaseLangGraphError extends Error {
  constructor(message?: string, fields?: LangGraphErrorFields);
  lc_error_code?: string;
}
/** Errors that are messages to the run, not failures. */
export class GraphBubbleUp extends BaseLangGraphError {
  get is_bubble_up(): true;
}
export class GraphRecursionError extends BaseLangGraphError { static get unminifiable_name(): string }
export class GraphValueError extends BaseLangGraphError { static get unminifiable_name(): string }
/** A run gave way between two steps; it goes on with `null` as input. */
export class GraphDrained extends GraphBubbleUp {
  constructor(reason?: string, fields?: LangGraphErrorFields);
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
  constructor(fields: { node: string; elapsed: number; kind: "run" | "idle"; runTimeout?: number; idleTimeout?: number }, errorFields?: LangGraphErrorFields);
  node: string;
  kind: "run" | "idle";
  timeout: number;
  elapsed: number;
  runTimeout?: number;
  idleTimeout?: number;
  static get unminifiable_name(): string;
}
export class GraphInterrupt extends GraphBubbleUp {
  constructor(interrupts?: Interrupt[], fields?: LangGraphErrorFields);
  interrupts: Interrupt[];
  static get unminifiable_name(): string;
}
export class NodeInterrupt extends GraphInterrupt { constructor(message: any, fields?: LangGraphErrorFields) }
export class ParentCommand extends GraphBubbleUp {
  constructor(command: Command);
  command: Command;
  static get unminifiable_name(): string;
}
/** What went wrong in a graph on a server. */
export class RemoteException extends BaseLangGraphError { static get unminifiable_name(): string }
export class EmptyInputError extends BaseLangGraphError { static get unminifiable_name(): string }
export class EmptyChannelError extends BaseLangGraphError { static get unminifiable_name(): string }
export class InvalidUpdateError extends BaseLangGraphError { static get unminifiable_name(): string }
export class UnreachableNodeError extends BaseLangGraphError { static get unminifiable_name(): string }
/** Namespaces that graphs inside were seen in; always empty. */
export function getSubgraphsSeenSet(): Set<string>;
export class MultipleSubgraphsError extends BaseLangGraphError { static get unminifiable_name(): string }
export class StateGraphInputError extends BaseLangGraphError { static get unminifiable_name(): string }

export function isGraphBubbleUp(error: unknown): error is GraphBubbleUp;
export function isGraphDrained(error: unknown): error is GraphDrained;
export function isNodeError(value: unknown): value is NodeError;
export function isNodeTimeoutError(error: unknown): error is NodeTimeoutError;
export function isGraphInterrupt(error: unknown): error is GraphInterrupt;
export function isParentCommand(error: unknown): error is ParentCommand;
