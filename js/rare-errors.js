// SPDX-License-Identifier: MIT
// The errors that few runs end with, under LangGraph's names, and those of statuses that few runs see.
import { RARE_ROWS } from "./engine/rare-rows.js";
import { BaseLangGraphError, EmptyInputError, GraphBubbleUp, GraphRecursionError, InvalidUpdateError, errorOf, makeError, rowOf } from "./errors.js";

/** @typedef {import("./errors.js").LangGraphErrorFields} LangGraphErrorFields */

/** A run gave way between two steps because somebody asked it to; it goes on with `null` as input. */
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
   * @param {{ node: string, elapsed: number, kind: "run" | "idle", runTimeout?: number, idleTimeout?: number }} fields
   * @param {LangGraphErrorFields} [errorFields]
   */
  constructor(fields, errorFields) {
    const { node, elapsed, kind, runTimeout, idleTimeout } = fields;
    const isIdle = kind === "idle";
    const timeout = isIdle ? idleTimeout : runTimeout;
    const name = isIdle ? kind : "run";
    if (timeout === undefined) throw new Error(`${name}Timeout is required when kind='${name}'`);
    super(`Node "${node}" exceeded its ${name} timeout of ${timeout}ms ${isIdle ? "without making progress " : ""}(elapsed: ${elapsed}ms).`, errorFields);
    this.node = node;
    this.kind = kind;
    this.timeout = timeout;
    this.elapsed = elapsed;
    this.runTimeout = runTimeout;
    this.idleTimeout = idleTimeout;
    this.name = "NodeTimeoutError";
  }
}

/** @param {any} error @returns {error is GraphDrained} */
export function isGraphDrained(error) {
  return error != null && error.name === "GraphDrained";
}

/** @param {any} error @returns {error is NodeTimeoutError} */
export function isNodeTimeoutError(error) {
  return error != null && error.name === "NodeTimeoutError";
}

/**
 * The error for any status, those that few runs see too.
 * @param {number} status
 * @param {ReadonlyArray<string | number>} [words]
 * @returns {Error}
 */
export function makeRareError(status, words = []) {
  const row = rowOf(status, RARE_ROWS);
  return row === undefined ? makeError(status, words) : errorOf(row, words, undefined, [EmptyInputError, GraphRecursionError, InvalidUpdateError]);
}
