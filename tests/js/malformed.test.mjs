// SPDX-License-Identifier: MIT
// docs/malformed-output.md: what becomes of malformed model output. That page is the list; each of
// its rows is run here, and its outcome must be the one that stands there, within bounded time
// (T12).
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, HumanMessage, ToolMessage } from "weftgraph/messages";
import { ToolNode, ValidationNode } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";
import { ARGUMENTS, CALLS, SCHEMAS } from "./malformed-cases.mjs";
import { outcomeOfArguments, outcomeOfCalls, outcomeOfSchema, rowsUnder } from "./malformed.mjs";

// Of the processor's time, which a busy machine stretches less than the clock's; a quiet one takes
// a tenth.
const MOST_MS = 1000;

function check(head, cases, outcomeOf) {
  const rows = rowsUnder(head);
  assert.deepEqual([...rows.keys()], Object.keys(cases));
  for (const [title, given] of Object.entries(cases)) {
    const start = process.cpuUsage();
    const outcome = outcomeOf(given);
    const took = process.cpuUsage(start).user / 1000;
    assert.equal(outcome, rows.get(title), title);
    assert.ok(took < MOST_MS, `${title} took ${took} ms`);
  }
}

test("each malformed form of arguments is answered as the page says", () =>
  check("| the arguments are or hold", ARGUMENTS, outcomeOfArguments));
test("calls of a message", () => check("| the message has", CALLS, outcomeOfCalls));
test("each malformed schema is answered as the page says", () =>
  check("| the schema has", SCHEMAS, ([schema, value]) => outcomeOfSchema(schema, value)));

test("each malformed conversation is answered as the page says", async () => {
  let runs = 0;
  const any = tool(() => `run ${++runs}`, { name: "any", schema: { type: "object" } });
  const node = new ToolNode([any]);
  const call = { name: "any", args: {}, id: "1" };
  const ai = (tool_calls) => Object.assign(new AIMessage(""), { tool_calls });
  const texts = async (messages) => (await node.invoke(messages)).map(({ content }) => content);
  const outcomes = {
    "`tool_calls` that are no array": async () => {
      assert.deepEqual(await texts([ai("x")]), []);
      assert.deepEqual(await new ValidationNode([any]).invoke([ai({ 0: call })]), []);
    },
    "`null` among its calls": async () => {
      assert.deepEqual(await texts([ai([null, call])]), [
        "Error: The tool call has no id.\n Please fix your mistakes.",
        "run 1",
      ]);
      assert.equal(
        (await new ValidationNode([any]).invoke([ai([null])]))[0].content,
        "The tool call has no id.\n\nRespond after fixing all validation errors.",
      );
    },
    "an id of an earlier message again": async () =>
      assert.deepEqual(
        await texts([ai([call]), new ToolMessage({ content: "", tool_call_id: "1" }), ai([call])]),
        ["run 2"],
      ),
    "calls in a message that has been answered": async () =>
      assert.deepEqual(
        await texts([ai([call]), new ToolMessage({ content: "", tool_call_id: "1" })]),
        [],
      ),
    "a result for an unknown call": async () =>
      assert.deepEqual(
        await texts([
          new HumanMessage("x"),
          ai([call]),
          new ToolMessage({ content: "", tool_call_id: "9" }),
        ]),
        ["run 3"],
      ),
  };
  assert.deepEqual([...rowsUnder("| the conversation has").keys()], Object.keys(outcomes));
  for (const run of Object.values(outcomes)) await run();
});
