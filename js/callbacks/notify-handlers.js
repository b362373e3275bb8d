// SPDX-License-Identifier: MIT
// Calls handlers with an event, in order, and reports their errors.
import { isGraphBubbleUp } from "../base/errors.js";

/** @typedef {import("./manager.js").Handler} Handler */

/** Events of a run, each with the field by which a handler declines it. */
export const OF_RUN = {
  LLMNewToken: "ignoreLLM",
  LLMEnd: "ignoreLLM",
  LLMError: "ignoreLLM",
  ChatModelStreamEvent: "ignoreLLM",
  ChainEnd: "ignoreChain",
  ChainError: "ignoreChain",
  AgentAction: "ignoreAgent",
  AgentEnd: "ignoreAgent",
  ToolEnd: "ignoreAgent",
  ToolEvent: "ignoreAgent",
  ToolError: "ignoreAgent",
  Text: "",
  RetrieverEnd: "ignoreRetriever",
  RetrieverError: "ignoreRetriever",
};

/** @param {unknown} value @param {string} key @returns {unknown} an object, as tracers require */
export function fieldsOf(value, key) {
  const isObject =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date);
  return isObject ? value : { [key]: value };
}

/**
 * Notifies the handlers in order; an error of one is only logged, unless it sets `raiseError`.
 * @param {Handler[]} handlers
 * @param {string} event
 * @param {string} ignored
 * @param {unknown[]} args
 */
export async function tell(handlers, event, ignored, args) {
  const method = `handle${event}`;
  for (const handler of handlers) {
    if (handler[ignored] || typeof handler[method] !== "function") continue;
    try {
      await handler[method](...args);
    } catch (error) {
      const said = `Error in handler ${handler.constructor?.name}, ${method}: ${error}`;
      if (!handler.raiseError) {
        console.warn(said);
        continue;
      }
      // An error that only passes through is no mistake of the handler.
      if (!isGraphBubbleUp(error)) console.error(said);
      throw error;
    }
  }
}

/**
 * Does the work of a run inside what its handlers put around it (js/otel).
 * @template Result
 * @param {Handler[]} handlers
 * @param {string} runId
 * @param {() => Result} work
 * @param {import("../run/start.js").RunRequest} [request] of a graph
 * @returns {Result}
 */
export function within(handlers, runId, work, request) {
  /** @type {() => Result} */
  let call = work;
  for (const handler of handlers) {
    const inner = call;
    if (typeof handler.around === "function") call = () => handler.around(runId, inner, request);
  }
  return call();
}

/**
 * Reports the end of work whose start was reported: its result, its error, or an abort at once.
 * After an abort the work's outcome is ignored, and so are the handlers' failures, which no caller
 * could receive.
 * @template Result
 * @param {AbortSignal | undefined} signal
 * @param {() => Result | Promise<Result>} work
 * @param {(result: unknown) => Promise<void>} end
 * @param {(error: unknown) => Promise<void>} fail
 * @returns {Promise<Awaited<Result>>} the result of `work`
 */
export async function tellEnd(signal, work, end, fail) {
  let isTold = false;
  const onAbort = () => {
    isTold = true;
    fail(/** @type {AbortSignal} */ (signal).reason).catch(() => {});
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  let result;
  try {
    result = await work();
  } catch (error) {
    if (!isTold) await fail(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
  if (!isTold) await end(result);
  return result;
}
