// SPDX-License-Identifier: MIT
// A sample: an agent that asks a person before it orders anything.
import { tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";

const placeOrder = tool(
  (/** @type {{ item: string, quantity: number }} */ { item, quantity }) => `${quantity} x ${item}`,
  {
    name: "place_order",
    description: "Places an order for a quantity of an item.",
    approval: "ask",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
      required: ["item", "quantity"],
    },
  },
);

export const orders = createReactAgent({ llm: new DemoModel(), tools: [placeOrder] });
