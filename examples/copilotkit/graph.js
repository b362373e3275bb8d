// SPDX-License-Identifier: MIT
// The agent, for the tab and for the server: it orders once a person says so.
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const placeOrder = tool(({ item, quantity }) => `${quantity} x ${item}`, {
  name: "place_order",
  description: "Places an order for a quantity of an item.",
  schema: {
    type: "object",
    properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
    required: ["item", "quantity"],
  },
  approval: "ask",
});

export const makeAgent = (checkpointer) =>
  createReactAgent({
    llm: new DemoModel({ tokenDelayMs: 40 }),
    tools: [placeOrder],
    checkpointer,
  });
