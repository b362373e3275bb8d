// SPDX-License-Identifier: MIT
// The errors a user can catch: Weft's own, with a `code`, and LangGraph's, under LangGraph's names and texts.
// Knows the table of statuses (made from src/base/status.def); errors are recognised by name, never by instanceof,
// so that two copies of the package understand each other.
import { STATUS_TABLE } from "./engine/codes.js";

/** @typedef {{ lc_error_code?: string }} LangGraphErrorFields */
/** @typedef {{ id?: string, value?: any, [key: string]: any }} Interrupt */

const TROUBLESHOOTING = "https://docs.langchain.com/oss/javascript/langgraph/";

/** What the package itself reports: `code` is stable and listed in docs/, the text is for people. */
export class WeftError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "WeftError";
    this.code = code;
  }
}

export class BaseLangGraphError extends Error {
  /** @type {string | undefined} */
  lc_error_code;

  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    let text = message ?? "";
    if (fields?.lc_error_code) text = `${text}\n\nTroubleshooting URL: ${TROUBLESHOOTING}${fields.lc_error_code}/\n`;
    super(text);
    this.lc_error_code = fields?.lc_error_code;
  }
}

/** Errors that are messages to the run, not failures. */
export class GraphBubbleUp extends BaseLangGraphError {
  get is_bubble_up() {
    return true;
  }
}

export class GraphRecursionError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "GraphRecursionError";
  }

  static get unminifiable_name() {
    return "GraphRecursionError";
  }
}

export class GraphValueError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "GraphValueError";
  }

  static get unminifiable_name() {
    return "GraphValueError";
  }
}

export class GraphInterrupt extends GraphBubbleUp {
  /** @type {Interrupt[]} */
  interrupts;

  /**
   * @param {Interrupt[]} [interrupts]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(interrupts, fields) {
    super(interrupts === undefined ? undefined : JSON.stringify(interrupts, null, 2), fields);
    this.interrupts = interrupts ?? [];
    this.name = "GraphInterrupt";
  }

  static get unminifiable_name() {
    return "GraphInterrupt";
  }
}

/** The throwable form of an interrupt, older than `interrupt()`: it has no id and takes no resume value. */
export class NodeInterrupt extends GraphInterrupt {
  /**
   * @param {any} message
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super([{ value: message }], fields);
    this.name = "NodeInterrupt";
  }

  static get unminifiable_name() {
    return "NodeInterrupt";
  }
}

export class ParentCommand extends GraphBubbleUp {
  /** @type {any} */
  command;

  /** @param {any} command */
  constructor(command) {
    super();
    this.command = command;
    this.name = "ParentCommand";
  }

  static get unminifiable_name() {
    return "ParentCommand";
  }
}

export class EmptyInputError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "EmptyInputError";
  }

  static get unminifiable_name() {
    return "EmptyInputError";
  }
}

export class EmptyChannelError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "EmptyChannelError";
  }

  static get unminifiable_name() {
    return "EmptyChannelError";
  }
}

export class InvalidUpdateError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "InvalidUpdateError";
  }

  static get unminifiable_name() {
    return "InvalidUpdateError";
  }
}

export class UnreachableNodeError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "UnreachableNodeError";
  }

  static get unminifiable_name() {
    return "UnreachableNodeError";
  }
}

/** Its `name` has no second "s": that is what LangGraph's says. */
export class MultipleSubgraphsError extends BaseLangGraphError {
  /**
   * @param {string} [message]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super(message, fields);
    this.name = "MultipleSubgraphError";
  }

  static get unminifiable_name() {
    return "MultipleSubgraphError";
  }
}

export class StateGraphInputError extends BaseLangGraphError {
  /**
   * @param {string} [_message] ignored, as LangGraph ignores it
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(_message, fields) {
    super("Invalid StateGraph input. Make sure to pass a valid StateDefinition, Annotation.Root, or Zod schema.");
    this.lc_error_code = fields?.lc_error_code;
    this.name = "StateGraphInputError";
  }

  static get unminifiable_name() {
    return "StateGraphInputError";
  }
}

/** @param {any} error @returns {error is GraphBubbleUp} */
export function isGraphBubbleUp(error) {
  return error != null && error.is_bubble_up === true;
}

/** @param {any} error @returns {error is GraphInterrupt} */
export function isGraphInterrupt(error) {
  return error != null && (error.name === "GraphInterrupt" || error.name === "NodeInterrupt");
}

/** @param {any} error @returns {error is ParentCommand} */
export function isParentCommand(error) {
  return error != null && error.name === "ParentCommand";
}

/** @type {Record<string, new (message?: string, fields?: LangGraphErrorFields) => BaseLangGraphError>} */
const LANGGRAPH = {
  EmptyChannelError,
  EmptyInputError,
  GraphRecursionError,
  GraphValueError,
  InvalidUpdateError,
  UnreachableNodeError,
};

/**
 * The error for a status of the engine: class and text from the table, `words` in the places {0} {1} ….
 * @param {number} status
 * @param {ReadonlyArray<string | number>} [words]
 * @param {{ cause?: unknown }} [options]
 * @returns {Error}
 */
export function makeError(status, words = [], options) {
  const row = STATUS_TABLE[status];
  if (row === undefined) return new WeftError("INTERNAL", `A rule inside the engine does not hold: status ${status}.`, options);
  const [code, className, template, lcCode] = row;
  const text = template.replace(/\{(\d+)\}/g, (/** @type {string} */ _, /** @type {string} */ place) => String(words[Number(place)] ?? ""));
  const LangGraphError = LANGGRAPH[className];
  if (LangGraphError === undefined) {
    return className === "Error" ? new Error(text, options) : new WeftError(code, text, options);
  }
  const error = new LangGraphError(text, lcCode === "" ? undefined : { lc_error_code: lcCode });
  if (options?.cause !== undefined) error.cause = options.cause;
  return error;
}
