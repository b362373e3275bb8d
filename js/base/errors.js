// SPDX-License-Identifier: MIT
// The errors a user can catch: Weft's own, with a `code`, and LangGraph's, under LangGraph's names
// and texts. Knows the table of statuses (made from src/base/error_messages.def); errors are
// recognised by name, never by instanceof, so that two copies of the package understand each other.
import { ERR_INTERNAL, STATUS_ROWS } from "./codes.js";

/** @typedef {import("./callable.js").Value} Value */
/** @typedef {{ lc_error_code?: string }} LangGraphErrorFields */
/** @typedef {{ id?: string, value?: unknown, [key: string]: unknown }} Interrupt */

const TROUBLESHOOTING = "https://docs.langchain.com/oss/javascript/langgraph/";

/**
 * What the package itself reports: `code` is stable and listed in docs/, the text is for people.
 */
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
    if (fields?.lc_error_code)
      text = `${text}\n\nTroubleshooting URL: ${TROUBLESHOOTING}${fields.lc_error_code}/\n`;
    super(text);
    this.lc_error_code = fields?.lc_error_code;
  }
}

/** Errors that are messages to the run, not failures. */
export class GraphBubbleUp extends BaseLangGraphError {
  /** @returns {true} */
  get is_bubble_up() {
    return true;
  }
}

export class GraphRecursionError extends BaseLangGraphError {
  static unminifiable_name = "GraphRecursionError";
  name = "GraphRecursionError";
}

export class GraphValueError extends BaseLangGraphError {
  static unminifiable_name = "GraphValueError";
  name = "GraphValueError";
}

/** What an error handler gets: which node failed, and with what. */
export class NodeError {
  static unminifiable_name = "NodeError";

  /**
   * @param {string} node
   * @param {Value} error
   */
  constructor(node, error) {
    this.node = node;
    this.error = error;
  }
}

export class GraphInterrupt extends GraphBubbleUp {
  static unminifiable_name = "GraphInterrupt";
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
}

/**
 * The throwable form of an interrupt, older than `interrupt()`: it has no id and takes no resume
 * value.
 */
export class NodeInterrupt extends GraphInterrupt {
  static unminifiable_name = "NodeInterrupt";
  /**
   * @param {unknown} message
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(message, fields) {
    super([{ value: message }], fields);
    this.name = "NodeInterrupt";
  }
}

export class ParentCommand extends GraphBubbleUp {
  static unminifiable_name = "ParentCommand";
  /** @type {Value} */
  command;

  /** @param {unknown} command */
  constructor(command) {
    super();
    this.command = command;
    this.name = "ParentCommand";
  }
}

/**
 * A resume does not fit what waits: it names questions that do not wait, or none, or is one value
 * for several (the last two in strict resume mode). Nothing was written: those that wait,
 * `pendingIds`, can still be answered. Under LangGraph.js's name.
 */
export class UnknownInterruptError extends BaseLangGraphError {
  static unminifiable_name = "UnknownInterruptError";
  name = "UnknownInterruptError";
  /** @type {"UNKNOWN_INTERRUPT"} */
  code = "UNKNOWN_INTERRUPT";

  /**
   * @param {string} message
   * @param {{ reason?: "not_pending" | "empty_map" | "ambiguous", interruptIds?: string[],
   *   pendingIds?: string[] } & LangGraphErrorFields} [fields]
   */
  constructor(message, fields = {}) {
    super(message, fields);
    this.reason = fields.reason ?? "not_pending";
    this.interruptIds = fields.interruptIds ?? [];
    this.pendingIds = fields.pendingIds ?? [];
  }
}

/** @param {Value} error @returns {error is UnknownInterruptError} */
export function isUnknownInterruptError(error) {
  return error != null && error.name === "UnknownInterruptError";
}

/**
 * A run gave way between two steps because somebody asked it to; it goes on with `null` as input.
 */
export class GraphDrained extends GraphBubbleUp {
  static unminifiable_name = "GraphDrained";
  /** @type {string} */
  reason;

  /**
   * @param {string} [reason]
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(reason = "shutdown", fields) {
    super(`Graph drained: ${reason}`, fields);
    this.reason = reason;
    this.name = "GraphDrained";
  }
}

/** An attempt at a node took longer than its timeout allows. Retried like any other error. */
export class NodeTimeoutError extends BaseLangGraphError {
  static unminifiable_name = "NodeTimeoutError";

  /**
   * @param {{ node: string, elapsed: number, kind: "run" | "idle", runTimeout?: number,
   *   idleTimeout?: number }} fields
   * @param {LangGraphErrorFields} [errorFields]
   */
  constructor(fields, errorFields) {
    const { node, elapsed, kind, runTimeout, idleTimeout } = fields;
    const isIdle = kind === "idle";
    const timeout = isIdle ? idleTimeout : runTimeout;
    const name = isIdle ? kind : "run";
    if (timeout === undefined) throw new Error(`${name}Timeout is required when kind='${name}'`);
    super(
      `Node "${node}" exceeded its ${name} timeout of ${timeout}ms ${isIdle ? "without making progress " : ""}(elapsed: ${elapsed}ms).`,
      errorFields,
    );
    this.node = node;
    this.kind = kind;
    this.timeout = timeout;
    this.elapsed = elapsed;
    this.runTimeout = runTimeout;
    this.idleTimeout = idleTimeout;
    this.name = "NodeTimeoutError";
  }
}

const INVALID_RESUME = /* @__PURE__ */ Symbol.for("weftgraph.invalid_resume");
/** How far the causes of an error are followed. */
const MOST_CAUSES = 100;

/**
 * Notes that an error says of an answer that it does not fit its question.
 * @param {unknown} error
 */
export function _markInvalidResume(error) {
  if (Object(error) === error && Object.isExtensible(error))
    Object.defineProperty(error, INVALID_RESUME, { value: true });
}

/**
 * Was it thrown, itself or as a cause, because an answer does not fit the `responseSchema` of its
 * question?
 * @param {Value} error
 */
export function isInvalidResume(error) {
  for (let depth = 0; Object(error) === error && depth < MOST_CAUSES; depth++) {
    if (error[INVALID_RESUME] === true) return true;
    error = error.cause;
  }
  return false;
}

export class EmptyInputError extends BaseLangGraphError {
  static unminifiable_name = "EmptyInputError";
  name = "EmptyInputError";
}

export class EmptyChannelError extends BaseLangGraphError {
  static unminifiable_name = "EmptyChannelError";
  name = "EmptyChannelError";
}

export class InvalidUpdateError extends BaseLangGraphError {
  static unminifiable_name = "InvalidUpdateError";
  name = "InvalidUpdateError";
}

export class UnreachableNodeError extends BaseLangGraphError {
  static unminifiable_name = "UnreachableNodeError";
  name = "UnreachableNodeError";
}

/** What went wrong in a graph on a server. */
export class RemoteException extends BaseLangGraphError {
  static unminifiable_name = "RemoteException";
  name = "RemoteException";
}

/** Its `name` has no second "s": that is what LangGraph's says. */
export class MultipleSubgraphsError extends BaseLangGraphError {
  static unminifiable_name = "MultipleSubgraphError";
  name = "MultipleSubgraphError";
}

/** @type {Set<string> | undefined} */
let seen;

/**
 * Namespaces that graphs inside were seen in; nobody adds to it any more, in LangGraph.js neither.
 * @returns {Set<string>}
 */
export function getSubgraphsSeenSet() {
  return (seen ??= new Set());
}

export class StateGraphInputError extends BaseLangGraphError {
  static unminifiable_name = "StateGraphInputError";
  /**
   * @param {string} [_message] ignored, as LangGraph ignores it
   * @param {LangGraphErrorFields} [fields]
   */
  constructor(_message, fields) {
    super(
      "Invalid StateGraph input. Make sure to pass a valid StateDefinition, Annotation.Root, or Zod schema.",
    );
    this.lc_error_code = fields?.lc_error_code;
    this.name = "StateGraphInputError";
  }
}

/** @param {Value} error @returns {error is GraphBubbleUp} */
export function isGraphBubbleUp(error) {
  return error?.is_bubble_up === true;
}

/** @param {Value} error @returns {error is GraphInterrupt} */
export function isGraphInterrupt(error) {
  return error?.name === "GraphInterrupt" || error?.name === "NodeInterrupt";
}

/** @param {Value} error @returns {error is ParentCommand} */
export function isParentCommand(error) {
  return error?.name === "ParentCommand";
}

/** @param {Value} error @returns {error is GraphDrained} */
export function isGraphDrained(error) {
  return error != null && error.name === "GraphDrained";
}

/** @param {Value} error @returns {error is NodeTimeoutError} */
export function isNodeTimeoutError(error) {
  return error != null && error.name === "NodeTimeoutError";
}

/** @param {Value} value @returns {value is NodeError} */
export function isNodeError(value) {
  return value?.constructor?.unminifiable_name === NodeError.unminifiable_name;
}

/** Those that rows of the table name. */
const OF_ENGINE = [
  EmptyInputError,
  GraphRecursionError,
  GraphValueError,
  InvalidUpdateError,
  UnreachableNodeError,
];

/** @param {number} status @returns {string | undefined} */
function rowOf(status) {
  for (const [first, rows] of Object.entries(STATUS_ROWS)) {
    const row = rows[-status - Number(first)];
    if (row !== undefined) return row;
  }
  return undefined;
}

/**
 * The error of a row: class and text from the table, `words` in the places {0} {1} ….
 * @param {string} row
 * @param {ReadonlyArray<string | number>} words
 * @param {{ cause?: unknown } | undefined} options
 * @returns {Error}
 */
function errorOf(row, words, options) {
  const [head] = row.split(" ", 1);
  const text = row
    .slice(head.length + 1)
    .replace(/\{(\d+)\}/g, (_, place) => String(words[place] ?? ""));
  if (head === "") return new Error(text, options);
  const [name, lc_error_code] = head.split(":");
  const LangGraphError = OF_ENGINE.find((one) => one.unminifiable_name === name);
  if (LangGraphError === undefined) return new WeftError(name, text, options);
  const error = new LangGraphError(text, { lc_error_code });
  if (options?.cause !== undefined) error.cause = options.cause;
  return error;
}

/**
 * The error for a status of the engine.
 * @param {number} status
 * @param {ReadonlyArray<string | number>} [words]
 * @param {{ cause?: unknown }} [options]
 * @returns {Error}
 */
export function makeError(status, words = [], options) {
  const row = rowOf(status);
  return row === undefined
    ? makeError(ERR_INTERNAL, [`status ${status}`], options)
    : errorOf(row, words, options);
}

/** Is it the host's word for a call too deep for its stack? @param {Value} error */
export function isOverflow(error) {
  return (
    (error?.name === "RangeError" && /call stack/.test(error.message)) ||
    error?.name === "InternalError"
  );
}

/** A tool's schema has a part that cannot be told to a model as JSON Schema. */
export class UnsupportedSchemaError extends Error {
  /** @param {string} what */
  constructor(what) {
    super(
      `${what} has no JSON Schema form; describe the arguments of the tool with other types or as JSON Schema`,
    );
    this.name = "UnsupportedSchemaError";
    this.code = /** @type {const} */ ("UNSUPPORTED_SCHEMA");
  }
}
