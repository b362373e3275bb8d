// SPDX-License-Identifier: MIT
// The case of the matrix about ids: all that an adapter makes itself comes from the run's.
import { MessagesAnnotation, START, StateGraph } from "weftgraph";
import { TestClock, testIds } from "weftgraph/testing";
import { equal, holds } from "../../runtime/smoke-assert.mjs";
import { TOOLS, USAGE, call } from "./kit.mjs";
import { serviceOf } from "./service.mjs";

/** The service leaves the ids of its calls empty. */
const answer = {
  reasoning: "Hm, let me see.",
  text: "I look.",
  calls: [call("", "weather", { city: "Oslo" }), call("", "time", {})],
  usage: USAGE,
};

/** The messages of a run that asks whole and streamed, as JSON. */
async function messagesOf(column, seed) {
  const { fetch } = serviceOf(column, [{ answer }, { answer }]);
  const model = column.create({ fetch, maxRetries: 0 }).bindTools(TOOLS);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("ask", async (_, config) => {
      const whole = await model.invoke("Weather?", config);
      let sum;
      for await (const chunk of await model.stream("Weather?", config))
        sum = sum?.concat(chunk) ?? chunk;
      return { messages: [whole, sum] };
    })
    .addEdge(START, "ask")
    .compile();
  const given = { clock: new TestClock(0), ids: testIds(seed) };
  const { messages } = await graph.invoke({ messages: "Weather?" }, given);
  return messages;
}

export async function sameIds(column) {
  const first = await messagesOf(column, 1);
  equal(JSON.stringify(await messagesOf(column, 1)), JSON.stringify(first));
  equal(
    first.slice(1).map(({ tool_calls }) => tool_calls.map(({ name }) => name)),
    [
      ["weather", "time"],
      ["weather", "time"],
    ],
  );
  const idsIn = (messages) =>
    messages.flatMap(({ id, tool_calls = [] }) => [id, ...tool_calls.map((one) => one.id)]);
  const ids = idsIn(first);
  holds(ids.every(Boolean) && new Set(ids).size === ids.length, `each has its own: ${ids}`);
  const others = idsIn(await messagesOf(column, 2));
  holds(!others.some((id) => ids.includes(id)), `other ids of the run give others: ${others}`);
}
