// SPDX-License-Identifier: MIT
// A sample: an agent that asks a person before it orders anything.
import { tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const placeOrder = tool(
  async (/** @type {{ item: string, quantity: number }} */ { item, quantity }) => {
    await wait(900);
    return `${quantity} x ${item}`;
  },
  {
    name: "place_order",
    description: "Places an order for a quantity of an item.",
    approval: "ask",
    schema: {
      type: "object",
      properties: {
        item: { type: "string" },
        quantity: { type: "integer", minimum: 1, maximum: 100 },
      },
      required: ["item", "quantity"],
    },
  },
);

/** The order desk with any chat model. @param {import("weftgraph/prebuilt").ModelLike} llm */
export const makeOrders = (llm) => createReactAgent({ llm, tools: [placeOrder] });
