// SPDX-License-Identifier: MIT
// Smoke checks of tool calls that do not fit: repaired by the schema, told in the answer and shown
// to the person who approves.
import { equal, holds, later } from "./smoke-assert.mjs";

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

const ORDER = {
  type: "object",
  properties: {
    isGift: { type: "boolean" },
    size: { enum: ["Small", "Large"] },
    to: { type: "object", properties: { city: { type: "string" } } },
    note: { type: "string", default: "none" },
  },
};

async function checkEachKind({ weft }) {
  const got = [];
  const order = weft.tool((args) => void got.push(args) ?? "done", { name: "pay", schema: ORDER });
  const node = new weft.prebuilt.ToolNode([order], { repair: weft.repairBySchema });
  await node.invoke([calling(weft, { isGift: "True", size: "large", to: '{"city":"Tromsø"}' })]);
  equal(got, [{ isGift: true, size: "Large", to: { city: "Tromsø" }, note: "none" }]);
}

async function checkFunction({ weft }) {
  const { pay, got } = payer(weft);
  const repair = async (failed) => {
    await later();
    return weft.repairBySchema(failed) ?? { args: { amount: failed.call.args.amount.length } };
  };
  const node = new weft.prebuilt.ToolNode([pay], { repair });
  const [answer] = await node.invoke([calling(weft, { amount: "five" })]);
  equal(got, [{ amount: 4 }]);
  equal(answer.additional_kwargs.repaired[0].change, "by the application");
}

/** A person saw the call as the model wrote it, so nothing else may run. */
async function checkReviewed({ weft, saver, thread }) {
  const { pay, got } = payer(weft);
  const model = new weft.models.ScriptedModel({
    responses: [calling(weft, { amount: "12" }), "Done."],
  });
  let failures = 0;
  const agent = weft.prebuilt.createReactAgent({
    llm: model,
    tools: [pay],
    checkpointer: saver,
    repair: (failed) => (failures++, weft.repairBySchema(failed)),
    postModelHook: weft.prebuilt.reviewToolCalls({ fallback: "ask" }),
  });
  const config = thread();
  const asked = await agent.invoke({ messages: "pay" }, config);
  const [{ value }] = asked[weft.INTERRUPT];
  const resume = [{ type: "accept", digest: value[0].digest }];
  const { messages } = await agent.invoke(new weft.Command({ resume }), config);
  const { status } = messages.find(({ type }) => type === "tool");
  equal([got, status, failures], [[], "error", 0]);
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
  ["booleans, enums, JSON as text and defaults are repaired", checkEachKind],
  ["a function of the user's repairs what is not certain", checkFunction],
  ["a call that a person reviewed is not repaired", checkReviewed],
  ["an approval shows what was repaired, and binds it", checkApproval],
];
