// SPDX-License-Identifier: MIT
// Smoke checks of tool calls that do not fit: repaired by the schema, told in the answer and shown
// to the person who approves.
import { equal, holds } from "./smoke-assert.mjs";

const AMOUNT = {
  type: "object",
  properties: { amount: { type: "number" }, tags: { type: "array", items: { type: "string" } } },
  required: ["amount"],
  additionalProperties: false,
};

/** A tool that pays, and what it was given. */
function payer({ tool }, fields) {
  const got = [];
  const pay = tool((args) => void got.push(args) ?? "paid", {
    name: "pay",
    schema: AMOUNT,
    ...fields,
  });
  return { pay, got };
}

const calling = ({ AIMessage }, args, more) =>
  new AIMessage({ content: "", tool_calls: [{ name: "pay", args, id: "p1" }], ...more });

async function checkNode({ weft }) {
  const { pay, got } = payer(weft);
  const node = new weft.prebuilt.ToolNode([pay], { repair: weft.repairBySchema });
  const [answer] = await node.invoke([calling(weft, { amount: "12", tags: "tea", note: "é" })]);
  equal(got, [{ amount: 12, tags: ["tea"] }]);
  equal(answer.additional_kwargs.repaired.map(({ path, change }) => `${path} ${change}`).sort(), [
    "/amount text to number",
    "/note unknown key dropped",
    "/tags single value to list",
  ]);
  const cut = { name: "pay", args: '{"amount":3,"tags":["é"', id: "p1", error: "broken" };
  await node.invoke([calling(weft, {}, { tool_calls: [], invalid_tool_calls: [cut] })]);
  equal(got[1], { amount: 3, tags: ["é"] });
  const [refused] = await node.invoke([calling(weft, { amount: "1e-400" })]);
  equal([refused.status, got.length], ["error", 2]);
}

async function checkApproval({ weft, saver, thread }) {
  const { pay, got } = payer(weft, { approval: "ask" });
  const model = new weft.models.ScriptedModel({
    responses: [calling(weft, { amount: "12" }), "Done."],
  });
  const agent = weft.agent.createAgent({
    model,
    tools: [pay],
    checkpointer: saver,
    repair: weft.repairBySchema,
  });
  const config = thread();
  const asked = await agent.invoke({ messages: "pay" }, config);
  const [{ value }] = asked[weft.INTERRUPT];
  const repaired = [{ path: "/amount", change: "text to number", from: "12" }];
  equal([value.action_request.args, value.repaired, got], [{ amount: 12 }, repaired, []]);
  holds(value.description.includes("repaired (text to number)"), "the person is told");
  const resume = { type: "accept", digest: value.digest };
  const { messages } = await agent.invoke(new weft.Command({ resume }), config);
  equal(got, [{ amount: 12 }]);
  equal(messages.find(({ type }) => type === "tool").additional_kwargs.repaired, repaired);
}

export const repairChecks = [
  ["a call that does not fit is repaired where its schema leaves one reading", checkNode],
  ["an approval shows what was repaired, and binds it", checkApproval],
];
