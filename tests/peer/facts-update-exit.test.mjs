// SPDX-License-Identifier: MIT
// What durability keeps of an answer whose node then fails: before it asks, after it was answered,
// at its second question.
import { fact, logState, thread } from "./harness.mjs";

for (const durability of ["exit", "async", "sync"]) {
  fact(
    "13.1, 10.3",
    `durability ${durability}: an answer outlives the failure of its node`,
    async (lib, t) => {
      for (const early of [true, false]) {
        for (const before of [true, false]) {
          for (const twice of [true, false]) {
            let runs = 0;
            const node = () => {
              const isFailing = runs++ === (before ? 0 : 1);
              if (early && isFailing) throw new Error("early");
              const answers = [lib.interrupt("first"), twice ? lib.interrupt("second") : undefined];
              if (isFailing) throw new Error("late");
              return { log: answers };
            };
            const graph = new lib.StateGraph(logState(lib))
              .addNode("ask", node)
              .addEdge("__start__", "ask")
              .compile({
                checkpointer: new lib.MemorySaver(),
                ...(before ? { interruptBefore: ["ask"] } : {}),
              });
            const config = thread("t", { durability });
            for (const input of [{ log: ["i"] }, new lib.Command({ resume: "r" }), null]) {
              await t.invoke(graph, input, config);
              t.note("tasks", (await graph.getState(thread("t"))).tasks);
            }
          }
        }
      }
    },
  );
}
