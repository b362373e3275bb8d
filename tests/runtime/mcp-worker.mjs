// SPDX-License-Identifier: MIT
// MCP servers as a Worker, of tools and, at /trip, of a graph; GET /ask?<address> uses an MCP
// server elsewhere.
import { connectMcp } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { tool } from "weftgraph/tools";
import { serveTrip } from "../js/mcp-trip.mjs";

const count = tool(
  async function* ({ to }) {
    for (let progress = 1; progress <= to; progress++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { progress, total: to };
    }
    return { to };
  },
  {
    name: "count",
    schema: { type: "object", properties: { to: { type: "integer" } } },
    metadata: { mcp: { outputSchema: { type: "object" } } },
  },
);
const pay = tool(({ amount }) => `paid ${amount}`, {
  name: "pay",
  schema: { type: "object", properties: { amount: { type: "number" } } },
  approval: "ask",
});
const server = serveMcp([count, pay]);
const trip = serveTrip();

export default {
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/trip") return trip.fetch(request);
    if (pathname !== "/ask") return server.fetch(request);
    const client = await connectMcp(decodeURIComponent(search.slice(1)));
    const { content } = await client.callTool({ name: "echo", arguments: { message: "hi" } });
    await client.close();
    return Response.json([client.era, content[0].text]);
  },
};
