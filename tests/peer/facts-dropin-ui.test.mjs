// SPDX-License-Identifier: MIT
// What packages find in a task's config: the generative UI of LangGraph's SDK writes by it,
// LangChain's tools read their state.
import { typedUi, uiMessageReducer } from "@langchain/langgraph-sdk/react-ui/server";
import { logState, thread } from "./harness.mjs";
import { same } from "./surface.mjs";

same("a node pushes, merges and deletes components", async (lib, t) => {
  const State = lib.Annotation.Root({
    ...lib.MessagesAnnotation.spec,
    ui: lib.Annotation({ reducer: uiMessageReducer, default: () => [] }),
  });
  const graph = new lib.StateGraph(State)
    .addNode("a", (_, config) => {
      const ui = typedUi(config);
      const message = new lib.AIMessage({ id: "m", content: "x" });
      ui.push({ id: "u", name: "weather", props: { city: "sf" } }, { message });
      ui.push({ id: "u", name: "weather", props: { more: 1 } }, { message, merge: true });
      ui.push({ id: "v", name: "gone", props: {} });
      ui.delete("v");
      return { messages: [message] };
    })
    .addEdge(lib.START, "a")
    .compile({ checkpointer: new lib.MemorySaver() });
  const options = thread("t", {
    streamMode: ["custom", "values", "updates"],
    metadata: { run_id: "r" },
    configurable: { run_id: "r" },
  });
  await t.stream(graph, { messages: [new lib.HumanMessage({ id: "h", content: "q" })] }, options);
  await t.state(graph, thread("t"));
});

same("a task's keys: to write, to read, with and without its own writes", async (lib, t) => {
  const seen = [];
  const graph = new lib.StateGraph(logState(lib, { foo: lib.Annotation }))
    .addNode("a", (_, { configurable }) => {
      configurable.__pregel_send([
        ["log", ["sent"]],
        ["nothing", 1],
      ]);
      for (const fresh of [false, true])
        seen.push(
          configurable.__pregel_read("log", fresh),
          configurable.__pregel_read(["foo", "log", "nothing"], fresh),
        );
      seen.push(typeof configurable.__pregel_task_id);
      seen.push(
        configurable.__pregel_scratchpad.currentTaskInput,
        { ...configurable }.__pregel_scratchpad.currentTaskInput,
      );
      return { foo: 2, log: ["given"] };
    })
    .addEdge(lib.START, "a")
    .compile();
  await t.stream(graph, { foo: 1, log: [] }, { streamMode: ["values", "updates"] });
  t.note("seen", seen);
});
