// SPDX-License-Identifier: MIT
// Defines the errors a user can catch: Weft's own, with a `code`, and LangGraph's, with its names
// and texts. Texts come from the status table (generated from src/base/error_messages.def). Errors
// are recognised by name, never by instanceof, so that two copies of the package work together.
import { ERR_INTERNAL, STATUS_ROWS } from "./codes.js";

/** @typedef {import("./callable.js").Value} Value */
/** @typedef {{ lc_error_code?: string }} LangGraphErrorFields */
/** @typedef {{ id?: string, value?: unknown, [key: string]: unknown }} Interrupt */

const TROUBLESHOOTING = "https://docs.langchain.com/oss/javascript/langgraph/";

/** An error of the package itself: `code` is stable and listed in docs/, the text is for people. */
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

/** Base of errors that control the run and are no failures. */
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

/** The argument of an error handler: the node that failed and its error. */
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

/** @param {unknown} interrupts @returns {string | undefined} as JSON, as far as they are */
function textOf(interrupts) {
  try {
    const shown = (/** @type {string} */ _, /** @type {unknown} */ value) =>
      typeof value === "bigint" ? String(value) : value;
    return JSON.stringify(interrupts, shown, 2);
  } catch {
    // The text is for people who read a log; the question is asked with its value as it is.
    return undefined;
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
    super(interrupts === undefined ? undefined : textOf(interrupts), fields);
    this.interrupts = interrupts ?? [];
    this.name = "GraphInterrupt";
  }
}

/** The throwable form of an interrupt, older than `interrupt()`: without id and resume value. */
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
 * A resume that does not match the pending interrupts: it names ids that are not pending or none,
 * or is one value for several (the last two in strict resume mode). Nothing was written: the
 * interrupts in `pendingIds` can still be answered. Has LangGraph.js's name.
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

/** @param {unknown} error @returns {error is UnknownInterruptError} */
export function isUnknownInterruptError(error) {
  return nameOf(error) === "UnknownInterruptError";
}

/** A run stopped between two steps on request; it continues with `null` as input. */
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

/** An attempt at a node exceeded its timeout. Retried like any other error. */
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
/** Maximum depth to which an error's causes are followed. */
const MOST_CAUSES = 100;

/**
 * Marks an error as caused by an answer that does not fit its interrupt's schema.
 * @param {unknown} error
 */
export function _markInvalidResume(error) {
  if (Object(error) === error && Object.isExtensible(error))
    Object.defineProperty(error, INVALID_RESUME, { value: true });
}

/**
 * Is the error, or one of its causes, about an answer that does not fit the `responseSchema` of its
 * interrupt?
 * @param {unknown} error
 */
export function isInvalidResume(error) {
  for (let depth = 0; Object(error) === error && depth < MOST_CAUSES; depth++) {
    const one = /** @type {{ [INVALID_RESUME]?: boolean, cause?: unknown }} */ (error);
    if (one[INVALID_RESUME] === true) return true;
    error = one.cause;
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

/** An error of a graph on a server. */
export class RemoteException extends BaseLangGraphError {
  static unminifiable_name = "RemoteException";
  name = "RemoteException";
}

/** Its `name` lacks the second "s", as LangGraph's does. */
export class MultipleSubgraphsError extends BaseLangGraphError {
  static unminifiable_name = "MultipleSubgraphError";
  name = "MultipleSubgraphError";
}

/** @type {Set<string> | undefined} */
let seen;

/**
 * Returns the namespaces in which subgraphs were seen. Always empty, as in LangGraph.js, where
 * nothing adds to it any more.
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

/** @param {unknown} error @returns {unknown} */
function nameOf(error) {
  return /** @type {Partial<Error> | null | undefined} */ (error)?.name;
}

/** @param {unknown} error @returns {error is GraphBubbleUp} */
export function isGraphBubbleUp(error) {
  return /** @type {Partial<GraphBubbleUp> | undefined} */ (error)?.is_bubble_up === true;
}

/** @param {unknown} error @returns {error is GraphInterrupt} */
export function isGraphInterrupt(error) {
  return nameOf(error) === "GraphInterrupt" || nameOf(error) === "NodeInterrupt";
}

/** @param {unknown} error @returns {error is ParentCommand} */
export function isParentCommand(error) {
  return nameOf(error) === "ParentCommand";
}

/** @param {unknown} error @returns {error is GraphDrained} */
export function isGraphDrained(error) {
  return nameOf(error) === "GraphDrained";
}

/** @param {unknown} error @returns {error is NodeTimeoutError} */
export function isNodeTimeoutError(error) {
  return nameOf(error) === "NodeTimeoutError";
}

/** @param {unknown} value @returns {value is NodeError} */
export function isNodeError(value) {
  const { constructor } = /** @type {{ constructor?: Partial<typeof NodeError> }} */ (value ?? {});
  return constructor?.unminifiable_name === NodeError.unminifiable_name;
}

/** Classes that rows of the status table name. */
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
 * Makes the error of a row: class and text from the table, `words` in the places {0} {1} ….
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
 * Makes the error for a status of the engine.
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

/** Is it the host's error for an exhausted call stack? @param {unknown} error */
export function isOverflow(error) {
  const name = nameOf(error);
  return (
    (name === "RangeError" && /call stack/.test(/** @type {Error} */ (error).message)) ||
    name === "InternalError"
  );
}

/** A tool's schema has a part without a form in JSON Schema, so no model can receive it. */
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
