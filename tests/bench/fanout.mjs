// SPDX-License-Identifier: MIT
// docs/benchmarks.md: Send map-reduce, µs per task.
import { compare } from "./measure.mjs";

function build(lib) {
  const State = lib.Annotation.Root({
    count: lib.Annotation(),
    out: lib.Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
  });
  return new lib.StateGraph(State)
    .addNode("plan", () => ({}))
    .addNode("work", (item) => ({ out: item.value }))
    .addEdge(lib.START, "plan")
    .addConditionalEdges(
      "plan",
      (state) => Array.from({ length: state.count }, (_, value) => new lib.Send("work", { value })),
      ["work"],
    )
    .compile();
}

function side(lib, tasks, runs) {
  const app = build(lib);
  return async () => {
    for (let i = 0; i < runs; i++) {
      const result = await app.invoke({ count: tasks });
      if (result.out !== (tasks * (tasks - 1)) / 2)
        throw new Error(`the fan-out summed ${result.out}`);
    }
  };
}

function byHand(tasks, runs) {
  const work = async (item) => ({ out: item.value });
  return async () => {
    for (let i = 0; i < runs * 10; i++) {
      const items = Array.from({ length: tasks }, (_, value) => ({ value }));
      (await Promise.all(items.map(work))).reduce((sum, one) => sum + one.out, 0);
    }
  };
}

export async function rows({ weft, langgraph }) {
  const made = [];
  for (const tasks of [100, 1000, 5000]) {
    const runs = tasks === 100 ? 5 : 1;
    const row = await compare(`fan-out, ${tasks} Sends`, {
      unit: "µs/task",
      per: tasks * runs,
      sides: { weft: side(weft, tasks, runs), langgraph: side(langgraph, tasks, runs) },
    });
    const limit = await compare("", {
      unit: "µs",
      per: tasks * runs * 10,
      sides: { limit: byHand(tasks, runs) },
      rounds: 3,
    });
    made.push({ ...row, limit: limit.limit });
  }
  return made;
}
