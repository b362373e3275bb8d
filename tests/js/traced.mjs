// SPDX-License-Identifier: MIT
// Graphs of the package that is named, for the runs that they send to LangSmith (tracing.test.mjs).
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeStreamingChatModel } from "@langchain/core/utils/testing";
import { traceable } from "langsmith/traceable";
import { z } from "zod";

const [name] = process.argv.slice(2);
const { Annotation, Command, MemorySaver, START, StateGraph, interrupt } = await import(name);
const { createReactAgent } = await import(`${name}/prebuilt`);

class Model extends FakeStreamingChatModel {
  calls = 0;
  static lc_name() {
    return "MyModel";
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const message = this.calls++
      ? new AIMessage("done")
      : new AIMessage({ content: "", tool_calls: [{ name: "add", args: { a: 1 }, id: "1" }] });
    return { generations: [{ text: "", message }] };
  }
}
const add = tool(({ a }) => a + 1, { name: "add", schema: z.object({ a: z.number() }) });
const agent = () => createReactAgent({ llm: new Model({}), tools: [add], name: "helper" });
const messages = [{ role: "user", content: "hi" }];
await agent().invoke({ messages }, { configurable: { customer: "anna" } });
for await (const _ of await agent().stream({ messages }, { streamMode: ["updates", "messages"] }));

const State = Annotation.Root({ n: Annotation });
const inner = new StateGraph(State)
  .addNode("inside", async ({ n }) => ({
    n: n + (await new Model({}).invoke(messages)).tool_calls.length,
  }))
  .addEdge(START, "inside")
  .compile();
const graph = new StateGraph(State)
  .addNode("ask", ({ n }) => ({ n: n + interrupt("how many?") }))
  .addNode("graph", inner)
  .addNode("fails", ({ n }) => {
    if (n < 100) throw new Error("too few");
    return {};
  })
  .addEdge(START, "ask")
  .addConditionalEdges("ask", () => "graph")
  .addEdge("graph", "fails")
  .compile({ checkpointer: new MemorySaver() });
const on = { configurable: { thread_id: "1" } };
await graph.invoke({ n: 1 }, on);
await graph.invoke(new Command({ resume: 2 }), on).catch(({ message }) => console.log(message));
await graph.updateState(on, { n: 100 }, "graph");
console.log((await graph.invoke(null, on)).n);

await traceable(async () => (await inner.invoke({ n: 1 })).n, { name: "around" })();
await awaitAllCallbacks();
