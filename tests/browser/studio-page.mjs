// SPDX-License-Identifier: MIT
// A page of a developer's own with <weft-studio>: graphs in the tab, and the element.
import {
  Annotation,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  tool,
} from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { DemoModel } from "weftgraph/models/demo";
import { ScriptedModel } from "weftgraph/models/scripted";
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
/** The last one, if a topic is "held". */
let releaseLast = () => {};
const lastGate = new Promise((resolve) => {
  releaseLast = resolve;
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
    if (topics.includes("held")) await lastGate;
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

/** A step adds one to a count and a line to a list, until `until`. */
const Count = Annotation.Root({
  until: Annotation,
  count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  lines: Annotation({ reducer: (a, b) => a.concat(b).slice(-20), default: () => [] }),
});
const counter = new StateGraph(Count)
  .addNode("add", ({ count }) => ({ count: 1, lines: [`line ${count}`] }))
  .addEdge(START, "add")
  .addConditionalEdges("add", ({ count, until }) => (count < until ? "add" : END), ["add", END])
  .compile({ checkpointer });

/** Streams some words, then waits to be stopped, or fails. */
const talker = new StateGraph(MessagesAnnotation)
  .addNode("speak", async ({ messages }, config) => {
    const model = new ScriptedModel({ responses: ["Some **words** come, and then"] });
    await model.invoke(messages, config);
    if (messages.at(-1).content === "fail") throw new Error("The service is gone");
    await new Promise((_resolve, reject) =>
      config.signal.addEventListener("abort", () => reject(config.signal.reason)),
    );
  })
  .addEdge(START, "speak")
  .compile({ checkpointer });

const server = createServer({ graphs: { agent, research, counter, talker } });

/** `tasks` events of threads' streams, and when each came. */
const told = [];
/** The server, whose streams are noted. */
const noted = {
  async fetch(input, init) {
    const response = await server.fetch(input, init);
    if (!String(input).includes("/stream?")) return response;
    const [body, copy] = response.body.tee();
    // A stream that is left ends with the error that its reader gets.
    note(copy).catch(() => {});
    return new Response(body, response);
  },
};

async function note(body) {
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + piece).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const [, event, data] = /^event: (tasks\S*)\ndata: (.*)/m.exec(part) ?? [];
      if (event) told.push({ at: performance.now(), event, data: JSON.parse(data) });
    }
  }
}

const studio = document.createElement("weft-studio");
studio.server = noted;
const wanted = new URLSearchParams(location.search);
for (const [name, value] of wanted) studio.setAttribute(name, value);
document.body.append(studio);
Object.assign(globalThis, {
  server,
  studio,
  told,
  ran,
  release: () => release(),
  releaseLast: () => releaseLast(),
  violations: [],
});
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  globalThis.violations.push(`${violatedDirective} ${blockedURI}`),
);
