// SPDX-License-Identifier: MIT
// Limits of a run, and the errors that it ends with at one.
import type { GraphBubbleUp } from "./error-types.js";

/** What a model's answer used, as `usage_metadata` says it. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  [detail: string]: any;
}

/**
 * What the work on one input may take, with all graphs inside and over all resumes of the run. What
 * is left out is not limited.
 */
export interface Limits {
  /** Calls of models. */
  modelCalls?: number;
  /** Calls of tools. */
  toolCalls?: number;
  /** Tokens that models say they used; no model is called once they are used up. */
  tokens?: number;
  /** Millionths of what `price` counts in; no model is called once they are used up. */
  costMicros?: number;
  /**
   * What an answer of a model cost, in millionths: with prices per million tokens, tokens times
   * price.
   */
  price?: (usage: ModelUsage, message: any) => number;
  /** Milliseconds at work, not those of waiting for a person. What runs then is given up. */
  deadlineMs?: number;
  /** Calls of one tool with the same arguments. */
  repeatedCalls?: number;
}

/** A run reached one of its limits. It passes through nodes and tools, and is never tried again. */
export class LimitError extends GraphBubbleUp {
  constructor(limit: string, max: number, code: string, reached: string);
  /** As in `limits`. */
  limit: string;
  /** What was allowed. */
  max: number;
  code: string;
  static get unminifiable_name(): string;
}
/** Code MODEL_CALL_LIMIT. */
export class ModelCallLimitError extends LimitError {
  constructor(max: number);
}
/** Code TOOL_CALL_LIMIT. */
export class ToolCallLimitError extends LimitError {
  constructor(max: number);
}
/** Code TOKEN_LIMIT. */
export class TokenLimitError extends LimitError {
  constructor(max: number);
}
/** Code COST_LIMIT. */
export class CostLimitError extends LimitError {
  constructor(max: number);
}
/** Code DEADLINE. */
export class DeadlineError extends LimitError {
  constructor(max: number);
}
/** Code REPEATED_CALL. */
export class RepeatedCallError extends LimitError {
  constructor(max: number, tool?: string);
  tool: string;
}
/** Whether a run ended at one of its limits, whichever; tells by marks, not by class. */
export function isLimitError(error: unknown): error is LimitError;
