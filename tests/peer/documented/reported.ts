// SPDX-License-Identifier: MIT
// Programs in the manner of what users of LangGraph.js reported, and of what packages around it do to a graph.
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, Command, MemorySaver, START, StateGraph, interrupt } from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel, call, drain, onThread } from "./models.js";
import type { Programs } from "./trace.js";

const List = Annotation.Root({ list: Annotation<string[]>({ reducer: (a, b) => a.concat(b), default: () => [] }) });

export const programs: Programs = {
  "null where a config names no checkpoint, as a server hands it on": async (t) => {
    const inner = new StateGraph(List).addNode("in", () => ({ list: ["in"] })).addEdge(START, "in").compile();
    const graph = new StateGraph(List).addNode("a", () => ({ list: ["a"] })).addNode("inner", inner).addNode("b", () => ({ list: ["b"] })).addEdge(START, "a").addEdge("a", "inner").addEdge("inner", "b").compile({ checkpointer: new MemorySaver() });
    const none = { checkpoint_id: null, checkpoint_map: null, checkpoint_ns: null };
    const at = (more: object) => ({ configurable: { thread_id: "1", ...more } }) as any;
    await t.invoke(graph, {}, at(none));
    await t.state(graph, at(none));
    await t.history(graph, at(none));
    const past = (await drain(graph.getStateHistory(at({}))))[2];
    await t.stream(graph, null, { configurable: { ...past.config.configurable, checkpoint_map: null }, streamMode: ["values", "updates"], subgraphs: true });
    await t.update(graph, at(none), { list: ["edited"] });
    await t.invoke(graph.withConfig({ configurable: { checkpoint_map: null } }), {}, onThread("2"));
  },
  "a tool that changes its arguments in place": async (t) => {
    const change = tool(async (args: any) => {
      args.to = "changed";
      args.more = [1];
      return `sent to ${args.to}`;
    }, { name: "send", description: "sends", schema: { type: "object", properties: { to: { type: "string" } } } as any });
    const agent = createReactAgent({ llm: new ScriptedModel([call("send", { to: "ann" }, "c1")], [call("send", { to: "bob" }, "c2"), call("send", { to: "eve" }, "c3")], "sent"), tools: [change] });
    await t.invoke(agent, { messages: [new HumanMessage({ id: "u", content: "send" })] });
  },
  "answers by id, one question after the other": async (t) => {
    const graph = new StateGraph(List).addNode("a", () => ({ list: [interrupt("1"), interrupt("2"), interrupt("3")] as any })).addEdge(START, "a").compile({ checkpointer: new MemorySaver() });
    let result: any = await graph.invoke({}, onThread("1"));
    for (const answer of ["one", ["two"], [["three"]]]) result = await t.invoke(graph, new Command({ resume: { [result.__interrupt__[0].id]: answer } }), onThread("1"));
    await t.invoke(graph, {}, onThread("2"));
    for (const answer of ["one", ["two"], []]) await t.invoke(graph, new Command({ resume: answer }), onThread("2"));
  },
  "a plain object in the place of a Command": async (t) => {
    const build = () => new StateGraph(List).addNode("a", () => ({ list: ["a"] }), { ends: ["b"] }).addNode("b", () => ({ list: ["b"] })).addEdge(START, "a").compile({ checkpointer: new MemorySaver() });
    for (const input of [{ lg_name: "Command", goto: "b", update: { list: ["u"] } }, { goto: "b" }, JSON.parse(JSON.stringify(new Command({ goto: "b", update: { list: ["j"] } })))]) await t.invoke(build(), input, onThread("1"));
  },
  "a saver that keeps what it is told of a run, as a server's does": async (t) => {
    class Told extends MemorySaver {
      override async put(...[config, checkpoint, metadata]: any[]) {
        return (super.put as any)(config, checkpoint, { ...config.metadata, ...metadata });
      }
    }
    const inner = new StateGraph(List).addNode("in", () => ({ list: ["in"] })).addEdge(START, "in").compile();
    const checkpointer = new Told();
    const graph = new StateGraph(List).addNode("inner", inner).addEdge(START, "inner").compile({ checkpointer });
    const told = { configurable: { thread_id: "1", run_id: "r1", assistant_id: "a", graph_id: "g", user: "ann" }, metadata: { own: 1 }, tags: ["tag"] };
    await t.invoke(graph, {}, told);
    await t.update(graph, onThread("1"), { list: ["edited"] });
    t.note("told", (await drain(checkpointer.list({ configurable: { thread_id: "1" } }))).map(({ metadata }) => metadata));
    t.note("of the run", (await drain(checkpointer.list({ configurable: { thread_id: "1" } }, { filter: { run_id: "r1" } as any }))).length);
    t.note("state", (await graph.getState(onThread("1"))).metadata);
  },
};
