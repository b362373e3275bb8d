// SPDX-License-Identifier: MIT
// docs/benchmarks.md: N trivial nodes in a row, each writing one number; plain and with the memory
// saver.
import { compare } from "./measure.mjs";

function build(lib, nodes, checkpointer) {
  const graph = new lib.StateGraph(lib.Annotation.Root({ n: lib.Annotation() }));
  let previous = lib.START;
  for (let i = 0; i < nodes; i++) {
    graph.addNode(`n${i}`, (state) => ({ n: state.n + 1 })).addEdge(previous, `n${i}`);
    previous = `n${i}`;
  }
  return graph.addEdge(previous, lib.END).compile(checkpointer ? { checkpointer } : {});
}

let thread = 0;

function side(lib, nodes, runs, saved) {
  const app = build(lib, nodes, saved ? new lib.MemorySaver() : undefined);
  return async () => {
    for (let i = 0; i < runs; i++) {
      const config = { recursionLimit: nodes + 5 };
      if (saved) config.configurable = { thread_id: `t${thread++}` };
      const result = await app.invoke({ n: 0 }, config);
      if (result.n !== nodes) throw new Error(`the chain counted ${result.n} of ${nodes}`);
    }
  };
}

function byHand(nodes, runs) {
  const steps = Array.from({ length: nodes }, () => async (state) => ({ n: state.n + 1 }));
  return async () => {
    for (let i = 0; i < runs * 20; i++) {
      let state = { n: 0 };
      for (const step of steps) state = { ...state, ...(await step(state)) };
    }
  };
}

export async function rows({ weft, langgraph }, sizes = [10, 100, 1000]) {
  const made = [];
  for (const saved of [false, true]) {
    for (const nodes of sizes) {
      const runs = Math.max(1, Math.floor(1000 / nodes));
      const row = await compare(`chain${saved ? " + MemorySaver" : ""}, ${nodes} nodes`, {
        unit: "µs/superstep",
        per: nodes * runs,
        sides: {
          weft: side(weft, nodes, runs, saved),
          langgraph: side(langgraph, nodes, runs, saved),
        },
        warmups: 3,
        must: saved ? 40 : 50,
      });
      const limit = await compare("", {
        unit: "µs",
        per: nodes * runs * 20,
        sides: { limit: byHand(nodes, runs) },
        rounds: 3,
      });
      row.limit = limit.limit;
      made.push(row);
    }
  }
  return made;
}
