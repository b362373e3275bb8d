// SPDX-License-Identifier: MIT
// Answers calls of tools by a model instead of running them, to try out an agent. Does not depend
// on how tools run.
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { HumanMessage, ToolMessage } from "../../messages/index.js";
import { createMiddleware } from "../create-middleware.js";
import { modelOf } from "../model-call.js";
import { signalOf } from "./retry.js";
import { toolFilter } from "./tool-names.js";

/** @typedef {import("../wrappers.js").ToolRequest} ToolRequest */

const CALL = "toolEmulatorMiddleware(options)";
const OPTIONS = ["model", "tools"];
const INSIDE = { tags: ["nostream"], metadata: { lc_source: "tool_emulator" } };

/**
 * Makes a middleware whose model plays the tools.
 * @param {{ model?: unknown, tools?: readonly unknown[] }} [options]
 */
export function toolEmulatorMiddleware(options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { model: given, tools } = options;
  const applies = toolFilter(tools, CALL);
  if (given !== undefined && typeof given !== "string") modelOf(given);
  /** @type {unknown} the agent's model, as it was asked last */
  let last;
  return createMiddleware({
    name: "ToolEmulatorMiddleware",
    wrapModelCall: (request, handler) => {
      last = request.model;
      return handler(request);
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, runtime } = request;
      if (!applies(toolCall.name)) return handler(request);
      const asked = given ?? last;
      if (asked === undefined)
        throw new Error(
          `${CALL}: the agent's model was not asked in this process yet; say options.model`,
        );
      const answer = await modelOf(asked).invoke([new HumanMessage(promptOf(toolCall, tool))], {
        ...INSIDE,
        signal: signalOf(runtime),
      });
      const { name, id } = toolCall;
      return new ToolMessage({ content: answer.content, name, tool_call_id: id ?? "" });
    },
  });
}

/**
 * @param {ToolRequest["toolCall"]} call
 * @param {ToolRequest["tool"]} tool undefined if the agent does not know it
 */
function promptOf({ name, args }, tool) {
  return `You emulate a tool of an agent, so that the agent can be tried out without it.

Tool: ${name}
Description: ${tool?.description ?? "No description available"}
Arguments: ${JSON.stringify(args)}

Write what the tool would plausibly return for these arguments, and nothing else.`;
}
