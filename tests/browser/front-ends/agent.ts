// SPDX-License-Identifier: MIT
// The agent that all pages here show: it answers in words, and asks before it places an order.
import { tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";

const placeOrder = tool(
  ({ item, quantity }: { item: string; quantity: number }) => `${quantity} x ${item}`,
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

/** `?delay=` of the address is how long the model takes for a word, in ms. */
const tokenDelayMs = Number(new URLSearchParams(location.search).get("delay") ?? 5);

export function makeAgent(checkpointer?: object) {
  return createReactAgent({
    llm: new DemoModel({ tokenDelayMs }),
    tools: [placeOrder],
    checkpointer,
  });
}
