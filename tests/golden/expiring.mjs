// SPDX-License-Identifier: MIT
// A thread of an agent whose questions expire: one was answered in time, one was let expire, one
// waits. What it says, and how it goes on.
import { Command, INTERRUPT, tool } from "weftgraph";
import { approvalRules, expireApprovals } from "weftgraph/approval";
import { ScriptedModel } from "weftgraph/models/scripted";
import { createReactAgent } from "weftgraph/prebuilt";
import { TestClock } from "weftgraph/testing";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-11-27");
const config = { configurable: { thread_id: "t" } };

const pay = tool(({ amount }) => `paid ${amount}`, {
  name: "pay",
  schema: { type: "object", properties: { amount: { type: "number" } } },
  approval: "ask",
});
const approvals = approvalRules({
  expires: HOUR,
  onExpire: ({ escalations }) =>
    escalations === 0 ? { escalate: { to: "the boss" } } : { type: "ignore" },
});
const answer = (/** @type {any} */ messages) =>
  messages.at(-1).type === "human"
    ? {
        content: "",
        tool_calls: [
          { name: "pay", id: `call${messages.length}`, args: { amount: messages.length } },
        ],
      }
    : `Then: ${messages.at(-1).content}`;
const agentOf = (/** @type {any} */ checkpointer) =>
  createReactAgent({
    llm: new ScriptedModel({ responses: [answer], loop: true }),
    tools: [pay],
    checkpointer,
    approvals,
  });

/** Runs the thread to its last question. @param {any} saver */
export async function askThrice(saver) {
  const agent = agentOf(saver);
  const clock = new TestClock(BEGIN);
  const thread = { ...config, clock };
  /** @type {any} */
  const asked = await agent.invoke({ messages: "one" }, thread);
  const [{ id }] = asked[INTERRUPT];
  await agent.invoke(new Command({ resume: { [id]: { type: "accept", by: "Ada" } } }), thread);
  await agent.invoke({ messages: "two" }, thread);
  await letExpire(agent, thread);
  await agent.invoke({ messages: "three" }, thread);
}

/** @param {any} agent @param {{ clock: TestClock, configurable: object }} thread */
async function letExpire(agent, thread) {
  // It goes to the boss first.
  for (let times = 0; times < 2; times++) {
    await thread.clock.advance(HOUR);
    await expireApprovals(agent, thread);
  }
}

/** What was said and decided, and the question that waits. @param {any} saver */
export async function sayDecisions(saver) {
  const { values, tasks } = await agentOf(saver).getState(config);
  return JSON.parse(
    JSON.stringify({
      contents: values.messages.map((/** @type {any} */ { content }) => content),
      decisions: await saver.decisions("t"),
      questions: tasks.flatMap(({ interrupts }) => interrupts),
    }),
  );
}

/** Lets the last question expire. @param {any} saver */
export async function expireLast(saver) {
  await letExpire(agentOf(saver), { ...config, clock: new TestClock(BEGIN + 2 * HOUR) });
  const { contents, decisions, questions } = await sayDecisions(saver);
  const decided = decisions.map((/** @type {any} */ { type, by }) => [type, by ?? "person"]);
  return { contents, decided, questions };
}
