// SPDX-License-Identifier: MIT
// Serves docs/approval-safety.md: who was asked about a call is heard, whatever its policy says
// since; an answer that says two things approves nothing; a wrapper runs no other function under an
// approval.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tool as langchainTool } from "@langchain/core/tools";
import { Command, INTERRUPT, MemorySaver, tool } from "weftgraph";
import { createAgent } from "weftgraph/agent";
import { approvalRules, expireApprovals } from "weftgraph/approval";
import { ScriptedModel } from "weftgraph/models/scripted";
import { ToolNode, createReactAgent, reviewToolCalls } from "weftgraph/prebuilt";
import { TestClock } from "weftgraph/testing";

const THREAD = { configurable: { thread_id: "1" } };
const SCHEMA = { type: "object", properties: { n: { type: "number" } } };

/** A model that pays 1, 2 … at once, then says that it is done. */
const payer = (count) =>
  new ScriptedModel({
    responses: [
      {
        content: "",
        tool_calls: Array.from({ length: count }, (_, at) => ({
          name: "pay",
          args: { n: at + 1 },
          id: `c${at + 1}`,
        })),
      },
      "Done.",
    ],
  });

/** A tool that notes what it paid. */
function payment(approval) {
  const paid = [];
  const pay = tool(
    ({ n }) => {
      paid.push(n);
      return `paid ${n}`;
    },
    { name: "pay", schema: SCHEMA, approval },
  );
  return { paid, pay };
}

/** Agents by what makes them. */
const AGENTS = {
  "createReactAgent v1": ({ llm, ...more }) => createReactAgent({ llm, ...more }),
  "createReactAgent v2": ({ llm, ...more }) => createReactAgent({ llm, version: "v2", ...more }),
  createAgent: ({ llm: model, ...more }) => createAgent({ model, ...more }),
};

for (const [name, make] of Object.entries(AGENTS)) {
  for (const [answer, ran] of [
    [{ type: "ignore" }, [2]],
    [{ type: "edit", args: { action: "pay", args: { n: 50 } } }, [50, 2]],
    [{ type: "accept" }, [1, 2]],
  ])
    for (const isAnswered of [true, false])
      test(`${name}: ${answer.type} of one of two calls holds when the policy is "auto" since, ${isAnswered ? "with the other's answer" : "without a new answer"}`, async () => {
        let policy = "ask";
        const { paid, pay } = payment(() => policy);
        const saver = new MemorySaver();
        const agent = make({ llm: payer(2), tools: [pay], checkpointer: saver });
        const { [INTERRUPT]: asked } = await agent.invoke({ messages: "pay" }, THREAD);
        const [one, other] = asked.map(({ id }) => id);
        await agent.invoke(new Command({ resume: { [one]: answer } }), THREAD);
        policy = "auto";
        // Nobody has answered the other question yet: it is asked again.
        const { [INTERRUPT]: open } = await agent.invoke(null, THREAD);
        assert.deepEqual(
          open.map(({ value }) => value.canonical),
          ['{"n":2}'],
        );
        if (!isAnswered) return assert.equal(paid.includes(2), false);
        await agent.invoke(new Command({ resume: { [other]: { type: "accept" } } }), THREAD);
        assert.deepEqual(paid.toSorted(), ran.toSorted());
        const decided = (await saver.decisions("1")).map(({ type, tool_call_id }) => [
          tool_call_id,
          type,
        ]);
        assert.deepEqual(decided, [
          ["c1", answer.type],
          ["c2", "accept"],
        ]);
      });

  test(`${name}: a question that expires is decided by its rules, also when the policy is "auto" since`, async () => {
    const clock = new TestClock("2026-01-01");
    const thread = { ...THREAD, clock };
    let policy = "ask";
    const { paid, pay } = payment(() => policy);
    const saver = new MemorySaver();
    const approvals = approvalRules({ expires: 1000 });
    const agent = make({ llm: payer(1), tools: [pay], checkpointer: saver, approvals });
    await agent.invoke({ messages: "pay" }, thread);
    policy = "auto";
    await clock.advance(5000);
    assert.equal((await expireApprovals(agent, thread)).expired, 1);
    assert.deepEqual(paid, []);
    assert.deepEqual(
      (await saver.decisions("1")).map(({ type }) => type),
      ["ignore"],
    );
  });

  test(`${name}: a call that was asked about is not run by a build whose tool asks nobody`, async () => {
    const saver = new MemorySaver();
    const first = payment("ask");
    await make({ llm: payer(1), tools: [first.pay], checkpointer: saver }).invoke(
      { messages: "pay" },
      THREAD,
    );
    const { paid, pay } = payment(undefined);
    const agent = make({ llm: payer(1), tools: [pay], checkpointer: saver });
    const { [INTERRUPT]: asked } = await agent.invoke(null, THREAD);
    assert.deepEqual([asked.length, paid], [1, []]);
    await agent.invoke(new Command({ resume: { [asked[0].id]: { type: "accept" } } }), THREAD);
    assert.deepEqual(paid, [1]);
  });
}

test("a call of a later message with the same id is not taken for the one that was asked about", async () => {
  let policy = "ask";
  const { paid, pay } = payment(() => policy);
  const calls = (...ids) => ({
    content: "",
    tool_calls: ids.map((id, at) => ({ name: "pay", args: { n: at + 1 }, id })),
  });
  const llm = new ScriptedModel({ responses: [calls("c1", "c2"), calls("c1"), "Done."] });
  const agent = createReactAgent({ llm, tools: [pay], checkpointer: new MemorySaver() });
  const { [INTERRUPT]: asked } = await agent.invoke({ messages: "pay" }, THREAD);
  policy = "auto";
  let last;
  for (const { id } of asked)
    last = await agent.invoke(new Command({ resume: { [id]: { type: "accept" } } }), THREAD);
  assert.deepEqual([last[INTERRUPT], paid], [undefined, [1, 2, 1]]);
});

/** An agent that has asked about a payment; `isReview`: by reviewToolCalls, not by its ToolNode. */
async function asking(isReview = false) {
  const { paid, pay } = payment(isReview ? undefined : "ask");
  const postModelHook = reviewToolCalls({ policies: { pay: "ask" }, tools: [pay] });
  const agent = createReactAgent({
    llm: payer(1),
    tools: [pay],
    checkpointer: new MemorySaver(),
    ...(isReview ? { postModelHook } : {}),
  });
  await agent.invoke({ messages: "pay" }, THREAD);
  return { paid, agent };
}

const TWICE = {
  "a type and approved": { type: "accept", approved: false },
  "decisions and approved": { decisions: [{ type: "approve" }], approved: false },
  "a type and decisions": { type: "accept", decisions: [{ type: "reject" }] },
  "accept with another call": { type: "accept", args: { action: "pay", args: { n: 9 } } },
  "accept with another tool": { type: "accept", args: { action: "look", args: { n: 1 } } },
  "accept with other arguments": { type: "accept", args: { n: 9 } },
  "accept and edited arguments": { type: "accept", editedArgs: { n: 50 } },
  "approved with other arguments": { approved: true, args: { n: 50 } },
  "approve and an edited action": {
    decisions: [{ type: "approve", edited_action: { name: "pay", args: { n: 50 } } }],
  },
};
const WAYS = [
  ["a tool that asks", false],
  ["reviewToolCalls", true],
];
for (const [way, isReview] of WAYS)
  for (const [what, answer] of Object.entries(TWICE))
    test(`${way}: an answer that says two things approves nothing and is asked for again: ${what}`, async () => {
      const { paid, agent } = await asking(isReview);
      const { [INTERRUPT]: again } = await agent.invoke(new Command({ resume: answer }), THREAD);
      assert.deepEqual(paid, []);
      assert.equal(typeof [again[0].value].flat()[0].problem, "string");
      const resume = { [again[0].id]: { type: "accept" } };
      await agent.invoke(new Command({ resume }), THREAD);
      assert.deepEqual(paid, [1]);
    });

for (const [way, isReview] of WAYS)
  for (const args of [undefined, null, "", {}, { n: 1 }, { action: "pay", args: { n: 1 } }])
    test(`${way}: accept with the call as it was shown approves it: ${JSON.stringify(args)}`, async () => {
      const { paid, agent } = await asking(isReview);
      await agent.invoke(new Command({ resume: { type: "accept", args } }), THREAD);
      assert.deepEqual(paid, [1]);
    });

for (const [what, make] of [
  ["Weft's tool", tool],
  ["LangChain's tool", langchainTool],
])
  test(`a wrapper runs no other function under the approval of ${what}`, async () => {
    const ran = [];
    const fields = { name: "pay", description: "Pays.", schema: SCHEMA };
    const other = (approval) => make(() => ran.push("other"), { ...fields, approval });
    const swaps = {
      "a tool of the same name": (request) => ({ ...request, tool: other() }),
      "its invoke": (request) => {
        request.tool.invoke = async () => ran.push("other");
        return request;
      },
      "its function": (request) => {
        request.tool.func = async () => ran.push("other");
        return request;
      },
    };
    for (const [how, swap] of Object.entries(swaps)) {
      const pay = make(() => ran.push("paid"), { ...fields, approval: "ask" });
      const node = new ToolNode([pay], {
        wrapToolCall: (request, handle) => handle(swap(request)),
      });
      const agent = createReactAgent({
        llm: payer(1),
        tools: node,
        checkpointer: new MemorySaver(),
      });
      await agent.invoke({ messages: "pay" }, THREAD);
      const resume = { type: "accept" };
      const { messages } = await agent.invoke(new Command({ resume }), THREAD);
      assert.deepEqual(ran, [], how);
      assert.equal(messages.at(-2).status, "error", how);
    }
  });

test("a review with more answers than calls approves none of them", async () => {
  const { paid, agent } = await asking(true);
  const resume = [{ type: "accept" }, { type: "ignore" }, { type: "ignore" }];
  const { [INTERRUPT]: again } = await agent.invoke(new Command({ resume }), THREAD);
  assert.equal(again.length, 1);
  assert.deepEqual(paid, []);
});
