// SPDX-License-Identifier: MIT
// An agent that orders things after a person said yes; DemoModel is a few rules, not a model.
import { tool } from "weftgraph";
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";

const order = tool(({ item }) => `1 x ${item}`, {
  name: "place_order",
  description: "Orders an item.",
  approval: "ask",
  schema: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
});

export const agent = createReactAgent({ llm: new DemoModel({ tokenDelayMs: 0 }), tools: [order] });
