// SPDX-License-Identifier: MIT
// What LangGraph.js changed up to version 1.7: chunks become messages where they join a state, a
// drawn graph names the tools of its nodes, and a DeltaChannel is stored whole every 100 updates.
import assert from "node:assert/strict";
import * as core from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { logState } from "./harness.mjs";
import { same } from "./surface.mjs";

const CHUNKS = {
  ai: (from) =>
    new from.AIMessageChunk({
      content: "a",
      id: "1",
      name: "model",
      tool_call_chunks: [{ name: "add", args: '{"a":1}', id: "c1", index: 0 }],
      usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      response_metadata: { finish_reason: "stop" },
      additional_kwargs: { more: true },
    }),
  human: (from) => new from.HumanMessageChunk({ content: "h", id: "2" }),
  system: (from) => new from.SystemMessageChunk({ content: "s", id: "3" }),
  tool: (from) =>
    new from.ToolMessageChunk({
      content: "t",
      id: "4",
      tool_call_id: "c1",
      artifact: { kept: 1 },
      status: "error",
    }),
  function: (from) => new from.FunctionMessageChunk({ content: "f", id: "5", name: "add" }),
  chat: (from) => new from.ChatMessageChunk({ content: "c", id: "6", role: "critic" }),
};

/** LangChain's own and the library's. */
const classesOf = (lib) => [core, lib];
const shown = (message) => [
  message.getType(),
  message.lc_id ?? message.constructor.name,
  "concat" in message,
  Object.fromEntries(
    Object.entries(message).filter(([key]) => !key.startsWith("lc_") && key !== "type"),
  ),
];

same("chunks that join a list of messages become messages of their kind", async (lib, t) => {
  for (const from of classesOf(lib))
    for (const [kind, make] of Object.entries(CHUNKS)) {
      const chunk = () => make(from);
      t.note(kind, lib.messagesStateReducer([], [chunk()]).map(shown));
      t.note(`${kind} before`, lib.messagesStateReducer([chunk()], []).map(shown));
      t.note(`${kind} of the delta`, lib.messagesDeltaReducer([chunk()], [[chunk()]]).map(shown));
    }
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("say", () => ({ messages: Object.values(CHUNKS).map((make) => make(core)) }))
    .addEdge(lib.START, "say")
    .compile({ checkpointer: new lib.MemorySaver() });
  const thread = { configurable: { thread_id: "t" } };
  t.note("in a graph", (await graph.invoke({ messages: [] }, thread)).messages.map(shown));
  t.note("stored", (await graph.getState(thread)).values.messages.map(shown));
});

class Model extends FakeListChatModel {
  bindTools() {
    return this;
  }
}
const named = (name) => tool(() => "", { name, description: name, schema: { type: "object" } });

same("a drawn graph names the tools of its nodes in their metadata", async (lib, t) => {
  const { ToolNode, createReactAgent } = t.isPeer ? theirs : ours;
  const llm = new Model({ responses: ["a"] });
  for (const tools of [[], [named("add")], [named("add"), named("take")]]) {
    const drawn = createReactAgent({ llm, tools }).getGraph();
    t.note(`${tools.length} tools`, drawn.toJSON());
    t.note(`${tools.length} tools: metadata`, drawn.nodes.tools.metadata);
    t.note(`${tools.length} tools: Mermaid`, drawn.drawMermaid());
  }
  const node = new ToolNode([named("add")]);
  const metadata = { owner: "me", __tools: ["own"] };
  const graph = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("act", node, { metadata })
    .addNode(
      "like",
      Object.assign(() => ({}), { tools: [{ name: "x" }] }),
    )
    .addNode(
      "unlike",
      Object.assign(() => ({}), { tools: [{ name: 1 }] }),
    )
    .addEdge(lib.START, "act")
    .addEdge("act", "like")
    .addEdge("like", "unlike")
    .compile();
  t.note("own metadata", graph.getGraph().toJSON());
  const outer = new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("inner", createReactAgent({ llm, tools: [named("add")] }))
    .addEdge(lib.START, "inner")
    .compile();
  t.note("opened", outer.getGraph({ xray: true }).toJSON());
});

same(
  "a DeltaChannel is stored whole every 100 updates, unless another number is given",
  async (lib, t) => {
    const { channels } = await import(
      t.isPeer ? "@langchain/langgraph/channels" : "weftgraph/channels"
    ).then((found) => ({ channels: found }));
    t.note("default", new channels.DeltaChannel((value) => value).snapshotFrequency);
    const saver = new MemorySaver();
    const add = (value, writes) => value.concat(writes.flat());
    const graph = new lib.StateGraph(logState(lib, { list: () => new lib.DeltaChannel(add) }))
      .addNode("add", ({ list }) => ({ list: [list.length] }))
      .addEdge(lib.START, "add")
      .addConditionalEdges("add", ({ list }) => (list.length < 205 ? "add" : lib.END))
      .compile({ checkpointer: saver });
    const config = { configurable: { thread_id: "t" }, recursionLimit: 300 };
    const { list } = await graph.invoke({ list: [] }, config);
    t.note("length", list.length);
    const whole = [];
    for await (const { checkpoint, metadata } of saver.list(config))
      if (checkpoint.channel_values.list !== undefined)
        whole.push([metadata.step, checkpoint.channel_values.list.value?.length]);
    t.note("stored whole", whole);
    assert.deepEqual(
      whole.map(([step]) => step),
      [199, 99],
    );
  },
);
