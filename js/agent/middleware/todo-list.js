// SPDX-License-Identifier: MIT
// Gives an agent a list of what it has to do, which it writes by a tool. Does not depend on models.
import { checkArgument, isObject, refuseUnknown } from "../../base/check-arguments.js";
import { Command } from "../../base/constants.js";
import { SystemMessage, ToolMessage } from "../../messages/index.js";
import { openCalls } from "../../prebuilt/tool-calls/open-calls.js";
import { Annotation } from "../../state/annotation.js";
import { tool } from "../../tools/index.js";
import { createMiddleware } from "../create-middleware.js";
import { lastValue } from "./model-call-limit.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */

const CALL = "todoListMiddleware(options)";
const OPTIONS = ["systemPrompt", "toolDescription"];
const TOOL = "write_todos";
const SYSTEM_PROMPT = `Use the tool \`write_todos\` to plan work of three or more steps, and to show the user how far it is. Write the whole list each time: it replaces the one before. Have one entry "in_progress" while you work, and set an entry to "completed" as soon as it is done, not several at the end. Change the list when you learn that something else has to be done. Do not use the tool for what takes one or two steps, and call it at most once in an answer.`;
const DESCRIPTION = `Writes the list of what has to be done; replaces the list before. Each entry has its text and its status: "pending", "in_progress" or "completed".`;
const TWICE =
  "Error: The `write_todos` tool should never be called multiple times in parallel. Please call it only once per model invocation to update the todo list.";
const SCHEMA = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      description: "All entries, in order",
      items: {
        type: "object",
        properties: {
          content: { type: "string", description: "What has to be done" },
          status: { type: "string", enum: ["pending", "in_progress", "completed"] },
        },
        required: ["content", "status"],
      },
    },
  },
  required: ["todos"],
};

/**
 * Makes a middleware with the tool `write_todos` and the key `todos` of the state.
 * @param {{ systemPrompt?: string, toolDescription?: string }} [options]
 */
export function todoListMiddleware(options = {}) {
  checkArgument(isObject(options), `${CALL}: options must be an object`);
  refuseUnknown(options, CALL, OPTIONS);
  const { systemPrompt = SYSTEM_PROMPT, toolDescription = DESCRIPTION } = options;
  for (const [name, text] of Object.entries({ systemPrompt, toolDescription }))
    checkArgument(typeof text === "string", `${CALL}: options.${name} must be a text`);
  const writeTodos = tool(
    (/** @type {{ todos: unknown }} */ { todos }, /** @type {{ toolCallId: string }} */ config) =>
      new Command({
        update: {
          todos,
          messages: [
            new ToolMessage({
              content: `Updated todo list to ${JSON.stringify(todos)}`,
              name: TOOL,
              tool_call_id: config.toolCallId,
            }),
          ],
        },
      }),
    { name: TOOL, description: toolDescription, schema: SCHEMA },
  );
  return createMiddleware({
    name: "todoListMiddleware",
    stateSchema: Annotation.Root({ todos: lastValue(() => []) }),
    tools: [/** @type {ToolLike} */ (writeTodos)],
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: joined(request.systemMessage, systemPrompt) }),
    // Each call replaces the list: of two nobody knows which one counts.
    afterModel: ({ messages }) => {
      const calls = openCalls(messages).calls.filter(({ name }) => name === TOOL);
      if (calls.length < 2) return;
      return {
        messages: calls.map(
          ({ id }) =>
            new ToolMessage({
              content: TWICE,
              name: TOOL,
              tool_call_id: id ?? "",
              status: "error",
            }),
        ),
      };
    },
  });
}

/** @param {Message} system @param {string} text */
function joined({ content }, text) {
  if (Array.isArray(content) && content.length > 0)
    return new SystemMessage({ content: [...content, { type: "text", text: `\n\n${text}` }] });
  return new SystemMessage(content ? `${content}\n\n${text}` : text);
}
