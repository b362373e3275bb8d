// SPDX-License-Identifier: MIT
// Checks the answers to questions of MCP servers (elicitation), and fills in the defaults of forms.
import { isRecord } from "../base/check-arguments.js";
import { McpError } from "./mcp-error.js";

const ACTIONS = ["accept", "decline", "cancel"];

/**
 * Completes the answer to one question.
 * @param {unknown} request the question
 * @param {unknown} answer `{ action, content }`
 * @returns {{ action: string, content?: Record<string, unknown> }}
 * @throws McpError BAD_ELICITATION if the answer has another form
 */
export function fillDefaults(request, answer) {
  if (!isRecord(answer) || !ACTIONS.includes(String(answer.action)))
    throw new McpError(
      'The answer to a question of an MCP server is { action: "accept", content }, { action: "decline" } or { action: "cancel" }',
      { code: "BAD_ELICITATION" },
    );
  const action = String(answer.action);
  const params = isRecord(request) && isRecord(request.params) ? request.params : {};
  const schema = params.requestedSchema;
  if (action !== "accept" || !isRecord(schema)) return { action };
  /** @type {Record<string, unknown>} */
  const content = isRecord(answer.content) ? { ...answer.content } : {};
  for (const [key, field] of Object.entries(isRecord(schema.properties) ? schema.properties : {}))
    if (isRecord(field) && field.default !== undefined && !Object.hasOwn(content, key))
      content[key] = field.default;
  return { action, content };
}
