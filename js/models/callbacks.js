// SPDX-License-Identifier: MIT
// Calls LangChain's callbacks for models, from a list of handlers or a manager. Owns the record of
// one model run. Does not depend on models or graphs.
import { withTracedKeys } from "../callbacks/tracing.js";
import { textOf } from "../messages/index.js";
import { nextId } from "./ids.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("./base.js").ModelLike} ModelLike */
/** @typedef {import("../base/callable.js").Value} Value */
/**
 * @typedef {Record<string, unknown>} Handler
 * @typedef {{ id: string, parentId: string | undefined, name: string | undefined, tags: string[],
 *   metadata: Record<string, unknown>, handlers: Handler[] }} Run
 */

/**
 * Makes the run of a call with this config.
 * @param {Config} config
 * @returns {Run}
 */
export function beginRun(config) {
  const callbacks = withTracedKeys(config?.callbacks, config);
  const isManager = callbacks !== undefined && callbacks !== null && !Array.isArray(callbacks);
  const given = isManager ? callbacks.handlers : callbacks;
  const handlers = Array.isArray(given)
    ? given.filter((handler) => handler && !handler.ignoreLLM)
    : [];
  // A node's config makes its metadata when they are read.
  const metadata = handlers.length === 0 ? undefined : config?.metadata;
  return {
    id: config?.runId ?? nextId(config),
    parentId: isManager ? (callbacks.getParentRunId?.() ?? callbacks._parentRunId) : undefined,
    name: config?.runName,
    tags: [...new Set([...((isManager && callbacks.tags) || []), ...(config?.tags ?? [])])],
    metadata: { ...(isManager ? callbacks.metadata : undefined), ...metadata },
    handlers,
  };
}

/** Does a handler want the tokens as they arrive? @param {Run} run */
export function wantsTokens(run) {
  return run.handlers.some((handler) => typeof handler.handleLLMNewToken === "function");
}

/**
 * Calls one handler after the other.
 * @param {Run} run @param {string} method @param {unknown[]} args @param {number} [from]
 * @returns {Promise<void> | undefined} undefined if no handler is asynchronous: tokens are frequent
 */
function tell(run, method, args, from = 0) {
  for (let at = from; at < run.handlers.length; at++) {
    const handler = run.handlers[at];
    if (typeof handler[method] !== "function") continue;
    try {
      const answer = handler[method](...args);
      if (typeof answer?.then === "function") return tellLater(run, method, args, at, answer);
    } catch (error) {
      blame(handler, method, error);
    }
  }
}

/**
 * @param {Run} run
 * @param {string} method
 * @param {unknown[]} args
 * @param {number} at index of the handler that answers later
 * @param {Promise<unknown>} answer
 * @returns {Promise<void>}
 */
async function tellLater(run, method, args, at, answer) {
  try {
    await answer;
  } catch (error) {
    blame(run.handlers[at], method, error);
  }
  await tell(run, method, args, at + 1);
}

// LangChain's rule: a failing listener does not fail the run, unless it sets `raiseError`.
/** @param {Handler} handler @param {string} method @param {unknown} error */
function blame(handler, method, error) {
  if (handler.raiseError) throw error;
  console.error(`Error in handler ${handler.name ?? handler.constructor?.name}, ${method}:`, error);
}

/**
 * @param {Run} run
 * @param {ModelLike} model
 * @param {Message[]} messages
 * @param {Record<string, unknown>} options of the call
 */
export async function tellStart(run, model, messages, options) {
  if (run.handlers.length === 0) return;
  /** @type {Record<string, unknown>} */
  const invocation_params = { model: model.model };
  for (const key of ["tools", "tool_choice", "stop"])
    if (options[key] !== undefined) invocation_params[key] = options[key];
  const extra = { options: {}, invocation_params, batch_size: 1 };
  await tell(run, "handleChatModelStart", [
    model.toJSON(),
    [messages],
    run.id,
    run.parentId,
    extra,
    run.tags,
    run.metadata,
    run.name,
  ]);
}

/** @param {Run} run @param {Value} chunk @returns {Promise<void> | undefined} */
export function tellToken(run, chunk) {
  if (run.handlers.length === 0) return undefined;
  const text = textOf(chunk.content);
  return tell(run, "handleLLMNewToken", [
    text,
    { prompt: 0, completion: 0 },
    run.id,
    run.parentId,
    run.tags,
    { chunk: { text, message: chunk } },
  ]);
}

/** @param {Run} run @param {Message} message */
export async function tellEnd(run, message) {
  await tell(run, "handleLLMEnd", [
    { generations: [[{ text: textOf(message.content), message }]] },
    run.id,
    run.parentId,
    run.tags,
  ]);
}

/** @param {Run} run @param {unknown} error */
export async function tellError(run, error) {
  await tell(run, "handleLLMError", [error, run.id, run.parentId, run.tags]);
}
