// SPDX-License-Identifier: MIT
// Turns errors of tools into answers for the model, where a function of the user says so. Does not
// depend on how tools run.
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { ToolMessage } from "../../messages/index.js";
import { createMiddleware } from "../create-middleware.js";
import { causeOf, controlsRun } from "./retry.js";
import { toolFilter } from "./tool-names.js";

/** @typedef {import("../../messages/base.js").Content} Content */
/** @typedef {import("../wrappers.js").ToolRequest} ToolRequest */

const CALL = "toolErrorMiddleware(options)";
const OPTIONS = ["onError", "tools"];

/**
 * Makes a middleware that answers a failed call of a tool with what `onError` returns.
 * @param {{ onError: (error: unknown, request: ToolRequest) => unknown, tools?: readonly
 *   unknown[] }} options
 */
export function toolErrorMiddleware(options) {
  checkArgument(
    isObject(options) && typeof options.onError === "function",
    `${CALL}: options.onError must be a function`,
  );
  refuseUnknown(options, CALL, OPTIONS);
  const { onError } = options;
  const applies = toolFilter(options.tools, CALL);
  return createMiddleware({
    name: "toolErrorMiddleware",
    wrapToolCall: async (request, handler) => {
      if (!applies(request.toolCall.name)) return handler(request);
      try {
        return await handler(request);
      } catch (thrown) {
        if (controlsRun(thrown, request.runtime)) throw thrown;
        const content = /** @type {Content | null | undefined} */ (
          await onError(causeOf(thrown), request)
        );
        if (content === undefined || content === null) throw thrown;
        const { name, id } = request.toolCall;
        return new ToolMessage({ content, name, tool_call_id: id ?? "", status: "error" });
      }
    },
  });
}
