// SPDX-License-Identifier: MIT
// Streams as a user meets them: when chunks come, in which combination of modes.
import { setTimeout } from "node:timers/promises";
import { MemorySaver } from "@langchain/langgraph";
import { logState, thread } from "./harness.mjs";
import { same } from "./surface.mjs";

/** START -> 1 -> ... -> 6, each noted when it runs. */
function chain(lib, log, wait) {
  const builder = new lib.StateGraph(logState(lib));
  let last = lib.START;
  for (const name of ["1", "2", "3", "4", "5", "6"]) {
    builder
      .addNode(name, () => (log.push(`node ${name}`), wait({ log: [name] })))
      .addEdge(last, name);
    last = name;
  }
  return builder.compile();
}

for (const [kind, wait] of [
  ["at once", (update) => update],
  ["by a promise", async (update) => update],
  ["after a while", (update) => setTimeout(1, update)],
]) {
  for (const streamMode of ["updates", "values"]) {
    same(
      `an eager reader of ${streamMode} sees a step before the next one ends; nodes answer ${kind}`,
      async (lib, t) => {
        const log = [];
        for await (const chunk of await chain(lib, log, wait).stream({ log: [] }, { streamMode }))
          log.push(`chunk ${(chunk.log ?? Object.keys(chunk)).at(-1) ?? 0}`);
        // A chunk is read before the node after the next one runs.
        t.note(
          "order",
          log.filter(
            (one, at) =>
              one.startsWith("chunk") &&
              log.slice(0, at).includes(`node ${Number(one.slice(6)) + 2}`),
          ),
        );
      },
    );
  }
}

for (const streamMode of [
  ["updates", "checkpoints"],
  ["values", "checkpoints"],
  ["checkpoints", "tasks"],
  ["updates", "debug"],
]) {
  for (const edits of [false, true]) {
    same(
      `${streamMode.join(" and ")} of a run from an earlier checkpoint${edits ? ", edited" : ""}`,
      async (lib, t) => {
        const graph = new lib.StateGraph(logState(lib))
          .addNode("a", () => ({ log: ["a"] }))
          .addNode("b", () => ({ log: ["b"] }))
          .addEdge(lib.START, "a")
          .addEdge("a", "b")
          .compile({ checkpointer: new lib.MemorySaver() });
        await graph.invoke({ log: [] }, thread("t"));
        const history = [];
        for await (const snapshot of graph.getStateHistory(thread("t"))) history.push(snapshot);
        const { config } = history.find(({ next }) => next[0] === "b");
        await t.stream(graph, null, {
          ...(edits ? await graph.updateState(config, { log: ["edit"] }) : config),
          streamMode,
        });
        await t.history(graph, thread("t"));
      },
    );
  }
}

const MESSAGES = { streamMode: ["messages", "updates"], subgraphs: true };

for (const inside of [false, true]) {
  same(
    `messages: a condition behind START shows no input; ${inside ? "a graph inside" : "a node"}`,
    async (lib, t) => {
      const say = () => ({ messages: [new lib.AIMessage({ id: "a", content: "hi" })] });
      const inner = new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("say", say)
        .addConditionalEdges(lib.START, () => "say")
        .compile();
      const graph = new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("a", inside ? inner : say)
        .addConditionalEdges(lib.START, () => "a", ["a"])
        .compile({ checkpointer: new lib.MemorySaver() });
      for (const id of ["h", "i"])
        await t.stream(
          graph,
          { messages: [new lib.HumanMessage({ id, content: "q" })] },
          thread("t", MESSAGES),
        );
    },
  );
}

same("messages: models in tasks, with their tags", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["ab"] });
  const ask = lib.task("ask", async (question) => model.invoke(question));
  const flow = lib.entrypoint("flow", async (question) => [
    await ask(question),
    await model.invoke(question),
    new lib.AIMessage({ id: "end", content: "e" }),
  ]);
  await t.stream(flow, "q", MESSAGES);
});

same(
  "messages: ids that the stream gave are saved, also by LangGraph.js's saver",
  async (lib, t) => {
    const say = () => ({
      messages: [new lib.AIMessage("a"), new lib.ToolMessage({ content: "t", tool_call_id: "c" })],
    });
    const graph = new lib.StateGraph(lib.MessagesAnnotation)
      .addNode("say", say)
      .addEdge(lib.START, "say")
      .compile({ checkpointer: new MemorySaver() });
    await t.stream(
      graph,
      { messages: [new lib.HumanMessage({ id: "h", content: "q" })] },
      thread("t", MESSAGES),
    );
    await t.state(graph, thread("t"));
    await t.history(graph, thread("t"));
  },
);
