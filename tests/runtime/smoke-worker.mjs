// SPDX-License-Identifier: MIT
// The smoke set as a Worker, without nodejs_compat: GET /memory runs it in the Worker, GET /object
// in a Durable Object over its SQLite, GET /early an agent that was made while the Worker started,
// when entropy, timers and I/O are forbidden.
import { DurableObject } from "cloudflare:workers";
import { AIMessage, MemorySaver, tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { DurableObjectSaver } from "weftgraph/savers/durable-object";
import { ScriptedModel } from "../../js/models/scripted.js";
import { runSmoke } from "./smoke-entry.mjs";

const twice = tool(({ n }) => 2 * n, {
  name: "twice",
  schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
});
const llm = new ScriptedModel({
  responses: [
    new AIMessage({
      content: "",
      tool_calls: [{ name: "twice", args: { n: 21 }, id: "1", type: "tool_call" }],
    }),
    "done",
  ],
});
const early = createReactAgent({ llm, tools: [twice], checkpointer: new MemorySaver() });

export class Smoke extends DurableObject {
  async run() {
    return runSmoke({ als: false, saver: new DurableObjectSaver({ storage: this.ctx.storage }) });
  }
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/early") {
      const { messages } = await early.invoke(
        { messages: "twice 21?" },
        { configurable: { thread_id: "early" } },
      );
      return Response.json(messages.map(({ content }) => content));
    }
    const results =
      pathname === "/object"
        ? await env.SMOKE.get(env.SMOKE.idFromName("smoke")).run()
        : await runSmoke({ als: false });
    return Response.json(results);
  },
};
