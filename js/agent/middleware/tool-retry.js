// SPDX-License-Identifier: MIT
// Repeats calls of an agent's tools that failed. Does not depend on how tools run.
import { ToolMessage } from "../../messages/index.js";
import { createMiddleware } from "../create-middleware.js";
import { callWithRetry, kindOf, readRetry } from "./retry.js";
import { toolFilter } from "./tool-names.js";

const CALL = "toolRetryMiddleware(options)";

/**
 * Makes a middleware that repeats failed calls of tools.
 * @param {import("../../types/agent/middleware.js").ToolRetryOptions} [options]
 */
export function toolRetryMiddleware(options) {
  const retry = readRetry(options, CALL, ["tools"]);
  const applies = toolFilter(options?.tools, CALL);
  return createMiddleware({
    name: "toolRetryMiddleware",
    wrapToolCall: (request, handler) => {
      const { name, id } = request.toolCall;
      if (!applies(name)) return handler(request);
      return callWithRetry(retry, () => handler(request), request.runtime, {
        what: `Tool '${name}'`,
        // The text of a tool's error may hold what the model must not see.
        describe: kindOf,
        answerWith: (content) =>
          new ToolMessage({ content, name, tool_call_id: id ?? "", status: "error" }),
      });
    },
  });
}
