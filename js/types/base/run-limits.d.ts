// SPDX-License-Identifier: MIT
// Declares the limits of a run, and the errors that end it at a limit.
import type { GraphBubbleUp } from "./error-types.js";

/** Token usage of a model's answer, as in `usage_metadata`. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  [detail: string]: any;
}

/**
 * Limits of the work on one input, including all subgraphs and all resumes of the run. Omitted
 * limits are unlimited.
 */
export interface Limits {
  /** Maximum number of model calls. */
  modelCalls?: number;
  /** Maximum number of tool calls. */
  toolCalls?: number;
  /** Maximum number of tokens as models report them; no model is called after it is reached. */
  tokens?: number;
  /** Maximum cost in millionths of the unit of `price`; no model is called after it is reached. */
  costMicros?: number;
  /**
   * Returns the cost of a model's answer in millionths: with prices per million tokens, tokens
   * times price.
   * @param usage the answer's `usage_metadata`
   * @param message the model's answer
   */
  price?: (usage: ModelUsage, message: any) => number;
  /** Maximum working time in ms, without waiting for people. Running work is aborted then. */
  deadlineMs?: number;
  /** Maximum number of calls of one tool with the same arguments. */
  repeatedCalls?: number;
}

/**
 * Reports that a run reached one of its limits. Passes through nodes and tools, and is never
 * retried.
 */
export class LimitError extends GraphBubbleUp {
  /**
   * @param limit its name in the option `limits`, "tokens" for example
   * @param max the limit in its own unit: calls, tokens, ms, millionths of the currency
   * @param code stable name of the error, "TOKEN_LIMIT" for example
   * @param reached sentence that begins the text, without a full stop
   */
  constructor(limit: string, max: number, code: string, reached: string);
  /** Name of the limit, as in `limits`. */
  limit: string;
  /** Value of the limit. */
  max: number;
  code: string;
  static get unminifiable_name(): string;
}
/** Reports the limit `modelCalls`. Code MODEL_CALL_LIMIT. */
export class ModelCallLimitError extends LimitError {
  /** @param max the limit: calls of models in one run */
  constructor(max: number);
}
/** Reports the limit `toolCalls`. Code TOOL_CALL_LIMIT. */
export class ToolCallLimitError extends LimitError {
  /** @param max the limit: calls of tools in one run */
  constructor(max: number);
}
/** Reports the limit `tokens`. Code TOKEN_LIMIT. */
export class TokenLimitError extends LimitError {
  /** @param max the limit: tokens of all models of one run */
  constructor(max: number);
}
/** Reports the limit `costMicros`. Code COST_LIMIT. */
export class CostLimitError extends LimitError {
  /** @param max the limit, in millionths of the currency */
  constructor(max: number);
}
/** Reports the limit `deadlineMs`. Code DEADLINE. */
export class DeadlineError extends LimitError {
  /** @param max the limit, in ms */
  constructor(max: number);
}
/** Reports the limit `repeatedCalls`. Code REPEATED_CALL. */
export class RepeatedCallError extends LimitError {
  /**
   * @param max the limit: calls of one tool with the same arguments
   * @param tool which tool was called; default ""
   */
  constructor(max: number, tool?: string);
  tool: string;
}
/**
 * Checks whether a run ended at one of its limits; goes by marks, not by class.
 * @param error anything that was caught; `undefined` and values that are no errors give false
 * @example
 * ```ts
 * import { Annotation, START, StateGraph, isLimitError } from "weftgraph";
 *
 * const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
 *   .addNode("work", async () => {
 *     await new Promise((done) => setTimeout(done, 1000));
 *     return { count: 1 };
 *   })
 *   .addEdge(START, "work")
 *   .compile();
 * const error = await graph
 *   .invoke({}, { limits: { deadlineMs: 10 } })
 *   .catch((error: unknown) => error);
 * console.log(isLimitError(error));
 * ```
 * ```text
 * true
 * ```
 */
export function isLimitError(error: unknown): error is LimitError;
