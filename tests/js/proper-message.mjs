// SPDX-License-Identifier: MIT
// Says what a model's answer must be, whatever its service sent. Must not know: which service.
import assert from "node:assert/strict";
import { ToolMessage } from "weftgraph/messages";

const isText = (value) => value === undefined || typeof value === "string";

/** A message that others can work with, and a checkpoint can hold. */
export function assertProper(message, label) {
  assert.ok(typeof message.content === "string" || Array.isArray(message.content), label);
  assert.equal(typeof message.text, "string", label);
  for (const { name, args, id } of message.tool_calls)
    assert.ok(typeof name === "string" && typeof id === "string" && Object(args) === args, label);
  for (const { name, args, id } of message.invalid_tool_calls)
    assert.ok(isText(name) && isText(args) && isText(id), label);
  for (const value of Object.values(message.usage_metadata ?? {}))
    assert.ok(typeof value === "object" || (Number.isSafeInteger(value) && value >= 0), label);
  JSON.stringify(message);
  assert.equal({}.x, undefined, label);
}

/** Results of the message's calls. */
export const resultsOf = ({ tool_calls }) =>
  tool_calls.map(({ id }) => new ToolMessage({ content: "ok", tool_call_id: id }));
