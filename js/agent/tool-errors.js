// SPDX-License-Identifier: MIT
// Says what a failed tool call tells the model. Does not depend on how tools run.
import { MiddlewareError, ToolInvocationError } from "./errors.js";

/** @typedef {import("../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */

/** How LangChain's tools and Weft's begin it. */
const MISFIT = "Received tool input did not match expected schema";

/** @param {unknown} error */
function isOfArguments(error) {
  const { name, message } = /** @type {Partial<Error>} */ (error ?? {});
  return name === "ToolInputParsingException" || message?.startsWith(MISFIT) === true;
}

/**
 * Makes the handler of an agent's failed calls. The model learns of calls that cannot run, and of
 * failures of tools; under a wrapper these are thrown, for the wrapper to see.
 * @param {readonly ToolLike[]} tools
 * @param {boolean} isWrapped
 */
export function toolErrors(tools, isWrapped) {
  return (/** @type {unknown} */ error, /** @type {ToolCall} */ call) => {
    if (error instanceof MiddlewareError) throw error;
    if (/** @type {Partial<Error>} */ (error)?.message === `Tool "${call.name}" not found.`)
      return `Error: ${call.name} is not a valid tool, try one of [${tools.map(({ name }) => name).join(", ")}].`;
    if (isOfArguments(error)) return new ToolInvocationError(error, call).message;
    if (isWrapped) throw error;
    return `${error}\n Please fix your mistakes.`;
  };
}
