// SPDX-License-Identifier: MIT
// Defines the errors of a run that reaches a limit, one class per limit. They pass through nodes,
// tools and error handlers like interrupts and are never retried. Does not depend on how limits are
// counted.
import { GraphBubbleUp } from "./errors.js";

const GO_ON =
  "With a checkpointer nothing is lost: call again with null as input and a higher limit.";

export class LimitError extends GraphBubbleUp {
  static unminifiable_name = "LimitError";

  /**
   * @param {string} limit as in the option `limits`
   * @param {number} max
   * @param {string} code
   * @param {string} reached
   */
  constructor(limit, max, code, reached) {
    super(`${reached} (limits.${limit}: ${max}). ${GO_ON}`);
    this.name = new.target.unminifiable_name;
    this.limit = limit;
    this.max = max;
    this.code = code;
  }
}

export class ModelCallLimitError extends LimitError {
  static unminifiable_name = "ModelCallLimitError";

  /** @param {number} max */
  constructor(max) {
    super("modelCalls", max, "MODEL_CALL_LIMIT", "The run has called models as often as it may");
  }
}

export class ToolCallLimitError extends LimitError {
  static unminifiable_name = "ToolCallLimitError";

  /** @param {number} max */
  constructor(max) {
    super("toolCalls", max, "TOOL_CALL_LIMIT", "The run has called tools as often as it may");
  }
}

export class TokenLimitError extends LimitError {
  static unminifiable_name = "TokenLimitError";

  /** @param {number} max */
  constructor(max) {
    super("tokens", max, "TOKEN_LIMIT", "The run's models have used the tokens that they may");
  }
}

export class CostLimitError extends LimitError {
  static unminifiable_name = "CostLimitError";

  /** @param {number} max */
  constructor(max) {
    super("costMicros", max, "COST_LIMIT", "The run's models have cost what they may");
  }
}

export class DeadlineError extends LimitError {
  static unminifiable_name = "DeadlineError";

  /** @param {number} max */
  constructor(max) {
    super("deadlineMs", max, "DEADLINE", "The run has taken the time that it may");
  }
}

export class RepeatedCallError extends LimitError {
  static unminifiable_name = "RepeatedCallError";

  /** @param {number} max @param {string} [tool] */
  constructor(max, tool = "") {
    super(
      "repeatedCalls",
      max,
      "REPEATED_CALL",
      `The run has called the tool "${tool}" with the same arguments as often as it may`,
    );
    this.tool = tool;
  }
}

/** @param {unknown} error @returns {error is LimitError} */
export function isLimitError(error) {
  const given = /** @type {Partial<LimitError> | undefined} */ (error);
  return given?.is_bubble_up === true && typeof given.limit === "string";
}
