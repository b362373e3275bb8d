// SPDX-License-Identifier: MIT
// The service worker: an Agent Server below /agents of its site. The agent is in it, its threads
// are in IndexedDB.
import { DemoModel } from "weftgraph/models/demo";
import { createReactAgent } from "weftgraph/prebuilt";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { createServer } from "weftgraph/server";
import { serve, waitUntil } from "weftgraph/server/service-worker";
import { SaverStore } from "weftgraph/stores/saver";
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
const agent = createReactAgent({ llm: new DemoModel({ tokenDelayMs: 40 }), tools: [placeOrder] });

const saver = new IdbfsSaver({ prefix: "agents" });
const store = new SaverStore(saver);
serve(createServer({ graphs: { agent }, basePath: "/agents", saver, store, waitUntil }));
