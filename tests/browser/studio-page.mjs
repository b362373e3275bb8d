// SPDX-License-Identifier: MIT
// A page of a developer's own with <weft-studio>: graphs in the tab, and the element.
import { Annotation, MemorySaver, START, Send, StateGraph, tool } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { DemoModel } from "weftgraph/models/demo";
import { createServer } from "weftgraph/server";
import "weftgraph/studio";

const checkpointer = new MemorySaver();
const ran = [];
const order = tool(({ item, quantity = 1 }) => (ran.push(item), `${quantity} x ${item}`), {
  name: "place_order",
  description: "Places an order for a quantity of an item.",
  approval: "ask",
  schema: {
    type: "object",
    properties: { item: { type: "string" }, quantity: { type: "integer" } },
    required: ["item"],
  },
});
const agent = createReactAgent({ llm: new DemoModel(), tools: [order], checkpointer });

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const State = Annotation.Root({
  topics: Annotation,
  topic: Annotation,
  found: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
/** Tasks that wait until the test lets them go. */
let release = () => {};
const gate = new Promise((resolve) => {
  release = resolve;
});
const inner = new StateGraph(State)
  .addNode("read", async ({ topic }) => (await gate, { found: [`about ${topic}`] }))
  .addNode("check", () => ({}))
  .addEdge(START, "read")
  .addEdge("read", "check")
  .compile();
const research = new StateGraph(State)
  .addNode("plan", () => ({}))
  .addNode("search", async ({ topic }) => (await gate, { found: [`found ${topic}`] }))
  .addNode("deep", inner)
  .addNode("join", () => ({ topic: "all" }))
  .addNode("broken", async ({ topics }) => {
    await later(1);
    if (topics.includes("fail")) throw new Error("<img src=x onerror=alert(1)> \u202e no");
  })
  .addEdge(START, "plan")
  .addConditionalEdges(
    "plan",
    ({ topics }) => [...topics.map((topic) => new Send("search", { topic })), "deep"],
    ["search", "deep"],
  )
  .addEdge("search", "join")
  .addEdge("deep", "join")
  .addEdge("join", "broken")
  .compile({ checkpointer });

const server = createServer({ graphs: { agent, research } });

const studio = document.createElement("weft-studio");
studio.server = server;
const wanted = new URLSearchParams(location.search);
for (const [name, value] of wanted) studio.setAttribute(name, value);
document.body.append(studio);
Object.assign(globalThis, { server, ran, release: () => release(), violations: [] });
document.addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
  globalThis.violations.push(violatedDirective),
);
