// SPDX-License-Identifier: MIT
// An agent that orders once a person says so. Its threads are files.
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";
import { tool } from "weftgraph/tools";

const placeOrder = tool(
  ({ item, quantity }: { item: string; quantity: number }) => `${quantity} x ${item}`,
  {
    name: "place_order",
    description: "Places an order for a quantity of an item.",
    schema: {
      type: "object",
      properties: { item: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
      required: ["item", "quantity"],
    },
    approval: "ask",
  },
);

export const graph = createReactAgent({
  llm: new DemoModel({ tokenDelayMs: 20 }),
  tools: [placeOrder],
  checkpointer: new FileSaver({ path: process.env.THREADS ?? ".weft" }),
});
