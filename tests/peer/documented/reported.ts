// SPDX-License-Identifier: MIT
// Programs in the manner of what users of LangGraph.js reported, and of what packages around it do
// to a graph.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  writer,
} from "weftgraph";
import { ToolNode, createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs } from "./trace.js";

const List = Annotation.Root({
  list: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }),
});

export const programs: Programs = {
  "null where a config names no checkpoint, as a server hands it on": async (t) => {
    const inner = new StateGraph(List)
      .addNode("in", () => ({ list: ["in"] }))
      .addEdge(START, "in")
      .compile();
    const graph = new StateGraph(List)
      .addNode("a", () => ({ list: ["a"] }))
      .addNode("inner", inner)
      .addNode("b", () => ({ list: ["b"] }))
      .addEdge(START, "a")
      .addEdge("a", "inner")
      .addEdge("inner", "b")
      .compile({ checkpointer: new MemorySaver() });
    const none = { checkpoint_id: null, checkpoint_map: null, checkpoint_ns: null };
    const at = (more: object) => ({ configurable: { thread_id: "1", ...more } }) as any;
    await t.invoke(graph, {}, at(none));
    await t.state(graph, at(none));
    await t.history(graph, at(none));
    const past = (await drain(graph.getStateHistory(at({}))))[2];
    await t.stream(graph, null, {
      configurable: { ...past.config.configurable, checkpoint_map: null },
      streamMode: ["values", "updates"],
      subgraphs: true,
    });
    await t.update(graph, at(none), { list: ["edited"] });
    await t.invoke(graph.withConfig({ configurable: { checkpoint_map: null } }), {}, onThread("2"));
  },
  "a tool that changes its arguments in place": async (t) => {
    const change = tool(
      async (args: any) => {
        args.to = "changed";
        args.more = [1];
        return `sent to ${args.to}`;
      },
      {
        name: "send",
        description: "sends",
        schema: { type: "object", properties: { to: { type: "string" } } } as any,
      },
    );
    const agent = createReactAgent({
      llm: new ScriptedModel(
        [call("send", { to: "ann" }, "c1")],
        [call("send", { to: "bob" }, "c2"), call("send", { to: "eve" }, "c3")],
        "sent",
      ),
      tools: [change],
    });
    await t.invoke(agent, { messages: [new HumanMessage({ id: "u", content: "send" })] });
  },
  "answers by id, one question after the other": async (t) => {
    const graph = new StateGraph(List)
      .addNode("a", () => ({ list: [interrupt("1"), interrupt("2"), interrupt("3")] as any }))
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    let result: any = await graph.invoke({}, onThread("1"));
    for (const answer of ["one", ["two"], [["three"]]])
      result = await t.invoke(
        graph,
        new Command({ resume: { [result.__interrupt__[0].id]: answer } }),
        onThread("1"),
      );
    await t.invoke(graph, {}, onThread("2"));
    for (const answer of ["one", ["two"], []])
      await t.invoke(graph, new Command({ resume: answer }), onThread("2"));
  },
  "a plain object in the place of a Command": async (t) => {
    const build = () =>
      new StateGraph(List)
        .addNode("a", () => ({ list: ["a"] }), { ends: ["b"] })
        .addNode("b", () => ({ list: ["b"] }))
        .addEdge(START, "a")
        .compile({ checkpointer: new MemorySaver() });
    for (const input of [
      { lg_name: "Command", goto: "b", update: { list: ["u"] } },
      { goto: "b" },
      JSON.parse(JSON.stringify(new Command({ goto: "b", update: { list: ["j"] } }))),
    ])
      await t.invoke(build(), input, onThread("1"));
  },
  "a saver that keeps what it is told of a run, as a server's does": async (t) => {
    class Told extends MemorySaver {
      override async put(...[config, checkpoint, metadata]: any[]) {
        return (super.put as any)(config, checkpoint, { ...config.metadata, ...metadata });
      }
    }
    const inner = new StateGraph(List)
      .addNode("in", () => ({ list: ["in"] }))
      .addEdge(START, "in")
      .compile();
    const checkpointer = new Told();
    const graph = new StateGraph(List)
      .addNode("inner", inner)
      .addEdge(START, "inner")
      .compile({ checkpointer });
    const told = {
      configurable: { thread_id: "1", run_id: "r1", assistant_id: "a", graph_id: "g", user: "ann" },
      metadata: { own: 1 },
      tags: ["tag"],
    };
    await t.invoke(graph, {}, told);
    await t.update(graph, onThread("1"), { list: ["edited"] });
    t.note(
      "told",
      (await drain(checkpointer.list({ configurable: { thread_id: "1" } }))).map(
        ({ metadata }) => metadata,
      ),
    );
    t.note(
      "of the run",
      (
        await drain(
          checkpointer.list(
            { configurable: { thread_id: "1" } },
            { filter: { run_id: "r1" } as any },
          ),
        )
      ).length,
    );
    t.note("state", (await graph.getState(onThread("1"))).metadata);
  },
  "questions and a writer of a graph's own, by their names": async (t) => {
    const named = {
      approve: interrupt<{ reason: string }, { ok: boolean }>,
      name: interrupt<string, string>,
      twice: (question: string) => [interrupt(question), interrupt(`${question} again`)],
    };
    const build = () =>
      new StateGraph(List, { interrupt: named, writer: writer<{ step: string }> }).addNode(
        "a",
        async (_, runtime) => {
          runtime.writer?.({ step: "asking" });
          const { ok } = runtime.interrupt.approve({ reason: "sure?" });
          return {
            list: [
              `${ok}`,
              runtime.interrupt.name("who?"),
              ...(runtime.interrupt.twice("where?") as string[]),
            ],
          };
        },
      );
    const compiled = [
      build().addEdge(START, "a"),
      new StateGraph({ state: List, interrupt: named })
        .addNode("a", (_, runtime) => ({ list: [runtime.interrupt.name("who?")] }))
        .addEdge(START, "a"),
    ].map((graph: any) => graph.compile({ checkpointer: new MemorySaver() }));
    for (const [index, graph] of compiled.entries()) {
      await t.stream(graph, {}, { ...onThread(`${index}`), streamMode: ["custom", "updates"] });
      for (const resume of [{ ok: true }, "ann", "here", "there"])
        await t.invoke(graph, new Command({ resume }), onThread(`${index}`));
    }
    for (const options of [
      { interrupt },
      { writer },
      { interrupt, writer },
      { writer, interrupt: { ask: interrupt } },
    ] as any[]) {
      const graph = new StateGraph(List, options)
        .addNode("a", (_, runtime: any) => ({
          list: [(runtime.interrupt.ask ?? runtime.interrupt)("plain?")],
        }))
        .addEdge(START, "a")
        .compile({ checkpointer: new MemorySaver() });
      await t.invoke(graph, {}, onThread("1"));
      await t.invoke(graph, new Command({ resume: "yes" }), onThread("1"));
    }
    const asking = tool(async (_: object) => `it is ${named.name("who?")}`, {
      name: "asking",
      description: "asks",
      schema: { type: "object", properties: {} } as any,
    });
    const tools = new StateGraph(MessagesAnnotation, { interrupt: named })
      .addNode("tools", new ToolNode([asking]) as any)
      .addEdge(START, "tools")
      .compile({ checkpointer: new MemorySaver() });
    await t.invoke(
      tools,
      {
        messages: [new AIMessage({ id: "a", content: "", tool_calls: [call("asking", {}, "c1")] })],
      },
      onThread("1"),
    );
    await t.invoke(tools, new Command({ resume: "bob" }), onThread("1"));
  },
};
