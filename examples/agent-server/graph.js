// SPDX-License-Identifier: MIT
// What each of these servers serves: an agent that orders once a person says so.
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const clock = tool(() => new Date().toISOString(), {
  name: "current_time",
  description: "The current date and time, in UTC.",
  schema: { type: "object", properties: {} },
});

const order = tool(({ item, quantity }) => `${quantity} x ${item}`, {
  name: "place_order",
  description: "Places an order for a quantity of an item.",
  schema: {
    type: "object",
    properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
    required: ["item", "quantity"],
  },
  approval: "ask",
});

export const agent = createReactAgent({ llm: new DemoModel(), tools: [clock, order] });
