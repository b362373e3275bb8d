// SPDX-License-Identifier: MIT
// Ends an agent that has called its model too often, in one run or in its thread. Counts in the
// state, so a resumed run goes on counting. Does not depend on models.
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { AIMessage } from "../../messages/index.js";
import { Annotation } from "../../state/annotation.js";
import { createMiddleware } from "../create-middleware.js";

/** @typedef {import("../../prebuilt/agent/agent-model.js").AgentState} AgentState */
/** @typedef {{ _threadModelCalls: number, _runModelCalls: number }} Counts of the state */
/** @typedef {{ threadLimit?: number, runLimit?: number }} Limits */

const CALL = "modelCallLimitMiddleware(options)";

/** The model was called as often as it may be. */
export class ModelCallLimitMiddlewareError extends Error {
  /** @param {number} threadCount @param {number} runCount @param {Limits} limits */
  constructor(threadCount, runCount, { threadLimit, runLimit }) {
    const isThread = threadLimit !== undefined && threadCount >= threadLimit;
    super(
      `Model call limits exceeded: ${isThread ? "thread" : "run"} level call limit reached with ${isThread ? threadCount : runCount} model calls`,
    );
    this.name = "ModelCallLimitMiddlewareError";
    this.threadCount = threadCount;
    this.runCount = runCount;
    this.threadLimit = threadLimit;
    this.runLimit = runLimit;
  }
}

/**
 * Checks the limits of a middleware.
 * @param {Limits} options
 * @param {string} call for the error text
 * @param {readonly string[]} more names of the middleware's other options
 * @returns {Limits}
 * @throws WeftError BAD_ARGUMENT for unusable ones
 */
export function readLimits(options, call, more) {
  checkArgument(isObject(options), `${call}: options must be an object`);
  refuseUnknown(options, call, ["threadLimit", "runLimit", ...more]);
  const { threadLimit, runLimit } = options;
  for (const [name, value] of Object.entries({ threadLimit, runLimit }))
    checkArgument(
      value === undefined || (Number.isSafeInteger(value) && value >= 0),
      `${call}: options.${name} must be a whole number from 0 on`,
    );
  return { threadLimit, runLimit };
}

/**
 * A key of the state that holds the last value that was written.
 * @param {() => unknown} initial
 */
export function lastValue(initial) {
  return Annotation({ reducer: (_before, next) => next, default: initial });
}

/**
 * Makes a middleware that limits the calls of the model.
 * @param {import("../../types/agent/middleware.js").ModelCallLimitOptions} [options]
 */
export function modelCallLimitMiddleware(options = {}) {
  const limits = readLimits(options, CALL, ["exitBehavior"]);
  const { exitBehavior = "end" } = options;
  checkArgument(
    exitBehavior === "end" || exitBehavior === "error",
    `${CALL}: options.exitBehavior must be "end" or "error"`,
  );
  return createMiddleware({
    name: "ModelCallLimitMiddleware",
    stateSchema: Annotation.Root({
      _threadModelCalls: lastValue(() => 0),
      _runModelCalls: lastValue(() => 0),
    }),
    // A run counts from 0, however the one before ended.
    beforeAgent: () => ({ _runModelCalls: 0 }),
    beforeModel: {
      canJumpTo: ["end"],
      hook: (state) => {
        const { _threadModelCalls: thread, _runModelCalls: run } =
          /** @type {AgentState & Counts} */ (state);
        const { threadLimit, runLimit } = limits;
        // Counted before the call: a jump back to the model passes the hooks behind it.
        if (!(thread >= (threadLimit ?? Infinity) || run >= (runLimit ?? Infinity)))
          return { _threadModelCalls: thread + 1, _runModelCalls: run + 1 };
        const error = new ModelCallLimitMiddlewareError(thread, run, limits);
        if (exitBehavior === "error") throw error;
        return { jumpTo: "end", messages: [new AIMessage(error.message)] };
      },
    },
    // LangChain's graph has this node, in drawings and streams.
    afterModel: () => undefined,
  });
}
