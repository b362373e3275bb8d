// SPDX-License-Identifier: MIT
// Defines the error of a model service that refused, failed or broke off.

/**
 * @typedef {{ status?: number, code: string, body?: string, headers?: Record<string, string>,
 *   retryable?: boolean, retryAfterMs?: number, cause?: unknown }} Details
 */

/** A model service refused, failed or broke off. */
export class ModelError extends Error {
  /** @param {string} message @param {Details} details */
  constructor(message, { status, code, body, headers, retryable = false, retryAfterMs, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ModelError";
    this.status = status;
    this.code = code;
    this.body = body;
    this.headers = headers ?? {};
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}
