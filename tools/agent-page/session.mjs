// SPDX-License-Identifier: MIT
// What a page does whose scripts tools/page-load.mjs weighs: a ReAct agent and a graph over the
// IDBFS saver, from a question through a tool call, a breakpoint and an approval to the answer.
import { Annotation, Command, StateGraph, interrupt } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { IdbfsSaver } from "weftgraph/savers/idbfs";

/** A user's own model, by shape: calls a tool, then answers. */
const llm = {
  bindTools: () => llm,
  invoke: async (messages) => {
    const last = messages[messages.length - 1];
    if (last.type === "tool")
      return { role: "assistant", content: `The tool said ${last.content}.` };
    return {
      role: "assistant",
      content: "",
      tool_calls: [{ id: crypto.randomUUID(), name: last.content, args: { a: 1, b: 2 } }],
    };
  },
};

async function converse(tools, checkpointer) {
  const agent = createReactAgent({ llm, tools, prompt: "Be brief.", checkpointer });
  const careful = { configurable: { thread_id: "careful" }, interruptBefore: ["tools"] };
  const chunks = [];
  for await (const chunk of await agent.stream(
    { messages: [{ role: "user", content: "add" }] },
    { ...careful, streamMode: ["updates", "values"] },
  ))
    chunks.push(chunk);
  const { next } = await agent.getState(careful);
  const added = await agent.invoke(null, { ...careful, interruptBefore: [] });
  const asking = { configurable: { thread_id: "asking" } };
  const asked = await agent.invoke({ messages: [{ role: "user", content: "order" }] }, asking);
  const ordered = await agent.invoke(new Command({ resume: "yes" }), asking);
  const last = ({ messages }) => messages[messages.length - 1].content;
  return [chunks.length > 0, next[0], last(added), asked.__interrupt__[0].value, last(ordered)];
}

async function walk(checkpointer) {
  const State = Annotation.Root({
    n: Annotation(),
    seen: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  const graph = new StateGraph(State)
    .addNode("count", ({ n }) => ({ n: n + 1, seen: [n] }))
    .addNode("ask", () => ({ seen: [interrupt("Go on?")] }))
    .addEdge("__start__", "count")
    .addConditionalEdges("count", ({ n }) => (n < 3 ? "count" : "ask"))
    .addEdge("ask", "__end__")
    .compile({ checkpointer });
  const config = { configurable: { thread_id: "graph" } };
  await graph.invoke({ n: 0 }, config);
  await graph.invoke(new Command({ resume: "yes" }), config);
  return (await graph.getState(config)).values.seen;
}

/** @param {readonly any[]} tools `add` and `order`, which asks */
export async function session(tools) {
  const checkpointer = new IdbfsSaver({ prefix: "page" });
  return { said: await converse(tools, checkpointer), seen: await walk(checkpointer) };
}
