// SPDX-License-Identifier: MIT
// Repeats calls of an agent's model that failed. Does not depend on models.
import { AIMessage } from "../../messages/index.js";
import { createMiddleware } from "../create-middleware.js";
import { callWithRetry, kindOf, readRetry } from "./retry.js";

/**
 * Makes a middleware that repeats failed calls of the model.
 * @param {import("../../types/agent/middleware.js").ModelRetryOptions} [options]
 */
export function modelRetryMiddleware(options) {
  const retry = readRetry(options, "modelRetryMiddleware(options)");
  return createMiddleware({
    name: "modelRetryMiddleware",
    wrapModelCall: (request, handler) => {
      // The model's own repetitions would multiply these.
      const modelSettings = { ...request.modelSettings, maxRetries: 0 };
      return callWithRetry(retry, () => handler({ ...request, modelSettings }), request.runtime, {
        what: "Model call",
        describe: (error) =>
          error instanceof Error ? `${kindOf(error)}: ${error.message}` : String(error),
        answerWith: (content) => new AIMessage({ content }),
      });
    },
  });
}
