// SPDX-License-Identifier: MIT
// Defines the errors of an agent, with LangChain's names and texts. They are recognised by a mark,
// so that two copies of the package work together.
import { isGraphBubbleUp } from "../base/errors.js";

/** @typedef {import("../messages/tool-calls.js").ToolCall} ToolCall */

/** @param {unknown} value @param {string} brand @returns {boolean} */
function hasBrand(value, brand) {
  return value instanceof Error && Reflect.get(value, "~brand") === brand;
}

/** The model brings tools of its own; an agent binds its tools itself. */
export class MultipleToolsBoundError extends Error {
  constructor() {
    super(
      "The provided LLM already has bound tools. Please provide an LLM without bound tools to createAgent. The agent will bind the tools provided in the 'tools' parameter.",
    );
    this.name = "MultipleToolsBoundError";
  }
}

/** The model gave several structured answers, where one is expected. */
export class MultipleStructuredOutputsError extends Error {
  /** @param {string[]} toolNames */
  constructor(toolNames) {
    super(
      `The model has called multiple tools: ${toolNames.join(", ")} to return a structured output. This is not supported. Please provide a single structured output.`,
    );
    this.name = "MultipleStructuredOutputsError";
    this.toolNames = toolNames;
  }
}

/** A structured answer does not fit its schema. */
export class StructuredOutputParsingError extends Error {
  /** @param {string} toolName @param {string[]} errors */
  constructor(toolName, errors) {
    const told =
      errors.length === 0 ? "." : `:\n${errors.map((text) => `  - ${text}`).join("\n")}.`;
    super(`Failed to parse structured output for tool '${toolName}'${told}`);
    this.name = "StructuredOutputParsingError";
    this.toolName = toolName;
    this.errors = errors;
  }
}

/** A tool call failed, as `handleToolErrors` and middlewares see it. */
export class ToolInvocationError extends Error {
  "~brand" = "ToolInvocationError";

  /** @param {unknown} toolError @param {ToolCall} toolCall */
  constructor(toolError, toolCall) {
    const cause = toolError instanceof Error ? toolError : new Error(String(toolError));
    super(
      `Error invoking tool '${toolCall.name}' with kwargs ${JSON.stringify(toolCall.args)} with error: ${cause}\n Please fix the error and try again.`,
      { cause },
    );
    this.name = "ToolInvocationError";
    this.toolCall = toolCall;
    this.toolError = cause;
  }

  /** @param {unknown} error @returns {error is ToolInvocationError} */
  static isInstance(error) {
    return hasBrand(error, "ToolInvocationError");
  }

  /** @param {unknown} error */
  static [Symbol.hasInstance](error) {
    return ToolInvocationError.isInstance(error);
  }
}

/** A middleware failed; `cause` is its error. */
export class MiddlewareError extends Error {
  "~brand" = "MiddlewareError";

  /** @param {unknown} error @param {string} middlewareName */
  constructor(error, middlewareName) {
    const { name, message } =
      error instanceof Error ? error : { name: `${middlewareName}Error`, message: String(error) };
    super(message, { cause: error });
    this.name = name;
  }

  /**
   * Returns the error in a MiddlewareError; those that control the run stay as they are.
   * @param {unknown} error
   * @param {string} middlewareName
   * @returns {Error}
   */
  static wrap(error, middlewareName) {
    if (isGraphBubbleUp(error) || MiddlewareError.isInstance(error))
      return /** @type {Error} */ (error);
    return new MiddlewareError(error, middlewareName);
  }

  /** @param {unknown} error @returns {error is MiddlewareError} */
  static isInstance(error) {
    return hasBrand(error, "MiddlewareError");
  }

  /** @param {unknown} error */
  static [Symbol.hasInstance](error) {
    return MiddlewareError.isInstance(error);
  }
}
