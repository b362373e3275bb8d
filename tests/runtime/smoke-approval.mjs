// SPDX-License-Identifier: MIT
// Smoke checks of approval: an edit from a form, made of a tool's schema, runs; a request expires,
// and what was decided is signed; several calls are decided at once.
import { equal, holds } from "./smoke-assert.mjs";

async function checkForm({ weft, saver, thread }) {
  const { addItem, answerOf, formOf, readForm } = weft.approval;
  const ran = [];
  const order = weft.tool((args) => void ran.push(args) ?? "ordered", {
    name: "order",
    schema: {
      type: "object",
      properties: {
        item: { type: "string" },
        count: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["item", "count"],
    },
    approval: "ask",
  });
  const tool_calls = [{ name: "order", id: "1", args: { item: "te\u202Ea", count: 1 } }];
  const llm = new weft.models.ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  const agent = weft.prebuilt.createReactAgent({ llm, tools: [order], checkpointer: saver });
  const config = thread();
  const asked = await agent.invoke({ messages: "go" }, config);
  const [{ id, value }] = asked[weft.INTERRUPT];
  const form = formOf(weft.toolJsonSchema(order), value.action_request.args);
  equal(form.fields[0].spelled, "te⟨U+202E⟩a");
  equal(readForm(form, { "/count": "0" }).problems?.length, 1);
  const { args } = readForm(addItem(form, "/tags"), { "/count": "2", "/tags/0": "gift" });
  const { Command } = weft;
  await agent.invoke(new Command({ resume: { [id]: answerOf(value, args) } }), config);
  equal(ran, [{ item: "te\u202Ea", count: 2, tags: ["gift"] }]);
}

async function checkRules({ weft, saver, thread }) {
  const { approvalRules, expireApprovals, verifyDecisions } = weft.approval;
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const ran = [];
  const pay = weft.tool(() => void ran.push(1) ?? "paid", {
    name: "pay",
    schema: { type: "object" },
    approval: "ask",
  });
  const tool_calls = [{ name: "pay", id: "1", args: {} }];
  const llm = new weft.models.ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  const approvals = approvalRules({ expires: 1000, sign: { key, keyId: "k" } });
  const { createReactAgent } = weft.prebuilt;
  const agent = createReactAgent({ llm, tools: [pay], checkpointer: saver, approvals });
  const clock = new weft.testing.TestClock("2026-01-01");
  const config = { ...thread(), clock };
  await agent.invoke({ messages: "go" }, config);
  await clock.advance(1000);
  const { expired, next } = await expireApprovals(agent, config);
  equal([expired, next, ran.length], [1, undefined, 0]);
  const decisions = await saver.decisions(config.configurable.thread_id);
  const [{ valid, decision }] = await verifyDecisions(decisions, { k: key.publicKey });
  equal([valid, decision.type, decision.by], [true, "ignore", "expiry"]);
}

async function checkEscalation({ weft, saver, thread }) {
  const { approvalRules, expireApprovals } = weft.approval;
  const pay = weft.tool(() => "paid", {
    name: "pay",
    schema: { type: "object" },
    approval: "ask",
  });
  const tool_calls = [{ name: "pay", id: "1", args: {} }];
  const llm = new weft.models.ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  const approvals = approvalRules({
    expires: 1000,
    onExpire: ({ escalations }) =>
      escalations === 0 ? { escalate: { to: "the boss" } } : { type: "response", args: "too late" },
  });
  const { createReactAgent } = weft.prebuilt;
  const agent = createReactAgent({ llm, tools: [pay], checkpointer: saver, approvals });
  const clock = new weft.testing.TestClock("2026-01-01");
  const config = { ...thread(), clock };
  const asked = await agent.invoke({ messages: "go" }, config);
  const [{ id: first }] = asked[weft.INTERRUPT];
  await clock.advance(1000);
  const late = new weft.Command({ resume: { [first]: { type: "accept" } } });
  const [{ id: second, value }] = (await agent.invoke(late, config))[weft.INTERRUPT];
  equal([value.escalated_to, first === second], ["the boss", false]);
  await clock.advance(1000);
  const { result } = await expireApprovals(agent, config);
  holds(result.messages.at(-2).content.includes("too late"), result.messages.at(-2).content);
  const decisions = await saver.decisions(config.configurable.thread_id);
  equal(
    decisions.map(({ type, by }) => `${type} by ${by}`),
    ["escalate by expiry", "response by expiry"],
  );
}

/** An agent that asks about three orders, and a function that decides. */
async function ordersOf({ weft, saver, thread }, options) {
  const ran = [];
  const order = weft.tool(({ item }) => void ran.push(item) ?? `ordered ${item}`, {
    name: "order",
    schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    approval: "ask",
  });
  const tool_calls = ["tea", "cups", "gold"].map((item) => ({
    name: "order",
    id: item,
    args: { item },
  }));
  const llm = new weft.models.ScriptedModel({ responses: [{ content: "", tool_calls }, "Done."] });
  const { createReactAgent } = weft.prebuilt;
  const agent = createReactAgent({ llm, tools: [order], checkpointer: saver, ...options });
  const config = thread();
  const asked = await agent.invoke({ messages: "go" }, config);
  const decide = async (resume) => {
    const { messages } = await agent.invoke(new weft.Command({ resume }), config);
    return messages.filter(({ type }) => type === "tool").map(({ content }) => content);
  };
  return { ran, questions: asked[weft.INTERRUPT], decide };
}

const DECIDED = [
  "ordered tea",
  "ordered mugs",
  'The user rejected the call of "order"; it was not run. Reason: too dear',
];

async function checkBatch(kit) {
  const { ran, questions, decide } = await ordersOf(kit, { approvals: "batch" });
  const [{ id, value }] = questions;
  equal(
    [questions.length, value.action_requests.map(({ args }) => args.item)],
    [1, ["tea", "cups", "gold"]],
  );
  const few = await decide({ [id]: { decisions: [{ type: "approve" }] } }).catch((error) => error);
  holds(kit.weft.isInvalidResume(few), "one decision does not count for three calls");
  equal(ran, []);
  const decisions = [
    { type: "approve" },
    { type: "edit", edited_action: { name: "order", args: { item: "mugs" } } },
    { type: "reject", message: "too dear" },
  ];
  equal(await decide({ [id]: { decisions } }), DECIDED);
  equal(ran.sort(), ["mugs", "tea"]);
}

async function checkSeveral(kit) {
  const { ran, questions, decide } = await ordersOf(kit);
  equal(questions.length, 3);
  const args = { action: "order", args: { item: "mugs" } };
  const answers = {
    tea: { type: "accept" },
    cups: { type: "edit", args },
    gold: { approved: false, reason: "too dear" },
  };
  const resume = Object.fromEntries(
    questions.map(({ id, value }) => [id, answers[value.action_request.args.item]]),
  );
  equal(await decide(resume), DECIDED);
  equal(ran.sort(), ["mugs", "tea"]);
}

export const approvalChecks = [
  ["several calls are one question, and one list of decisions answers it", checkBatch],
  ["the questions of several calls are answered at once", checkSeveral],
  ["a request expires, and the decision is signed", checkRules],
  ["a request that expires is escalated, then decided by the host", checkEscalation],
  ["an edit from a form that is made of the tool's schema runs", checkForm],
];
