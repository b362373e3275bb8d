// SPDX-License-Identifier: MIT
// Makes the answers of a server, and what it refuses a request with: a status that no client
// repeats, and a sentence.
import { toJson } from "./wire.js";

/**
 * @param {unknown} value
 * @param {number} [status]
 * @param {Record<string, string>} [headers]
 * @returns {Response}
 */
export function json(value, status = 200, headers = {}) {
  return new Response(toJson(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** @returns {Response} */
export function noContent() {
  return new Response(null, { status: 204 });
}

export class Refusal extends Error {
  /**
   * @param {number} status 4xx, or 501
   * @param {string} detail
   * @param {string} [reason] as protocol v2 names it
   */
  constructor(status, detail, reason = "invalid_argument") {
    super(detail);
    this.name = "Refusal";
    this.status = status;
    this.reason = reason;
  }
}

/** @param {string} what e.g. `thread "t1"` @returns {Refusal} */
export function notFound(what) {
  return new Refusal(404, `There is no ${what}.`);
}

/** @param {string} detail which value is wrong, and what is expected @returns {Refusal} */
export function invalid(detail) {
  return new Refusal(422, detail);
}
