// SPDX-License-Identifier: MIT
// Repeats a call that failed, after waits that grow: what the middlewares for models and for tools
// have in common. Does not depend on what is called.
import { checkArgument, isListOf, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { isGraphBubbleUp } from "../../base/errors.js";
import { pauseCall } from "../../base/waits.js";
import { MiddlewareError } from "../errors.js";

/** @typedef {import("../../messages/base.js").Content} Content */
/**
 * @typedef {{ maxRetries: number, retryOn: (error: unknown) => unknown, backoffFactor: number,
 *   initialDelayMs: number, maxDelayMs: number, jitter: boolean, onFailure: "continue" | "error" |
 *   ((error: unknown) => Content | Promise<Content>) }} Retry
 */

const OPTIONS = [
  "maxRetries",
  "retryOn",
  "backoffFactor",
  "initialDelayMs",
  "maxDelayMs",
  "jitter",
  "onFailure",
];
/** A wait is changed by at most this part of it, so that clients do not return all at once. */
const JITTER = 0.25;

/**
 * Reads the options of a middleware that repeats calls.
 * @param {unknown} given
 * @param {string} call for the error text
 * @param {readonly string[]} [more] names of the middleware's other options
 * @returns {Retry}
 * @throws WeftError BAD_ARGUMENT for unusable options
 */
export function readRetry(given, call, more = []) {
  checkArgument(given === undefined || isObject(given), `${call}: options must be an object`);
  refuseUnknown(given ?? {}, call, [...OPTIONS, ...more]);
  const {
    maxRetries = 2,
    retryOn = () => true,
    backoffFactor = 2,
    initialDelayMs = 1000,
    maxDelayMs = 60000,
    jitter = true,
    onFailure = "continue",
  } = /** @type {Partial<Retry>} */ (given ?? {});
  const isCount = (/** @type {unknown} */ value) =>
    typeof value === "number" && value >= 0 && Number.isFinite(value);
  checkArgument(
    isCount(maxRetries) && Number.isInteger(maxRetries),
    `${call}: options.maxRetries must be a whole number from 0 on`,
  );
  for (const [name, value] of Object.entries({ backoffFactor, initialDelayMs, maxDelayMs }))
    checkArgument(isCount(value), `${call}: options.${name} must be a number from 0 on`);
  checkArgument(typeof jitter === "boolean", `${call}: options.jitter must be true or false`);
  checkArgument(
    typeof retryOn === "function" || isListOf(retryOn, (one) => typeof one === "function"),
    `${call}: options.retryOn must be a function or a list of classes of errors`,
  );
  checkArgument(
    onFailure === "continue" || onFailure === "error" || typeof onFailure === "function",
    `${call}: options.onFailure must be "continue", "error" or a function`,
  );
  return {
    maxRetries,
    retryOn: Array.isArray(retryOn)
      ? (error) => retryOn.some((one) => error instanceof one)
      : retryOn,
    backoffFactor,
    initialDelayMs,
    maxDelayMs,
    jitter,
    onFailure,
  };
}

/**
 * Is it no failure, but an interrupt, another control of the run, or its end by an abort?
 * @param {unknown} error
 * @param {unknown} runtime of the middleware
 */
export function controlsRun(error, runtime) {
  return isGraphBubbleUp(error) || signalOf(runtime)?.aborted === true;
}

/** Returns the signal of the run. @param {unknown} runtime @returns {AbortSignal | undefined} */
export function signalOf(runtime) {
  return /** @type {{ signal?: AbortSignal } | undefined} */ (runtime)?.signal;
}

/** Returns what failed, without what inner middlewares put around it. @param {unknown} error */
export function causeOf(error) {
  let cause = error;
  while (MiddlewareError.isInstance(cause)) ({ cause } = /** @type {Error} */ (cause));
  return cause;
}

/**
 * Calls until it succeeds, or until it must not be repeated.
 * @param {Retry} retry
 * @param {() => Promise<unknown>} call
 * @param {unknown} runtime of the middleware
 * @param {{ what: string, describe: (error: unknown) => string, answerWith: (text: Content) =>
 *   unknown }} failed makes the answer of a call that failed; `what` was called, for its text
 */
export async function callWithRetry(retry, call, runtime, { what, describe, answerWith }) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (thrown) {
      if (controlsRun(thrown, runtime)) throw thrown;
      const error = causeOf(thrown);
      if (attempt < retry.maxRetries && retry.retryOn(error) === true) {
        await pauseCall(delayAfter(attempt, retry), signalOf(runtime));
        continue;
      }
      const { onFailure } = retry;
      if (onFailure === "error") throw thrown;
      return answerWith(
        typeof onFailure === "function"
          ? await onFailure(error)
          : `${what} failed after ${attempt + 1} attempt${attempt === 0 ? "" : "s"} with ${describe(error)}`,
      );
    }
  }
}

/**
 * Returns the wait after an attempt, in ms.
 * @param {number} attempt counted from 0
 * @param {Retry} retry
 */
function delayAfter(attempt, { backoffFactor, initialDelayMs, maxDelayMs, jitter }) {
  const delay = Math.min(
    backoffFactor === 0 ? initialDelayMs : initialDelayMs * backoffFactor ** attempt,
    maxDelayMs,
  );
  return jitter ? Math.max(0, delay + delay * JITTER * (2 * Math.random() - 1)) : delay;
}

/** Names the kind of an error. @param {unknown} error */
export function kindOf(error) {
  return error instanceof Error ? error.constructor?.name || error.name : typeof error;
}
