// SPDX-License-Identifier: MIT
// What every tool bundles and every runtime runs: an agent that asks before it orders, is approved
// and answers.
import { Command, MemorySaver, tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";

export async function answer() {
  const orders = [];
  const placeOrder = tool(
    ({ item, quantity }) => `${orders.push(item)} order: ${quantity} x ${item}`,
    {
      name: "place_order",
      description: "Places an order for a quantity of an item.",
      schema: {
        type: "object",
        properties: { item: { type: "string" }, quantity: { type: "integer" } },
        required: ["item", "quantity"],
      },
      approval: "ask",
    },
  );
  const agent = createReactAgent({
    llm: new DemoModel(),
    tools: [placeOrder],
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "anna" } };
  const {
    __interrupt__: [{ id, value }],
  } = await agent.invoke({ messages: "Please order 3 teapots" }, thread);
  const early = orders.length;
  const { messages } = await agent.invoke(
    new Command({ resume: { [id]: { type: "accept" } } }),
    thread,
  );
  // The part that is imported when it is asked for.
  let isTold = false;
  for await (const { event } of agent.streamEvents(
    { messages: "Hello" },
    { ...thread, version: "v2" },
  ))
    isTold ||= event === "on_chain_end";
  return [value.action_request.action, early, orders.length, messages.at(-1).content, isTold].join(
    "; ",
  );
}
