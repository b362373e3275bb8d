// SPDX-License-Identifier: MIT
// docs/benchmarks.md: 1,000 threads of four steps, interleaved, with the memory saver.
import { compare, round } from "./measure.mjs";

const THREADS = 1000;
let serial = 0;

function side(lib) {
  const graph = new lib.StateGraph(lib.Annotation.Root({ n: lib.Annotation() }));
  for (let i = 0; i < 4; i++) {
    graph
      .addNode(`n${i}`, async (state) => ({ n: state.n + 1 }))
      .addEdge(i === 0 ? lib.START : `n${i - 1}`, `n${i}`);
  }
  graph.addEdge("n3", lib.END);
  return async () => {
    const app = graph.compile({ checkpointer: new lib.MemorySaver() });
    const runs = Array.from({ length: THREADS }, () =>
      app.invoke({ n: 0 }, { configurable: { thread_id: `i${serial++}` } }),
    );
    for (const result of await Promise.all(runs))
      if (result.n !== 4) throw new Error(`a thread counted ${result.n}`);
  };
}

export async function rows({ weft, langgraph }) {
  const row = await compare("1,000 threads x 4 steps, interleaved", {
    unit: "µs/run",
    per: THREADS,
    warmups: 8,
    sides: { weft: side(weft), langgraph: side(langgraph) },
    must: 50,
  });
  return [
    row,
    {
      name: "the same, runs per second",
      unit: "1/s",
      weft: round(1e6 / row.weft),
      langgraph: round(1e6 / row.langgraph),
    },
  ];
}
