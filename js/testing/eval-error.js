// SPDX-License-Identifier: MIT
// Defines the error of an evaluation. Does not depend on what is evaluated.
import { WeftError } from "../base/errors.js";

/**
 * Reports why a run of a case has no output, or that a case did not pass. Codes: EVAL_TIMEOUT,
 * EVAL_ABORTED, EVAL_UNANSWERED, EVAL_FAILED.
 */
export class EvalError extends WeftError {
  /** @param {string} code @param {string} message @param {{ cause?: unknown }} [options] */
  constructor(code, message, options) {
    super(code, message, options);
    this.name = "EvalError";
  }
}

/** @param {unknown} thrown @returns {Error} the thrown value itself if it is an Error */
export function errorOf(thrown) {
  if (thrown instanceof Error) return thrown;
  const { name, message } = /** @type {Partial<Error>} */ (thrown ?? {});
  const error = new Error(typeof message === "string" ? message : textOfValue(thrown), {
    cause: thrown,
  });
  if (typeof name === "string") error.name = name;
  return error;
}

/** @param {unknown} value */
function textOfValue(value) {
  try {
    return String(value);
  } catch {
    return "a value without a text";
  }
}
